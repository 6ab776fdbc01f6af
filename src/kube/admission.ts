// Decides when a request may leave: so many in flight, the rest in the order they came, nobody while the server has
// asked for a pause. Watches take no place, or they would fill them all for good.

import type { Cancel, Clock } from '../base/clock.ts';
import { type Rate, TokenBucket } from './token-bucket.ts';

export type AdmissionOptions = {
  readonly clock: Clock;
  readonly inFlightMax: number;
  /** Null: the server's own priority and fairness decides. */
  readonly writeRate: Rate | null;
};

/** However long the server asks us to wait: after this we ask again. */
export const HOLD_BACK_MS_MAX = 30_000;

/** Waiting callers in the order they came. */
type Line = Set<() => void>;

export class Admission {
  readonly #clock: Clock;
  readonly #inFlightMax: number;
  readonly #writes: TokenBucket | null;
  readonly #forPlace: Line = new Set();
  readonly #forPauseToEnd: Line = new Set();
  #inFlight = 0;
  #heldUntilMs = 0;
  #cancelWake: Cancel | null = null;

  constructor(options: AdmissionOptions) {
    this.#clock = options.clock;
    this.#inFlightMax = options.inFlightMax;
    this.#writes = options.writeRate === null ? null : new TokenBucket(options.clock, options.writeRate);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Resolves with the way to give the place back, or with null when the signal aborted first. */
  async enter(kind: 'read' | 'write', signal: AbortSignal): Promise<Cancel | null> {
    if (kind === 'write') await this.#writes?.take(signal);
    const isAdmitted = await this.#wait(this.#forPlace, signal);
    return isAdmitted ? this.#givenBackOnce() : null;
  }

  /** For what must not wait: it is counted, but neither queued nor held back. */
  enterAtOnce(): Cancel {
    this.#inFlight += 1;
    return this.#givenBackOnce();
  }

  /** For watches: waits out a pause, takes no place. False when the signal aborted first. */
  passPause(signal: AbortSignal): Promise<boolean> {
    return this.#wait(this.#forPauseToEnd, signal);
  }

  holdBack(forMs: number): void {
    const untilMs = this.#clock.monotonicMs() + Math.min(forMs, HOLD_BACK_MS_MAX);
    this.#heldUntilMs = Math.max(this.#heldUntilMs, untilMs);
  }

  #wait(line: Line, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const leave = () => {
      line.delete(admit);
      resolve(false);
    };
    const admit = () => {
      signal.removeEventListener('abort', leave);
      line.delete(admit);
      resolve(true);
    };
    signal.addEventListener('abort', leave, { once: true });
    line.add(admit);
    this.#admitWaiting();
    return promise;
  }

  #admitWaiting(): void {
    const pauseMs = this.#heldUntilMs - this.#clock.monotonicMs();
    if (pauseMs > 0) return this.#wakeAfter(pauseMs);
    for (const admit of this.#forPauseToEnd) admit();
    for (const admit of this.#forPlace) {
      if (this.#inFlight >= this.#inFlightMax) return;
      // The place is taken now, not when the promise is heard of: others are admitted in between.
      this.#inFlight += 1;
      admit();
    }
  }

  #givenBackOnce(): Cancel {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#inFlight -= 1;
      this.#admitWaiting();
    };
  }

  /** One timer however many wait; none when nobody does. */
  #wakeAfter(delayMs: number): void {
    this.#cancelWake?.();
    this.#cancelWake = null;
    if (this.#forPlace.size + this.#forPauseToEnd.size === 0) return;
    this.#cancelWake = this.#clock.after(delayMs, () => {
      this.#cancelWake = null;
      this.#admitWaiting();
    });
  }
}
