// Two replicas elect a leader; it is stopped in good order and later killed, while nodes join and a gate comes and goes. Whoever
// leads finishes what the other began.

import { misrecorded, residueOf } from '../residue.ts';
import type { Scenario } from '../scenario.ts';

export const leaderChange: Scenario = {
  name: 'leader-change',
  folders: ['src/kube', 'src/bin', 'src/runtime'],
  replicas: 2,
  leadership: 'lease',
  ours: { labels: [], taints: ['gate:NoSchedule'] },
  world(cluster) {
    cluster.joinNode('a', {});
  },
  story: [
    {
      atMs: 4_000,
      by: 'person',
      does: (cluster) => cluster.putStamp('gate', { taints: { 'gate:NoSchedule': 'x' }, proof: 'record' }),
    },
    { atMs: 8_000, by: 'cluster', does: (cluster) => cluster.stopLeader() },
    { atMs: 8_500, by: 'kubelet', does: (cluster) => cluster.joinNode('b', {}) },
    { atMs: 20_000, by: 'cluster', does: (cluster) => cluster.killLeader() },
    { atMs: 20_500, by: 'person', does: (cluster) => cluster.deleteStamp('gate') },
  ],
  expect: (end) => [
    ...residueOf(end, { labels: [], taints: ['gate:NoSchedule'] }),
    ...misrecorded(end, ['a', 'b']),
  ],
};
