// The formats of strings that the API server checks. All others are allowed in a schema and mean nothing; so do the
// few here that we cannot check as Go does, which is why a definition that uses one of those is refused.

import { isIPv4, isIPv6 } from 'node:net';
import { daysOf, parseLooseDuration } from './go-time.ts';
import { parseRequestUri } from './go-url.ts';

type FormatCheck = (text: string) => boolean;

const uuid = (version: string, variant: string) =>
  new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}[0-9a-f]{3}-?${variant}[0-9a-f]{3}-?[0-9a-f]{12}$`, 'i');
const anyHex = '[0-9a-f]';
const rfcVariant = '[89ab]';
const shortName = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

const checks: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ['datetime', isDateTime],
  ['date', isDate],
  ['duration', (text) => parseLooseDuration(text) !== null],
  ['ipv4', (text) => isIPv4(text.replace(/(^|\.)0+(?=\d)/g, '$1'))],
  ['ipv6', isIPv6],
  ['cidr', isCidr],
  [
    'mac',
    (text) =>
      /^(?:[0-9a-f]{2}[:-]){5}(?:[0-9a-f]{2}[:-]?){1,3}$|^(?:[0-9a-f]{4}\.){2,3}[0-9a-f]{4}$/i.test(text),
  ],
  ['uuid', byPattern(uuid(anyHex, anyHex))],
  ['uuid3', byPattern(uuid('3', anyHex))],
  ['uuid4', byPattern(uuid('4', rfcVariant))],
  ['uuid5', byPattern(uuid('5', rfcVariant))],
  ['hostname', isHostname],
  ['hexcolor', byPattern(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ['byte', byPattern(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/)],
  ['password', () => true],
  ['ssn', byPattern(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/)],
  ['uri', (text) => parseRequestUri(text) !== null],
  ['k8sshortname', (text) => text.length <= 63 && new RegExp(`^${shortName}$`).test(text)],
  ['k8slongname', (text) => text.length <= 253 && new RegExp(`^${shortName}(\\.${shortName})*$`).test(text)],
]);

const unchecked: ReadonlySet<string> = new Set([
  'bsonobjectid',
  'email',
  'isbn',
  'isbn10',
  'isbn13',
  'creditcard',
  'rgbcolor',
]);

/** Null when the format means nothing for a value of this type. */
export function stringFormat(format: string): FormatCheck | null {
  return checks.get(normal(format)) ?? null;
}

/** Whether the API server would check a format that we do not. */
export function isUncheckedFormat(format: string): boolean {
  return unchecked.has(normal(format));
}

function normal(format: string): string {
  return format.replaceAll('-', '');
}

function byPattern(pattern: RegExp): FormatCheck {
  return (text) => pattern.test(text);
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
}

// Looser than RFC 3339 where the API server is: any character may stand before the fraction.
function isDateTime(text: string): boolean {
  if (text.length < 4) return false;
  const [date = '', time = ''] = text.toLowerCase().split('t');
  if (!isDate(date)) return false;
  const match = /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|[+-]\d{2}:\d{2})$/.exec(time);
  if (match === null) return false;
  const [, hours = '', minutes = '', seconds = ''] = match;
  return hours <= '23' && minutes <= '59' && seconds <= '59';
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  if (more.length > 0 || !/^\d{1,3}$/.test(bits)) return false;
  if (isIPv4(address.replace(/(^|\.)0+(?=\d)/g, '$1'))) return Number(bits) <= 32;
  return isIPv6(address) && !address.includes('%') && Number(bits) <= 128;
}

function isHostname(text: string): boolean {
  const letter = '[a-zA-Z0-9\\p{S}\\p{L}]';
  const label = `${letter}(?:[-a-zA-Z0-9\\p{S}\\p{L}]{0,61}${letter})?`;
  const pattern = `^(?:${letter}(?:-?${letter}{0,62})?|(?:${label}\\.)+[a-zA-Z\\p{L}]{2,63})$`;
  if (!new RegExp(pattern, 'u').test(text)) return false;
  return Buffer.byteLength(text) <= 255 && text.split('.').every((part) => Buffer.byteLength(part) <= 63);
}
