// Exponential backoff with full upper-half jitter, so that many clients that failed together return apart.

import type { Random } from './random.ts';

export type BackoffPolicy = {
  readonly firstMs: number;
  readonly factor: number;
  readonly delayMsMax: number;
};

/** The delay before try number `failures + 1`: between half and the whole of the exponential step. */
export function backoffMs(policy: BackoffPolicy, failures: number, random: Random): number {
  const exponent = Math.min(Math.max(failures, 1) - 1, 62);
  const step = Math.min(policy.firstMs * policy.factor ** exponent, policy.delayMsMax);
  return step / 2 + (step / 2) * random.next();
}
