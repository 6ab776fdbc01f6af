import { describe, expect, it } from 'vitest';
import { recordedLog } from '../../test/support/recorded-log.ts';
import { recordedMetrics } from '../../test/support/recorded-metrics.ts';
import { createHeapNotes } from './heap-notes.ts';

const MiB = 1024 * 1024;

function noting() {
  const edges = { metrics: recordedMetrics(), log: recordedLog() };
  const note = createHeapNotes(edges);
  return { ...edges, keep: (keptMiB: number) => note({ keptBytes: keptMiB * MiB, limitBytes: 100 * MiB }) };
}

describe('notes on the heap', () => {
  it('says nothing while there is room', () => {
    const { keep, log, metrics } = noting();
    keep(84);
    expect(log.lines).toEqual([]);
    expect(metrics.value('muster_heap_kept_bytes')).toBe(84 * MiB);
    expect(metrics.value('muster_heap_limit_bytes')).toBe(100 * MiB);
  });

  it('says once that the heap is nearly full, and what to do', () => {
    const { keep, log } = noting();
    for (const keptMiB of [85, 92, 80, 90]) keep(keptMiB);
    expect(log.lines).toEqual([
      {
        level: 'warn',
        message: 'the heap is nearly full: raise heapMiB and the memory limit of the chart',
        fields: { keptMiB: 85, limitMiB: 100 },
      },
    ]);
  });

  it('says it again after there was room for a while', () => {
    const { keep, log } = noting();
    for (const keptMiB of [85, 74, 86]) keep(keptMiB);
    expect(log.lines.map(({ fields }) => fields['keptMiB'])).toEqual([85, 86]);
  });
});
