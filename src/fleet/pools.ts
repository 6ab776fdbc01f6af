// Which pool a node belongs to: the one resolver, for states, budgets and rails alike. Pools that are objects with a
// selector come first, then an ordered list of labels, then the pool `default`.

import { canonical } from '../base/hash.ts';
import { ownValue } from '../objects/raw.ts';
import { matches, type Selector } from '../objects/selector.ts';
import type { PoolRef } from './node-state.ts';

export const defaultPool: PoolRef = { kind: 'Default', name: 'default' };

export type Ingested = { readonly isModified: boolean; readonly reason: string };

/** Selectors of pools that are objects, by pool name. */
export interface PoolSelectorCache {
  whichPool(labels: Readonly<Record<string, string>>): string | null;
  ingest(pool: string, selector: Selector): Ingested;
  forget(pool: string): boolean;
  getAll(): ReadonlyMap<string, Selector>;
}

export function createPoolSelectorCache(): PoolSelectorCache {
  const selectors = new Map<string, Selector>();
  return {
    /** Where several match, the first by name: the same answer on every pass. */
    whichPool(labels) {
      const names = [...selectors].filter(([, selector]) => matches(selector, labels)).map(([name]) => name);
      return names.sort()[0] ?? null;
    },
    ingest(pool, selector) {
      const before = selectors.get(pool);
      selectors.set(pool, selector);
      if (before === undefined) return { isModified: true, reason: `pool ${pool} is new` };
      const isModified = canonical(before) !== canonical(selector);
      return {
        isModified,
        reason: isModified ? `selector of pool ${pool} changed` : `selector of pool ${pool} is the same`,
      };
    },
    forget: (pool) => selectors.delete(pool),
    getAll: () => new Map(selectors),
  };
}

export interface PoolResolver {
  poolOf(labels: Readonly<Record<string, string>>): PoolRef;
}

export function createPoolResolver(
  selectors: PoolSelectorCache,
  poolLabels: readonly string[],
): PoolResolver {
  return {
    poolOf(labels) {
      const selected = selectors.whichPool(labels);
      if (selected !== null) return { kind: 'Selector', name: selected };
      for (const label of poolLabels) {
        const name = ownValue(labels, label);
        if (name !== undefined && name !== '') return { kind: 'Label', name };
      }
      return defaultPool;
    },
  };
}
