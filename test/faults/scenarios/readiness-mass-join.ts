// Many nodes join at once, a hundred a second, while a rule gates what is not ready. Some become ready in the middle of it; one is
// deleted and two come back under their names as others, one of them at once. Each is judged by what it says itself.

import {
  disruptionPolicyName,
  disruptionPolicyType,
  nodeReadinessGateRuleType,
} from '../../../src/api/keys.ts';
import { misrecorded, tainted, untainted } from '../residue.ts';
import { blue, gate, misevaluated, network, ruleSpec } from '../rules.ts';
import type { Chapter, Scenario } from '../scenario.ts';

const JOIN_MS = 5_000;
const APART_MS = 10;
const names = Array.from({ length: 20 }, (_, index) => `n${String(index + 1).padStart(2, '0')}`);
/** What becomes of these; all others only join and stay gated. */
const [early, late, gone, back, again] = ['n01', 'n20', 'n04', 'n05', 'n06'];
const stays = names.filter((name) => name !== gone);

const joined: readonly Chapter[] = names.map((name, index) => ({
  atMs: JOIN_MS + index * APART_MS,
  by: 'kubelet',
  does: (cluster) => cluster.joinNode(name, blue('False')),
}));

export const readinessMassJoin: Scenario = {
  name: 'readiness-mass-join',
  folders: ['src/capabilities/readiness', 'src/runtime', 'src/fleet', 'src/kube'],
  capability: 'readiness',
  replicas: 1,
  leadership: 'alone',
  ours: { labels: [], taints: [gate] },
  // The others are alike, and n09 stands for them.
  isPlace: (name) =>
    name === 'cni' || [early, late, gone, back, again, 'n09'].some((node) => name.includes(node)),
  world(cluster) {
    cluster.put(nodeReadinessGateRuleType, 'cni', ruleSpec());
    // Where the rule is heard of late, nodes are in service by then, and the brake is no part of this.
    cluster.put(disruptionPolicyType, disruptionPolicyName, { gating: { percent: 100, nodes: 0 } });
  },
  story: [
    ...joined,
    { atMs: JOIN_MS + 105, by: 'kubelet', does: (cluster) => cluster.report(early, network, 'True') },
    {
      atMs: JOIN_MS + 115,
      by: 'kubelet',
      does(cluster) {
        cluster.deleteNode(back);
        cluster.joinNode(back, blue('True', { bootID: 'boot-2' }));
      },
    },
    { atMs: JOIN_MS + 125, by: 'person', does: (cluster) => cluster.deleteNode(gone) },
    { atMs: JOIN_MS + 135, by: 'person', does: (cluster) => cluster.deleteNode(again) },
    { atMs: JOIN_MS + 200, by: 'kubelet', does: (cluster) => cluster.report(late, network, 'True') },
    {
      atMs: JOIN_MS + 5_000,
      by: 'kubelet',
      does: (cluster) => cluster.joinNode(again, blue('False', { bootID: 'boot-2' })),
    },
  ],
  expect: (end) => [
    ...untainted(
      end,
      stays.filter((name) => ![early, late, back].includes(name)),
      gate,
    ),
    ...tainted(end, [early, late, back], gate),
    ...misevaluated(
      end,
      stays.map((name) => `cni-${name}`),
    ),
    ...misrecorded(end, stays),
  ],
};
