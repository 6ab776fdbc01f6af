// What the condition `Verified` of a node says, from its record: True and False are conclusions of checks, and everything
// else is Unknown. Pure. It never changes while a node that works is merely looked at again.

import type { Reason } from '../../api/reasons.ts';
import { lifecycleLimits as limits } from '../../api/lifecycle-vocabulary.ts';
import { verifiedConditionType as type } from '../../api/keys.ts';
import type { Instant } from '../../base/clock.ts';
import { formatTime } from '../../base/timestamp.ts';
import { cut } from '../../fleet/bounds.ts';
import type { VerificationRecord } from '../../fleet/lifecycle.ts';
import { type Condition, findCondition, withCondition } from '../../objects/condition.ts';
import type { NodeView } from '../../objects/node.ts';
import type { ConditionPatch } from '../../runtime/capability.ts';

export type ConditionFacts = {
  readonly node: Pick<NodeView, 'conditions'>;
  /** Undefined: this incarnation was never ours to verify, and a condition of this type is not ours either. */
  readonly record: VerificationRecord | undefined;
  readonly hasPolicy: boolean;
  readonly now: Instant;
};

/** Null: it is as it should be. */
export function conditionPatch({ node, record, hasPolicy, now }: ConditionFacts): ConditionPatch | null {
  if (record === undefined) return null;
  const current = findCondition(node.conditions, type);
  if (!hasPolicy) return current === undefined ? null : { type, $patch: 'delete' };
  const next = conclusionOf(record, current);
  if (next === null || isSame(next, current)) return null;
  const [condition] = withCondition(current === undefined ? [] : [current], { type, ...next }, now);
  return condition === undefined ? null : { ...plain(condition), lastHeartbeatTime: formatTime(now) };
}

type Conclusion = Pick<Condition, 'status' | 'reason' | 'message'>;

function conclusionOf(record: VerificationRecord, current: Condition | undefined): Conclusion | null {
  const pending: Reason = 'VerificationPending';
  const { reason = pending, lastError = '' } = record;
  const message = cut(lastError, limits.messageLengthMax);
  if (record.state === 'verified')
    return { status: 'True', reason, message: `at ${record.verifiedAt ?? ''}` };
  if (isFailed(record)) return { status: 'False', reason, message };
  return isLookedAtAgain(record) && current?.status === 'True'
    ? null
    : { status: 'Unknown', reason, message };
}

/** A check failed, and that has consequences: what is tried again without any is not concluded yet. */
function isFailed({ failedAttempts = 0, gates, reason }: VerificationRecord): boolean {
  const givenUp: Reason = 'VerificationGivenUp';
  return failedAttempts > 0 && (gates === true || reason === givenUp);
}

/** It was verified, and works; whoever took its taint away has ended that round. */
function isLookedAtAgain({ gates, reason }: VerificationRecord): boolean {
  const left: Reason = 'ManualOverride';
  return gates !== true && reason !== left;
}

function isSame(next: Conclusion, current: Condition | undefined): boolean {
  return (
    next.status === current?.status && next.reason === current.reason && next.message === current.message
  );
}

/** Without what a view adds to a condition. */
function plain({ status, reason, message, lastTransitionTime }: Condition): Condition {
  return { type, status, reason, message, lastTransitionTime };
}
