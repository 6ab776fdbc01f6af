import { expect, it } from 'vitest';
import { isUncheckedFormat, stringFormat } from './string-formats.ts';

it.each<[string, string, boolean]>([
  ['date-time', '2024-02-29T12:00:00Z', true],
  ['date-time', '2024-02-29T14:30:00.5+02:00', true],
  ['date-time', '2023-02-29T12:00:00Z', false],
  ['date-time', '2024-01-01T24:00:00Z', false],
  ['date-time', '2024-01-01', false],
  ['date', '2024-02-29', true],
  ['date', '2024-2-9', false],
  ['duration', '1h30m', true],
  ['duration', '2 days', true],
  ['duration', '90', false],
  ['ipv4', '10.0.0.1', true],
  ['ipv4', '::1', false],
  ['cidr', '10.0.0.0/8', true],
  ['cidr', '10.0.0.0/33', false],
  ['uuid', '0b3b1cf0-6c1a-4d2e-9a53-2f1f0c1b2a3d', true],
  ['uuid4', '0b3b1cf0-6c1a-3d2e-9a53-2f1f0c1b2a3d', false],
  ['hostname', 'example.com', true],
  ['hostname', 'a_b.com', false],
  ['byte', 'aGVsbG8=', true],
  ['byte', 'aGVsbG8', false],
  ['uri', 'https://example.com/a', true],
  ['uri', 'not a url', false],
  ['k8s-short-name', 'a-b', true],
  ['k8s-short-name', 'A', false],
])('the format %s of %s is %s', (format, text, expected) => {
  expect(stringFormat(format)?.(text)).toBe(expected);
});

it('means nothing when nobody knows it', () => {
  expect(stringFormat('quantity')).toBeNull();
  expect(isUncheckedFormat('quantity')).toBe(false);
});

it('is known to be unchecked when only the API server knows it', () => {
  expect(isUncheckedFormat('email')).toBe(true);
});
