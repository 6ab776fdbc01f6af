// Whether and when the next attempt is made.

import { parseTime } from '../../../base/timestamp.ts';
import { retryPauseMs } from '../../../api/verification-vocabulary.ts';
import { attempted } from '../next-record.ts';
import { type RecordedScene, type Step, waiting } from '../scene.ts';

/** What finds nothing out is tried as often as the policy says, and from then on seldom. */
const SELDOM_MS = 600_000;
/** Times are written in whole seconds, rounded up. */
const ROUNDING_MS = 1_000;

export const attemptsAreSpent: Step = ({ record, policy }) => {
  const isSpent = (record.failedAttempts ?? 0) >= policy.attemptsMax;
  if (!isSpent) return null;
  const message = record.lastError ?? '';
  return policy.isDeleting
    ? waiting('DeletionHeld', `${message}; nodes are not deleted yet`)
    : waiting('VerificationGivenUp', message);
};

export const timeIsUp: Step = (scene) => {
  const { record, now } = scene;
  const overdueAt = deadlineOf(scene);
  if (overdueAt === null || now < overdueAt || record.state === 'failed') return null;
  const told = { ...record, state: 'failed', verdict: record.verdict ?? 'inconclusive' } as const;
  return waiting('VerificationOverdue', record.lastError, { record: told });
};

/** When the time of a node that waits is up, whatever it waits for; null where it has none, or it is up already. */
export function overdueAtOf(scene: RecordedScene): number | null {
  const overdueAt = scene.record.state === 'unverified' ? deadlineOf(scene) : null;
  return overdueAt === null || overdueAt <= scene.now ? null : overdueAt;
}

/** Only a new node has a deadline: one that works already is in nobody's way. */
function deadlineOf({ record, policy, node }: RecordedScene): number | null {
  if ((record.round ?? 1) > 1 || record.gates !== true) return null;
  const bornAt = parseTime(node.creationTimestamp) ?? parseTime(record.createdAt);
  return bornAt === null ? null : bornAt + policy.deadlineMs;
}

export const lastAttemptIsRecent: Step = (scene) => {
  const { record, now } = scene;
  const endedAt = parseTime(record.attemptEndedAt);
  if (endedAt === null) return null;
  const nextAt = endedAt + pauseMs(scene);
  // An end that is yet to come was written before the clock was set back: it is over.
  if (now >= nextAt || endedAt > now + ROUNDING_MS) return null;
  return waiting(record.reason === undefined ? 'BackingOff' : asWaiting(record), record.lastError ?? '', {
    recheckAt: nextAt,
  });
};

function asWaiting({
  verdict,
}: RecordedScene['record']): 'BackingOff' | 'CheckFailed' | 'VerificationInconclusive' {
  if (verdict === 'fail') return 'CheckFailed';
  return verdict === 'inconclusive' ? 'VerificationInconclusive' : 'BackingOff';
}

/** It found nothing out as often as the policy says, and is tried seldom from then on. */
export function isTriedOut({ record, policy }: RecordedScene): boolean {
  return (record.inconclusiveAttempts ?? 0) >= policy.attemptsMax;
}

function pauseMs(scene: RecordedScene): number {
  const { record, policy } = scene;
  const { failedAttempts = 0, inconclusiveAttempts = 0, verdict, reason } = record;
  if (verdict === 'fail') return retryPauseMs(policy.retryBackoff, failedAttempts);
  if (reason === 'NodeNotReady' || reason === 'WorkerEvicted') return 1_000;
  if (isTriedOut(scene)) return SELDOM_MS;
  return retryPauseMs(policy.retryBackoff, inconclusiveAttempts);
}

export const worker: Step = ({ record, node, policy, now }) =>
  waiting('VerificationPending', 'a worker is to check it', {
    attempt: attempted(record, { node, policy, now }),
  });
