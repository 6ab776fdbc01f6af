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

export function serviceOf(node: NodeView, lifecycle: LifecycleView | undefined, now: Instant): Service {
  const isRecorded = lifecycle?.nodeUID === node.uid && lifecycle.stage !== '';
  if (isRecorded) return lifecycle.isReleased ? 'inService' : 'new';
  const bornAt = parseTime(node.creationTimestamp) ?? now;
  const isEstablished = now - bornAt > ESTABLISHED_MS && isTrue(node.conditions, 'Ready');
  return isEstablished ? 'unrecorded' : 'new';
}
