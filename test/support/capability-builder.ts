// Capabilities for tests of pure code: one that always decides the same, and caches that hold what a test puts in.

import type { ObjectView } from '../../src/objects/raw.ts';
import type { Decision, NodeCapability } from '../../src/runtime/capability.ts';
import type { Cache, Caches, WatchSpec } from '../../src/runtime/ports.ts';

export type CapabilitySketch = Partial<Omit<NodeCapability, 'decide'>> & {
  readonly decides?: Partial<Decision>;
  readonly throws?: unknown;
};

export function capability({ decides = {}, throws, ...rest }: CapabilitySketch = {}): NodeCapability {
  return {
    name: 'stamp',
    rank: 1,
    watches: [],
    rbac: [],
    routes: [],
    reporters: [],
    gather: () => null,
    decide() {
      if (throws !== undefined) throw throws;
      return { verdicts: [], wish: {}, requests: [], recheckAt: null, ...decides };
    },
    ...rest,
  };
}

export type ShelfCaches = Caches & {
  /** Fills a cache; it counts as synced from then on. */
  sync(spec: WatchSpec, ...views: readonly ObjectView[]): void;
};

export function shelfCaches(): ShelfCaches {
  const shelves = new Map<WatchSpec, Map<string, ObjectView>>();
  return {
    sync: (spec, ...views) => void shelves.set(spec, new Map(views.map((view) => [view.name, view]))),
    of: <V extends ObjectView>(spec: WatchSpec<V>): Cache<V> => {
      const shelf = () => (shelves.get(spec) ?? new Map()) as Map<string, V>;
      return {
        get: (key) => shelf().get(key),
        values: () => shelf().values(),
        keys: () => shelf().keys(),
        byIndex: () => [],
        countOf: () => 0,
        get size() {
          return shelf().size;
        },
        isSynced: () => shelves.has(spec),
        isServed: () => true,
      };
    },
  };
}
