// A policy is changed while its workers run: what they find out is not what is asked by then, so that others run the new checks. On
// one node the first worker would never end by itself.

import { nodeVerificationType } from '../../../src/api/keys.ts';
import type { Scenario } from '../scenario.ts';
import { joins, kubeletsAtWork, ours, unready } from '../verifying.ts';

const nodeSelector = { matchLabels: { pool: 'blue' } };
const asking = (name: string) => ({ nodeSelector, checks: [{ name: 'dns', params: { names: [name] } }] });

export const verificationEdited: Scenario = {
  name: 'verification-edited',
  folders: ['src/capabilities/verification', 'src/runtime'],
  capability: 'verification',
  replicas: 1,
  leadership: 'alone',
  isForOneLeader:
    'a leader that has not heard of the change takes the workers of the other for those of old checks',
  ours,
  silenceMs: 660_000,
  world: (cluster) => cluster.put(nodeVerificationType, 'all', asking('one.example.')),
  story: [
    joins(3_000, 'a'),
    joins(3_002, 'b'),
    ...kubeletsAtWork({ b: ['hung'] }),
    {
      atMs: 5_500,
      by: 'person',
      does: (cluster) => cluster.put(nodeVerificationType, 'all', asking('two.example.')),
    },
  ],
  expect: (end) => unready(end, ['a', 'b']),
};
