// The settings of the pod's resolver, from the text of resolv.conf. What is wrong in it is passed over, as the C library does.

import { isIP } from 'node:net';
import type { Endpoint } from '../world.ts';

export type ResolverSettings = {
  readonly servers: readonly Endpoint[];
  readonly search: readonly string[];
  readonly ndots: number;
};

const DNS_PORT = 53;
/** As many as the C library looks at. */
const SERVERS_MAX = 3;
const SEARCH_MAX = 32;
const NDOTS_MAX = 15;

export function parseResolvConf(text: string): ResolverSettings {
  const lines = text.split('\n').map((line) =>
    line
      .replace(/[#;].*$/, '')
      .trim()
      .split(/\s+/),
  );
  const values = (key: string) => lines.filter(([word]) => word === key).map(([, ...rest]) => rest);
  const addresses = values('nameserver').flatMap(([address = '']) => (isIP(address) === 0 ? [] : [address]));
  const ndots = values('options')
    .flat()
    .map((option) => /^ndots:(\d+)$/.exec(option)?.[1])
    .findLast((found) => found !== undefined);
  return {
    servers: addresses.slice(0, SERVERS_MAX).map((address) => ({ address, port: DNS_PORT })),
    search: (values('search').at(-1) ?? []).slice(0, SEARCH_MAX).map((suffix) => suffix.replace(/\.?$/, '.')),
    ndots: Math.min(Number(ndots ?? 1), NDOTS_MAX),
  };
}
