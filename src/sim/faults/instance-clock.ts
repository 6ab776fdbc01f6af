// The clocks of one simulated process: all timers belong to it and die with it, the wall clock can be stepped under it, and the
// monotonic one starts with it. Time passes only between completions.

import type { Clock, Instant } from '../../base/clock.ts';
import type { Actor, Schedule } from './schedule.ts';

/** Noon of an ordinary day. */
export const worldStart: Instant = Date.UTC(2026, 0, 1, 12);

export type InstanceClock = Clock & { step(byMs: number): void };

export function instanceClock(schedule: Schedule, actor: Actor | null): InstanceClock {
  const bornMs = schedule.nowMs;
  let offsetMs = 0;
  return {
    now: () => worldStart + schedule.nowMs + offsetMs,
    monotonicMs: () => schedule.nowMs - bornMs,
    after: (delayMs, run) => schedule.after(delayMs, run, actor),
    nextTurn: () => new Promise((resolve) => void schedule.after(0, resolve, actor)),
    step: (byMs) => void (offsetMs += byMs),
  };
}
