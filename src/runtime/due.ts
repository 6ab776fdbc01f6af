// When each object may be reported next: once per period at most, a while after a change that has to be looked into first, and a
// period later no longer together with others. Whatever else happens in between puts no report off.

import type { Clock } from '../base/clock.ts';

export interface Due {
  /** The object may not be reported before then. */
  wait(key: string, ms: number): void;
  /** It is looked at now. */
  reports(key: string): void;
  /** Not above 0 when it may be reported at once. What is more urgent than usual keeps to its own period alone. */
  inMs(key: string, periodMs: number): number;
  forget(key: string): void;
  /** Objects that are remembered. */
  count(): number;
}

/**
 * Ten statuses that are written at once wait for each other, and would do so a period later and ever after. Those that once came apart
 * stay apart, since all have the same period. So long takes an API server for one of them; however many there are, none waits much longer.
 */
const APART_MS = 5;
const APART_MS_MAX = 500;

type Reported = { readonly atMs: number; readonly apartMs: number };
const never: Reported = { atMs: -Infinity, apartMs: 0 };

/** Longer than any period: what was reported before then may be reported now, as if it never had been. */
const KEPT_MS = 60_000;

export function createDue(clock: Pick<Clock, 'monotonicMs'>, usualPeriodMs: number): Due {
  /** Who was reported last stands last. Objects that are gone are forgotten with all that is past. */
  const reported = new Map<string, Reported>();
  /** Of those that wait. */
  const notBeforeMs = new Map<string, number>();
  let lastTurnMs = -Infinity;
  return {
    wait(key, ms) {
      if (ms > 0) notBeforeMs.set(key, clock.monotonicMs() + ms);
    },
    reports(key) {
      const atMs = clock.monotonicMs();
      lastTurnMs = Math.max(atMs, Math.min(lastTurnMs + APART_MS, atMs + APART_MS_MAX));
      notBeforeMs.delete(key);
      reported.delete(key);
      reported.set(key, { atMs, apartMs: lastTurnMs - atMs });
      for (const [past, at] of reported) {
        if (atMs - at.atMs < KEPT_MS) break;
        reported.delete(past);
      }
    },
    inMs(key, periodMs) {
      const { atMs, apartMs } = reported.get(key) ?? never;
      const againMs = atMs + periodMs + (periodMs < usualPeriodMs ? 0 : apartMs);
      return Math.max(againMs, notBeforeMs.get(key) ?? -Infinity) - clock.monotonicMs();
    },
    forget(key) {
      notBeforeMs.delete(key);
      reported.delete(key);
    },
    count: () => reported.size,
  };
}
