// What one run of a check came to. `fail` is only for what ran on this node and failed; whatever kept a check from
// finding out is inconclusive, because a node must not be blamed for a missing file or a stopped worker.

import { DeadlineExceeded } from '../base/clock.ts';
import type { Code } from './codes.ts';

export type Outcome =
  | { readonly kind: 'pass'; readonly message: string }
  | { readonly kind: 'fail' | 'inconclusive'; readonly code: Code; readonly message: string };

export function pass(message: string): Outcome {
  return { kind: 'pass', message };
}

export function fail(code: Code, message: string): Outcome {
  return { kind: 'fail', code, message };
}

export function inconclusive(code: Code, message: string): Outcome {
  return { kind: 'inconclusive', code, message };
}

/** What an aborted wait means: silence until the deadline is a failure, a stopped worker is none. */
export function aborted(signal: AbortSignal, waitedFor: string): Outcome {
  return signal.reason instanceof DeadlineExceeded
    ? fail('Timeout', `${waitedFor}: ${signal.reason.message}`)
    : inconclusive('Interrupted', `${waitedFor}: stopped before an answer came`);
}
