// Notices an event loop that stood still: a beat every second, and a health check that looks how late the last one was.

import type { Clock } from '../base/clock.ts';
import type { HealthCheck } from './health.ts';

const BEAT_MS = 1_000;
/** Far above the longest block that a sync of ten thousand nodes causes, well below a lease's 10 s of grace. */
const STALL_MS = 5_000;

export function watchLoop(clock: Clock): { readonly check: HealthCheck; stop(): void } {
  let beatAtMs = clock.monotonicMs();
  let cancel = () => {};
  const beat = () => {
    beatAtMs = clock.monotonicMs();
    cancel = clock.after(BEAT_MS, beat);
  };
  beat();
  const check: HealthCheck = {
    name: 'event-loop',
    problem() {
      const lateMs = clock.monotonicMs() - beatAtMs - BEAT_MS;
      return lateMs > STALL_MS ? `stood still for ${Math.round(lateMs)} ms` : null;
    },
  };
  return { check, stop: () => cancel() };
}
