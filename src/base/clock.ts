// Time as a port. Everything that waits or reads the time does so through a Clock, so that a simulator can own
// both. The system clock below is the only place that touches the real one.

/** Milliseconds since the Unix epoch. Compared with timestamps of the API server, never used for deadlines. */
export type Instant = number;

/** Of times, or of delays; null when there is none. */
export function soonest(...times: readonly (number | null | undefined)[]): number | null {
  const known = times.filter((time) => typeof time === 'number');
  return known.length === 0 ? null : Math.min(...known);
}

export type Cancel = () => void;

export interface Clock {
  now(): Instant;
  /** Milliseconds that only ever grow: for deadlines and durations. */
  monotonicMs(): number;
  /** Runs once after the delay unless cancelled. */
  after(delayMs: number, run: () => void): Cancel;
  /** Resolves in a later turn of the event loop, after pending I/O: how long work gives way. */
  nextTurn(): Promise<void>;
}

/** A timer set for longer fires at once instead. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, run) {
    const restMs = delayMs - TIMER_MS_MAX;
    let cancelRest: Cancel | undefined;
    const next = restMs > 0 ? () => void (cancelRest = systemClock.after(restMs, run)) : run;
    const timer = setTimeout(next, Math.min(delayMs, TIMER_MS_MAX));
    return () => {
      clearTimeout(timer);
      cancelRest?.();
    };
  },
  nextTurn: () => new Promise((resolve) => void setImmediate(resolve)),
};

/** Resolves after the delay, or at once when the signal aborts: the caller looks at the signal, nothing throws. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = () => {
      cancel();
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const cancel = clock.after(delayMs, wake);
    signal?.addEventListener('abort', wake);
  });
}

export type Deadline = { readonly signal: AbortSignal; readonly done: Cancel };

/** A signal that aborts with the parent or after the delay. `done` releases the timer and the listener. */
export function deadline(clock: Clock, delayMs: number, parent?: AbortSignal): Deadline {
  const controller = new AbortController();
  const onParent = () => controller.abort(parent?.reason);
  const cancel = clock.after(delayMs, () => controller.abort(new DeadlineExceeded(delayMs)));
  if (parent?.aborted) onParent();
  else parent?.addEventListener('abort', onParent);
  const done = () => {
    cancel();
    parent?.removeEventListener('abort', onParent);
  };
  return { signal: controller.signal, done };
}

export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';

  constructor(delayMs: number) {
    super(`no answer within ${delayMs} ms`);
  }
}
