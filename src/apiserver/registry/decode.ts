// Reads an untrusted object by its shape, as a typed server does: unknown fields are dropped and named, a value of the
// wrong type is refused, zero values are left out or written as the shape says.

import { isRecord } from '../../objects/raw.ts';
import { parseTime } from '../../base/timestamp.ts';
import type { Field, Fields, Shape } from './shape.ts';

export type Decoded = {
  readonly value: Readonly<Record<string, unknown>>;
  readonly unknownPaths: readonly string[];
};

/** Thrown inside and caught by whoever decodes: the first wrong value ends the reading, as in the real server. */
export class WrongValue extends Error {
  override readonly name = 'WrongValue';
}

export function decodeStruct(fields: Fields, raw: unknown): Decoded {
  const unknownPaths: string[] = [];
  const value = readStruct(fields, raw, { path: '', unknownPaths });
  return { value, unknownPaths };
}

type Place = { readonly path: string; readonly unknownPaths: string[] };

function readStruct(fields: Fields, raw: unknown, place: Place): Readonly<Record<string, unknown>> {
  if (raw !== undefined && raw !== null && !isRecord(raw)) throw mismatch(raw, place.path, 'object');
  const read = new Map<string, unknown>();
  // In the order of the document, so that unknown fields are named in it; written in the order of the shape.
  for (const [key, value] of Object.entries(raw ?? {})) {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    const path = below(place.path, key);
    if (field === undefined) place.unknownPaths.push(path);
    else read.set(key, readField(field, value, { ...place, path }));
  }
  const entries = Object.entries(fields).flatMap(([key, field]) => {
    const value = read.has(key) ? read.get(key) : readField(field, undefined, place);
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(entries);
}

function readField({ shape, emit }: Field, raw: unknown, place: Place): unknown {
  const isGiven = raw !== undefined && raw !== null;
  if (!isGiven) return emit === 'always' ? zeroOf(shape, place) : undefined;
  const value = readShape(shape, raw, place);
  return emit === 'nonzero' && isZero(value) ? undefined : value;
}

function readShape(shape: Shape, raw: unknown, place: Place): unknown {
  switch (shape.kind) {
    case 'struct':
      return readStruct(shape.fields, raw, place);
    case 'list':
      if (!Array.isArray(raw)) throw mismatch(raw, place.path, 'array');
      return raw.map((item, index) =>
        readItem(shape.of, item, { ...place, path: `${place.path}[${index}]` }),
      );
    case 'map':
      if (!isRecord(raw)) throw mismatch(raw, place.path, 'map');
      return Object.fromEntries(
        Object.entries(raw).map(([key, item]) => [
          key,
          readItem(shape.of, item, { ...place, path: place.path }),
        ]),
      );
    default:
      return readScalar(shape.kind, raw, place.path);
  }
}

/** Null among the items of a list or map is their zero value. */
function readItem(shape: Shape, raw: unknown, place: Place): unknown {
  return raw === null ? zeroOf(shape, place) : readShape(shape, raw, place);
}

type ScalarKind = Exclude<Shape['kind'], 'struct' | 'list' | 'map'>;

function readScalar(kind: ScalarKind, raw: unknown, path: string): unknown {
  switch (kind) {
    case 'any':
      return raw;
    case 'text':
      if (typeof raw !== 'string') throw mismatch(raw, path, 'string');
      return raw;
    case 'flag':
      if (typeof raw !== 'boolean') throw mismatch(raw, path, 'bool');
      return raw;
    case 'int':
      if (typeof raw !== 'number' || !Number.isInteger(raw)) throw mismatch(raw, path, 'int');
      return raw;
    case 'intOrText':
      if (typeof raw !== 'string' && !Number.isInteger(raw)) throw mismatch(raw, path, 'IntOrString');
      return raw;
    case 'quantity':
      return readQuantity(raw, path);
    case 'bytes':
      return readBytes(raw, path);
    case 'time':
    case 'microTime':
      return readTime(kind, raw, path);
  }
}

const QUANTITY = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;

function readQuantity(raw: unknown, path: string): string {
  const text = typeof raw === 'number' ? String(raw) : raw;
  if (typeof text !== 'string') throw mismatch(raw, path, 'Quantity');
  if (!QUANTITY.test(text)) {
    throw new WrongValue(
      `quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
    );
  }
  return text;
}

function readBytes(raw: unknown, path: string): string {
  if (typeof raw !== 'string') throw mismatch(raw, path, 'uint8');
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(raw);
  if (!isBase64) throw new WrongValue('illegal base64 data at input byte 0');
  return raw;
}

function readTime(kind: 'time' | 'microTime', raw: unknown, path: string): string {
  if (typeof raw !== 'string') throw mismatch(raw, path, 'string');
  const layout = kind === 'time' ? '2006-01-02T15:04:05Z07:00' : '2006-01-02T15:04:05.000000Z07:00';
  const isRead = parseTime(raw) !== null && (kind === 'time' || /\.\d{6}(?:[Zz]|[+-]\d\d:\d\d)$/.test(raw));
  if (!isRead)
    throw new WrongValue(`parsing time ${JSON.stringify(raw)} as ${JSON.stringify(layout)}: cannot parse`);
  if (kind === 'time') return raw.replace(/\.\d+/, '');
  return raw;
}

function zeroOf(shape: Shape, place: Place): unknown {
  switch (shape.kind) {
    case 'struct':
      return readStruct(shape.fields, {}, place);
    case 'text':
    case 'bytes':
      return '';
    case 'int':
    case 'intOrText':
      return 0;
    case 'quantity':
      return '0';
    case 'flag':
      return false;
    default:
      return null;
  }
}

function isZero(value: unknown): boolean {
  if (value === '' || value === 0 || value === false || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.keys(value).length === 0;
}

function below(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function mismatch(raw: unknown, path: string, type: string): WrongValue {
  const found = Array.isArray(raw) ? 'array' : typeof raw === 'boolean' ? 'bool' : typeof raw;
  return new WrongValue(`json: cannot unmarshal ${found} into Go struct field ${path} of type ${type}`);
}
