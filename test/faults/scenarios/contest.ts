// Another controller takes our gate off again and again: we put it back a few times and then stand back for a while, and when the
// other side gives up the gate stands.

import { untainted } from '../residue.ts';
import type { Chapter, Scenario } from '../scenario.ts';

const revert = (atMs: number): Chapter => ({
  atMs,
  by: 'controller',
  does: (cluster) => cluster.changeNode('a', { spec: { taints: null } }),
});

export const contest: Scenario = {
  name: 'contest',
  folders: ['src/runtime'],
  replicas: 1,
  leadership: 'alone',
  ours: { labels: [], taints: ['gate:NoSchedule'] },
  world(cluster) {
    cluster.joinNode('a', {});
    cluster.putStamp('gate', { taints: { 'gate:NoSchedule': 'x' }, proof: 'record' });
  },
  story: Array.from({ length: 30 }, (_, index) => revert(2_000 + index * 700)),
  expect: (end) => untainted(end, ['a'], 'gate:NoSchedule'),
};
