// Somebody deletes the Lease under its holder: it is put back, one replica leads, and what was asked for meanwhile is done.

import { misrecorded, untainted } from '../residue.ts';
import type { Scenario } from '../scenario.ts';

export const leaseDeleted: Scenario = {
  name: 'lease-deleted',
  folders: ['src/kube', 'src/bin'],
  replicas: 2,
  leadership: 'lease',
  ours: { labels: [], taints: ['gate:NoSchedule'] },
  world(cluster) {
    cluster.joinNode('a', {});
  },
  story: [
    { atMs: 6_000, by: 'person', does: (cluster) => cluster.deleteLease() },
    {
      atMs: 6_100,
      by: 'person',
      does: (cluster) => cluster.putStamp('gate', { taints: { 'gate:NoSchedule': 'x' } }),
    },
  ],
  expect: (end) => [...untainted(end, ['a'], 'gate:NoSchedule'), ...misrecorded(end, ['a'])],
};
