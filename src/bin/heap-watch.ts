// What every full collection of this process leaves of its heap.

import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { fieldsOf } from '../objects/raw.ts';
import type { Heap } from '../server/heap-notes.ts';

export function watchHeap(note: (heap: Heap) => void): { stop(): void } {
  const observer = new PerformanceObserver((list) => {
    if (!list.getEntries().some(isFullCollection)) return;
    const { used_heap_size: keptBytes, heap_size_limit: limitBytes } = getHeapStatistics();
    note({ keptBytes, limitBytes });
  });
  observer.observe({ entryTypes: ['gc'] });
  return { stop: () => observer.disconnect() };
}

function isFullCollection(entry: PerformanceEntry): boolean {
  return 'detail' in entry && fieldsOf(entry.detail)['kind'] === constants.NODE_PERFORMANCE_GC_MAJOR;
}
