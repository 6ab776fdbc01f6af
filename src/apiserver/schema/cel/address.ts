// Addresses and networks of both families as numbers. Zones and version 4 addresses inside of version 6 are refused.

import { isIPv4, isIPv6 } from 'node:net';
import type { Value } from './value.ts';

export type Ip = Extract<Value, { kind: 'ip' }>;
type Cidr = Extract<Value, { kind: 'cidr' }>;

export function parseIp(text: string): Ip | null {
  if (isIPv4(text)) return { kind: 'ip', family: 4, bits: ipv4Bits(text) };
  if (!isIPv6(text) || text.includes('%')) return null;
  const bits = ipv6Bits(text);
  return bits >> 32n === 0xffffn ? null : { kind: 'ip', family: 6, bits };
}

export function parseCidr(text: string): Cidr | null {
  const [, address = '', length = ''] = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text) ?? [];
  const ip = parseIp(address);
  if (ip === null || length === '' || Number(length) > (ip.family === 4 ? 32 : 128)) return null;
  return { kind: 'cidr', family: ip.family, bits: ip.bits, length: Number(length) };
}

/** Whether one of the networks holds the address. */
export function isWithin(ip: Ip, networks: readonly string[]): boolean {
  return networks.some((network) => {
    const cidr = parseCidr(network);
    if (cidr === null || cidr.family !== ip.family) return false;
    const shift = BigInt((ip.family === 4 ? 32 : 128) - cidr.length);
    return ip.bits >> shift === cidr.bits >> shift;
  });
}

/** In the canonical form: lower case, the longest run of zeros left out. */
export function formatIp({ family, bits }: Ip): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => (bits >> BigInt(112 - 16 * index)) & 0xffffn);
  const text = groups.map((group) => group.toString(16)).join(':');
  const runs = [...text.matchAll(/(?:^|(?<=:))0(?::0)+(?=:|$)/g)];
  const longest = runs.reduce<RegExpExecArray | null>(
    (best, run) => (best === null || run[0].length > best[0].length ? run : best),
    null,
  );
  if (longest === null) return text;
  const before = text.slice(0, longest.index).replace(/:$/, '');
  const after = text.slice(longest.index + longest[0].length).replace(/^:/, '');
  return `${before}::${after}`;
}

function ipv4Bits(text: string): bigint {
  return text.split('.').reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

function ipv6Bits(text: string): bigint {
  const plain = text.replace(/\d+\.\d+\.\d+\.\d+$/, (dotted) => {
    const bits = ipv4Bits(dotted);
    return `${(bits >> 16n).toString(16)}:${(bits & 0xffffn).toString(16)}`;
  });
  const [head = '', tail] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}
