// Two replicas elect a leader while rules come, are edited and go; the leader is stopped in good order and later killed, each time in
// the moment a rule changes. No gate leaves a node that is not ready, whoever leads and however late it hears.

import { nodeReadinessGateRuleType } from '../../../src/api/keys.ts';
import { misrecorded, untainted } from '../residue.ts';
import { blue, gate, misevaluated, ruleSpec } from '../rules.ts';
import type { Scenario } from '../scenario.ts';

export const readinessLeaders: Scenario = {
  name: 'readiness-leaders',
  folders: ['src/capabilities/readiness', 'src/runtime', 'src/kube', 'src/bin'],
  capability: 'readiness',
  replicas: 2,
  leadership: 'lease',
  ours: { labels: [], taints: [gate] },
  world(cluster) {
    cluster.joinNode('a', blue('False'));
  },
  story: [
    {
      atMs: 4_000,
      by: 'person',
      does: (cluster) => cluster.put(nodeReadinessGateRuleType, 'cni', ruleSpec()),
    },
    { atMs: 4_100, by: 'cluster', does: (cluster) => cluster.stopLeader() },
    { atMs: 12_000, by: 'kubelet', does: (cluster) => cluster.joinNode('b', blue(null)) },
    { atMs: 12_020, by: 'cluster', does: (cluster) => cluster.killLeader() },
  ],
  expect: (end) => [
    ...untainted(end, ['a', 'b'], gate),
    ...misevaluated(end, ['cni-a', 'cni-b']),
    ...misrecorded(end, ['a', 'b']),
  ],
};
