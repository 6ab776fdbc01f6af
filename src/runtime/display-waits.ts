// How long that which is merely shown of a node has to wait. Another stage or another gate is shown once in half a minute at most;
// other words for the same wait for as long after any write, which has just said as much.

import type { Clock } from '../base/clock.ts';

export type DisplayWait = {
  /** For another stage or other gates. */
  readonly movedMs: number;
  /** For other words about the same stage and gates. */
  readonly wordsMs: number;
};

export interface DisplayWaits {
  /** Not above 0: it may be written now. */
  of(name: string): DisplayWait;
  wrote(name: string, cause: 'record' | 'display'): void;
  forget(name: string): void;
}

const PERIOD_MS = 30_000;

export function createDisplayWaits(clock: Clock): DisplayWaits {
  /** Who was written last stands last. */
  const times = new Map<string, { readonly writtenMs: number; readonly displayedMs: number }>();
  const forgetOver = () => {
    for (const [name, { writtenMs }] of times) {
      if (writtenMs + PERIOD_MS > clock.monotonicMs()) return;
      times.delete(name);
    }
  };
  return {
    of(name) {
      const { writtenMs, displayedMs } = times.get(name) ?? { writtenMs: -Infinity, displayedMs: -Infinity };
      const overInMs = (atMs: number) => atMs + PERIOD_MS - clock.monotonicMs();
      return { movedMs: overInMs(displayedMs), wordsMs: overInMs(writtenMs) };
    },
    wrote(name, cause) {
      const writtenMs = clock.monotonicMs();
      const displayedMs = cause === 'display' ? writtenMs : (times.get(name)?.displayedMs ?? -Infinity);
      times.delete(name);
      times.set(name, { writtenMs, displayedMs });
      forgetOver();
    },
    forget: (name) => times.delete(name),
  };
}
