// The views of one cache and its named lookups. Every change is answered with what it changed; indexes are kept up to date
// with each change and never rebuilt from the whole.

import { assert } from '../base/assert.ts';
import type { ObjectView } from '../objects/raw.ts';
import type { CacheChange, Rows, WatchSpec } from '../runtime/ports.ts';

type Index<V> = {
  readonly valuesOf: (view: V) => readonly string[];
  readonly keysByValue: Map<string, Set<string>>;
};

type Count<V> = {
  readonly valuesOf: (view: V) => readonly string[];
  readonly byValue: Map<string, number>;
};

/** Of what is new the key will do until it is told: there may be very many, each made anew whenever it is looked at. */
export type BriefChange<V extends ObjectView> = CacheChange<V> | string;

export class ViewTable<V extends ObjectView> {
  readonly #rows: Rows<V>;
  readonly #indexes: ReadonlyMap<string, Index<V>>;
  readonly #counts: ReadonlyMap<string, Count<V>>;

  constructor(spec: Pick<WatchSpec<V>, 'indexes' | 'counts' | 'makeRows'>) {
    const { indexes = {}, counts = {} } = spec;
    this.#rows = rowsFor(spec);
    const made = Object.entries(indexes).map(([name, valuesOf]): [string, Index<V>] => [
      name,
      { valuesOf, keysByValue: new Map() },
    ]);
    this.#indexes = new Map(made);
    this.#counts = new Map(
      Object.entries(counts).map(([name, valuesOf]) => [name, { valuesOf, byValue: new Map() }]),
    );
  }

  get size(): number {
    return this.#rows.size;
  }

  get(key: string): V | undefined {
    return this.#rows.get(key);
  }

  has(key: string): boolean {
    return this.#rows.has(key);
  }

  keys(): Iterable<string> {
    return this.#rows.keys();
  }

  values(): Iterable<V> {
    return this.#rows.values();
  }

  entries(): Iterable<[string, V]> {
    return this.#rows.entries();
  }

  /** In the order in which they came under this value. */
  byIndex(name: string, value: string): readonly V[] {
    const index = this.#indexes.get(name);
    assert(index !== undefined, `the cache has no index ${name}`);
    const keys = index.keysByValue.get(value) ?? [];
    return [...keys].flatMap((key) => this.#rows.get(key) ?? []);
  }

  countOf(name: string, value: string): number {
    const count = this.#counts.get(name);
    assert(count !== undefined, `the cache has no count ${name}`);
    return count.byValue.get(value) ?? 0;
  }

  /** Throws what an index throws: a view that cannot be filed is found out before anything is changed. */
  check(view: V): void {
    for (const { valuesOf } of [...this.#indexes.values(), ...this.#counts.values()]) valuesOf(view);
  }

  put(key: string, now: V): readonly CacheChange<V>[] {
    const before = this.#rows.get(key);
    if (before) this.#unfile(key, before);
    this.#rows.set(key, now);
    this.#file(key, now);
    if (before === undefined) return [{ kind: 'added', now }];
    if (before.uid === now.uid) return [{ kind: 'updated', before, now }];
    return [
      { kind: 'deleted', before },
      { kind: 'added', now },
    ];
  }

  remove(key: string): readonly CacheChange<V>[] {
    const before = this.#rows.get(key);
    if (before === undefined) return [];
    this.#unfile(key, before);
    this.#rows.delete(key);
    return [{ kind: 'deleted', before }];
  }

  brief(key: string, changes: readonly CacheChange<V>[]): readonly BriefChange<V>[] {
    return changes.length === 1 && changes[0]?.kind === 'added' ? [key] : changes;
  }

  /** None for what is new and not there any more. */
  whole(change: BriefChange<V>): readonly CacheChange<V>[] {
    if (typeof change !== 'string') return [change];
    const now = this.#rows.get(change);
    return now === undefined ? [] : [{ kind: 'added', now }];
  }

  #file(key: string, view: V): void {
    for (const { valuesOf, keysByValue } of this.#indexes.values()) {
      for (const value of valuesOf(view)) {
        const keys = keysByValue.get(value);
        if (keys) keys.add(key);
        else keysByValue.set(value, new Set([key]));
      }
    }
    this.#count(view, 1);
  }

  #unfile(key: string, view: V): void {
    for (const { valuesOf, keysByValue } of this.#indexes.values()) {
      for (const value of valuesOf(view)) {
        const keys = keysByValue.get(value);
        keys?.delete(key);
        if (keys?.size === 0) keysByValue.delete(value);
      }
    }
    this.#count(view, -1);
  }

  #count(view: V, by: 1 | -1): void {
    for (const { valuesOf, byValue } of this.#counts.values()) {
      for (const value of valuesOf(view)) {
        const next = (byValue.get(value) ?? 0) + by;
        if (next === 0) byValue.delete(value);
        else byValue.set(value, next);
      }
    }
  }
}

export function rowsFor<V extends ObjectView>({ makeRows }: Pick<WatchSpec<V>, 'makeRows'>): Rows<V> {
  return makeRows?.() ?? new Map<string, V>();
}
