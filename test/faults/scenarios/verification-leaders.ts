// The leader dies while workers run, and another takes over: each attempt goes on where it was.

import { nodeVerificationType } from '../../../src/api/keys.ts';
import type { Scenario } from '../scenario.ts';
import { joins, kubeletsAtWork, ours, unready } from '../verifying.ts';

export const verificationLeaders: Scenario = {
  name: 'verification-leaders',
  folders: ['src/capabilities/verification', 'src/runtime', 'src/kube'],
  capability: 'verification',
  replicas: 2,
  leadership: 'lease',
  isForOneLeader: 'a leader that was stopped makes the worker of an attempt that another has ended',
  ours,
  world(cluster) {
    cluster.put(nodeVerificationType, 'all', { nodeSelector: { matchLabels: { pool: 'blue' } } });
  },
  story: [
    joins(20_000, 'a'),
    { atMs: 21_500, by: 'cluster', does: (cluster) => cluster.killLeader() },
    ...kubeletsAtWork({}),
  ],
  expect: (end) => unready(end, ['a']),
};
