// Where the image of the workers cannot be pulled: which nodes say so, who tries next, and when it is over. Counted from the
// records of the nodes, so that a restart finds the same; only what a trial has shown is kept in memory.

import type { Instant } from '../base/clock.ts';
import { parseTime } from '../base/timestamp.ts';
import type { VerificationRecord } from '../fleet/lifecycle.ts';
import { isImageInDoubt } from './arbitrate-worker.ts';

export interface ImagePause {
  note(node: string, record: VerificationRecord | undefined, now: Instant): void;
  /** A worker may start: while the image is in doubt it is the trial, and the next one has to wait. */
  started(record: VerificationRecord, now: Instant): void;
  forget(node: string): void;
  counters(): { readonly imageFailures: number; readonly nextTrialAt: Instant };
}

const TRIAL_PERIOD_MS = 60_000;

export function createImagePause(): ImagePause {
  const failures = new Set<string>();
  let nextTrialAt: Instant = 0;
  let trialWorker: string | undefined;
  /** A trial came to run then: what failed before is no argument any more, whether its node tries again or not. */
  let provenAt: Instant = -Infinity;

  return {
    note(node, record, now) {
      if (record?.state === 'pending') return;
      if (hasFailed(record)) {
        if ((parseTime(record?.attemptEndedAt) ?? now) > provenAt) failures.add(node);
        return;
      }
      failures.delete(node);
      if (trialWorker === undefined || record?.workerPod !== trialWorker || !hasRun(record)) return;
      trialWorker = undefined;
      provenAt = now;
      failures.clear();
    },
    started({ workerPod }, now) {
      if (!isImageInDoubt(failures.size)) return;
      nextTrialAt = now + TRIAL_PERIOD_MS;
      trialWorker = workerPod;
    },
    forget: (node) => void failures.delete(node),
    counters: () => ({ imageFailures: failures.size, nextTrialAt }),
  };
}

function hasFailed(record: VerificationRecord | undefined): boolean {
  return record?.state !== 'in_progress' && record?.reason === 'WorkerImageUnavailable';
}

function hasRun({ state, verdict }: VerificationRecord): boolean {
  return state === 'in_progress' || verdict === 'pass' || verdict === 'fail';
}
