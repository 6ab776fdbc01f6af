// Workers that find nothing out: on one node the first is evicted and the image of the second cannot be pulled; on the other a person
// deletes the first, and the one that takes its place hangs. None of this is held against a node: both are verified.

import { nodeVerificationType } from '../../../src/api/keys.ts';
import type { Scenario } from '../scenario.ts';
import { joins, kubeletsAtWork, ours, unready } from '../verifying.ts';

export const verificationRetries: Scenario = {
  name: 'verification-retries',
  folders: ['src/capabilities/verification', 'src/runtime'],
  capability: 'verification',
  replicas: 1,
  leadership: 'alone',
  isForOneLeader: 'a leader that has not heard of a node takes its worker for one of a node that is gone',
  ours,
  // What finds nothing out time and again is left alone for ten minutes.
  silenceMs: 660_000,
  world(cluster) {
    cluster.put(nodeVerificationType, 'all', { nodeSelector: { matchLabels: { pool: 'blue' } } });
  },
  story: [
    joins(3_000, 'a'),
    joins(3_002, 'b'),
    ...kubeletsAtWork({ a: ['evicted', 'unpullable'], b: ['hung'] }),
    // It has been bound and runs by then, if nothing kept it.
    { atMs: 5_500, by: 'person', does: (cluster) => cluster.deleteWorkers('b') },
  ],
  expect: (end) => unready(end, ['a', 'b']),
};
