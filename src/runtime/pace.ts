// Keeps writes of one object apart where they come too fast: one that somebody else writes back at once would be written as fast as
// the server answers, for as long as both go on. A few may follow each other at once, then one each few seconds.

import type { Clock } from '../base/clock.ts';

export interface Pace {
  /** How long the object has to wait for its next write; 0 when it may be written now. */
  waitMs(key: string): number;
  wrote(key: string): void;
}

const APART_MS = 5_000;

export function createPace(clock: Clock, atOnceMax: number): Pace {
  /** When all that was written would be done, one write after the other. Who was written last stands last. */
  const paidAtMs = new Map<string, number>();
  const owedMs = (key: string) => Math.max(0, (paidAtMs.get(key) ?? 0) - clock.monotonicMs());
  const forgetPaid = () => {
    for (const key of paidAtMs.keys()) {
      if (owedMs(key) > 0) return;
      paidAtMs.delete(key);
    }
  };
  return {
    waitMs: (key) => Math.max(0, owedMs(key) - (atOnceMax - 1) * APART_MS),
    wrote(key) {
      const paid = clock.monotonicMs() + owedMs(key) + APART_MS;
      paidAtMs.delete(key);
      paidAtMs.set(key, paid);
      forgetPaid();
    },
  };
}
