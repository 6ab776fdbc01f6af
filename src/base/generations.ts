// A bounded memory of what is used again and again: two generations of half the bound each. When the young one is full it becomes
// the old one, and the old one is dropped: what is used often moves along, what was used once is forgotten without bookkeeping.

import { assert } from './assert.ts';

export type Generations<V> = {
  /** What was made for this id before, or what is made for it now. */
  recall(id: string, make: () => V): V;
  readonly size: number;
};

export function createGenerations<V>(entriesMax: number): Generations<V> {
  assert(entriesMax >= 2, `entriesMax must be at least 2, not ${entriesMax}`);
  const generationMax = Math.floor(entriesMax / 2);
  let young = new Map<string, V>();
  let old = new Map<string, V>();
  return {
    get size() {
      return young.size + old.size;
    },
    recall(id, make) {
      const known = young.get(id);
      if (known !== undefined) return known;
      const value = old.get(id) ?? make();
      old.delete(id);
      if (young.size >= generationMax) {
        old = young;
        young = new Map();
      }
      young.set(id, value);
      return value;
    },
  };
}
