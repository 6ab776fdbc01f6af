// A policy comes to a node that has been in service for long and is left alone; then others join, with the taint and without it. One
// fails its first worker, one fails them all. Each is let in by its own worker, and the one that fails for good never.

import { nodeVerificationType } from '../../../src/api/keys.ts';
import { untainted } from '../residue.ts';
import type { Scenario } from '../scenario.ts';
import { joins, kubeletsAtWork, meddledWith, ours, stateOf, unready, unverifiedId } from '../verifying.ts';

/** Longer than a node can be ready and still be called new. */
const ESTABLISHED_MS = 700_000;
const POLICY_MS = ESTABLISHED_MS + 5_000;

const bare = { taints: [] };

export const verificationBirths: Scenario = {
  name: 'verification-births',
  folders: ['src/capabilities/verification', 'src/runtime', 'src/fleet'],
  capability: 'verification',
  replicas: 1,
  leadership: 'alone',
  isForOneLeader:
    'leaders that know one node at different times take the taint of each other for a decision of a person, or what one has just made for a leftover',
  ours,
  world(cluster) {
    cluster.joinNode('old', { labels: { pool: 'blue' } });
  },
  story: [
    {
      atMs: ESTABLISHED_MS,
      by: 'person',
      does: (cluster) =>
        cluster.put(nodeVerificationType, 'all', {
          nodeSelector: { matchLabels: { pool: 'blue' } },
          maxRetries: 2,
        }),
    },
    joins(POLICY_MS, 'tainted'),
    joins(POLICY_MS + 2, 'bare', bare),
    joins(POLICY_MS + 4, 'bad', bare),
    ...kubeletsAtWork({ tainted: ['fail'], bad: 'fail' }, POLICY_MS),
  ],
  expect: (end) => [
    ...unready(end, ['tainted', 'bare']),
    ...meddledWith(end, ['old']),
    ...untainted(end, ['bad'], unverifiedId),
    ...(stateOf(end, 'bad') === 'failed' ? [] : ['node bad has not failed']),
  ],
};
