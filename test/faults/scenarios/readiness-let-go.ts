// Rules that have stood for a while are deleted in the moment in which they want something of a node: one turns unready under a
// rule that gates, another comes, ready, under a rule of mode bootstrap-only. What was on its way to the nodes by then is taken back:
// nobody else writes to them who would stop it.

import { nodeReadinessGateRuleType, nodeReadinessRuleType } from '../../../src/api/keys.ts';
import { residueOf } from '../residue.ts';
import { blue, gate, misevaluated, network, ruleSpec, stuck } from '../rules.ts';
import type { Scenario } from '../scenario.ts';

const boot = 'readiness.k8s.io/boot:NoSchedule';
const bootstrap = {
  enforcementMode: 'bootstrap-only',
  taint: { key: 'readiness.k8s.io/boot', effect: 'NoSchedule' },
  nodeSelector: { matchLabels: { pool: 'red' } },
};

export const readinessLetGo: Scenario = {
  name: 'readiness-let-go',
  folders: ['src/capabilities/readiness', 'src/runtime', 'src/fleet'],
  capability: 'readiness',
  replicas: 2,
  leadership: 'lease',
  isForOneLeader:
    'a leader that was stopped while the rule went decides by what it last heard, and only the node says whose its taint is',
  ours: { labels: [], taints: [gate, boot] },
  world(cluster) {
    cluster.joinNode('a', blue('True'));
    cluster.joinNode('b', blue('True', { labels: {} }));
    cluster.put(nodeReadinessGateRuleType, 'cni', ruleSpec());
    cluster.put(nodeReadinessRuleType, 'boot', ruleSpec(bootstrap));
  },
  story: [
    { atMs: 8_000, by: 'kubelet', does: (cluster) => cluster.report('a', network, 'False') },
    { atMs: 8_010, by: 'person', does: (cluster) => cluster.remove(nodeReadinessGateRuleType, 'cni') },
    { atMs: 14_000, by: 'person', does: (cluster) => cluster.relabel('b', { pool: 'red' }) },
    { atMs: 14_010, by: 'person', does: (cluster) => cluster.remove(nodeReadinessRuleType, 'boot') },
  ],
  expect: (end) => [
    ...['nodereadinessgaterules/cni', 'nodereadinessrules/boot'].flatMap((rule) => stuck(end, rule)),
    ...residueOf(end, { labels: [], taints: [gate, boot] }),
    ...misevaluated(end, []),
  ],
};
