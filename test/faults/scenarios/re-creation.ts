// A node goes and another of its name comes at once, twice, while it is gated: the new one is gated anew and has a record of its
// own; nothing of the old one is taken for its.

import { misrecorded, untainted } from '../residue.ts';
import type { Scenario } from '../scenario.ts';

export const reCreation: Scenario = {
  name: 're-creation',
  folders: ['src/fleet', 'src/runtime', 'src/kube'],
  replicas: 1,
  leadership: 'alone',
  ours: { labels: ['team'], taints: ['gate:NoSchedule'] },
  world(cluster) {
    cluster.joinNode('a', { labels: { team: 'theirs' } });
    cluster.joinNode('b', {});
    cluster.putStamp('gate', {
      taints: { 'gate:NoSchedule': 'x' },
      labels: { team: 'ours' },
      proof: 'record',
    });
  },
  story: [
    {
      atMs: 5_000,
      by: 'kubelet',
      does(cluster) {
        cluster.deleteNode('a');
        cluster.joinNode('a', { bootID: 'boot-2' });
      },
    },
    { atMs: 10_000, by: 'kubelet', does: (cluster) => cluster.deleteNode('a') },
    { atMs: 10_020, by: 'kubelet', does: (cluster) => cluster.joinNode('a', { bootID: 'boot-3' }) },
  ],
  expect: (end) => [
    ...untainted(end, ['a', 'b'], 'gate:NoSchedule'),
    ...misrecorded(end, ['a', 'b']),
    ...(end['nodes/a']?.labels['team'] === 'ours' ? [] : ['the new node a is not labelled']),
  ],
};
