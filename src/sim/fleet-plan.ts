// Which nodes there are to be: pools, sizes, names and what a pool's machines look like. Pure.

import { err, ok, type Result } from '../base/result.ts';
import type { Taint } from '../objects/taint.ts';

export type PlannedPool = {
  readonly name: string;
  readonly size: number;
  readonly machine: Machine;
};

export type Machine = {
  readonly instanceType: string;
  readonly cpu: number;
  readonly memoryGi: number;
  readonly pods: number;
  /** Taints that the kubelet registers its Node with. */
  readonly taints: readonly Taint[];
};

export type PlannedNode = { readonly name: string; readonly pool: PlannedPool; readonly index: number };

const ordinary: Machine = { instanceType: 'sim.large', cpu: 4, memoryGi: 16, pods: 110, taints: [] };

const machines: Readonly<Record<string, Machine>> = {
  gpu: {
    instanceType: 'sim.gpu',
    cpu: 32,
    memoryGi: 128,
    pods: 110,
    taints: [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }],
  },
  spot: { instanceType: 'sim.spot', cpu: 8, memoryGi: 32, pods: 110, taints: [] },
};

/** Half of the nodes for general work, a third that may go away, the rest with an accelerator. */
export function defaultPools(nodes: number): readonly PlannedPool[] {
  const general = Math.ceil(nodes / 2);
  const spot = Math.min(nodes - general, Math.ceil(nodes / 3));
  return [pool('general', general), pool('spot', spot), pool('gpu', nodes - general - spot)].filter(
    ({ size }) => size > 0,
  );
}

const NODES_MAX = 10_000;

/** `a=8,b=8`: pools by name and size. */
export function parsePools(text: string): Result<readonly PlannedPool[], string> {
  const pools: PlannedPool[] = [];
  for (const part of text.split(',')) {
    const [, name = '', size = ''] =
      /^([a-z0-9](?:[-a-z0-9]{0,38}[a-z0-9])?)=(\d{1,5})$/.exec(part.trim()) ?? [];
    if (name === '')
      return err(`must be pools such as general=16,gpu=8, and ${JSON.stringify(part)} is none`);
    if (pools.some((each) => each.name === name)) return err(`names the pool ${name} twice`);
    pools.push(pool(name, Number(size)));
  }
  const total = pools.reduce((sum, { size }) => sum + size, 0);
  return total > NODES_MAX ? err(`asks for ${total} nodes of at most ${NODES_MAX}`) : ok(pools);
}

/** `general-01`, `general-02`...: as many digits as the largest needs, two at least. */
export function plannedNodes(pools: readonly PlannedPool[]): readonly PlannedNode[] {
  return pools.flatMap((each) => {
    const digits = Math.max(2, String(each.size).length);
    return Array.from({ length: each.size }, (_, index) => ({
      name: `${each.name}-${String(index + 1).padStart(digits, '0')}`,
      pool: each,
      index,
    }));
  });
}

function pool(name: string, size: number): PlannedPool {
  return { name, size, machine: machines[name] ?? ordinary };
}
