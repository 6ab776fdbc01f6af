// Pairs every place of an object with the same place before an update, as far as its schema allows: fields by name,
// items of a list map by their keys, other items not at all. What is wrong but unchanged is let through (ratcheting).

import { isRecord, ownValue } from '../../objects/raw.ts';
import { deepEqual } from './deep-equal.ts';
import type { SchemaNode } from './schema-node.ts';

type Pair = { readonly value: unknown; readonly old: unknown; readonly schema: SchemaNode };

export class Correlation {
  readonly #pair: Pair;
  #oldItems: ((item: unknown) => unknown) | null = null;

  constructor(pair: Pair) {
    this.#pair = pair;
  }

  /** Null when the field is on one side only or the schema does not know it. */
  field(name: string): Correlation | null {
    const { value, old, schema } = this.#pair;
    if (!isRecord(value) || !isRecord(old) || !Object.hasOwn(value, name) || !Object.hasOwn(old, name))
      return null;
    const inner = schema.properties.get(name) ?? additionalOf(schema);
    return inner && new Correlation({ value: value[name], old: old[name], schema: inner });
  }

  /** Null for items of any list but a list map, and for those that are new. */
  item(index: number): Correlation | null {
    const { value, old, schema } = this.#pair;
    if (!Array.isArray(value) || !Array.isArray(old) || schema.items === null) return null;
    this.#oldItems ??= oldItemsOf(schema, old);
    const before = this.#oldItems(value[index]) ?? null;
    return before === null
      ? null
      : new Correlation({ value: value[index], old: before, schema: schema.items });
  }

  /** Fields without a schema cannot be paired, so an object that has some counts as changed. */
  get isUnchanged(): boolean {
    const { value, old, schema } = this.#pair;
    if (Array.isArray(value) && Array.isArray(old)) {
      if (value.length !== old.length) return false;
      if (schema.listType !== 'map') return deepEqual(value, old);
      return value.every((_, index) => this.item(index)?.isUnchanged === true);
    }
    if (!isRecord(value) || !isRecord(old)) return deepEqual(value, old);
    const names = Object.keys(value);
    if (names.length !== Object.keys(old).length) return false;
    return names.every((name) => this.field(name)?.isUnchanged === true);
  }
}

/** Finds the item of a list map that has the same keys; in every other list, none. */
export function oldItemsOf(schema: SchemaNode, old: unknown): (item: unknown) => unknown {
  if (schema.listType !== 'map' || schema.listKeys.length === 0 || !Array.isArray(old))
    return () => undefined;
  const byKey = new Map<string, unknown>();
  for (const item of old) {
    const key = listKeyOf(schema, item);
    if (key !== null && !byKey.has(key)) byKey.set(key, item);
  }
  return (item) => {
    const key = listKeyOf(schema, item);
    return key === null ? undefined : byKey.get(key);
  };
}

function additionalOf({ additional }: SchemaNode): SchemaNode | null {
  return additional?.kind === 'schema' ? additional.schema : null;
}

function listKeyOf(schema: SchemaNode, item: unknown): string | null {
  if (!isRecord(item)) return null;
  const keys = schema.listKeys.map((name) => ownValue(item, name));
  const areScalars = keys.every((key) => ['string', 'number', 'boolean'].includes(typeof key));
  return areScalars ? JSON.stringify(keys) : null;
}
