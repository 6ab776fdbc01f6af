// The steps that a record takes: begun, attempted, started, ended, begun again. Each returns the whole next record, so that it
// can be written in one piece before anything that it permits.

import type { Instant } from '../../base/clock.ts';
import { formatTime } from '../../base/timestamp.ts';
import type { Reason } from '../../api/reasons.ts';
import { cut, statusLimits as limits } from '../../fleet/bounds.ts';
import { isRunning, type VerificationRecord } from '../../fleet/lifecycle.ts';
import type { NodeView } from '../../objects/node.ts';
import type { Policy } from './policy.ts';
import type { WorkerEnd } from './worker-end.ts';
import { workerName } from './worker-view.ts';

export type RoundStart = {
  readonly node: NodeView;
  readonly policy: Policy;
  readonly round: number;
  readonly isGating: boolean;
  readonly now: Instant;
};

export function begun({ node, policy, round, isGating, now }: RoundStart): VerificationRecord {
  return {
    state: 'unverified',
    ...policyOf(policy),
    round,
    ...runsOf(node),
    attempt: 0,
    gates: isGating,
    createdAt: formatTime(now),
  };
}

export function taken(start: RoundStart, reason: Reason): VerificationRecord {
  const { gates, ...record } = begun(start);
  return { ...record, state: 'verified', reason, verifiedAt: formatTime(start.now) };
}

export function attempted(
  record: VerificationRecord,
  { node, policy, now }: Pick<RoundStart, 'node' | 'policy' | 'now'>,
): VerificationRecord {
  const { startedAt, attemptEndedAt, verdict, ...rest } = record;
  const attempt = (record.attempt ?? 0) + 1;
  const round = record.round ?? 1;
  return {
    ...rest,
    state: 'pending',
    ...policyOf(policy),
    ...runsOf(node),
    attempt,
    workerPod: workerName({ nodeName: node.name, nodeUID: node.uid, round, attempt }),
    lastAttemptAt: formatTime(now),
  };
}

export function started(record: VerificationRecord, now: Instant): VerificationRecord {
  return { ...record, state: 'in_progress', startedAt: formatTime(now) };
}

/** The worker is not there any more: the same attempt, under the same name, is made again. */
export function missed(record: VerificationRecord, now: Instant): VerificationRecord {
  const { startedAt, ...rest } = record;
  return {
    ...rest,
    state: 'pending',
    inconclusiveAttempts: (record.inconclusiveAttempts ?? 0) + 1,
    reason: 'WorkerGone' satisfies Reason,
    lastAttemptAt: formatTime(now),
  };
}

export function ended(
  record: VerificationRecord,
  end: WorkerEnd,
  { policy, now }: Pick<RoundStart, 'policy' | 'now'>,
): VerificationRecord {
  const { startedAt, lastError, checks, ...rest } = record;
  const counted = {
    ...rest,
    verdict: end.verdict,
    reason: end.reason,
    attemptEndedAt: formatTime(roundedUp(now)),
    ...(end.checks.length === 0 ? {} : { checks: end.checks }),
  };
  const error = end.message === '' ? {} : { lastError: cut(end.message, limits.messageLengthMax) };
  switch (end.verdict) {
    case 'pass':
      return { ...counted, state: 'verified', verifiedAt: formatTime(now) };
    case 'fail': {
      const failedAttempts = (record.failedAttempts ?? 0) + 1;
      const isGating = record.gates === true || failedAttempts >= policy.failuresBeforeGate;
      const isLast = failedAttempts >= policy.attemptsMax;
      const reason: Reason = isLast ? 'VerificationGivenUp' : end.reason;
      return { ...counted, ...error, reason, state: 'failed', failedAttempts, gates: isGating };
    }
    case 'inconclusive': {
      const inconclusiveAttempts = (record.inconclusiveAttempts ?? 0) + 1;
      return { ...counted, ...error, state: 'unverified', inconclusiveAttempts };
    }
  }
}

/** Its worker is of no use any more, and nothing is concluded. */
export function aborted(record: VerificationRecord, reason: Reason, now: Instant): VerificationRecord {
  const { startedAt, ...rest } = record;
  return { ...rest, state: 'unverified', reason, attemptEndedAt: formatTime(roundedUp(now)) };
}

/**
 * No policy stands for the node any more, and what held it back is taken away: it is let in as it is, and the next policy begins anew.
 * What was found out stays.
 */
export function abandoned(record: VerificationRecord, now: Instant): VerificationRecord {
  const { gatedAt, gatedAsOf, ...rest } = record;
  const free = { ...rest, gates: false };
  if (record.state === 'failed') return free;
  if (isRunning(record)) return aborted(free, 'NotOnboarded', now);
  return { ...free, state: 'unverified', reason: 'NotOnboarded' satisfies Reason };
}

/** Another policy, or this one with other taints: the gate that was seen is not the one that is asked for now. */
export function regated(record: VerificationRecord, policy: Policy): VerificationRecord {
  const { gatedAt, gatedAsOf, ...rest } = record;
  return { ...rest, ...policyOf(policy) };
}

/** Of another policy, be it of the same name, or of an earlier generation of this one. */
export function isOfAnother(record: VerificationRecord, policy: Policy): boolean {
  const { policy: name = '', policyUID = policy.uid, generation = policy.generation } = record;
  return name !== policy.name || policyUID !== policy.uid || generation !== policy.generation;
}

function policyOf({
  name,
  uid,
  generation,
}: Policy): Pick<VerificationRecord, 'policy' | 'policyUID' | 'generation'> {
  return name === '' ? {} : { policy: name, policyUID: uid, generation };
}

/** What an attempt finds out is of the boot and of the kubelet that it began with. */
export function runsOf({
  bootID,
  kubeletVersion,
}: NodeView): Pick<VerificationRecord, 'bootID' | 'kubeletVersion'> {
  const { bootIDLengthMax: lengthMax } = limits;
  return {
    ...(bootID === '' ? {} : { bootID: cut(bootID, lengthMax) }),
    ...(kubeletVersion === '' ? {} : { kubeletVersion: cut(kubeletVersion, lengthMax) }),
  };
}

/** Times have whole seconds: what runs from this one must not begin too early. */
function roundedUp(now: Instant): Instant {
  return Math.ceil(now / 1000) * 1000;
}
