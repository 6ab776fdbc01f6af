// Rules that have stood for a while are deleted in the moment in which they want something of a node: one turns unready under a
// rule that gates, another comes, ready, under a rule of mode bootstrap-only, a third turns unready under a rule that is made a dry run
// first. What was on its way to the nodes by then is taken back: nobody else writes to them who would stop it.

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

const off = 'readiness.k8s.io/off:NoSchedule';
const brief = (change: object = {}) =>
  ruleSpec({
    taint: { key: 'readiness.k8s.io/off', effect: 'NoSchedule' },
    nodeSelector: { matchLabels: { pool: 'green' } },
    ...change,
  });

export const readinessLetGo: Scenario = {
  name: 'readiness-let-go',
  folders: ['src/capabilities/readiness', 'src/runtime', 'src/fleet'],
  capability: 'readiness',
  replicas: 2,
  leadership: 'lease',
  isForOneLeader:
    'a leader that was stopped while the rule went decides by what it last heard, and only the node says whose its taint is',
  ours: { labels: [], taints: [gate, boot, off] },
  world(cluster) {
    cluster.joinNode('a', blue('True'));
    cluster.joinNode('b', blue('True', { labels: {} }));
    cluster.put(nodeReadinessGateRuleType, 'cni', ruleSpec());
    cluster.joinNode('c', blue('True', { labels: { pool: 'green' } }));
    cluster.put(nodeReadinessRuleType, 'boot', ruleSpec(bootstrap));
    cluster.put(nodeReadinessGateRuleType, 'off', brief());
  },
  story: [
    { atMs: 8_000, by: 'kubelet', does: (cluster) => cluster.report('a', network, 'False') },
    { atMs: 8_010, by: 'person', does: (cluster) => cluster.remove(nodeReadinessGateRuleType, 'cni') },
    { atMs: 14_000, by: 'person', does: (cluster) => cluster.relabel('b', { pool: 'red' }) },
    { atMs: 14_010, by: 'person', does: (cluster) => cluster.remove(nodeReadinessRuleType, 'boot') },
    { atMs: 20_000, by: 'kubelet', does: (cluster) => cluster.report('c', network, 'False') },
    {
      atMs: 20_004,
      by: 'person',
      does: (cluster) => cluster.put(nodeReadinessGateRuleType, 'off', brief({ dryRun: true })),
    },
    { atMs: 20_010, by: 'person', does: (cluster) => cluster.remove(nodeReadinessGateRuleType, 'off') },
  ],
  expect: (end) => [
    ...['nodereadinessgaterules/cni', 'nodereadinessgaterules/off', 'nodereadinessrules/boot'].flatMap(
      (rule) => stuck(end, rule),
    ),
    ...residueOf(end, { labels: [], taints: [gate, boot, off] }),
    ...misevaluated(end, []),
  ],
};
