// A node goes while its worker runs and another comes under its name; a verified one reboots and is verified again; then the policy
// goes, and what it put on nodes with it.

import { nodeVerificationType, verificationKeys } from '../../../src/api/keys.ts';
import { residueOf } from '../residue.ts';
import type { Scenario } from '../scenario.ts';
import { kubeletsAtWork, ours, unverified, unverifiedId } from '../verifying.ts';

const blue = { labels: { pool: 'blue' } };

export const verificationDepartures: Scenario = {
  name: 'verification-departures',
  folders: ['src/capabilities/verification', 'src/runtime', 'src/fleet'],
  capability: 'verification',
  replicas: 1,
  leadership: 'alone',
  ours,
  world(cluster) {
    cluster.put(nodeVerificationType, 'all', { nodeSelector: { matchLabels: { pool: 'blue' } } });
    cluster.joinNode('a', { ...blue, taints: [unverified] });
    cluster.joinNode('b', blue);
  },
  story: [
    { atMs: 2_500, by: 'cluster', does: (cluster) => cluster.deleteNode('a') },
    {
      atMs: 3_000,
      by: 'kubelet',
      does: (cluster) => cluster.joinNode('a', { ...blue, taints: [unverified] }),
    },
    {
      atMs: 100_000,
      by: 'kubelet',
      does: (cluster) => cluster.changeNodeStatus('b', { nodeInfo: { bootID: 'boot-2' } }),
    },
    ...kubeletsAtWork({}),
    { atMs: 240_000, by: 'person', does: (cluster) => cluster.remove(nodeVerificationType, 'all') },
  ],
  expect: (end) => [
    ...residueOf(end, { labels: [verificationKeys.verifiedLabel], taints: [unverifiedId] }),
    ...Object.keys(end)
      .filter((name) => name.startsWith('pods/'))
      .map((name) => `${name} is left`),
  ],
};
