// A condition flaps every second for a while under a rule that waits before it believes either: the gate changes no more often than
// on a calm day, and in the end stands as the last word of the condition has it.

import { nodeReadinessGateRuleType } from '../../../src/api/keys.ts';
import { tainted, untainted } from '../residue.ts';
import { blue, gate, misevaluated, network, ruleSpec } from '../rules.ts';
import type { Chapter, Scenario } from '../scenario.ts';

const flap = (node: string, atMs: number, status: string): Chapter => ({
  atMs,
  by: 'kubelet',
  does: (cluster) => cluster.report(node, network, status),
});

/** From a calm beginning, ten times there and back, and a last word that stays. */
const flaps = (node: string, fromMs: number, last: 'True' | 'False') => [
  ...Array.from({ length: 10 }, (_, index) =>
    flap(node, fromMs + index * 1_000, index % 2 === 0 ? 'False' : 'True'),
  ),
  flap(node, fromMs + 10_000, last),
];

export const readinessFlapping: Scenario = {
  name: 'readiness-flapping',
  folders: ['src/capabilities/readiness', 'src/runtime'],
  capability: 'readiness',
  replicas: 1,
  leadership: 'alone',
  ours: { labels: [], taints: [gate] },
  world(cluster) {
    cluster.joinNode('a', blue('True'));
    cluster.joinNode('b', blue('False'));
    cluster.put(nodeReadinessGateRuleType, 'cni', ruleSpec({ healthyFor: '15s', unhealthyFor: '15s' }));
  },
  story: [...flaps('a', 8_000, 'False'), ...flaps('b', 8_400, 'True')],
  expect: (end) => [
    ...untainted(end, ['a'], gate),
    ...tainted(end, ['b'], gate),
    ...misevaluated(end, ['cni-a', 'cni-b']),
  ],
};
