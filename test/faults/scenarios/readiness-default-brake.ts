// Without a policy ten nodes of a pool, which are more than a quarter of it, turn unready, and two more after them: these are held
// back until the others are ready again.

import { nodeReadinessGateRuleType } from '../../../src/api/keys.ts';
import { misrecorded, tainted, untainted } from '../residue.ts';
import { blue, gate, misevaluated, network, ruleSpec } from '../rules.ts';
import type { Chapter, Scenario } from '../scenario.ts';

const names = Array.from({ length: 12 }, (_, index) => `n${String(index + 1).padStart(2, '0')}`);
const [first, late] = [names.slice(0, 10), names.slice(10)];

const say = (atMs: number, nodes: readonly string[], status: string): Chapter => ({
  atMs,
  by: 'kubelet',
  does(cluster) {
    for (const node of nodes) cluster.report(node, network, status);
  },
});

export const readinessDefaultBrake: Scenario = {
  name: 'readiness-default-brake',
  folders: ['src/capabilities/readiness', 'src/runtime', 'src/fleet', 'src/api'],
  capability: 'readiness',
  replicas: 1,
  leadership: 'alone',
  ours: { labels: [], taints: [gate] },
  // They are alike: one of those that are gated and one of those that wait stand for them.
  isPlace: (name) => name === 'cni' || ['n03', 'n11'].some((node) => name.includes(node)),
  world(cluster) {
    for (const node of names) cluster.joinNode(node, blue('True'));
    cluster.put(nodeReadinessGateRuleType, 'cni', ruleSpec());
  },
  story: [say(8_000, first, 'False'), say(12_000, late, 'False'), say(40_000, first, 'True')],
  expect: (end) => [
    ...tainted(end, first, gate),
    ...untainted(end, late, gate),
    ...misevaluated(
      end,
      names.map((name) => `cni-${name}`),
    ),
    ...misrecorded(end, names),
  ],
};
