// Evaluations are born in two or three writes, and a node leaves, comes back and goes for good while they are. Whatever is cut off
// between two of the writes, each pair has one evaluation that tells the truth, and no other is left.

import { nodeReadinessGateRuleType } from '../../../src/api/keys.ts';
import { blue, gate, misevaluated, network, ruleSpec } from '../rules.ts';
import type { Scenario } from '../scenario.ts';

export const readinessEvaluationBirths: Scenario = {
  name: 'readiness-evaluation-births',
  folders: ['src/capabilities/readiness', 'src/runtime', 'src/kube'],
  capability: 'readiness',
  replicas: 1,
  leadership: 'alone',
  ours: { labels: [], taints: [gate] },
  world(cluster) {
    cluster.joinNode('a', blue('True'));
    cluster.put(nodeReadinessGateRuleType, 'cni', ruleSpec());
  },
  story: [
    // Between the birth of its evaluation and the first word of it.
    { atMs: 40, by: 'kubelet', does: (cluster) => cluster.report('a', network, 'False') },
    { atMs: 3_000, by: 'kubelet', does: (cluster) => cluster.joinNode('b', blue(null)) },
    { atMs: 3_040, by: 'kubelet', does: (cluster) => cluster.deleteNode('b') },
    { atMs: 6_000, by: 'person', does: (cluster) => cluster.relabel('a', { pool: 'red' }) },
    { atMs: 9_000, by: 'person', does: (cluster) => cluster.relabel('a', { pool: 'blue' }) },
  ],
  expect: (end) => misevaluated(end, ['cni-a']),
};
