// Nodes are relabelled out of their rule, and then the rule is deleted: no taint of it is left on any of them, and the taint of the
// same key that a stranger sets on one of them after it was given back is not taken.

import { nodeReadinessGateRuleType } from '../../../src/api/keys.ts';
import { tainted, untainted } from '../residue.ts';
import { blue, gate, gateKey, misevaluated, ruleSpec, stuck } from '../rules.ts';
import type { Scenario } from '../scenario.ts';

export const readinessRelabelled: Scenario = {
  name: 'readiness-relabelled',
  folders: ['src/capabilities/readiness', 'src/runtime', 'src/fleet'],
  capability: 'readiness',
  replicas: 1,
  leadership: 'alone',
  ours: { labels: [], taints: [gate] },
  world(cluster) {
    cluster.joinNode('a', blue('False'));
    cluster.joinNode('b', blue('False'));
    cluster.put(nodeReadinessGateRuleType, 'cni', ruleSpec());
  },
  story: [
    { atMs: 5_000, by: 'person', does: (cluster) => cluster.relabel('a', { pool: 'red' }) },
    // So late that no fault has kept our taint there until then.
    {
      atMs: 180_000,
      by: 'controller',
      does: (cluster) => cluster.addTaint('a', { key: gateKey, effect: 'NoSchedule' }),
    },
    { atMs: 186_000, by: 'person', does: (cluster) => cluster.relabel('b', { pool: 'red' }) },
    { atMs: 186_004, by: 'person', does: (cluster) => cluster.remove(nodeReadinessGateRuleType, 'cni') },
  ],
  expect: (end) => [
    ...untainted(end, ['a'], gate),
    ...tainted(end, ['b'], gate),
    ...stuck(end, 'nodereadinessgaterules/cni'),
    ...misevaluated(end, []),
  ],
};
