// The objects of one resource, found by key and listed in the order of keys. Sorting happens when a list is asked for
// and only after keys came or went: most writes change objects that are there.

import type { RawObject } from '../../objects/raw.ts';

export type Entry = { readonly key: string; readonly object: RawObject };

export class Bucket {
  readonly #objects = new Map<string, RawObject>();
  #sortedKeys: readonly string[] | null = [];

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): RawObject | undefined {
    return this.#objects.get(key);
  }

  set(key: string, object: RawObject): void {
    if (!this.#objects.has(key)) this.#sortedKeys = null;
    this.#objects.set(key, object);
  }

  delete(key: string): void {
    this.#objects.delete(key);
    this.#sortedKeys = null;
  }

  entries(): readonly Entry[] {
    this.#sortedKeys ??= [...this.#objects.keys()].sort();
    return this.#sortedKeys.flatMap((key) => {
      const object = this.#objects.get(key);
      return object === undefined ? [] : [{ key, object }];
    });
  }
}
