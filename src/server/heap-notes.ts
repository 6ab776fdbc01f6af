// Says in time that the heap is about to run out: a fleet that has outgrown it ends the process from one moment to the next.
// What is used between two collections says little, so that what counts is what a full one has left.

import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';

export type Heap = { readonly keptBytes: number; readonly limitBytes: number };

const MiB = 1024 * 1024;
const NEARLY_FULL = 0.85;
/** Below this it may be told again. */
const HAS_ROOM = 0.75;

/** One line in the log for each time that the heap gets nearly full, not for each collection. */
export function createHeapNotes({
  metrics,
  log,
}: {
  readonly metrics: Metrics;
  readonly log: Log;
}): (heap: Heap) => void {
  const kept = metrics.gauge({
    name: 'muster_heap_kept_bytes',
    help: 'What the last full collection left of the heap',
  });
  const limit = metrics.gauge({
    name: 'muster_heap_limit_bytes',
    help: 'How large the heap may get; the operator ends when it needs more',
  });
  let isTold = false;
  return ({ keptBytes, limitBytes }) => {
    kept.set(keptBytes);
    limit.set(limitBytes);
    const share = keptBytes / limitBytes;
    if (share < HAS_ROOM) isTold = false;
    if (share < NEARLY_FULL || isTold) return;
    isTold = true;
    log.warn('the heap is nearly full: raise heapMiB and the memory limit of the chart', {
      keptMiB: Math.round(keptBytes / MiB),
      limitMiB: Math.round(limitBytes / MiB),
    });
  };
}
