// Fills in what a schema gives by default, at every depth. A null that the schema does not allow counts as absent:
// it is defaulted, or dropped where there is no default. Whatever is filled in is a copy.

import { isRecord } from '../../objects/raw.ts';
import type { SchemaNode } from './schema-node.ts';

export function applyDefaults(value: unknown, schema: SchemaNode): unknown {
  if (Array.isArray(value)) return defaultItems(value, schema.items);
  if (!isRecord(value)) return value;
  const result = new Map<string, unknown>();
  for (const [name, inner] of Object.entries(value)) {
    const known = schemaOf(schema, name);
    if (known === null) result.set(name, inner);
    else if (inner !== null || known.isNullable) result.set(name, applyDefaults(inner, known));
    else if (known.default !== undefined) result.set(name, applyDefaults(copy(known.default), known));
  }
  for (const [name, inner] of schema.properties) {
    if (inner.default !== undefined && !result.has(name))
      result.set(name, applyDefaults(copy(inner.default), inner));
  }
  return Object.fromEntries(result);
}

// An item cannot be dropped without moving the others, so a null without a default stays for validation to refuse.
function defaultItems(items: readonly unknown[], schema: SchemaNode | null): readonly unknown[] {
  if (schema === null) return items;
  return items.map((item) => {
    const isAbsent = item === null && !schema.isNullable && schema.default !== undefined;
    return applyDefaults(isAbsent ? copy(schema.default) : item, schema);
  });
}

function schemaOf({ properties, additional }: SchemaNode, name: string): SchemaNode | null {
  return properties.get(name) ?? (additional?.kind === 'schema' ? additional.schema : null);
}

function copy(value: unknown): unknown {
  return structuredClone(value);
}
