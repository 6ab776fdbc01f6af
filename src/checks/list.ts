// Every check a worker knows, in the order in which they are documented and reported. To add one: a file and a line here.

import { api } from './api.ts';
import type { Check } from './check.ts';
import { clockSkew } from './clock-skew.ts';
import { diskSpace } from './disk-space.ts';
import { dns } from './dns.ts';
import { dnsEndpoints } from './dns-endpoints.ts';
import { fsyncLatency } from './fsync-latency.ts';
import { mtu } from './mtu.ts';
import { network } from './network.ts';
import { peerEcho } from './peer-echo.ts';
import { serviceDiscovery } from './service-discovery.ts';

export const checks: readonly Check[] = [
  dns,
  dnsEndpoints,
  api,
  network,
  serviceDiscovery,
  clockSkew,
  diskSpace,
  fsyncLatency,
  peerEcho,
  mtu,
];
