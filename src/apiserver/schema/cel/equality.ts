// Equality and order of values. Values of different types are unequal, except numbers, which compare across types.

import { deepEqual } from '../deep-equal.ts';
import { CelError, type CelList, type CelObject, type Value } from './value.ts';

export function isEqual(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (typeof a === 'number' || typeof a === 'bigint')
    // oxlint-disable-next-line eqeqeq
    return (typeof b === 'number' || typeof b === 'bigint') && a == b;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  if (a instanceof Uint8Array || b instanceof Uint8Array)
    return a instanceof Uint8Array && b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  switch (a.kind) {
    case 'list':
      return b.kind === 'list' && areListsEqual(a, b);
    case 'map':
      return (
        b.kind === 'map' &&
        a.entries.size === b.entries.size &&
        [...a.entries].every(([key, value]) => {
          const other = b.entries.get(key);
          return other !== undefined && isEqual(value, other);
        })
      );
    case 'object':
      return b.kind === 'object' && areObjectsEqual(a, b);
    case 'optional':
      if (b.kind !== 'optional') return false;
      return a.value === undefined || b.value === undefined ? a.value === b.value : isEqual(a.value, b.value);
    case 'timestamp':
    case 'duration':
    case 'quantity':
      return b.kind === a.kind && a.nanos === b.nanos;
    case 'ip':
      return b.kind === 'ip' && a.family === b.family && a.bits === b.bits;
    case 'cidr':
      return b.kind === 'cidr' && a.family === b.family && a.bits === b.bits && a.length === b.length;
    case 'type':
    case 'format':
      return b.kind === a.kind && a.name === b.name;
    case 'url':
      return b.kind === 'url' && deepEqual({ ...a.url, query: null }, { ...b.url, query: null });
  }
}

/** Negative, zero or positive; NaN when one of them is no number. */
export function compare(a: Value, b: Value): number {
  if (isNumeric(a) && isNumeric(b)) return ordered(a, b);
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  if (isTime(a) && isTime(b) && a.kind === b.kind) return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
  throw new CelError('no such overload');
}

function ordered(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return isEqual(a, b) ? 0 : Number.NaN;
}

function isNumeric(value: Value): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

function isTime(value: Value): value is Extract<Value, { kind: 'timestamp' | 'duration' }> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof Uint8Array) &&
    (value.kind === 'timestamp' || value.kind === 'duration')
  );
}

/** Sets and list maps have no order. */
function areListsEqual(a: CelList, b: CelList): boolean {
  if (a.items.length !== b.items.length) return false;
  const { identityOf } = a;
  if (identityOf === undefined) return a.items.every((item, index) => isEqual(item, b.items[index] ?? null));
  const own = new Map(a.items.map((item) => [identityOf(item), item]));
  return b.items.every((item) => {
    const other = own.get(identityOf(item));
    return other !== undefined && isEqual(other, item);
  });
}

function areObjectsEqual(a: CelObject, b: CelObject): boolean {
  const names = Object.keys(a.raw);
  if (names.length !== Object.keys(b.raw).length) return false;
  return names.every((name) => {
    const field = a.shape.schemas.get(name);
    if (field === undefined) return !Object.hasOwn(b.raw, name) || deepEqual(a.raw[name], b.raw[name]);
    const [mine, other] = [a.raw[name] ?? null, (Object.hasOwn(b.raw, name) ? b.raw[name] : null) ?? null];
    if (mine === null || other === null) return mine === other;
    return isEqual(field.read(mine), field.read(other));
  });
}
