// Operators on values that are there; `&&`, `||`, `?:` and the access to fields are the compiler's business, because
// they must not look at all of their operands.

import { compare, isEqual } from './equality.ts';
import { type Overload, overload } from './overload.ts';
import { CelError, type CelList, type CelMap, mapKeyOf, type Value } from './value.ts';

const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);

type Nanos = { readonly nanos: bigint };
type Time = Extract<Value, { kind: 'timestamp' }>;

export const operators: readonly Overload[] = [
  ...equality(),
  ...order(),
  ...arithmetic(),
  overload('_in_(A, list<A>): bool', (item: Value, { items }: CelList) =>
    items.some((other) => isEqual(other, item)),
  ),
  overload('_in_(A, map<A, B>): bool', (key: Value, { entries }: CelMap) => entries.has(mapKeyOf(key))),
  overload('_[_](list<A>, int): A', itemAt),
  overload('_[_](map<A, B>, A): B', ({ entries }: CelMap, key: Value) => {
    const name = mapKeyOf(key);
    const value = entries.get(name);
    if (value === undefined) throw new CelError(`no such key: ${name}`);
    return value;
  }),
  overload('_!_(bool): bool', (value: boolean) => !value),
];

/** An integer that fits into 64 bits, or an error. */
export function checked(value: bigint): bigint {
  if (value > int64Max || value < int64Min) throw new CelError('integer overflow');
  return value;
}

function equality(): readonly Overload[] {
  return [
    overload('_==_(A, A): bool', isEqual),
    overload('_!=_(A, A): bool', (a: Value, b: Value) => !isEqual(a, b)),
  ];
}

function order(): readonly Overload[] {
  const plain = ['bool', 'string', 'bytes', 'timestamp', 'duration'].map((type) => [type, type]);
  const numbers = ['int', 'double'].flatMap((a) => ['int', 'double'].map((b) => [a, b]));
  return [...numbers, ...plain].flatMap(([a, b]) => [
    overload(`_<_(${a}, ${b}): bool`, (x: Value, y: Value) => compare(x, y) < 0),
    overload(`_<=_(${a}, ${b}): bool`, (x: Value, y: Value) => compare(x, y) <= 0),
    overload(`_>_(${a}, ${b}): bool`, (x: Value, y: Value) => compare(x, y) > 0),
    overload(`_>=_(${a}, ${b}): bool`, (x: Value, y: Value) => compare(x, y) >= 0),
  ]);
}

function arithmetic(): readonly Overload[] {
  return [
    overload('_+_(int, int): int', (a: bigint, b: bigint) => checked(a + b)),
    overload('_-_(int, int): int', (a: bigint, b: bigint) => checked(a - b)),
    overload('_*_(int, int): int', (a: bigint, b: bigint) => checked(a * b)),
    overload('_/_(int, int): int', (a: bigint, b: bigint) => {
      if (b === 0n) throw new CelError('division by zero');
      return checked(a / b);
    }),
    overload('_%_(int, int): int', (a: bigint, b: bigint) => {
      if (b === 0n) throw new CelError('modulus by zero');
      return a % b;
    }),
    overload('-_(int): int', (a: bigint) => checked(-a)),
    overload('_+_(double, double): double', (a: number, b: number) => a + b),
    overload('_-_(double, double): double', (a: number, b: number) => a - b),
    overload('_*_(double, double): double', (a: number, b: number) => a * b),
    overload('_/_(double, double): double', (a: number, b: number) => a / b),
    overload('-_(double): double', (a: number) => -a),
    overload('_+_(string, string): string', (a: string, b: string) => a + b),
    overload('_+_(bytes, bytes): bytes', (a: Uint8Array, b: Uint8Array) => Buffer.concat([a, b])),
    overload('_+_(list<A>, list<A>): list<A>', added),
    overload('_+_(duration, duration): duration', (a: Nanos, b: Nanos) => duration(a.nanos + b.nanos)),
    overload('_-_(duration, duration): duration', (a: Nanos, b: Nanos) => duration(a.nanos - b.nanos)),
    overload('_+_(timestamp, duration): timestamp', (a: Time, b: Nanos) => moved(a, b.nanos)),
    overload('_+_(duration, timestamp): timestamp', (a: Nanos, b: Time) => moved(b, a.nanos)),
    overload('_-_(timestamp, duration): timestamp', (a: Time, b: Nanos) => moved(a, -b.nanos)),
    overload('_-_(timestamp, timestamp): duration', (a: Nanos, b: Nanos) => duration(a.nanos - b.nanos)),
  ];
}

function itemAt({ items }: CelList, index: bigint): Value {
  const item = index < 0n ? undefined : items[Number(index)];
  if (item === undefined) throw new CelError(`index out of bounds: ${index}`);
  return item;
}

/** To a set only what it lacks is added; in a list map, what has the keys of an item takes its place. */
function added(a: CelList, b: CelList): Value {
  const { identityOf } = a;
  if (identityOf === undefined) return { kind: 'list', items: [...a.items, ...b.items] };
  const merged = new Map(a.items.map((item) => [identityOf(item), item]));
  for (const item of b.items) merged.set(identityOf(item), item);
  return { kind: 'list', items: [...merged.values()], identityOf };
}

function duration(nanos: bigint): Value {
  return { kind: 'duration', nanos: checked(nanos) };
}

function moved(time: Time, by: bigint): Value {
  const nanos = time.nanos + by;
  if (nanos < -62_135_596_800_000_000_000n || nanos >= 253_402_300_800_000_000_000n)
    throw new CelError('timestamp overflow');
  return { ...time, nanos };
}
