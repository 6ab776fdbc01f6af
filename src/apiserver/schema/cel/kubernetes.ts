// Kubernetes' own functions: quantities, addresses, networks, URLs and named formats.

import { parseRequestUri } from '../go-url.ts';
import { goQuote } from '../go-text.ts';
import { formatIp, type Ip, isWithin, parseCidr, parseIp } from './address.ts';
import { namedFormat, namedFormats } from './named-formats.ts';
import { type Overload, overload } from './overload.ts';
import { parseQuantityNanos } from '../../quantity.ts';
import { CelError, listOf, type Value } from './value.ts';

type Nanos = { readonly nanos: bigint };
type Cidr = Extract<Value, { kind: 'cidr' }>;
type Url = Extract<Value, { kind: 'url' }>;
type Format = Extract<Value, { kind: 'format' }>;

export const kubernetes: readonly Overload[] = [
  ...quantities(),
  ...addresses(),
  ...networks(),
  ...urls(),
  ...formats(),
];

function quantities(): readonly Overload[] {
  const ofInt = (value: bigint) => value * 1_000_000_000n;
  const made = (nanos: bigint): Value => ({ kind: 'quantity', nanos });
  const sign = (nanos: bigint) => (nanos < 0n ? -1n : nanos > 0n ? 1n : 0n);
  return [
    overload('quantity(string): quantity', (text: string) => {
      const nanos = parseQuantityNanos(text);
      if (nanos !== null) return made(nanos);
      throw new CelError(
        "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
      );
    }),
    overload('isQuantity(string): bool', (text: string) => parseQuantityNanos(text) !== null),
    overload('sign(quantity): int', ({ nanos }: Nanos) => sign(nanos)),
    overload('quantity => isGreaterThan(quantity): bool', (a: Nanos, b: Nanos) => a.nanos > b.nanos),
    overload('quantity => isLessThan(quantity): bool', (a: Nanos, b: Nanos) => a.nanos < b.nanos),
    overload('quantity => compareTo(quantity): int', (a: Nanos, b: Nanos) => sign(a.nanos - b.nanos)),
    overload('quantity => asApproximateFloat(): double', ({ nanos }: Nanos) => Number(nanos) / 1e9),
    overload('quantity => isInteger(): bool', ({ nanos }: Nanos) => isInt64(nanos)),
    overload('quantity => asInteger(): int', ({ nanos }: Nanos) => {
      if (!isInt64(nanos)) throw new CelError('cannot convert value to integer');
      return nanos / 1_000_000_000n;
    }),
    overload('quantity => add(quantity): quantity', (a: Nanos, b: Nanos) => made(a.nanos + b.nanos)),
    overload('quantity => add(int): quantity', (a: Nanos, b: bigint) => made(a.nanos + ofInt(b))),
    overload('quantity => sub(quantity): quantity', (a: Nanos, b: Nanos) => made(a.nanos - b.nanos)),
    overload('quantity => sub(int): quantity', (a: Nanos, b: bigint) => made(a.nanos - ofInt(b))),
  ];
}

function isInt64(nanos: bigint): boolean {
  return (
    nanos % 1_000_000_000n === 0n && BigInt.asIntN(64, nanos / 1_000_000_000n) === nanos / 1_000_000_000n
  );
}

