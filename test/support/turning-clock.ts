// A clock whose turns of the event loop a test takes one by one, and in which work costs what the test says it costs.

import { type ManualClock, manualClock, settle } from './manual-clock.ts';

export type TurningClock = ManualClock & {
  /** The work that is done now takes this long. */
  spend(ms: number): void;
  /** Takes turns until nobody waits for one; answers how long the work of each took. */
  takeTurns(): Promise<readonly number[]>;
};

export function turningClock(): TurningClock {
  const clock = manualClock();
  let nowMs = 0;
  let waiting: (() => void)[] = [];
  return {
    ...clock,
    monotonicMs: () => nowMs,
    nextTurn: () => new Promise((resolve) => void waiting.push(resolve)),
    spend: (ms) => void (nowMs += ms),
    async takeTurns() {
      const durationsMs: number[] = [];
      do {
        const startMs = nowMs;
        const woken = waiting;
        waiting = [];
        for (const wake of woken) wake();
        await untilStill(() => nowMs);
        durationsMs.push(nowMs - startMs);
      } while (waiting.length > 0);
      return durationsMs;
    },
  };
}

/** All that follows without another turn. */
async function untilStill(measure: () => number): Promise<void> {
  for (let still = 0, last = measure(); still < 10; still++) {
    await settle();
    if (measure() !== last) still = 0;
    last = measure();
  }
}
