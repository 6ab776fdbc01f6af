// A policy goes while its nodes are checked, and comes back some seconds later: they are verified after all, and nobody is taken for
// having removed the taint that went with the policy.

import { nodeVerificationType } from '../../../src/api/keys.ts';
import { misrecorded } from '../residue.ts';
import type { Scenario } from '../scenario.ts';
import { joins, kubeletsAtWork, ours, unready } from '../verifying.ts';

/** Where nobody came to begin with a node before its policy went, it was in service before the next one. */
const policy = { nodeSelector: { matchLabels: { pool: 'blue' } }, onboarding: 'Verify' };

export const verificationMadeAnew: Scenario = {
  name: 'verification-made-anew',
  folders: ['src/capabilities/verification', 'src/runtime', 'src/fleet'],
  capability: 'verification',
  replicas: 1,
  leadership: 'alone',
  isForOneLeader: 'a leader that has not heard of the policy takes back what the other one does for it',
  ours,
  world: (cluster) => cluster.put(nodeVerificationType, 'all', policy),
  story: [
    joins(3_000, 'bare', { taints: [] }),
    joins(3_002, 'born-with-it'),
    ...kubeletsAtWork({}),
    { atMs: 5_500, by: 'person', does: (cluster) => cluster.remove(nodeVerificationType, 'all') },
    { atMs: 9_000, by: 'person', does: (cluster) => cluster.put(nodeVerificationType, 'all', policy) },
  ],
  expect: (end) => [...unready(end, ['bare', 'born-with-it']), ...misrecorded(end, ['bare', 'born-with-it'])],
};
