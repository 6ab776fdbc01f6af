// The named lookups of one cache, kept up to date with every change of a view; never rebuilt from the whole.

import { assert } from '../base/assert.ts';
import type { ObjectView } from '../objects/raw.ts';
import { keyOf } from '../objects/ref.ts';
import type { WatchSpec } from '../runtime/ports.ts';

type Index<V> = {
  readonly valuesOf: (view: V) => readonly string[];
  readonly keysByValue: Map<string, Set<string>>;
};

export class CacheIndexes<V extends ObjectView> {
  readonly #indexes: ReadonlyMap<string, Index<V>>;

  constructor(spec: WatchSpec<V>) {
    const entries = Object.entries(spec.indexes ?? {});
    this.#indexes = new Map(
      entries.map(([name, valuesOf]) => [name, { valuesOf, keysByValue: new Map<string, Set<string>>() }]),
    );
  }

  /** Keys in the order in which they came under this value. */
  keys(index: string, value: string): Iterable<string> {
    const found = this.#indexes.get(index);
    assert(found !== undefined, `the cache has no index ${index}`);
    return found.keysByValue.get(value) ?? [];
  }

  add(view: V): void {
    for (const { valuesOf, keysByValue } of this.#indexes.values()) {
      for (const value of valuesOf(view)) {
        const keys = keysByValue.get(value);
        if (keys) keys.add(keyOf(view));
        else keysByValue.set(value, new Set([keyOf(view)]));
      }
    }
  }

  remove(view: V): void {
    for (const { valuesOf, keysByValue } of this.#indexes.values()) {
      for (const value of valuesOf(view)) {
        const keys = keysByValue.get(value);
        keys?.delete(keyOf(view));
        if (keys?.size === 0) keysByValue.delete(value);
      }
    }
  }
}
