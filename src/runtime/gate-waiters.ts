// Nodes that the brake holds, and who of them is woken when a place becomes free, in a pool or among the nodes of an owner.

import type { NodeLimit } from '../fleet/node-limit.ts';
import { type GateWaker, largest } from './arbitrate.ts';
import type { Place } from './gate-counts.ts';

export type Held = { readonly pool: Place; readonly owner: Place; readonly wokenBy: GateWaker };

/** What a node was woken for, and how many may still be asked for it. */
export type Woken = { readonly place: Place; readonly tries: number };

/** Those who wait for one place, the longest first. */
type Queue = {
  readonly names: Set<string>;
  /** What holds them, each once. */
  readonly limits: Map<string, readonly NodeLimit[]>;
  /** How many are asked for one place, until one takes it: those of one owner would all give the same answer. */
  readonly triesMax: number;
};

export function createGateWaiters(wake: (node: string) => void) {
  const queues = new Map<Place, Queue>();
  /** Those that only the policy can let go. */
  const heldByPolicy = new Set<string>();
  /** Woken and not back yet. */
  const woken = new Map<string, Woken>();
  const join = (node: string, place: Place, triesMax: number): Queue => {
    const queue = queues.get(place) ?? { names: new Set(), limits: new Map(), triesMax };
    queue.names.add(node);
    queues.set(place, queue);
    return queue;
  };
  const wakeNext = (place: Place, places: number, triesMax = Infinity): void => {
    const queue = queues.get(place);
    let left = triesMax > 0 ? places : 0;
    for (const name of queue?.names ?? []) {
      if (left <= 0) return;
      if (woken.has(name)) continue;
      woken.set(name, { place, tries: Math.min(triesMax, queue?.triesMax ?? 0, queue?.names.size ?? 0) });
      wake(name);
      left--;
    }
  };
  return {
    /** It waits no longer. What it was woken for; null when it came by itself. */
    comes(node: string): Woken | null {
      const found = woken.get(node) ?? null;
      woken.delete(node);
      heldByPolicy.delete(node);
      for (const [place, { names }] of queues)
        if (names.delete(node) && names.size === 0) queues.delete(place);
      return found;
    },
    hold(node: string, { pool, owner, wokenBy }: Held): void {
      if (wokenBy.kind === 'policy') return void heldByPolicy.add(node);
      const { limits } = join(node, pool, Infinity);
      limits.set(JSON.stringify(wokenBy.limits), wokenBy.limits);
      if (wokenBy.isConfirmed) join(node, owner, 1);
    },
    wakeNext,
    /** A pool has so many nodes now: a share of it may be more. */
    grows(pool: Place, from: number, to: number): void {
      const rooms = [...(queues.get(pool)?.limits.values() ?? [])];
      const more = rooms.reduce((sum, limits) => sum + largest(limits, to) - largest(limits, from), 0);
      wakeNext(pool, more);
    },
    count: () => new Set([...heldByPolicy, ...[...queues.values()].flatMap(({ names }) => [...names])]).size,
    wakeAll(): void {
      const all = [heldByPolicy, ...[...queues.values()].map(({ names }) => names)];
      for (const name of new Set(all.flatMap((names) => [...names]))) wake(name);
    },
  };
}
