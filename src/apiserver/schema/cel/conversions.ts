// From one type to another, and the size of things.

import { lengthOf } from '../string-check.ts';
import { formatTimestamp, parseDuration, parseRfc3339 } from '../go-time.ts';
import { goDouble } from '../go-text.ts';
import { checked } from './operators.ts';
import { type Overload, overload } from './overload.ts';
import { CelError, type CelList, type CelMap, kindOf, type Value } from './value.ts';

type Nanos = { readonly nanos: bigint };

export const conversions: readonly Overload[] = [
  overload('type(dyn): type', (value: Value) => ({ kind: 'type', name: typeName(value) })),
  overload('dyn(A): dyn', (value: Value) => value),
  ...toNumbers(),
  ...toText(),
  ...toTimes(),
  ...sizes(),
];

/** Of literals too: what can be seen to be no duration or time is refused when the rule is compiled. */
export function durationOf(text: string): Value {
  const nanos = parseDuration(text);
  if (nanos === null) throw new CelError(`type conversion error from 'string' to 'google.protobuf.Duration'`);
  return { kind: 'duration', nanos };
}

export function timestampOf(text: string): Value {
  const time = parseRfc3339(text);
  if (time === null) throw new CelError(`type conversion error from 'string' to 'google.protobuf.Timestamp'`);
  return { kind: 'timestamp', ...time };
}

const typeNames: ReadonlyMap<string, string> = new Map([
  ['timestamp', 'google.protobuf.Timestamp'],
  ['duration', 'google.protobuf.Duration'],
  ['optional', 'optional_type'],
]);

function typeName(value: Value): string {
  const kind = kindOf(value);
  return typeNames.get(kind) ?? kind;
}

function toNumbers(): readonly Overload[] {
  return [
    overload('int(int): int', (value: bigint) => value),
    overload('int(double): int', (value: number) => {
      if (!(Math.abs(value) < 2 ** 63)) throw new CelError('integer overflow');
      return BigInt(Math.trunc(value));
    }),
    overload('int(string): int', (text: string) => {
      if (!/^[+-]?\d+$/.test(text)) throw new CelError("type conversion error from 'string' to 'int'");
      return checked(BigInt(text.replace('+', '')));
    }),
    overload('int(timestamp): int', ({ nanos }: Nanos) => floorDivide(nanos, 1_000_000_000n)),
    overload('int(duration): int', ({ nanos }: Nanos) => nanos),
    overload('double(double): double', (value: number) => value),
    overload('double(int): double', Number),
    overload('double(string): double', (text: string) => {
      if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return Number(text);
      throw new CelError("type conversion error from 'string' to 'double'");
    }),
    overload('bool(bool): bool', (value: boolean) => value),
    overload('bool(string): bool', boolOf),
  ];
}

function boolOf(text: string): boolean {
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text)) return true;
  if (['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text)) return false;
  throw new CelError("type conversion error from 'string' to 'bool'");
}

function toText(): readonly Overload[] {
  return [
    overload('string(string): string', (value: string) => value),
    overload('string(bool): string', String),
    overload('string(int): string', String),
    overload('string(double): string', goDouble),
    overload('string(bytes): string', (value: Uint8Array) => utf8(value)),
    overload('string(timestamp): string', formatTimestamp),
    overload('string(duration): string', ({ nanos }: Nanos) => formatSeconds(nanos)),
    overload('bytes(bytes): bytes', (value: Uint8Array) => value),
    overload('bytes(string): bytes', (value: string) => Buffer.from(value)),
  ];
}

function toTimes(): readonly Overload[] {
  return [
    overload('duration(duration): duration', (value: Value) => value),
    overload('duration(string): duration', durationOf),
    overload('duration(int): duration', (nanos: bigint) => ({ kind: 'duration', nanos })),
    overload('timestamp(timestamp): timestamp', (value: Value) => value),
    overload('timestamp(string): timestamp', timestampOf),
    overload('timestamp(int): timestamp', (seconds: bigint) => ({
      kind: 'timestamp',
      nanos: seconds * 1_000_000_000n,
      offsetMinutes: 0,
    })),
  ];
}

function sizes(): readonly Overload[] {
  const ofText = (value: string) => BigInt(lengthOf(value));
  const ofBytes = (value: Uint8Array) => BigInt(value.length);
  const ofList = ({ items }: CelList) => BigInt(items.length);
  const ofMap = ({ entries }: CelMap) => BigInt(entries.size);
  return [
    overload('size(string): int', ofText),
    overload('string => size(): int', ofText),
    overload('size(bytes): int', ofBytes),
    overload('bytes => size(): int', ofBytes),
    overload('size(list<A>): int', ofList),
    overload('list<A> => size(): int', ofList),
    overload('size(map<A, B>): int', ofMap),
    overload('map<A, B> => size(): int', ofMap),
  ];
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

/** `5400.5s`: how CEL, unlike Go, writes a duration. */
export function formatSeconds(nanos: bigint): string {
  const size = nanos < 0n ? -nanos : nanos;
  const fraction = String(size % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  const digits = fraction === '' ? '' : `.${fraction}`;
  return `${nanos < 0n ? '-' : ''}${size / 1_000_000_000n}${digits}s`;
}

function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}
