// How many nodes in service are gated by us: by pool, by owner and by both. Counted node by node as each is visited, so that
// what is counted is always the sum of what is known of the nodes.

import { createGenerations } from '../base/generations.ts';
import { isSame } from '../base/same.ts';
import { parseTaintId, type TaintId } from '../objects/taint.ts';
import type { Owner } from '../objects/wish.ts';
import type { GateCounters } from './arbitrate.ts';

export type GatedNode = {
  readonly pool: string;
  readonly isInService: boolean;
  /** Standing, or granted and being written. */
  readonly gates: readonly { readonly taint: TaintId; readonly owner: Owner }[];
};

const GATES_MAX = 1_024;

export function createGateCounts() {
  const nodes = new Map<string, GatedNode>();
  const counts = new Map<string, number>();
  const known = createGenerations<GatedNode['gates']>(GATES_MAX);
  const bump = (key: string, by: number) => {
    const next = (counts.get(key) ?? 0) + by;
    if (next === 0) counts.delete(key);
    else counts.set(key, next);
  };
  const bumpAll = (node: GatedNode, by: number) => {
    for (const key of keysOf(node)) bump(key, by);
  };
  const count = (...parts: readonly string[]) => counts.get(keyFrom(parts)) ?? 0;

  return {
    poolSize: (pool: string) => count('size', pool),
    of: (name: string) => nodes.get(name),
    put(name: string, node: GatedNode): void {
      const before = nodes.get(name);
      if (isSame(before, node)) return;
      if (before !== undefined) bumpAll(before, -1);
      bumpAll(node, 1);
      // Nodes that are gated together are gated by the same.
      nodes.set(name, { ...node, gates: known.recall(JSON.stringify(node.gates), () => node.gates) });
    },
    delete(name: string): readonly string[] {
      const before = nodes.get(name);
      if (before === undefined) return [];
      bumpAll(before, -1);
      nodes.delete(name);
      return takesPlace(before) ? [before.pool] : [];
    },
    /** The counters of an owner as they are for all other nodes. */
    without(name: string, pool: string): (owner: Owner) => GateCounters {
      const own = new Set(keysOf(nodes.get(name) ?? { pool: '', isInService: false, gates: [] }));
      const others = (...parts: readonly string[]) => count(...parts) - (own.has(keyFrom(parts)) ? 1 : 0);
      return (owner) => ({
        poolSize: count('size', pool),
        inPool: others('pool', pool),
        inPoolByOwner: others('both', pool, owner),
        byOwner: others('owner', owner),
        noExecuteInPool: others('noExecute', pool),
      });
    },
  };
}

/** In which pools a node left a place, that of the pool, of one owner or of an eviction, by becoming another. */
export function freedBy(before: GatedNode | undefined, now: GatedNode | undefined): readonly string[] {
  if (before === undefined || !takesPlace(before)) return [];
  const kept = new Set(now === undefined ? [] : keysOf(now));
  return keysOf(before).every((key) => kept.has(key)) ? [] : [before.pool];
}

function keysOf(node: GatedNode): readonly string[] {
  const { pool, gates } = node;
  if (!takesPlace(node)) return [keyFrom(['size', pool])];
  const owners = [...new Set(gates.map(({ owner }) => owner))];
  return [
    keyFrom(['size', pool]),
    keyFrom(['pool', pool]),
    ...owners.flatMap((owner) => [keyFrom(['owner', owner]), keyFrom(['both', pool, owner])]),
    ...(gates.some(({ taint }) => parseTaintId(taint).effect === 'NoExecute')
      ? [keyFrom(['noExecute', pool])]
      : []),
  ];
}

function takesPlace({ isInService, gates }: GatedNode): boolean {
  return isInService && gates.length > 0;
}

/** Neither a pool nor an owner contains a space. */
function keyFrom(parts: readonly string[]): string {
  return parts.join(' ');
}
