// The parameters of every check, as a policy gives them: named and bounded, so that the API server refuses what is out of
// bounds. A test compares them with the checks, both ways; the worker reads them strictly. Build time only.

import { atomicList, enumOf, nameLengthMax, object, optional, text, whole } from './schema.ts';

const port = whole('The port.', { min: 1, max: 65_535 });
const address = text('An IP address.', { min: 2, max: 45 });
const domainName = text('A DNS name; one that ends in a dot is asked for as it stands.', {
  min: 1,
  max: nameLengthMax + 1,
});
const share = (description: string) => whole(description, { min: 0, max: 99 });
const peers = atomicList('Workers that echo.', object('A worker that echoes.', { address, port }), {
  max: 5,
});

export const checkParams = object(
  'The parameters of the check; each check takes its own and refuses others.',
  {
    names: optional(atomicList('Names that must have an address.', domainName, { min: 1, max: 16 })),
    addresses: optional(
      atomicList(
        "DNS pods; when absent those of the cluster's DNS that are ready, which the operator looks up.",
        address,
        { max: 16 },
      ),
    ),
    port: optional(port),
    name: optional(domainName),
    silentMax: optional(whole('How many DNS pods may fail to answer.', { min: 0, max: 15 })),
    targets: optional(
      atomicList(
        'What must answer.',
        object('An address and how to reach it.', {
          address,
          port,
          protocol: enumOf('By which protocol.', ['tcp', 'udp']),
        }),
        { max: 16 },
      ),
    ),
    services: optional(
      atomicList(
        'Services with the addresses they really have.',
        object('A Service.', {
          name: text('Its name in DNS, such as web.shop.svc.cluster.local.; see addresses.', {
            min: 1,
            max: nameLengthMax + 1,
          }),
          addresses: optional(
            atomicList('Its addresses; when absent the operator looks them up.', address, { min: 1, max: 4 }),
          ),
          port,
        }),
        { max: 16 },
      ),
    ),
    skewSecondsMax: optional(whole('By how much clocks may differ, in seconds.', { min: 2, max: 3600 })),
    freePercentMin: optional(share('How much space must be free, in percent.')),
    freeInodesPercentMin: optional(share('How many inodes must be free, in percent.')),
    freeMiBMin: optional(whole('How much space must be free, in MiB.', { min: 0, max: 1_000_000 })),
    writes: optional(whole('How many writes are timed.', { min: 1, max: 1000 })),
    p99MsMax: optional(whole('How long the slowest of a hundred may take, in ms.', { min: 0, max: 60_000 })),
    peers: optional(peers),
    packets: optional(whole('How many datagrams are sent to each peer.', { min: 1, max: 100 })),
    lossPercentMax: optional(share('How many of them may be lost, in percent.')),
    peersMin: optional(whole('How many peers must echo.', { min: 1, max: 5 })),
    mtu: optional(whole('The packet size to prove; 0 for that of the interface.', { min: 0, max: 65_535 })),
  },
);
