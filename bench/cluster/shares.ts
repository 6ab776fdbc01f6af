// Who spent the machine's processor time: every process of a cluster, and the bench itself. What is short on a busy machine is
// time, and only this tells who had it.

import type { Cluster } from './cluster.ts';
import { readProcessFigures } from './process-figures.ts';

/** Processor time so far in milliseconds, by the name of the process. */
export type Shares = ReadonlyMap<string, number>;

export async function readShares({ processes }: Pick<Cluster, 'processes'>): Promise<Shares> {
  const family = [...processes(), { name: 'bench', pid: process.pid }];
  const spent = await Promise.all(
    family.map(async ({ name, pid }) => ({ name, cpuMs: (await readProcessFigures(pid)).cpuMs })),
  );
  const shares = new Map<string, number>();
  for (const { name, cpuMs } of spent) shares.set(name, (shares.get(name) ?? 0) + cpuMs);
  return shares;
}

/** Between two looks, the largest first; who came in between has spent nothing before. */
export function sharesIn(before: Shares, after: Shares): Shares {
  const grown = [...after].map(([name, cpuMs]) => [name, cpuMs - (before.get(name) ?? 0)] as const);
  return new Map(grown.toSorted(([, a], [, b]) => b - a));
}
