// A rate limit that is waited for: `burst` at once, then `qps` per second, in the order of asking. Never refuses.

import { type Clock, sleep } from '../base/clock.ts';

export type Rate = { readonly qps: number; readonly burst: number };

export class TokenBucket {
  readonly #clock: Clock;
  readonly #rate: Rate;
  /** When the bucket is full again if nobody asks any more. */
  #fullAtMs = 0;

  constructor(clock: Clock, rate: Rate) {
    this.#clock = clock;
    this.#rate = rate;
  }

  /** Resolves when it is this caller's turn, or when the signal aborts; a turn once reserved is spent either way. */
  async take(signal: AbortSignal): Promise<void> {
    const { qps, burst } = this.#rate;
    const nowMs = this.#clock.monotonicMs();
    const stepMs = 1000 / qps;
    this.#fullAtMs = Math.max(this.#fullAtMs, nowMs) + stepMs;
    const waitMs = this.#fullAtMs - nowMs - burst * stepMs;
    if (waitMs > 0) await sleep(this.#clock, waitMs, signal);
  }
}
