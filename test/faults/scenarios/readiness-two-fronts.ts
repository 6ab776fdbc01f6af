// Two rules of the two kinds have one taint and opposite opinions: the taint is there while either wants it, the older one has the
// say over its value, the younger one is told, and nothing flaps. When the one that gates goes, the other lets the node go.

import { nodeReadinessGateRuleType, nodeReadinessRuleType } from '../../../src/api/keys.ts';
import { isRecord, recordsIn } from '../../../src/objects/raw.ts';
import type { EndState } from '../end-state.ts';
import { tainted } from '../residue.ts';
import { blue, gate, gateKey, misevaluated, network, ruleSpec, stuck } from '../rules.ts';
import type { Scenario } from '../scenario.ts';

const storage = 'storage.example.com/Ready';

const conflictOf = (end: EndState, rule: string) => {
  const { status } = end[rule] ?? {};
  const conditions = isRecord(status) ? recordsIn(status['conditions']) : [];
  return conditions.find(({ type }) => type === 'Conflict')?.['status'];
};

export const readinessTwoFronts: Scenario = {
  name: 'readiness-two-fronts',
  folders: ['src/capabilities/readiness', 'src/runtime'],
  capability: 'readiness',
  replicas: 1,
  leadership: 'alone',
  ours: { labels: [], taints: [gate] },
  world(cluster) {
    cluster.joinNode('a', blue('True'));
    cluster.joinNode('b', blue('False'));
    cluster.put(
      nodeReadinessGateRuleType,
      'cni',
      ruleSpec({ taint: { key: gateKey, effect: 'NoSchedule', value: 'first' } }),
    );
  },
  story: [
    {
      atMs: 4_000,
      by: 'person',
      does: (cluster) =>
        cluster.put(
          nodeReadinessRuleType,
          'csi',
          ruleSpec({
            conditions: [{ type: storage, requiredStatus: 'True' }],
            taint: { key: gateKey, effect: 'NoSchedule', value: 'second' },
          }),
        ),
    },
    { atMs: 10_000, by: 'kubelet', does: (cluster) => cluster.report('b', network, 'True') },
    { atMs: 16_000, by: 'kubelet', does: (cluster) => cluster.report('b', storage, 'True') },
    { atMs: 22_000, by: 'person', does: (cluster) => cluster.remove(nodeReadinessRuleType, 'csi') },
  ],
  expect: (end) => [
    ...tainted(end, ['a', 'b'], gate),
    ...(conflictOf(end, 'nodereadinessgaterules/cni') === 'False'
      ? []
      : ['the older rule is told of a conflict']),
    ...stuck(end, 'nodereadinessrules/csi'),
    ...misevaluated(end, ['cni-a', 'cni-b']),
  ],
};
