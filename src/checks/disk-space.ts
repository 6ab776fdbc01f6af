// Proves that the filesystem on which the kubelet keeps pods has room: the worker's scratch directory is an emptyDir on it.
// Writes nothing.

import { defineCheck } from './check.ts';
import { fail, pass } from './outcome.ts';
import { number, one } from './params.ts';

const percent = number({ min: 0, max: 99 });

export const diskSpace = defineCheck({
  name: 'disk-space',
  summary: "measures free space and inodes of the kubelet's filesystem",
  params: {
    freePercentMin: one(percent, { default: 10, help: 'of its space; below 10 the kubelet evicts' }),
    freeInodesPercentMin: one(percent, { default: 5, help: 'of its inodes; below 5 the kubelet evicts' }),
    freeMiBMin: one(number({ min: 0, max: 1_000_000 }), { default: 0, help: 'and at least this much' }),
  },
  async run({ freePercentMin, freeInodesPercentMin, freeMiBMin }, { disk }) {
    const space = await disk.space();
    if (space.kind === 'error') return space.error;
    const { bytes, freeBytes, inodes, freeInodes } = space.value;
    const freeMiB = freeBytes / 2 ** 20;
    const freePercent = share(freeBytes, bytes);
    const freeInodesPercent = share(freeInodes, inodes);
    const measured = `${freeMiB.toFixed(0)} MiB (${freePercent.toFixed(1)} %) and ${freeInodes} inodes (${freeInodesPercent.toFixed(1)} %) free`;
    if (freePercent < freePercentMin || freeMiB < freeMiBMin)
      return fail('DiskFull', `${measured}; ${freePercentMin} % and ${freeMiBMin} MiB are required`);
    if (freeInodesPercent < freeInodesPercentMin)
      return fail('InodesExhausted', `${measured}; ${freeInodesPercentMin} % of the inodes are required`);
    return pass(measured);
  },
});

/** A filesystem that makes inodes as it needs them counts none at all. */
function share(free: number, all: number): number {
  return all === 0 ? 100 : (100 * free) / all;
}
