// Which addresses a policy may make a worker talk to. What a node can reach and an author of policies should not is refused
// unless the administrator lists it: loopback, link-local, cloud metadata, the API server. Addresses only, never names.

import { BlockList, isIP, isIPv6 } from 'node:net';
import { err, ok, type Result } from '../base/result.ts';

export type TargetRules = {
  /** Null for an address that may be reached, else why not, as the end of a sentence. */
  refusalOf(address: string): string | null;
};

export type TargetLists = {
  /** Addresses or CIDRs that may be reached although a rule below refuses them. */
  readonly allowed: readonly string[];
  /** More addresses or CIDRs that may not: those of the API servers. */
  readonly denied: readonly string[];
};

type Range = { readonly cidr: string; readonly what: string };

const forbidden: readonly Range[] = [
  { cidr: '0.0.0.0/8', what: 'means this host' },
  { cidr: '127.0.0.0/8', what: 'is a loopback address' },
  { cidr: '169.254.0.0/16', what: 'is a link-local address, where clouds serve metadata' },
  { cidr: '100.100.100.200/32', what: 'is a metadata address' },
  { cidr: '168.63.129.16/32', what: 'is a metadata address' },
  { cidr: '192.0.0.192/32', what: 'is a metadata address' },
  { cidr: '224.0.0.0/4', what: 'is a multicast address' },
  { cidr: '240.0.0.0/4', what: 'is a reserved or broadcast address' },
  { cidr: '::/128', what: 'means this host' },
  { cidr: '::1/128', what: 'is a loopback address' },
  { cidr: 'fe80::/10', what: 'is a link-local address' },
  { cidr: 'fd00:ec2::/32', what: 'is a metadata address' },
  { cidr: 'fd20:ce::254/128', what: 'is a metadata address' },
  { cidr: 'ff00::/8', what: 'is a multicast address' },
  // Forms of IPv6 that carry an IPv4 address: a second spelling of the ones above.
  { cidr: '::/96', what: 'hides an IPv4 address' },
  { cidr: '::ffff:0:0/96', what: 'hides an IPv4 address' },
  { cidr: '64:ff9b::/96', what: 'hides an IPv4 address' },
  { cidr: '64:ff9b:1::/48', what: 'hides an IPv4 address' },
  { cidr: '2002::/16', what: 'hides an IPv4 address' },
];

export function createTargetRules({ allowed, denied }: TargetLists): TargetRules {
  const permits = allowed.map(matcherOf);
  const refusals = [...denied.map((cidr) => ({ cidr, what: 'belongs to the API server' })), ...forbidden].map(
    ({ cidr, what }) => ({ matches: matcherOf(cidr), what }),
  );
  return {
    refusalOf(address) {
      if (address.includes('%')) return 'names an interface; give the bare address';
      if (permits.some((matches) => matches(address))) return null;
      const found = refusals.find(({ matches }) => matches(address));
      return found === undefined ? null : `${found.what}; only allowedTargets can permit it`;
    },
  };
}

/** An address or CIDR in its own words, or what is wrong with it. */
export function readCidr(raw: unknown): Result<string, string> {
  const [address = '', bits, ...rest] = typeof raw === 'string' ? raw.split('/') : [];
  const widest = isIPv6(address) ? 128 : 32;
  const isWhole = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widest);
  return typeof raw === 'string' && isIP(address) !== 0 && isWhole && rest.length === 0
    ? ok(raw)
    : err(`must be an address or a CIDR, not ${JSON.stringify(raw)}`);
}

/** Of one family alone: a BlockList takes every IPv4 address for one mapped into IPv6 as well. */
function matcherOf(cidr: string): (address: string) => boolean {
  const [network = '', bits] = cidr.split('/');
  const family = familyOf(network);
  const list = new BlockList();
  if (bits === undefined) list.addAddress(network, family);
  else list.addSubnet(network, Number(bits), family);
  return (address) => familyOf(address) === family && list.check(address, family);
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
