// Another controller was taken away after one of its rules had been deleted: the rule waits for its finalizer, and nodes carry its taint,
// of which no record of ours speaks. Both go, and a taint of the same key on a node that the rule does not select stays. A node that joins later is
// left alone.

import { nodeReadinessRuleType, ruleFinalizers } from '../../../src/api/keys.ts';
import { tainted, untainted } from '../residue.ts';
import { blue, gate, gateKey, misevaluated, network, ruleSpec, stuck } from '../rules.ts';
import type { Scenario } from '../scenario.ts';

const taints = [{ key: gateKey, effect: 'NoSchedule' }];

export const readinessInherited: Scenario = {
  name: 'readiness-inherited',
  folders: ['src/capabilities/readiness', 'src/runtime'],
  capability: 'readiness',
  replicas: 2,
  leadership: 'lease',
  ours: { labels: [], taints: [gate] },
  world(cluster) {
    cluster.joinNode('a', blue('False', { taints }));
    cluster.joinNode('b', blue('True', { taints }));
    cluster.joinNode('r', { labels: { pool: 'red' }, taints });
    const finalizers = [ruleFinalizers.NodeReadinessRule];
    cluster.putKept(nodeReadinessRuleType, { name: 'up', finalizers }, ruleSpec());
    cluster.remove(nodeReadinessRuleType, 'up');
  },
  story: [
    { atMs: 6_000, by: 'kubelet', does: (cluster) => cluster.joinNode('c', blue('False')) },
    { atMs: 9_000, by: 'kubelet', does: (cluster) => cluster.report('a', network, 'True') },
  ],
  expect: (end) => [
    ...stuck(end, 'nodereadinessrules/up'),
    ...tainted(end, ['a', 'b', 'c'], gate),
    ...untainted(end, ['r'], gate),
    ...misevaluated(end, []),
  ],
};
