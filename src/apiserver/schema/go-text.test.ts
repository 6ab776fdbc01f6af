import { expect, it } from 'vitest';
import { duplicate, formatFieldErrors, invalid, omitted } from './field-error.ts';
import { goDouble, goJson, goNumber, goQuote } from './go-text.ts';
import { formatDuration, formatTimestamp, parseDuration, parseRfc3339 } from './go-time.ts';

it.each([
  ['a "b"\n', '"a \\"b\\"\\n"'],
  ['\u0001\u00a0é🙂', '"\\x01\\u00a0é🙂"'],
])('quotes %j as Go does', (text, expected) => {
  expect(goQuote(text)).toBe(expected);
});

it.each([
  [0.00001, '1e-05'],
  [0.001, '0.001'],
  [1e21, '1e+21'],
  [5, '5'],
])('prints %d as Go does', (value, expected) => {
  expect(goNumber(value)).toBe(expected);
});

it.each([
  [999_999, '999999'],
  [1_610_612_736, '1.610612736e+09'],
  [-2.5, '-2.5'],
  [0, '0'],
  [0.00001, '1e-05'],
  [Number.POSITIVE_INFINITY, '+Inf'],
])('converts the double %d as Go does', (value, expected) => {
  expect(goDouble(value)).toBe(expected);
});

it('writes JSON with sorted keys, except those of a struct', () => {
  expect(goJson({ b: 1, a: '<' })).toBe('{"a":"\\u003c","b":1}');
  expect(
    goJson(
      new Map([
        ['b', 1],
        ['a', 2],
      ]),
    ),
  ).toBe('{"b":1,"a":2}');
});

it.each([
  ['1h30m', 5_400_000_000_000n, '1h30m0s'],
  ['1.5s', 1_500_000_000n, '1.5s'],
  ['-90s', -90_000_000_000n, '-1m30s'],
  ['250us', 250_000n, '250µs'],
  ['0', 0n, '0s'],
])('reads the duration %s and writes it', (text, nanos, written) => {
  expect(parseDuration(text)).toBe(nanos);
  expect(formatDuration(nanos)).toBe(written);
});

it.each(['', '5', '1d', 'h', '1h 5m'])('takes %j for no duration', (text) => {
  expect(parseDuration(text)).toBeNull();
});

it('reads times to the nanosecond and refuses days that do not exist', () => {
  const time = parseRfc3339('2024-02-29T12:00:00.123456789+02:00');
  expect(time && formatTimestamp(time)).toBe('2024-02-29T12:00:00.123456789+02:00');
  expect(time && formatTimestamp({ ...time, offsetMinutes: 0 })).toBe('2024-02-29T10:00:00.123456789Z');
  expect(parseRfc3339('2023-02-29T12:00:00Z')).toBeNull();
});

it('joins errors as the message of a Status does, each once', () => {
  const one = invalid('a', omitted, 'b');
  expect(formatFieldErrors([one, one])).toBe('a: Invalid value: b');
  expect(formatFieldErrors([one, duplicate('c', 1)])).toBe('[a: Invalid value: b, c: Duplicate value: 1]');
});
