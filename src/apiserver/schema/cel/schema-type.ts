// What a schema is to a rule: the type of its values and how to read one from an object. Values without a type of
// their own are not visible to rules.

import { isRecord, ownValue } from '../../../objects/raw.ts';
import { goJson } from '../go-text.ts';
import { parseLooseDuration, parseRfc3339, type ZonedTime } from '../go-time.ts';
import { readSchema, type SchemaNode } from '../schema-node.ts';
import { type CelType, dyn } from './cel-type.ts';
import { escapeName } from './escape.ts';
import { CelError, type Field, type MapKey, type ObjectShape, type Value } from './value.ts';

export type Reading = { readonly type: CelType; readonly read: (raw: unknown) => Value };

/** Null when rules cannot see values of this schema. */
export function readingOf(schema: SchemaNode): Reading | null {
  const reading = schema.isIntOrString ? intOrString : readingOfType(schema);
  if (reading === null) return null;
  const { type, read } = reading;
  return { type, read: (raw) => (raw === null ? readNull(schema) : read(raw)) };
}

/** The schema of a resource: its type and name can be read whether it lists them or not. */
export function asResource(schema: SchemaNode): SchemaNode {
  const text = readSchema({ type: 'string' });
  const names = readSchema({ type: 'object', properties: { name: text.raw, generateName: text.raw } });
  const properties = new Map(schema.properties)
    .set('apiVersion', text)
    .set('kind', text)
    .set('metadata', names);
  return { ...schema, properties };
}

const intOrString: Reading = {
  type: dyn,
  read(raw) {
    if (typeof raw === 'string') return raw;
    if (Number.isInteger(raw)) return BigInt(Number(raw));
    throw new CelError('invalid data, expected XIntOrString value to be either a string or integer');
  },
};

function readNull({ isNullable }: SchemaNode): Value {
  if (isNullable) return null;
  throw new CelError('invalid data, got null for schema with nullable=false');
}

function readingOfType(schema: SchemaNode): Reading | null {
  switch (schema.type) {
    case 'array':
      return readingOfList(schema);
    case 'object':
      return readingOfObject(schema);
    case 'string':
      return readingOfString(schema);
    case 'boolean':
      return {
        type: { kind: 'bool' },
        read: (raw) => (typeof raw === 'boolean' ? raw : mismatch('bool', raw)),
      };
    case 'number':
      return {
        type: { kind: 'double' },
        read: (raw) => (typeof raw === 'number' ? raw : mismatch('float', raw)),
      };
    case 'integer':
      return {
        type: { kind: 'int' },
        read: (raw) => (Number.isInteger(raw) ? BigInt(Number(raw)) : mismatch('int', raw)),
      };
    default:
      return null;
  }
}

function readingOfList(schema: SchemaNode): Reading | null {
  const item = schema.items && readingOf(schema.items.isEmbedded ? asResource(schema.items) : schema.items);
  if (item === null) return null;
  const identityOf = identityIn(schema);
  return {
    type: { kind: 'list', item: item.type },
    read(raw) {
      if (!Array.isArray(raw))
        throw new CelError('invalid data, expected an array for the provided schema with type=array');
      const items = raw.map((value) => item.read(value));
      return identityOf === null ? { kind: 'list', items } : { kind: 'list', items, identityOf };
    },
  };
}

function identityIn({ listType, listKeys }: SchemaNode): ((item: Value) => unknown) | null {
  if (listType === 'set') return (item) => (typeof item === 'object' ? goJson(rawOf(item)) : item);
  if (listType !== 'map') return null;
  return (item) => {
    const raw = rawOf(item);
    return isRecord(raw) ? goJson(listKeys.map((key) => ownValue(raw, key) ?? null)) : item;
  };
}

function rawOf(item: Value): unknown {
  if (item === null || typeof item !== 'object' || item instanceof Uint8Array) return item;
  if (item.kind === 'object') return item.raw;
  return item.kind === 'list' ? item.items.map(rawOf) : String(Object.values(item));
}

