// Functions on lists and sets: those of Kubernetes (isSorted, sum, min, max, indexOf) and those of CEL's extensions.

import { compare, isEqual } from './equality.ts';
import { checked } from './operators.ts';
import { type Overload, overload } from './overload.ts';
import { CelError, type CelList, listOf, type Value } from './value.ts';

const comparable = ['int', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

export const lists: readonly Overload[] = [
  ...comparable.flatMap((type) => [
    overload(`list<${type}> => isSorted(): bool`, isSorted),
    overload(`list<${type}> => min(): ${type}`, (list: CelList) => extreme(list, 'min')),
    overload(`list<${type}> => max(): ${type}`, (list: CelList) => extreme(list, 'max')),
    overload(`list<${type}> => sort(): list<${type}>`, ({ items }: CelList) =>
      listOf(items.toSorted(compare)),
    ),
  ]),
  overload('list<int> => sum(): int', sumOfInts),
  overload('list<double> => sum(): double', ({ items }: CelList) =>
    items.reduce<number>((sum, item) => sum + Number(item), 0),
  ),
  overload('list<duration> => sum(): duration', sumOfDurations),
  overload('list<A> => indexOf(A): int', ({ items }: CelList, item: Value) =>
    BigInt(items.findIndex((other) => isEqual(other, item))),
  ),
  overload('list<A> => lastIndexOf(A): int', ({ items }: CelList, item: Value) =>
    BigInt(items.findLastIndex((other) => isEqual(other, item))),
  ),
  overload('list<A> => slice(int, int): list<A>', slice),
  overload('list<A> => reverse(): list<A>', ({ items }: CelList) => listOf(items.toReversed())),
  overload('list<A> => distinct(): list<A>', distinct),
  overload('lists.range(int): list<int>', (count: bigint) =>
    listOf(
      Array.from({ length: Math.max(0, Math.min(Number(count), rangeMax)) }, (_, index) => BigInt(index)),
    ),
  ),
  overload('sets.contains(list<A>, list<A>): bool', containsAll),
  overload(
    'sets.equivalent(list<A>, list<A>): bool',
    (a: CelList, b: CelList) => containsAll(a, b) && containsAll(b, a),
  ),
  overload('sets.intersects(list<A>, list<A>): bool', (a: CelList, b: CelList) =>
    a.items.some((item) => b.items.some((other) => isEqual(item, other))),
  ),
];

// More could not be looped over within the cost of one rule.
const rangeMax = 1_000_000;

function isSorted({ items }: CelList): boolean {
  return items.every((item, index) => {
    const previous = items[index - 1];
    return previous === undefined || compare(previous, item) <= 0;
  });
}

function extreme({ items }: CelList, which: 'min' | 'max'): Value {
  const [first, ...rest] = items;
  if (first === undefined) throw new CelError(`${which} called on empty list`);
  return rest.reduce((best, item) => {
    const order = compare(item, best);
    return (which === 'min' ? order < 0 : order > 0) ? item : best;
  }, first);
}

function sumOfInts({ items }: CelList): bigint {
  return items.reduce<bigint>((sum, item) => checked(sum + (typeof item === 'bigint' ? item : 0n)), 0n);
}

function sumOfDurations({ items }: CelList): Value {
  const nanos = items.reduce<bigint>(
    (sum, item) => sum + (typeof item === 'object' && item !== null && 'nanos' in item ? item.nanos : 0n),
    0n,
  );
  return { kind: 'duration', nanos: checked(nanos) };
}

function slice({ items }: CelList, start: bigint, end: bigint): Value {
  const range = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) throw new CelError(`${range}, negative indexes not supported`);
  if (start > end) throw new CelError(`${range}, start index must be less than or equal to end index`);
  if (end > items.length) throw new CelError(`${range}, list is length ${items.length}`);
  return listOf(items.slice(Number(start), Number(end)));
}

function distinct({ items }: CelList): Value {
  return listOf(items.filter((item, index) => items.findIndex((other) => isEqual(other, item)) === index));
}

function containsAll(a: CelList, b: CelList): boolean {
  return b.items.every((item) => a.items.some((other) => isEqual(other, item)));
}
