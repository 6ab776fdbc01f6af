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
      return freedBy(before, undefined);
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

/** A place that somebody may wait for: one in a pool, whatever it is counted as, or one among the nodes of an owner. */
export type Place = string;

export function placeInPool(pool: string): Place {
  return keyFrom(['pool', pool]);
}

export function placeOfOwner(owner: Owner): Place {
  return keyFrom(['owner', owner]);
}

/** The places that a node left by becoming another. */
export function freedBy(before: GatedNode | undefined, now: GatedNode | undefined): readonly Place[] {
  if (before === undefined || !takesPlace(before)) return [];
  const kept = new Set(now === undefined ? [] : keysOf(now));
  const left = keysOf(before).filter((key) => !kept.has(key));
  if (left.length === 0) return [];
  const owners = before.gates.map(({ owner }) => placeOfOwner(owner)).filter((key) => left.includes(key));
  return [placeInPool(before.pool), ...new Set(owners)];
}

function keysOf(node: GatedNode): readonly string[] {
  const { pool, gates } = node;
  if (!takesPlace(node)) return [keyFrom(['size', pool])];
  const owners = [...new Set(gates.map(({ owner }) => owner))];
  return [
    keyFrom(['size', pool]),
    placeInPool(pool),
    ...owners.flatMap((owner) => [placeOfOwner(owner), keyFrom(['both', pool, owner])]),
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
