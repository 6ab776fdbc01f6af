// What people are told on the node when its verification moves: one event per transition, none for waiting.

import type { Reason } from '../../api/reasons.ts';
import type { VerificationRecord } from '../../fleet/lifecycle.ts';
import type { VerificationWritten } from '../../runtime/capability.ts';
import type { NodeEvent } from '../../runtime/ports.ts';
import { overrideWords } from './policies/obstacles.ts';

type Words = { readonly type: NodeEvent['type']; readonly reason: Reason; readonly note: string };

export function eventsFor({ node, before, after }: VerificationWritten): readonly NodeEvent[] {
  const words = wordsFor(before, after);
  return words === null ? [] : [{ node, action: 'Verify', ...words }];
}

function wordsFor(before: VerificationRecord | undefined, after: VerificationRecord): Words | null {
  const attempt = `attempt ${after.attempt ?? 0}`;
  const why = [after.reason, after.lastError].filter(Boolean).join(': ');
  if (before?.state === after.state && before?.attemptEndedAt === after.attemptEndedAt) return null;
  switch (after.state) {
    case 'pending':
      return before?.attempt === after.attempt
        ? {
            type: 'Normal',
            reason: 'WorkerGone',
            note: `${attempt}: the worker ${after.workerPod} is made again`,
          }
        : { type: 'Normal', reason: 'VerificationStarted', note: `${attempt}: ${after.workerPod}` };
    case 'verified':
      return {
        type: 'Normal',
        reason: isPassed(after) ? 'VerificationPassed' : asReason(after),
        note: isPassed(after) ? `${attempt}: ${after.checks?.length ?? 0} checks` : takenWords(after),
      };
    case 'failed':
      if (after.verdict !== 'fail') return { type: 'Warning', reason: 'VerificationOverdue', note: why };
      return after.reason === 'VerificationGivenUp'
        ? { type: 'Warning', reason: 'VerificationGivenUp', note: `${attempt}: ${after.lastError ?? ''}` }
        : { type: 'Warning', reason: 'VerificationFailed', note: `${attempt}: ${why}` };
    case 'unverified':
      if (after.reason === 'ManualOverride')
        return { type: 'Normal', reason: 'ManualOverride', note: overrideWords };
      return after.verdict === 'inconclusive'
        ? { type: 'Warning', reason: 'VerificationInconclusive', note: `${attempt}: ${why}` }
        : null;
    case 'in_progress':
    case 'deleting':
      return null;
  }
}

function isPassed({ verdict }: VerificationRecord): boolean {
  return verdict === 'pass';
}

function takenWords(record: VerificationRecord): string {
  return asReason(record) === 'Onboarded'
    ? 'it was in service before its policy, and counts as verified without a check'
    : 'it has the label of verified nodes already';
}

function asReason({ reason }: VerificationRecord): Reason {
  return reason === 'Onboarded' ? 'Onboarded' : 'AlreadyVerified';
}
