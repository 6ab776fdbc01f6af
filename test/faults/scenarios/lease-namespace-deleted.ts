// Somebody deletes the namespace of the Lease, and it is back after a minute: nobody leads meanwhile and all stays as it is, then one
// replica leads again and does what was asked for in between.

import { systemNamespace } from '../../../src/api/keys.ts';
import { namespaceType } from '../../../src/apiserver/registry/kinds/namespace.ts';
import { misrecorded, untainted } from '../residue.ts';
import type { Scenario } from '../scenario.ts';

export const leaseNamespaceDeleted: Scenario = {
  name: 'lease-namespace-deleted',
  folders: ['src/kube', 'src/bin'],
  replicas: 2,
  leadership: 'lease',
  ours: { labels: [], taints: ['gate:NoSchedule'] },
  world(cluster) {
    cluster.joinNode('a', {});
  },
  story: [
    { atMs: 6_000, by: 'person', does: (cluster) => cluster.remove(namespaceType, systemNamespace) },
    {
      atMs: 30_000,
      by: 'person',
      does: (cluster) => cluster.putStamp('gate', { taints: { 'gate:NoSchedule': 'x' } }),
    },
    { atMs: 66_000, by: 'person', does: (cluster) => cluster.put(namespaceType, systemNamespace, {}) },
  ],
  expect: (end) => [...untainted(end, ['a'], 'gate:NoSchedule'), ...misrecorded(end, ['a'])],
};
