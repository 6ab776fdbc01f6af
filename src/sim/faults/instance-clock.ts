// The clocks of one simulated process: all timers belong to it and die with it, the wall clock can be stepped under it or be wrong
// all the time, and the monotonic one starts with it. Both may run faster or slower than the world. Time passes only between completions.

import type { Clock, Instant } from '../../base/clock.ts';
import type { Actor, Schedule } from './schedule.ts';

/** Noon of an ordinary day. */
export const worldStart: Instant = Date.UTC(2026, 0, 1, 12);

export type InstanceClock = Clock & {
  step(byMs: number): void;
  /** However often it is said, the wall clock is wrong by so much, beside its steps. */
  skew(byMs: number): void;
  /** From now on, of the speed of the world; 100 is right. */
  runAt(percent: number): void;
};

export function instanceClock(schedule: Schedule, actor: Actor | null): InstanceClock {
  const bornMs = schedule.nowMs;
  let steppedMs = 0;
  let skewMs = 0;
  // What had passed on this clock when it last changed its speed, and when that was.
  let passed = { ms: 0, atMs: bornMs, rate: 1 };
  const monotonicMs = () => passed.ms + (schedule.nowMs - passed.atMs) * passed.rate;
  return {
    now: () => worldStart + bornMs + monotonicMs() + steppedMs + skewMs,
    monotonicMs,
    after: (delayMs, run) => schedule.after(delayMs / passed.rate, run, actor),
    nextTurn: () => new Promise((resolve) => void schedule.after(0, resolve, actor)),
    step: (byMs) => void (steppedMs += byMs),
    skew: (byMs) => void (skewMs = byMs),
    runAt: (percent) => void (passed = { ms: monotonicMs(), atMs: schedule.nowMs, rate: percent / 100 }),
  };
}
