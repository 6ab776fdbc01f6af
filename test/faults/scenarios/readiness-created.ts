// A rule comes upon a fleet of which some nodes are ready, some are not and some are of another pool; then nodes become ready and
// unready, and one joins. Each node carries the gate exactly while it is not ready, and each of the rule has its evaluation.

import { nodeReadinessGateRuleType } from '../../../src/api/keys.ts';
import { misrecorded, tainted, untainted } from '../residue.ts';
import { blue, gate, misevaluated, network, ruleSpec } from '../rules.ts';
import type { Scenario } from '../scenario.ts';

export const readinessCreated: Scenario = {
  name: 'readiness-created',
  folders: ['src/capabilities/readiness', 'src/runtime', 'src/fleet'],
  capability: 'readiness',
  replicas: 1,
  leadership: 'alone',
  ours: { labels: [], taints: [gate] },
  world(cluster) {
    cluster.joinNode('a', blue(null));
    cluster.joinNode('b', blue('True'));
    cluster.joinNode('c', { labels: { pool: 'red' } });
  },
  story: [
    {
      atMs: 3_000,
      by: 'person',
      does: (cluster) => cluster.put(nodeReadinessGateRuleType, 'cni', ruleSpec()),
    },
    { atMs: 10_000, by: 'kubelet', does: (cluster) => cluster.report('a', network, 'True') },
    { atMs: 10_004, by: 'kubelet', does: (cluster) => cluster.report('b', network, 'False') },
    { atMs: 16_000, by: 'kubelet', does: (cluster) => cluster.joinNode('d', blue('False')) },
  ],
  expect: (end) => [
    ...untainted(end, ['b', 'd'], gate),
    ...tainted(end, ['a', 'c'], gate),
    ...misevaluated(end, ['cni-a', 'cni-b', 'cni-d']),
    ...misrecorded(end, ['a', 'b', 'c', 'd']),
  ],
};
