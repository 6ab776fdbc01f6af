// Drops what a schema does not know and names it. Never drops apiVersion, kind and metadata of a resource, embedded
// ones included: those have a schema of their own.

import { isRecord } from '../../objects/raw.ts';
import { pruneMetadata } from './metadata.ts';
import type { FieldError } from './field-error.ts';
import type { SchemaNode } from './schema-node.ts';

export type Pruned = {
  readonly value: unknown;
  /** In the order of the alphabet. */
  readonly unknownPaths: readonly string[];
  /** What stands in metadata in a wrong type: the API server answers 400 for it. */
  readonly malformed: readonly FieldError[];
};

export type Notes = { readonly unknown: string[]; readonly malformed: FieldError[] };

const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** A new value; the given one is left as it is and shares what did not change. */
export function prune(value: unknown, schema: SchemaNode): Pruned {
  const notes: Notes = { unknown: [], malformed: [] };
  const pruned = pruneValue(value, { ...schema, isEmbedded: true }, { path: '', notes });
  return { value: pruned, unknownPaths: notes.unknown.sort(), malformed: notes.malformed };
}

type At = { readonly path: string; readonly notes: Notes };

function pruneValue(value: unknown, schema: SchemaNode | null, at: At): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => pruneItem(item, schema, { ...at, path: `${at.path}[${index}]` }));
  if (!isRecord(value)) return value;
  const kept: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const field = pruneField({ name, inner, schema }, at);
    if (field !== undefined) kept.push([name, field]);
  }
  return Object.fromEntries(kept);
}

// What a list that keeps unknown fields holds is kept too, but only there: the items' own schema says nothing of it.
function pruneItem(item: unknown, schema: SchemaNode | null, at: At): unknown {
  if (schema?.keepsUnknown !== true) return pruneValue(item, schema?.items ?? null, at);
  return schema.items === null ? item : pruneValue(item, { ...schema.items, keepsUnknown: true }, at);
}

type Field = { readonly name: string; readonly inner: unknown; readonly schema: SchemaNode | null };

/** Undefined for a field that is dropped. */
function pruneField({ name, inner, schema }: Field, at: At): unknown {
  const here = { ...at, path: at.path === '' ? name : `${at.path}.${name}` };
  if (schema?.isEmbedded === true && metaFields.has(name)) return pruneMetadata(name, inner, here);
  const known = schema?.properties.get(name);
  if (known !== undefined) return pruneValue(inner, known, here);
  if (schema?.additional)
    return pruneValue(inner, schema.additional.kind === 'schema' ? schema.additional.schema : null, here);
  if (schema?.keepsUnknown === true) return inner;
  at.notes.unknown.push(here.path);
  return undefined;
}

/** Of a value inside an object: apiVersion, kind and metadata are fields like others, unless its schema says more. */
export function pruneAsValue(value: unknown, schema: SchemaNode): unknown {
  return pruneValue(value, schema, { path: '', notes: { unknown: [], malformed: [] } });
}
