// A rule is edited under the nodes that it gates: another taint, then another pool, and back while the first edit is still being
// carried out. What it no longer names or selects it gives back, what it names now it sets.

import { nodeReadinessGateRuleType } from '../../../src/api/keys.ts';
import { tainted, untainted } from '../residue.ts';
import { blue, gate, misevaluated, ruleSpec } from '../rules.ts';
import type { Scenario } from '../scenario.ts';

const moved = 'example.com/moved:NoSchedule';
const taint = { key: 'example.com/moved', effect: 'NoSchedule' };
const red = { nodeSelector: { matchLabels: { pool: 'red' } } };

export const readinessEdited: Scenario = {
  name: 'readiness-edited',
  folders: ['src/capabilities/readiness', 'src/runtime'],
  capability: 'readiness',
  replicas: 1,
  leadership: 'alone',
  ours: { labels: [], taints: [gate, moved] },
  world(cluster) {
    cluster.joinNode('a', blue('False'));
    cluster.joinNode('r', { labels: { pool: 'red' } });
    cluster.put(nodeReadinessGateRuleType, 'cni', ruleSpec());
  },
  story: [
    {
      atMs: 4_000,
      by: 'person',
      does: (cluster) => cluster.put(nodeReadinessGateRuleType, 'cni', ruleSpec({ taint })),
    },
    {
      atMs: 12_000,
      by: 'person',
      does: (cluster) => cluster.put(nodeReadinessGateRuleType, 'cni', ruleSpec({ taint, ...red })),
    },
  ],
  expect: (end) => [
    ...untainted(end, ['r'], moved),
    ...tainted(end, ['a', 'r'], gate),
    ...tainted(end, ['a'], moved),
    ...misevaluated(end, ['cni-r']),
  ],
};
