// In the middle of an attempt one node goes for good, another of its name takes the place of a second, a third reboots, and the policy
// of a fourth is deleted. No worker of what is gone is believed or left, and a policy that goes takes along what it put on nodes.

import { nodeVerificationType } from '../../../src/api/keys.ts';
import { misrecorded, residueOf } from '../residue.ts';
import type { Scenario } from '../scenario.ts';
import { joins, kubeletsAtWork, ours, unready } from '../verifying.ts';

/** Workers run by then, if nothing kept them. */
const MIDDLE_MS = 5_500;

export const verificationDepartures: Scenario = {
  name: 'verification-departures',
  folders: ['src/capabilities/verification', 'src/runtime', 'src/fleet'],
  capability: 'verification',
  replicas: 1,
  leadership: 'alone',
  isForOneLeader: 'a leader that has not heard of a node takes its worker for one of a node that is gone',
  ours,
  world(cluster) {
    cluster.put(nodeVerificationType, 'all', { nodeSelector: { matchLabels: { pool: 'blue' } } });
    cluster.put(nodeVerificationType, 'short-lived', { nodeSelector: { matchLabels: { pool: 'green' } } });
  },
  story: [
    joins(3_000, 'gone'),
    joins(3_002, 'replaced'),
    joins(3_004, 'rebooted'),
    joins(3_006, 'abandoned', { labels: { pool: 'green' }, taints: [] }),
    ...kubeletsAtWork({}),
    { atMs: MIDDLE_MS, by: 'cluster', does: (cluster) => cluster.deleteNode('gone') },
    { atMs: MIDDLE_MS + 2, by: 'cluster', does: (cluster) => cluster.deleteNode('replaced') },
    joins(MIDDLE_MS + 4, 'replaced', { bootID: 'boot-2' }),
    {
      atMs: MIDDLE_MS + 6,
      by: 'kubelet',
      does: (cluster) => cluster.changeNodeStatus('rebooted', { nodeInfo: { bootID: 'boot-2' } }),
    },
    {
      atMs: MIDDLE_MS + 8,
      by: 'person',
      does: (cluster) => cluster.remove(nodeVerificationType, 'short-lived'),
    },
  ],
  expect: (end) => [
    ...unready(end, ['replaced', 'rebooted']),
    ...misrecorded(end, ['replaced', 'rebooted', 'abandoned']),
    ...residueOf({ 'nodes/abandoned': end['nodes/abandoned'] ?? nothing }, ours),
  ],
};

const nothing = { labels: {}, annotations: {}, spec: {}, status: {} };
