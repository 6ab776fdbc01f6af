// Nodes whose policy checks them against others. The first has nobody to be checked against, the second is checked against a control
// worker on the first, and the third against one on each, of which one goes with its node in the middle of it. All are verified, and no
// control worker is left.

import { nodeVerificationType } from '../../../src/api/keys.ts';
import type { Scenario } from '../scenario.ts';
import { joins, kubeletsAtWork, ours, unready } from '../verifying.ts';

/** The ones before are verified by then, if nothing kept them. */
const SECOND_MS = 10_000;
const THIRD_MS = 25_000;
/** Its control workers answer by then, and its own worker is about to be made. */
const MIDDLE_MS = THIRD_MS + 3_500;

export const verificationControls: Scenario = {
  name: 'verification-controls',
  folders: ['src/capabilities/verification', 'src/runtime'],
  capability: 'verification',
  replicas: 1,
  leadership: 'alone',
  isForOneLeader: 'a leader that has not heard of a node takes its worker for one of a node that is gone',
  ours,
  // What finds nothing out time and again is left alone for ten minutes.
  silenceMs: 660_000,
  world(cluster) {
    cluster.put(nodeVerificationType, 'all', {
      nodeSelector: { matchLabels: { pool: 'blue' } },
      checks: [{ name: 'dns' }, { name: 'peer-echo' }],
    });
  },
  story: [
    ...kubeletsAtWork({}),
    joins(3_000, 'first'),
    joins(SECOND_MS, 'gone'),
    joins(THIRD_MS, 'third'),
    { atMs: MIDDLE_MS, by: 'cluster', does: (cluster) => cluster.deleteNode('gone') },
  ],
  expect: (end) => unready(end, ['first', 'third']),
};
