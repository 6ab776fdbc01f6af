// Nodes join, one after another and two at once, become ready and reboot: each gets its record, and nothing else is written.

import { misrecorded } from '../residue.ts';
import type { Scenario } from '../scenario.ts';

const ready = { conditions: [{ type: 'Ready', status: 'True', reason: 'Kubelet', message: '' }] };

export const births: Scenario = {
  name: 'births',
  folders: ['src/fleet', 'src/runtime', 'src/kube'],
  replicas: 1,
  leadership: 'alone',
  ours: { labels: [], taints: [] },
  world(cluster) {
    cluster.joinNode('a', { labels: { pool: 'blue' } });
  },
  story: [
    { atMs: 5_000, by: 'kubelet', does: (cluster) => cluster.joinNode('b', { ready: 'False' }) },
    {
      atMs: 5_000,
      by: 'kubelet',
      does: (cluster) => cluster.joinNode('c', { taints: [{ key: 'other.io/x', effect: 'NoSchedule' }] }),
    },
    { atMs: 20_000, by: 'kubelet', does: (cluster) => cluster.changeNodeStatus('b', ready) },
    {
      atMs: 40_000,
      by: 'kubelet',
      does: (cluster) =>
        cluster.changeNodeStatus('a', { nodeInfo: { bootID: 'boot-2', kubeletVersion: 'v1.36.3' } }),
    },
  ],
  expect: (end) => misrecorded(end, ['a', 'b', 'c']),
};
