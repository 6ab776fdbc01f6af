// Keeps writes of one object apart where they come too fast: one that somebody else writes back at once would be written as fast as
// the server answers, for as long as both go on. Remembers what was written in the last seconds and nothing else.

import type { Clock } from '../base/clock.ts';

export interface Pace {
  /** How long the object has to wait for its next write; 0 when it may be written now. */
  waitMs(key: string): number;
  wrote(key: string): void;
}

/** A birth takes up to three writes, and the first change of what is told may follow at once. */
const WRITES_MAX = 4;
/** Short: a burst writes every object of a fleet once, and each of them is remembered for so long. */
const WINDOW_MS = 5_000;

export function createPace(clock: Clock): Pace {
  /** Who was written last stands last: so who can be forgotten stands first. */
  const written = new Map<string, readonly number[]>();
  const recentOf = (key: string) =>
    (written.get(key) ?? []).filter((atMs) => clock.monotonicMs() - atMs < WINDOW_MS);
  const forgetOld = () => {
    for (const [key, times] of written) {
      if (clock.monotonicMs() - (times.at(-1) ?? 0) < WINDOW_MS) return;
      written.delete(key);
    }
  };
  return {
    waitMs(key) {
      const times = recentOf(key);
      return times.length < WRITES_MAX ? 0 : (times.at(-WRITES_MAX) ?? 0) + WINDOW_MS - clock.monotonicMs();
    },
    wrote(key) {
      const times = [...recentOf(key), clock.monotonicMs()];
      written.delete(key);
      written.set(key, times);
      forgetOld();
    },
  };
}
