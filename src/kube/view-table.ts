// The views of one cache and its named lookups. Every change is answered with what it changed; indexes are kept up to date
// with each change and never rebuilt from the whole.

import { assert } from '../base/assert.ts';
import type { ObjectView } from '../objects/raw.ts';
import type { CacheChange, WatchSpec } from '../runtime/ports.ts';

type Index<V> = {
  readonly valuesOf: (view: V) => readonly string[];
  readonly keysByValue: Map<string, Set<string>>;
};

export class ViewTable<V extends ObjectView> {
  readonly views = new Map<string, V>();
  readonly #indexes: ReadonlyMap<string, Index<V>>;

  constructor(indexes: WatchSpec<V>['indexes'] = {}) {
    const made = Object.entries(indexes).map(([name, valuesOf]): [string, Index<V>] => [
      name,
      { valuesOf, keysByValue: new Map() },
    ]);
    this.#indexes = new Map(made);
  }

  /** In the order in which they came under this value. */
  byIndex(name: string, value: string): readonly V[] {
    const index = this.#indexes.get(name);
    assert(index !== undefined, `the cache has no index ${name}`);
    const keys = index.keysByValue.get(value) ?? [];
    return [...keys].flatMap((key) => this.views.get(key) ?? []);
  }

  /** Throws what an index throws: a view that cannot be filed is found out before anything is changed. */
  check(view: V): void {
    for (const { valuesOf } of this.#indexes.values()) valuesOf(view);
  }

  put(key: string, now: V): readonly CacheChange<V>[] {
    const before = this.views.get(key);
    if (before) this.#unfile(key, before);
    this.views.set(key, now);
    this.#file(key, now);
    if (before === undefined) return [{ kind: 'added', now }];
    if (before.uid === now.uid) return [{ kind: 'updated', before, now }];
    return [
      { kind: 'deleted', before },
      { kind: 'added', now },
    ];
  }

  remove(key: string): readonly CacheChange<V>[] {
    const before = this.views.get(key);
    if (before === undefined) return [];
    this.#unfile(key, before);
    this.views.delete(key);
    return [{ kind: 'deleted', before }];
  }

  #file(key: string, view: V): void {
    for (const { valuesOf, keysByValue } of this.#indexes.values()) {
      for (const value of valuesOf(view)) {
        const keys = keysByValue.get(value);
        if (keys) keys.add(key);
        else keysByValue.set(value, new Set([key]));
      }
    }
  }

  #unfile(key: string, view: V): void {
    for (const { valuesOf, keysByValue } of this.#indexes.values()) {
      for (const value of valuesOf(view)) {
        const keys = keysByValue.get(value);
        keys?.delete(key);
        if (keys?.size === 0) keysByValue.delete(value);
      }
    }
  }
}
