// Reads an untrusted object by its shape, as a typed server does: unknown fields are dropped and named, a value of the
// wrong type is refused, zero values are left out or written as the shape says.

import { isRecord } from '../../objects/raw.ts';
import { formatTime, parseTime } from '../../base/timestamp.ts';
import { canonicalQuantity } from '../quantity.ts';
import type { Field, Fields, Shape } from './shape.ts';
import { timeProblem } from './time-problem.ts';

export type Decoded = {
  readonly value: Readonly<Record<string, unknown>>;
  readonly unknownPaths: readonly string[];
};

/** Thrown inside and caught by whoever decodes: the first wrong value ends the reading, as in the real server. */
export class WrongValue extends Error {
  override readonly name = 'WrongValue';
}

/** What stands in `old`, which was read by the same fields, is not read again: most of a patched object does. */
export function decodeStruct(fields: Fields, raw: unknown, old?: unknown): Decoded {
  const place: Place = { parent: null, step: '', old, unknownPaths: [] };
  return { value: readStruct(fields, raw, place), unknownPaths: place.unknownPaths };
}

/** A path is spelled out only for what is wrong: thousands of fields are right. */
type Place = {
  readonly parent: Place | null;
  readonly step: string | number;
  /** What stood here when the object was last read. */
  readonly old: unknown;
  readonly unknownPaths: string[];
};

function readStruct(fields: Fields, raw: unknown, place: Place): Readonly<Record<string, unknown>> {
  if (raw !== undefined && raw !== null && !isRecord(raw)) throw mismatch(raw, place, 'object');
  const given = raw ?? {};
  const result: Record<string, unknown> = {};
  let known = 0;
  for (const key of Object.keys(fields)) {
    const field = fields[key];
    if (field === undefined) continue;
    const isGiven = Object.hasOwn(given, key);
    if (isGiven) known++;
    const value = readField(field, isGiven ? given[key] : undefined, { parent: place, key });
    if (value !== undefined) result[key] = value;
  }
  const keys = Object.keys(given);
  if (known < keys.length) noteUnknown(fields, keys, place);
  return result;
}

function noteUnknown(fields: Fields, keys: readonly string[], place: Place): void {
  for (const key of keys) {
    if (!Object.hasOwn(fields, key)) place.unknownPaths.push(pathOf(below(place, key)));
  }
}

type FieldPlace = { readonly parent: Place; readonly key: string };

function readField({ shape, emit }: Field, raw: unknown, { parent, key }: FieldPlace): unknown {
  const isGiven = raw !== undefined && raw !== null;
  if (!isGiven) return emit === 'always' ? zeroOf(shape, parent) : undefined;
  const value = readShape(shape, raw, below(parent, key));
  return emit === 'nonzero' && isZero(value) ? undefined : value;
}

function readShape(shape: Shape, raw: unknown, place: Place): unknown {
  if (raw === place.old) return raw;
  switch (shape.kind) {
    case 'struct':
      return readStruct(shape.fields, raw, place);
    case 'list':
      if (!Array.isArray(raw)) throw mismatch(raw, place, 'array');
      return raw.map((item, index) => readItem(shape.of, item, below(place, index)));
    case 'map':
      if (!isRecord(raw)) throw mismatch(raw, place, 'map');
      return Object.fromEntries(
        Object.entries(raw).map(([key, item]) => [key, readItem(shape.of, item, place)]),
      );
    default:
      return readScalar(shape.kind, raw, place);
  }
}

/** Null among the items of a list or map is their zero value. */
function readItem(shape: Shape, raw: unknown, place: Place): unknown {
  return raw === null ? zeroOf(shape, place) : readShape(shape, raw, place);
}

type ScalarKind = Exclude<Shape['kind'], 'struct' | 'list' | 'map'>;

function readScalar(kind: ScalarKind, raw: unknown, place: Place): unknown {
  switch (kind) {
    case 'any':
      return raw;
    case 'text':
      if (typeof raw !== 'string') throw mismatch(raw, place, 'string');
      return raw;
    case 'flag':
      if (typeof raw !== 'boolean') throw mismatch(raw, place, 'bool');
      return raw;
    case 'int':
      if (typeof raw !== 'number' || !Number.isInteger(raw)) throw mismatch(raw, place, 'int');
      return raw;
    case 'intOrText':
      if (typeof raw !== 'string' && !Number.isInteger(raw)) throw mismatch(raw, place, 'IntOrString');
      return raw;
    case 'quantity':
      return readQuantity(raw, place);
    case 'bytes':
      return readBytes(raw, place);
    case 'time':
    case 'microTime':
      return readTime(kind, raw, place);
  }
}

function readQuantity(raw: unknown, place: Place): string {
  const text = typeof raw === 'number' ? String(raw) : raw;
  if (typeof text !== 'string') throw mismatch(raw, place, 'Quantity');
  const canonical = canonicalQuantity(text);
  if (canonical !== null) return canonical;
  throw new WrongValue(
    `quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
  );
}

function readBytes(raw: unknown, place: Place): string {
  if (typeof raw !== 'string') throw mismatch(raw, place, 'uint8');
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(raw);
  if (!isBase64) throw new WrongValue('illegal base64 data at input byte 0');
  return raw;
}

function readTime(kind: 'time' | 'microTime', raw: unknown, place: Place): string {
  if (typeof raw !== 'string') throw mismatch(raw, place, 'string');
  const [, whole = '', fraction = '', zone = ''] = TIME.exec(raw) ?? [];
  const instant = parseTime(whole + zone);
  if (instant === null || (kind === 'microTime' && fraction.length !== 7))
    throw new WrongValue(timeProblem(raw, kind === 'microTime' ? 6 : 0));
  const seconds = formatTime(instant);
  return kind === 'time' ? seconds : seconds.replace('Z', `${fraction}Z`);
}

/** Seconds, their fraction with its point, and the zone: the fraction has more digits than an Instant can hold. */
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

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

function below(parent: Place, step: string | number): Place {
  return { parent, step, old: oldBelow(parent.old, step), unknownPaths: parent.unknownPaths };
}

function oldBelow(old: unknown, step: string | number): unknown {
  if (typeof step === 'number') return Array.isArray(old) ? old[step] : undefined;
  return isRecord(old) && Object.hasOwn(old, step) ? old[step] : undefined;
}

function pathOf({ parent, step }: Place): string {
  if (parent === null) return '';
  const before = pathOf(parent);
  if (typeof step === 'number') return `${before}[${step}]`;
  return before === '' ? step : `${before}.${step}`;
}

function mismatch(raw: unknown, place: Place, type: string): WrongValue {
  const found = Array.isArray(raw) ? 'array' : typeof raw === 'boolean' ? 'bool' : typeof raw;
  return new WrongValue(
    `json: cannot unmarshal ${found} into Go struct field ${pathOf(place)} of type ${type}`,
  );
}