function addresses(): readonly Overload[] {
  return [
    overload('ip(string): ip', ipOf),
    overload('isIP(string): bool', (text: string) => parseIp(text) !== null),
    overload('ip.isCanonical(string): bool', (text: string) => formatIp(ipOf(text)) === text),
    overload('string(ip): string', formatIp),
    overload('ip => family(): int', ({ family }: Ip) => BigInt(family)),
    overload('ip => isUnspecified(): bool', ({ bits }: Ip) => bits === 0n),
    overload('ip => isLoopback(): bool', (ip: Ip) => isWithin(ip, ['127.0.0.0/8', '::1/128'])),
    overload('ip => isLinkLocalMulticast(): bool', isLinkLocalMulticast),
    overload('ip => isLinkLocalUnicast(): bool', (ip: Ip) => isWithin(ip, ['169.254.0.0/16', 'fe80::/10'])),
    overload('ip => isGlobalUnicast(): bool', (ip: Ip) => {
      const special = ['0.0.0.0/32', '255.255.255.255/32', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/4'];
      return !isWithin(ip, [...special, '::/128', '::1/128', 'fe80::/10', 'ff00::/8']);
    }),
  ];
}

// Of version 6, whatever the flags of the group: the scope is in the low half of the second byte.
function isLinkLocalMulticast(ip: Ip): boolean {
  if (ip.family === 4) return isWithin(ip, ['224.0.0.0/24']);
  return ip.bits >> 120n === 0xffn && ((ip.bits >> 112n) & 0xfn) === 2n;
}

function ipOf(text: string): Ip {
  const ip = parseIp(text);
  if (ip === null)
    throw new CelError(`IP Address ${goQuote(text)} parse error during conversion from string`);
  return ip;
}

function networks(): readonly Overload[] {
  const contains = (cidr: Cidr, ip: Ip) =>
    cidr.family === ip.family && masked(cidr, cidr.length) === masked(ip, cidr.length);
  const containsAll = (outer: Cidr, inner: Cidr) =>
    outer.length <= inner.length && contains(outer, { ...inner, kind: 'ip' });
  return [
    overload('cidr(string): cidr', cidrOf),
    overload('isCIDR(string): bool', (text: string) => parseCidr(text) !== null),
    overload('string(cidr): string', (cidr: Cidr) => `${formatIp({ ...cidr, kind: 'ip' })}/${cidr.length}`),
    overload('cidr => containsIP(string): bool', (cidr: Cidr, text: string) => contains(cidr, ipOf(text))),
    overload('cidr => containsIP(ip): bool', contains),
    overload('cidr => containsCIDR(string): bool', (cidr: Cidr, text: string) =>
      containsAll(cidr, cidrOf(text)),
    ),
    overload('cidr => containsCIDR(cidr): bool', containsAll),
    overload('cidr => ip(): ip', ({ family, bits }: Cidr) => ({ kind: 'ip', family, bits })),
    overload('cidr => prefixLength(): int', ({ length }: Cidr) => BigInt(length)),
    overload('cidr => masked(): cidr', (cidr: Cidr) => ({ ...cidr, bits: masked(cidr, cidr.length) })),
  ];
}

function cidrOf(text: string): Cidr {
  const cidr = parseCidr(text);
  if (cidr === null) throw new CelError('network address parse error during conversion from string');
  return cidr;
}

function masked({ family, bits }: { readonly family: 4 | 6; readonly bits: bigint }, length: number): bigint {
  const shift = BigInt((family === 4 ? 32 : 128) - length);
  return (bits >> shift) << shift;
}

function urls(): readonly Overload[] {
  return [
    overload('url(string): url', (text: string) => {
      const url = parseRequestUri(text);
      if (url === null) throw new CelError('URL parse error during conversion from string');
      return { kind: 'url', url };
    }),
    overload('isURL(string): bool', (text: string) => parseRequestUri(text) !== null),
    overload('url => getScheme(): string', ({ url }: Url) => url.scheme),
    overload('url => getHost(): string', ({ url }: Url) => url.host),
    overload('url => getHostname(): string', ({ url }: Url) => url.hostname),
    overload('url => getPort(): string', ({ url }: Url) => url.port),
    overload('url => getEscapedPath(): string', ({ url }: Url) => url.escapedPath),
    overload('url => getQuery(): map<string, list<string>>', ({ url }: Url) => ({
      kind: 'map',
      entries: new Map([...url.query].map(([name, values]) => [name, listOf(values)])),
    })),
  ];
}

function formats(): readonly Overload[] {
  return [
    ...namedFormats.map((name) => overload(`format.${name}(): format`, () => formatOf(name))),
    overload('format => validate(string): optional<list<string>>', ({ check }: Format, text: string) => {
      const problems = check(text);
      return { kind: 'optional', value: problems.length === 0 ? undefined : listOf(problems) };
    }),
  ];
}

function formatOf(name: string): Value {
  return { kind: 'format', name, check: namedFormat(name) };
}
