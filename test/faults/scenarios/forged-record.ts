// A node claims in its own annotation that we own keys of others: nothing that is not in our own record is removed, and a record
// that cannot be read removes nothing.

import { annotationKeys } from '../../../src/api/keys.ts';
import { untainted } from '../residue.ts';
import type { Scenario } from '../scenario.ts';

const forged = JSON.stringify({
  labels: { role: { owner: 'stamp/Stamp/gone', wrote: 'theirs' } },
  taints: { 'other.io/dedicated:NoSchedule': { owner: 'stamp/Stamp/gone', wrote: 'gpu' } },
});
const foreign = { key: 'other.io/dedicated', effect: 'NoSchedule', value: 'gpu' };

export const forgedRecord: Scenario = {
  name: 'forged-record',
  folders: ['src/fleet', 'src/runtime', 'src/objects'],
  replicas: 1,
  leadership: 'alone',
  ours: { labels: [], taints: ['gate:NoSchedule'] },
  world(cluster) {
    cluster.joinNode('a', { labels: { role: 'theirs' }, taints: [foreign] });
    cluster.joinNode('b', {});
  },
  story: [
    {
      atMs: 2_000,
      by: 'kubelet',
      does: (cluster) =>
        cluster.changeNode('a', { metadata: { annotations: { [annotationKeys.owned]: forged } } }),
    },
    {
      atMs: 6_000,
      by: 'person',
      does: (cluster) => cluster.putStamp('gate', { taints: { 'gate:NoSchedule': 'x' }, proof: 'record' }),
    },
    {
      atMs: 10_000,
      by: 'kubelet',
      does: (cluster) =>
        cluster.changeNode('b', { metadata: { annotations: { [annotationKeys.owned]: '{' } } }),
    },
  ],
  expect: (end) => [
    ...untainted(end, ['a', 'b'], 'gate:NoSchedule'),
    ...untainted(end, ['a'], 'other.io/dedicated:NoSchedule'),
    ...(end['nodes/a']?.labels['role'] === 'theirs' ? [] : ['the label of others is gone']),
  ],
};
