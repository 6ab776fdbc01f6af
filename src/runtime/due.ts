// When each object may be reported next: once per period at most, and a while after a change that has to be looked into first.
// Whatever else happens in between puts no report off.

import type { Clock } from '../base/clock.ts';

export interface Due {
  /** The object may not be reported before then. */
  wait(key: string, ms: number): void;
  /** It is looked at now. */
  reports(key: string): void;
  /** Not above 0 when it may be reported at once. */
  inMs(key: string, periodMs: number): number;
  forget(key: string): void;
}

export function createDue(clock: Pick<Clock, 'monotonicMs'>): Due {
  const reportedAtMs = new Map<string, number>();
  /** Of those that wait. */
  const notBeforeMs = new Map<string, number>();
  return {
    wait(key, ms) {
      if (ms > 0) notBeforeMs.set(key, clock.monotonicMs() + ms);
    },
    reports(key) {
      notBeforeMs.delete(key);
      reportedAtMs.set(key, clock.monotonicMs());
    },
    inMs(key, periodMs) {
      const reported = reportedAtMs.get(key) ?? -Infinity;
      return Math.max(reported + periodMs, notBeforeMs.get(key) ?? -Infinity) - clock.monotonicMs();
    },
    forget(key) {
      notBeforeMs.delete(key);
      reportedAtMs.delete(key);
    },
  };
}
