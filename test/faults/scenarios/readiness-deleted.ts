// Rules are deleted while they gate nodes, one of them in the moment it was made: their taints, markers and evaluations go first,
// then they do, and a taint of the same key that others set on a node of another pool stays.

import { nodeReadinessGateRuleType, nodeReadinessRuleType } from '../../../src/api/keys.ts';
import { residueOf, tainted, untainted } from '../residue.ts';
import { blue, gate, gateKey, misevaluated, ruleSpec, stuck } from '../rules.ts';
import type { Scenario } from '../scenario.ts';

const boot = 'readiness.k8s.io/boot:NoSchedule';
const bootstrap = {
  enforcementMode: 'bootstrap-only',
  taint: { key: 'readiness.k8s.io/boot', effect: 'NoSchedule' },
};

export const readinessDeleted: Scenario = {
  name: 'readiness-deleted',
  folders: ['src/capabilities/readiness', 'src/runtime'],
  capability: 'readiness',
  replicas: 1,
  leadership: 'alone',
  isForOneLeader:
    'a leader that was stopped while the rule went decides by what it last heard, and only the node says whose its taint is',
  ours: { labels: [], taints: [gate, boot] },
  world(cluster) {
    cluster.joinNode('a', blue('False'));
    cluster.joinNode('b', blue('True'));
    cluster.joinNode('r', { labels: { pool: 'red' }, taints: [{ key: gateKey, effect: 'NoSchedule' }] });
    cluster.put(nodeReadinessGateRuleType, 'cni', ruleSpec());
    cluster.put(nodeReadinessRuleType, 'boot', ruleSpec(bootstrap));
  },
  story: [
    { atMs: 6_000, by: 'person', does: (cluster) => cluster.remove(nodeReadinessGateRuleType, 'cni') },
    { atMs: 6_002, by: 'person', does: (cluster) => cluster.remove(nodeReadinessRuleType, 'boot') },
    {
      atMs: 12_000,
      by: 'person',
      does: (cluster) => cluster.put(nodeReadinessGateRuleType, 'brief', ruleSpec()),
    },
    { atMs: 12_003, by: 'person', does: (cluster) => cluster.remove(nodeReadinessGateRuleType, 'brief') },
  ],
  expect: (end) => [
    ...['nodereadinessgaterules/cni', 'nodereadinessrules/boot', 'nodereadinessgaterules/brief'].flatMap(
      (rule) => stuck(end, rule),
    ),
    ...residueOf(end, { labels: [], taints: [boot] }),
    ...tainted(end, ['a', 'b'], gate),
    ...untainted(end, ['r'], gate),
    ...misevaluated(end, []),
  ],
};
