// The promise of lists of type set and map: no item, or no combination of keys, twice.

import { isRecord } from '../../objects/raw.ts';
import { duplicate, type FieldError, invalid } from './field-error.ts';
import { goJson } from './go-text.ts';
import type { Place } from './place.ts';
import type { SchemaNode } from './schema-node.ts';

type Check = (value: unknown, at: Place) => readonly FieldError[];

const nothing: readonly FieldError[] = [];

/** Null when no list in the schema promises anything. */
export function compileListTypes(schema: SchemaNode): Check | null {
  const own = ownCheck(schema);
  const items = schema.items && compileListTypes(schema.items);
  const fields = new Map<string, Check>();
  for (const [name, inner] of schema.properties) {
    const check = compileListTypes(inner);
    if (check !== null) fields.set(name, check);
  }
  const values = schema.additional?.kind === 'schema' ? compileListTypes(schema.additional.schema) : null;
  if (own === null && items === null && fields.size === 0 && values === null) return null;
  return (value, at) => {
    if (Array.isArray(value)) {
      const ofItems = items === null ? [] : value.flatMap((item, index) => items(item, at.index(index)));
      return [...(own?.(value, at) ?? []), ...ofItems];
    }
    if (!isRecord(value)) return nothing;
    return Object.entries(value).flatMap(([name, inner]) => {
      if (values !== null) return values(inner, at.key(name));
      return fields.get(name)?.(inner, at.field(name)) ?? nothing;
    });
  };
}

function ownCheck({ listType, listKeys }: SchemaNode): Check | null {
  if (listType === 'set') return (value, at) => (Array.isArray(value) ? repeated(value, at) : nothing);
  if (listType !== 'map') return null;
  return (value, at) => {
    if (!Array.isArray(value)) return nothing;
    const stray = value.findIndex((item) => item !== null && !isRecord(item));
    if (stray >= 0)
      return [invalid(at.index(stray).path, value[stray], 'must be an object for an array of list-type map')];
    return repeated(
      value.map((item) => keysOf(item, listKeys)),
      at,
    );
  };
}

/** Each value that occurs again is named once, where it does so first. */
function repeated(values: readonly unknown[], at: Place): readonly FieldError[] {
  const counts = new Map<unknown, number>();
  return values.flatMap((value, index) => {
    const identity = typeof value === 'object' && value !== null ? `json ${goJson(value)}` : tagged(value);
    const count = counts.get(identity) ?? 0;
    counts.set(identity, count + 1);
    return count === 1 ? [duplicate(at.index(index).path, value)] : [];
  });
}

// A string must not be taken for the JSON of an object that reads the same.
function tagged(value: unknown): unknown {
  return typeof value === 'string' ? `text ${value}` : value;
}

function keysOf(item: unknown, names: readonly string[]): unknown {
  if (!isRecord(item)) return {};
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(item, name)).map((name) => [name, item[name]]),
  );
}
