// Stamps gate and label nodes that carry keys of others, and in the end all is given back as it was.

import { residueOf, taintsOf, untainted } from '../residue.ts';
import type { Scenario } from '../scenario.ts';

const foreign = {
  key: 'other.io/dedicated',
  effect: 'NoSchedule',
  value: 'gpu',
  timeAdded: '2026-01-01T00:00:00Z',
};
/** Whoever owns the machine keeps the node until it is gone. */
const kept = { finalizers: ['other.io/machine'] };
const busy = { key: 'other.io/busy', effect: 'NoSchedule' };
const blue = { on: { label: 'pool', value: 'blue' } };

export const ownedRecord: Scenario = {
  name: 'owned-record',
  folders: ['src/fleet', 'src/runtime', 'src/kube', 'src/objects'],
  replicas: 1,
  leadership: 'alone',
  ours: { labels: ['team', 'tier', 'brief'], taints: ['gate:NoSchedule', 'soft:PreferNoSchedule'] },
  world(cluster) {
    cluster.joinNode('a', { labels: { pool: 'blue', team: 'theirs' }, taints: [foreign] });
    cluster.changeNode('a', { metadata: kept });
    cluster.joinNode('b', { taints: [{ key: 'gate', effect: 'PreferNoSchedule', value: 'theirs' }] });
    cluster.putStamp('gate', { taints: { 'gate:NoSchedule': 'x' }, proof: 'record' });
  },
  story: [
    {
      atMs: 3_000,
      by: 'person',
      does: (cluster) => cluster.putStamp('team', { ...blue, labels: { team: 'ours' }, proof: 'record' }),
    },
    {
      atMs: 6_000,
      by: 'controller',
      does: (cluster) => cluster.changeNode('a', { metadata: { labels: { other: 'label' } } }),
    },
    { atMs: 9_000, by: 'person', does: (cluster) => cluster.deleteStamp('gate') },
    {
      atMs: 12_000,
      by: 'person',
      does: (cluster) =>
        cluster.putStamp('tier', {
          labels: { tier: 'gold' },
          taints: { 'soft:PreferNoSchedule': '' },
          proof: 'record',
        }),
    },
    // While our own patch is under way.
    { atMs: 12_002, by: 'controller', does: (cluster) => cluster.addTaint('a', busy) },
    {
      atMs: 15_000,
      by: 'person',
      does: (cluster) => cluster.putStamp('brief', { labels: { brief: 'yes' }, proof: 'record' }),
    },
    { atMs: 15_300, by: 'person', does: (cluster) => cluster.deleteStamp('brief') },
    { atMs: 18_000, by: 'person', does: (cluster) => cluster.deleteStamp('team') },
    { atMs: 21_000, by: 'person', does: (cluster) => cluster.deleteStamp('tier') },
  ],
  expect: (end) => [
    ...residueOf(end, { labels: ['tier', 'brief'], taints: ['gate:NoSchedule', 'soft:PreferNoSchedule'] }),
    ...(end['nodes/a']?.labels['team'] === 'theirs' ? [] : ['the label team of node a was not given back']),
    ...(taintsOf(end['nodes/a']).length === 2 ? [] : ['the taints of node a are not what they were']),
    ...untainted(end, ['a'], 'other.io/dedicated:NoSchedule'),
    ...untainted(end, ['a'], 'other.io/busy:NoSchedule'),
    ...untainted(end, ['b'], 'gate:PreferNoSchedule'),
  ],
};