function readingOfObject(schema: SchemaNode): Reading | null {
  const { additional } = schema;
  if (additional?.kind === 'schema') return readingOfMap(additional.schema);
  const shape = shapeOf(schema);
  return {
    type: { kind: 'object', shape },
    read: (raw) => (isRecord(raw) ? { kind: 'object', raw, shape } : noMap()),
  };
}

function readingOfMap(inner: SchemaNode): Reading | null {
  const value = readingOf(inner.isEmbedded ? asResource(inner) : inner);
  if (value === null) return null;
  return {
    type: { kind: 'map', key: { kind: 'string' }, value: value.type },
    read(raw) {
      if (!isRecord(raw)) return noMap();
      const entries = new Map<MapKey, Value>();
      for (const [name, item] of Object.entries(raw)) entries.set(name, value.read(item));
      return { kind: 'map', entries };
    },
  };
}

function shapeOf({ properties }: SchemaNode): ObjectShape {
  const fields = new Map<string, Field>();
  const schemas = new Map<string, Field>();
  for (const [name, inner] of properties) {
    const reading = readingOf(inner.isEmbedded ? asResource(inner) : inner);
    if (reading === null) continue;
    const field = { name, ...reading };
    schemas.set(name, field);
    const escaped = escapeName(name);
    if (escaped !== null) fields.set(escaped, field);
  }
  return { fields, schemas };
}

function readingOfString({ format }: SchemaNode): Reading {
  const read = stringReaders.get(format);
  if (read !== undefined) return read;
  return {
    type: { kind: 'string' },
    read: (raw) => (typeof raw === 'string' ? raw : mismatch('string', raw)),
  };
}

const stringReaders: ReadonlyMap<string, Reading> = new Map<string, Reading>([
  ['duration', readingOfTime('duration', durationValue)],
  ['date', readingOfTime('timestamp', (text) => timestampValue(parseRfc3339(`${text}T00:00:00Z`)))],
  ['date-time', readingOfTime('timestamp', (text) => timestampValue(parseDateTime(text)))],
  [
    'byte',
    {
      type: { kind: 'bytes' },
      read: (raw) => (typeof raw === 'string' ? Buffer.from(raw, 'base64') : mismatch('string', raw)),
    },
  ],
]);

function readingOfTime(kind: 'duration' | 'timestamp', parse: (text: string) => Value): Reading {
  return {
    type: { kind },
    read(raw) {
      if (typeof raw !== 'string') return mismatch('string', raw);
      const value = parse(raw);
      if (value === null) throw new CelError(`Invalid ${kind} formatted string ${raw}`);
      return value;
    },
  };
}

function durationValue(text: string): Value {
  const nanos = parseLooseDuration(text);
  return nanos === null ? null : { kind: 'duration', nanos };
}

function timestampValue(time: ZonedTime | null): Value {
  return time === null ? null : { kind: 'timestamp', ...time };
}

/** A time without a zone is taken for UTC; an empty one is the beginning of 1970. */
function parseDateTime(text: string): ZonedTime | null {
  if (text === '') return { nanos: 0n, offsetMinutes: 0 };
  return parseRfc3339(text) ?? parseRfc3339(`${text}Z`);
}

function noMap(): never {
  throw new CelError('invalid data, expected a map for the provided schema with type=object');
}

function mismatch(expected: string, raw: unknown): never {
  throw new CelError(`invalid data, expected ${expected}, got ${goTypeOf(raw)}`);
}

function goTypeOf(raw: unknown): string {
  if (Array.isArray(raw)) return '[]interface {}';
  if (typeof raw === 'number') return Number.isInteger(raw) ? 'int64' : 'float64';
  if (typeof raw === 'boolean') return 'bool';
  return isRecord(raw) ? 'map[string]interface {}' : typeof raw;
}
