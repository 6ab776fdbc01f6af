// Nodes in service turn unready while a DisruptionPolicy allows one at a time, is paused, holds one of them and goes: each is gated
// when there is a place and nobody has anything against it any more. Without a policy the brake allows more than there are.

import {
  disruptionPolicyName,
  disruptionPolicyType,
  nodeReadinessGateRuleType,
} from '../../../src/api/keys.ts';
import { tainted, untainted } from '../residue.ts';
import { blue, gate, misevaluated, network, ruleSpec } from '../rules.ts';
import type { Chapter, Scenario } from '../scenario.ts';

const policy = (atMs: number, spec: object): Chapter => ({
  atMs,
  by: 'person',
  does: (cluster) => cluster.put(disruptionPolicyType, disruptionPolicyName, spec),
});
const says = (atMs: number, node: string, status: string): Chapter => ({
  atMs,
  by: 'kubelet',
  does: (cluster) => cluster.report(node, network, status),
});
const upTo = (nodes: number) => ({ gating: { percent: 0, nodes } });

export const readinessBraked: Scenario = {
  name: 'readiness-braked',
  folders: ['src/capabilities/readiness', 'src/runtime', 'src/fleet'],
  capability: 'readiness',
  replicas: 1,
  leadership: 'alone',
  ours: { labels: [], taints: [gate] },
  world(cluster) {
    for (const node of ['a', 'b', 'c']) cluster.joinNode(node, blue('True'));
    cluster.put(nodeReadinessGateRuleType, 'cni', ruleSpec());
    cluster.put(disruptionPolicyType, disruptionPolicyName, upTo(1));
  },
  story: [
    says(8_000, 'a', 'False'),
    says(9_000, 'b', 'False'),
    // The place that it leaves is taken by the one that waited.
    says(12_000, 'a', 'True'),
    policy(16_000, { ...upTo(2), pauseRequests: [{ by: 'ops', reason: 'the network is changed' }] }),
    says(17_000, 'c', 'False'),
    policy(20_000, { pauseRequests: [], holds: [{ node: 'c', reason: 'somebody looks at it' }] }),
    {
      atMs: 24_000,
      by: 'person',
      does: (cluster) => cluster.remove(disruptionPolicyType, disruptionPolicyName),
    },
  ],
  expect: (end) => [
    ...tainted(end, ['a'], gate),
    ...untainted(end, ['b', 'c'], gate),
    ...misevaluated(end, ['cni-a', 'cni-b', 'cni-c']),
  ],
};
