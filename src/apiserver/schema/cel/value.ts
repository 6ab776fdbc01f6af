// The values that expressions compute with. Integers are bigints and doubles are numbers, so the two are never
// mistaken for each other; data of an object stays raw until a rule reads it.

import type { GoUrl } from '../go-url.ts';
import type { CelType } from './cel-type.ts';

export type MapKey = string | bigint | boolean;

export type CelList = {
  readonly kind: 'list';
  readonly items: readonly Value[];
  /** Of a list of type set or map: its items have no order, and two of them are one when their identity is. */
  readonly identityOf?: (item: Value) => unknown;
};
export type CelMap = { readonly kind: 'map'; readonly entries: ReadonlyMap<MapKey, Value> };
export type CelObject = {
  readonly kind: 'object';
  readonly raw: Readonly<Record<string, unknown>>;
  readonly shape: ObjectShape;
};
export type Optional = { readonly kind: 'optional'; readonly value: Value | undefined };

export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | CelList
  | CelMap
  | CelObject
  | Optional
  | { readonly kind: 'timestamp'; readonly nanos: bigint; readonly offsetMinutes: number }
  | { readonly kind: 'duration'; readonly nanos: bigint }
  | { readonly kind: 'type'; readonly name: string }
  | { readonly kind: 'quantity'; readonly nanos: bigint }
  | { readonly kind: 'ip'; readonly family: 4 | 6; readonly bits: bigint }
  | { readonly kind: 'cidr'; readonly family: 4 | 6; readonly bits: bigint; readonly length: number }
  | { readonly kind: 'url'; readonly url: GoUrl }
  | { readonly kind: 'format'; readonly name: string; readonly check: (text: string) => readonly string[] };

/** What an object of a schema has: its fields under the names that rules use. */
export type ObjectShape = {
  readonly fields: ReadonlyMap<string, Field>;
  /** The schemas of all properties under their own names, of those without a type too. */
  readonly schemas: ReadonlyMap<string, Field>;
};

export type Field = {
  readonly name: string;
  readonly type: CelType;
  readonly read: (raw: unknown) => Value;
};

/** An error of a rule while it runs; `&&`, `||` and quantifiers may get over it. */
export class CelError extends Error {
  override readonly name = 'CelError';
}

/** Nothing gets over this one. */
export class CostExceeded extends Error {
  override readonly name = 'CostExceeded';
}

/** The name that `type()` gives. */
export function kindOf(value: Value): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    default:
      if (value === null) return 'null_type';
      return value instanceof Uint8Array ? 'bytes' : value.kind;
  }
}

export function listOf(items: readonly Value[]): CelList {
  return { kind: 'list', items };
}

export function mapKeyOf(value: Value): MapKey {
  if (typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  throw new CelError(`unsupported key type: ${kindOf(value)}`);
}

/** Undefined when the object lacks the field; null counts as lacking. */
export function fieldOf({ raw, shape }: CelObject, name: string): Value | undefined {
  const field = shape.fields.get(name);
  if (field === undefined || !Object.hasOwn(raw, field.name)) return undefined;
  const value = raw[field.name];
  return value === null ? undefined : field.read(value);
}
