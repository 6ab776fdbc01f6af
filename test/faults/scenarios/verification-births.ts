// Nodes join, with the taint and without it; one fails its first worker, the worker of another is evicted. All are verified in the
// end, each by its own worker, and none of these is left.

import { nodeVerificationType } from '../../../src/api/keys.ts';
import { tainted } from '../residue.ts';
import type { Scenario } from '../scenario.ts';
import { kubeletsAtWork, ours, unverified, unverifiedId, unready } from '../verifying.ts';

const outcomes = { b: ['fail'], c: ['evicted'] } as const;

export const verificationBirths: Scenario = {
  name: 'verification-births',
  folders: ['src/capabilities/verification', 'src/runtime', 'src/fleet'],
  capability: 'verification',
  replicas: 1,
  leadership: 'alone',
  ours,
  world(cluster) {
    cluster.put(nodeVerificationType, 'all', { nodeSelector: { matchLabels: { pool: 'blue' } } });
    cluster.joinNode('a', { labels: { pool: 'blue' }, taints: [unverified] });
  },
  story: [
    {
      atMs: 3_000,
      by: 'kubelet',
      does: (cluster) => cluster.joinNode('b', { labels: { pool: 'blue' }, taints: [unverified] }),
    },
    { atMs: 3_004, by: 'kubelet', does: (cluster) => cluster.joinNode('c', { labels: { pool: 'blue' } }) },
    { atMs: 3_006, by: 'kubelet', does: (cluster) => cluster.joinNode('d', { labels: { pool: 'red' } }) },
    ...kubeletsAtWork(outcomes),
  ],
  expect: (end) => [...tainted(end, ['a', 'b', 'c', 'd'], unverifiedId), ...unready(end, ['a', 'b', 'c'])],
};
