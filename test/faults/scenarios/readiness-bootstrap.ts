// A rule of mode bootstrap-only while conditions race its writes: a node becomes ready and unready again in the moment that it is
// marked, one joins ready, one is taken away and comes back under its name. Who is marked is never gated again.

import { bootstrapMarkerPrefix, nodeReadinessRuleType } from '../../../src/api/keys.ts';
import type { EndState } from '../end-state.ts';
import { tainted } from '../residue.ts';
import { blue, gate, misevaluated, network, ruleSpec } from '../rules.ts';
import type { Scenario } from '../scenario.ts';

const unmarked = (end: EndState, names: readonly string[]) =>
  names
    .filter((name) => {
      const keys = Object.keys(end[`nodes/${name}`]?.annotations ?? {});
      return !keys.some((key) => key.startsWith(bootstrapMarkerPrefix));
    })
    .map((name) => `node ${name} is not marked`);

export const readinessBootstrap: Scenario = {
  name: 'readiness-bootstrap',
  folders: ['src/capabilities/readiness', 'src/runtime'],
  capability: 'readiness',
  replicas: 1,
  leadership: 'alone',
  ours: { labels: [], taints: [gate] },
  world(cluster) {
    cluster.joinNode('a', blue('False'));
    cluster.put(nodeReadinessRuleType, 'boot', ruleSpec({ enforcementMode: 'bootstrap-only' }));
  },
  story: [
    { atMs: 5_000, by: 'kubelet', does: (cluster) => cluster.report('a', network, 'True') },
    // While the mark of the one is on its way, and long before that of the other can be.
    { atMs: 5_008, by: 'kubelet', does: (cluster) => cluster.joinNode('b', blue('True')) },
    { atMs: 8_000, by: 'kubelet', does: (cluster) => cluster.report('a', network, 'False') },
    {
      atMs: 12_000,
      by: 'kubelet',
      does(cluster) {
        cluster.deleteNode('b');
        cluster.joinNode('b', blue('False'));
      },
    },
    { atMs: 18_000, by: 'kubelet', does: (cluster) => cluster.report('b', network, 'True') },
    // Who was not marked while it was ready for the first time is marked now.
    { atMs: 30_000, by: 'kubelet', does: (cluster) => cluster.report('a', network, 'True') },
  ],
  expect: (end) => [
    ...unmarked(end, ['a', 'b']),
    ...tainted(end, ['a', 'b'], gate),
    ...misevaluated(end, ['boot-a', 'boot-b']),
  ],
};
