// Proves that the disk of this node takes synchronous writes at a bearable pace: throttled and dying volumes do not.
// Writes one small file in the scratch directory and removes it.

import { defineCheck } from './check.ts';
import { fail, pass } from './outcome.ts';
import { integer, number, one } from './params.ts';

export const fsyncLatency = defineCheck({
  name: 'fsync-latency',
  summary: 'times small synchronous writes to the disk',
  params: {
    writes: one(integer({ min: 1, max: 1000 }), { default: 50, help: 'how many, of 4 KiB each' }),
    p99MsMax: one(number({ min: 0, max: 60_000 }), {
      default: 500,
      help: 'how long the slowest of a hundred may take, in milliseconds',
    }),
  },
  async run({ writes, p99MsMax }, { disk, limits }) {
    const times = await disk.syncWrites(writes, limits);
    if (times.kind === 'error') return times.error;
    const sorted = times.value.toSorted((a, b) => a - b);
    const p99Ms = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
    const measured = `p99 of ${sorted.length} writes is ${p99Ms.toFixed(1)} ms`;
    return p99Ms > p99MsMax
      ? fail('DiskSlow', `${measured}, at most ${p99MsMax} ms are allowed`)
      : pass(measured);
  },
});
