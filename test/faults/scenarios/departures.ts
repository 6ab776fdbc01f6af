// Nodes go for good while they are gated, a person deletes a record by hand, and one node goes in the moment it joins: records
// go with their nodes and only with them.

import { misrecorded, untainted } from '../residue.ts';
import type { Scenario } from '../scenario.ts';

export const departures: Scenario = {
  name: 'departures',
  folders: ['src/fleet', 'src/runtime', 'src/kube'],
  replicas: 1,
  leadership: 'alone',
  ours: { labels: [], taints: ['gate:NoSchedule'] },
  world(cluster) {
    cluster.joinNode('a', {});
    cluster.joinNode('b', {});
    cluster.putStamp('gate', { taints: { 'gate:NoSchedule': 'x' }, proof: 'record' });
  },
  story: [
    { atMs: 4_000, by: 'person', does: (cluster) => cluster.deleteLifecycle('a') },
    { atMs: 8_000, by: 'kubelet', does: (cluster) => cluster.deleteNode('b') },
    { atMs: 12_000, by: 'kubelet', does: (cluster) => cluster.joinNode('c', {}) },
    { atMs: 12_006, by: 'kubelet', does: (cluster) => cluster.deleteNode('c') },
  ],
  expect: (end) => [...untainted(end, ['a'], 'gate:NoSchedule'), ...misrecorded(end, ['a'])],
};
