// Values that may be missing.

import { kindOf, type Optional, type Value, CelError } from './value.ts';
import { type Overload, overload } from './overload.ts';

export const none: Optional = { kind: 'optional', value: undefined };

export const optionals: readonly Overload[] = [
  overload('optional.of(A): optional<A>', (value: Value) => ({ kind: 'optional', value })),
  overload('optional.none(): optional<A>', () => none),
  overload('optional.ofNonZeroValue(A): optional<A>', (value: Value) =>
    isZero(value) ? none : { kind: 'optional', value },
  ),
  overload('optional<A> => hasValue(): bool', ({ value }: Optional) => value !== undefined),
  overload('optional<A> => value(): A', ({ value }: Optional) => {
    if (value === undefined) throw new CelError('optional.none() dereference');
    return value;
  }),
  overload('optional<A> => orValue(A): A', ({ value }: Optional, other: Value) =>
    value === undefined ? other : value,
  ),
  overload('optional<A> => or(optional<A>): optional<A>', (optional: Optional, other: Optional) =>
    optional.value === undefined ? other : optional,
  ),
];

function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0 || value === 0n || value === '') return true;
  if (typeof value !== 'object') return false;
  if (value instanceof Uint8Array) return value.length === 0;
  switch (value.kind) {
    case 'list':
      return value.items.length === 0;
    case 'map':
      return value.entries.size === 0;
    case 'object':
      return Object.keys(value.raw).length === 0;
    case 'duration':
      return value.nanos === 0n;
    default:
      throw new CelError(`zero test of ${kindOf(value)} is not supported here`);
  }
}
