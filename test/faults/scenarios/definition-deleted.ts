// Somebody deletes the definition of our own kind, and with it every record; later it is applied again. Gates stay as they are
// meanwhile, and afterwards every node has a record again.

import { crdManifest } from '../../../src/api/crd.ts';
import { nodeLifecycleType } from '../../../src/api/keys.ts';
import { nodeLifecycleKind } from '../../../src/api/node-lifecycle.ts';
import { misrecorded, untainted } from '../residue.ts';
import type { Scenario } from '../scenario.ts';

export const definitionDeleted: Scenario = {
  name: 'definition-deleted',
  folders: ['src/kube', 'src/runtime'],
  replicas: 1,
  leadership: 'alone',
  ours: { labels: [], taints: ['gate:NoSchedule'] },
  world(cluster) {
    cluster.joinNode('a', {});
    cluster.putStamp('gate', { taints: { 'gate:NoSchedule': 'x' } });
  },
  story: [
    { atMs: 5_000, by: 'person', does: (cluster) => cluster.deleteDefinition(nodeLifecycleType) },
    { atMs: 10_000, by: 'kubelet', does: (cluster) => cluster.joinNode('b', {}) },
    { atMs: 30_000, by: 'person', does: (cluster) => cluster.putDefinition(crdManifest(nodeLifecycleKind)) },
  ],
  expect: (end) => [...untainted(end, ['a', 'b'], 'gate:NoSchedule'), ...misrecorded(end, ['a', 'b'])],
};
