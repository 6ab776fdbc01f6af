// A clock that moves only when told to: for tests and for the simulator. Never used in production.

import type { Cancel, Clock, Instant } from '../../src/base/clock.ts';

export type ManualClock = Clock & {
  /** Moves time forward, running what falls due in order, each after the microtasks of the one before. */
  advance(byMs: number): Promise<void>;
  /** Moves the wall clock alone, as an administrator or NTP does. */
  stepWallClock(byMs: number): void;
  pendingTimers(): number;
};

type Timer = { readonly dueMs: number; readonly sequence: number; readonly run: () => void };

export function manualClock(start: Instant = Date.UTC(2026, 0, 1)): ManualClock {
  let elapsedMs = 0;
  let wallOffsetMs = 0;
  let sequence = 0;
  const timers = new Set<Timer>();

  const next = (untilMs: number): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) {
      if (timer.dueMs > untilMs) continue;
      const isSooner =
        first === undefined ||
        timer.dueMs < first.dueMs ||
        (timer.dueMs === first.dueMs && timer.sequence < first.sequence);
      if (isSooner) first = timer;
    }
    return first;
  };

  return {
    now: () => start + elapsedMs + wallOffsetMs,
    monotonicMs: () => elapsedMs,
    after(delayMs, run): Cancel {
      const timer = { dueMs: elapsedMs + Math.max(0, delayMs), sequence: sequence++, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    nextTurn: settle,
    async advance(byMs) {
      const untilMs = elapsedMs + byMs;
      await settle();
      for (let timer = next(untilMs); timer !== undefined; timer = next(untilMs)) {
        timers.delete(timer);
        elapsedMs = Math.max(elapsedMs, timer.dueMs);
        timer.run();
        await settle();
      }
      elapsedMs = untilMs;
    },
    stepWallClock(byMs) {
      wallOffsetMs += byMs;
    },
    pendingTimers: () => timers.size,
  };
}

/** Lets promises that are ready run to where they wait for something else. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
