// The Lease is held by somebody who is dead when the replicas start, and later somebody writes the name of the dead into it under its
// holder: each time they wait it out, one of them leads, and what was asked for meanwhile is done.

import { misrecorded, residueOf, untainted } from '../residue.ts';
import type { Scenario } from '../scenario.ts';

export const leaseOfTheDead: Scenario = {
  name: 'lease-of-the-dead',
  folders: ['src/kube', 'src/bin'],
  replicas: 2,
  leadership: 'lease',
  ours: { labels: ['team'], taints: ['gate:NoSchedule'] },
  world(cluster) {
    cluster.giveLease('the dead');
    cluster.joinNode('a', {});
    cluster.putStamp('gate', { taints: { 'gate:NoSchedule': 'x' } });
    cluster.putStamp('team', { labels: { team: 'ours' }, proof: 'record' });
  },
  story: [
    { atMs: 30_000, by: 'person', does: (cluster) => cluster.giveLease('the dead') },
    { atMs: 30_100, by: 'person', does: (cluster) => cluster.deleteStamp('team') },
    { atMs: 35_000, by: 'kubelet', does: (cluster) => cluster.joinNode('b', {}) },
  ],
  expect: (end) => [
    ...untainted(end, ['a', 'b'], 'gate:NoSchedule'),
    ...residueOf(end, { labels: ['team'], taints: [] }).filter((left) => left.startsWith('team')),
    ...misrecorded(end, ['a', 'b']),
  ],
};
