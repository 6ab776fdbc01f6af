// Whether a node has been in service: from then on to keep pods away from it takes something away.

import type { Instant } from '../base/clock.ts';
import { parseTime } from '../base/timestamp.ts';
import { findCondition } from '../objects/condition.ts';
import type { NodeView } from '../objects/node.ts';
import type { LifecycleView } from './lifecycle.ts';

/** unrecorded: it was there before us, and its record does not say yet whether it was ever released. */
export type Service = 'new' | 'inService' | 'unrecorded';

/** A node that had been there for so long before its first record has been in service, whoever put it there. */
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
  const isEstablished = seenAt - bornAt > ESTABLISHED_MS && !isStillJoining(node, bornAt);
  return isEstablished ? 'unrecorded' : 'new';
}

/**
 * Not ready, and it has not been otherwise since it was young. One that turned so later is one in an outage: who is started in the middle
 * of that must not take it for new.
 */
function isStillJoining({ conditions }: NodeView, bornAt: Instant): boolean {
  const ready = findCondition(conditions, 'Ready');
  if (ready === undefined) return true;
  const changedAt = parseTime(ready.lastTransitionTime);
  return ready.status !== 'True' && changedAt !== null && changedAt - bornAt <= ESTABLISHED_MS;
}
