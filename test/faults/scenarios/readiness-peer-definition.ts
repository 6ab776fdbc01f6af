// The definition of NodeReadinessRule that is installed is that of the controller it comes from: fields that we add are pruned. Its
// rules gate and release all the same, what the definition knows is reported, and no report is written twice.

import { nodeReadinessRuleType } from '../../../src/api/keys.ts';
import { peerDefinition } from '../../support/peer-definition.ts';
import { tainted, untainted } from '../residue.ts';
import { blue, gate, misevaluated, network, ruleSpec } from '../rules.ts';
import type { Scenario } from '../scenario.ts';

export const readinessPeerDefinition: Scenario = {
  name: 'readiness-peer-definition',
  folders: ['src/capabilities/readiness', 'src/runtime'],
  capability: 'readiness',
  replicas: 1,
  leadership: 'alone',
  ours: { labels: [], taints: [gate] },
  world(cluster) {
    cluster.putDefinition(peerDefinition);
    cluster.joinNode('a', blue('False'));
    cluster.joinNode('b', blue(null));
    cluster.put(nodeReadinessRuleType, 'cni', ruleSpec());
  },
  story: [{ atMs: 8_000, by: 'kubelet', does: (cluster) => cluster.report('a', network, 'True') }],
  expect: (end) => [
    ...untainted(end, ['b'], gate),
    ...tainted(end, ['a'], gate),
    ...misevaluated(end, ['cni-a', 'cni-b']),
  ],
};
