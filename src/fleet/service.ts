// Whether a node has been in service: from then on to keep pods away from it takes something away.

import type { Instant } from '../base/clock.ts';
import { parseTime } from '../base/timestamp.ts';
import { isTrue } from '../objects/condition.ts';
import type { NodeView } from '../objects/node.ts';
import type { LifecycleView } from './lifecycle.ts';

/** unrecorded: it was there before us, and its record does not say yet whether it was ever released. */
export type Service = 'new' | 'inService' | 'unrecorded';

/** A node that was ready for so long before its first record has been in service, whoever put it there. */
const ESTABLISHED_MS = 600_000;

export type ServiceMoment = {
  readonly now: Instant;
  /** Since when somebody asks something of the node, by the clock of the API server. */
  readonly askedAt?: Instant;
};

export function serviceOf(
  node: NodeView,
  lifecycle: LifecycleView | undefined,
  { now, askedAt = 0 }: ServiceMoment,
): Service {
  const own = lifecycle?.nodeUID === node.uid ? lifecycle : undefined;
  if (own !== undefined && own.stage !== '') return own.isReleased ? 'inService' : 'new';
  // Once it is there, the record says when the node was first seen by the clock that also dated the node; ours may have jumped.
  const seenAt = Math.max(own?.createdAt ?? now, askedAt);
  const bornAt = parseTime(node.creationTimestamp) ?? seenAt;
  const isEstablished = seenAt - bornAt > ESTABLISHED_MS && isTrue(node.conditions, 'Ready');
  return isEstablished ? 'unrecorded' : 'new';
}
