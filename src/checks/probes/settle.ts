// One wait that ends by an answer, by an error or by the signal, whichever is first, and releases everything afterwards.

import { err, ok, type Result } from '../../base/result.ts';
import { aborted, type Outcome } from '../outcome.ts';
import type { Probed } from '../world.ts';

export type Settle<T> = {
  readonly done: (value: T) => void;
  readonly fail: (outcome: Outcome) => void;
};

/** `begin` starts the work and returns how to release it; it runs synchronously, and the release exactly once. */
export function settle<T>(
  signal: AbortSignal,
  waitedFor: string,
  begin: (settle: Settle<T>) => () => void,
): Probed<T> {
  if (signal.aborted) return Promise.resolve(err(aborted(signal, waitedFor)));
  return new Promise((resolve) => {
    let release: (() => void) | null = null;
    let result: Result<T, Outcome> | null = null;
    const finish = (first: Result<T, Outcome>) => {
      if (result !== null) return;
      result = first;
      signal.removeEventListener('abort', onAbort);
      release?.();
      resolve(first);
    };
    const onAbort = () => finish(err(aborted(signal, waitedFor)));
    signal.addEventListener('abort', onAbort);
    release = begin({ done: (value) => finish(ok(value)), fail: (outcome) => finish(err(outcome)) });
    if (result !== null) release();
  });
}
