import { describe, expect, it } from 'vitest';
import { type NodeSketch, nodeView } from '../../test/support/node-builder.ts';
import { absent, annotationWish, labelWish, present, taintWish } from '../../test/support/wish-builder.ts';
import { annotationKeys } from '../api/keys.ts';
import type { OwnedKey } from '../fleet/owned-keys.ts';
import type { OwnedEntry } from '../objects/owned.ts';
import type { MergedKeyWish } from '../objects/wish.ts';
import { type NodePatchPlan, planNodePatch } from './node-patch.ts';

const gate = 'example.com/gate:NoSchedule';
const gateTaint = { key: 'example.com/gate', value: 'ours', effect: 'NoSchedule' };
const foreign = { key: 'other.io/dedicated', value: 'gpu', effect: 'NoSchedule' };
const future = { key: 'other.io/later', value: '', effect: 'NoAdmitFromNextYear' };

const owned = (kinds: Record<string, Record<string, OwnedEntry>>) => ({
  [annotationKeys.owned]: JSON.stringify(kinds),
});
const wroteLabel = (found?: string) =>
  owned({ labels: { team: { owner: 'stamp', wrote: 'ours', ...(found === undefined ? {} : { found }) } } });
const listedLabel: OwnedKey = { kind: 'Label', key: 'team', value: 'ours', owner: 'stamp' };

type Case = {
  readonly node?: NodeSketch;
  readonly wishes: readonly MergedKeyWish[];
  readonly listed?: readonly OwnedKey[];
};
const plan = ({ node = {}, wishes, listed = [] }: Case) => planNodePatch(nodeView(node), wishes, listed);

const labelsOf = ({ patch }: NodePatchPlan) =>
  (patch as { metadata: { labels?: unknown } } | null)?.metadata.labels;
const taintsOf = ({ patch }: NodePatchPlan) =>
  (patch as { spec?: { taints?: unknown } } | null)?.spec?.taints;
const recordOf = ({ patch }: NodePatchPlan) => {
  const text = (patch as { metadata: { annotations?: Record<string, string | null> } } | null)?.metadata
    .annotations?.[annotationKeys.owned];
  return typeof text === 'string' ? JSON.parse(text) : text;
};

describe('a Node patch', () => {
  it.each<[string, Case]>([
    ['nothing is wished', { wishes: [] }],
    [
      'what is wished and its record stand already',
      {
        node: { labels: { team: 'ours' }, annotations: wroteLabel() },
        wishes: [labelWish('team', present())],
      },
    ],
    [
      'what shall go is not there',
      { wishes: [labelWish('team', absent('named')), taintWish(gate, absent())] },
    ],
    [
      'what shall go was never ours',
      { node: { labels: { team: 'theirs' } }, wishes: [labelWish('team', absent())] },
    ],
  ])('is not made when %s', (_, given) => {
    expect(plan(given).patch).toBeNull();
  });

  it('carries the difference, the record, the uid and the resourceVersion, and nothing else', () => {
    const { patch } = plan({
      node: { uid: 'u', resourceVersion: '7', labels: { team: 'theirs', zone: 'z' }, taints: [foreign] },
      wishes: [labelWish('team', present()), taintWish(gate, present())],
    });
    const record = {
      labels: { team: { found: 'theirs', owner: 'stamp', wrote: 'ours' } },
      taints: { [gate]: { owner: 'stamp', wrote: 'ours' } },
    };
    expect(patch).toEqual({
      metadata: {
        uid: 'u',
        resourceVersion: '7',
        labels: { team: 'ours' },
        annotations: { [annotationKeys.owned]: JSON.stringify(record) },
      },
      spec: { taints: [foreign, gateTaint] },
    });
  });

  it('says what changes, for whom, from what and to what', () => {
    const { changes } = plan({
      node: { labels: { team: 'theirs' }, taints: [gateTaint] },
      wishes: [labelWish('team', present()), taintWish(gate, absent('named', 'rule'), 'readiness')],
    });
    expect(changes).toEqual([
      { kind: 'labels', key: 'team', capability: 'stamp', owner: 'stamp', from: 'theirs', to: 'ours' },
      { kind: 'taints', key: gate, capability: 'readiness', owner: 'rule', from: 'ours', to: undefined },
    ]);
  });

  it('leaves foreign taints in their place, also those with an effect it does not know', () => {
    const taints = [future, gateTaint, foreign];
    const wishes = [taintWish(gate, absent('named')), taintWish('new:NoExecute', present('x'))];
    expect(taintsOf(plan({ node: { taints }, wishes }))).toEqual([
      future,
      foreign,
      { key: 'new', value: 'x', effect: 'NoExecute' },
    ]);
  });

  it('changes the value of a taint in its place', () => {
    const taints = [foreign, { ...gateTaint, value: 'old' }, future];
    const given = { node: { taints }, wishes: [taintWish(gate, present())] };
    expect(taintsOf(plan(given))).toEqual([foreign, gateTaint, future]);
  });

  it('takes a taint of the same key and another effect for another taint', () => {
    const taints = [{ ...gateTaint, effect: 'NoExecute' }];
    const given = { node: { taints }, wishes: [taintWish(gate, absent('named'))] };
    expect(plan(given).patch).toBeNull();
  });

  it('writes a key whose name every object inherits', () => {
    const wishes = [labelWish('constructor', present())];
    expect(labelsOf(plan({ wishes }))).toEqual({ constructor: 'ours' });
    expect(plan({ wishes }).changes).toMatchObject([{ from: undefined, to: 'ours' }]);
  });
});

describe('the record of a key', () => {
  it.each<[string, Case, unknown]>([
    [
      'remembers the value found there, when that is to come back',
      { node: { labels: { team: 'theirs' } }, wishes: [labelWish('team', present())] },
      { owner: 'stamp', wrote: 'ours', found: 'theirs' },
    ],
    [
      'forgets the value found there, when that counts as ours',
      { node: { labels: { team: 'x' } }, wishes: [labelWish('team', present('ours', { prior: 'adopt' }))] },
      { owner: 'stamp', wrote: 'ours' },
    ],
    [
      'keeps the value found first, when the wish changes',
      {
        node: { labels: { team: 'ours' }, annotations: wroteLabel('theirs') },
        wishes: [labelWish('team', present('newer'))],
      },
      { owner: 'stamp', wrote: 'newer', found: 'theirs' },
    ],
    [
      'goes over to a new owner',
      {
        node: { labels: { team: 'ours' }, annotations: wroteLabel('theirs') },
        wishes: [labelWish('team', present('ours', { owner: 'other' }))],
      },
      { owner: 'other', wrote: 'ours', found: 'theirs' },
    ],
  ])('%s', (_, given, entry) => {
    expect(recordOf(plan(given))).toEqual({ labels: { team: entry } });
  });

  it('stays as it is for keys that no wish names', () => {
    const node = { labels: { team: 'ours' }, annotations: wroteLabel('theirs') };
    const { patch } = plan({ node, wishes: [annotationWish('note', present('n'))] });
    expect(patch).toMatchObject({ metadata: { annotations: { note: 'n' } } });
    expect(recordOf(plan({ node, wishes: [annotationWish('note', present('n'))] })).labels).toEqual({
      team: { owner: 'stamp', wrote: 'ours', found: 'theirs' },
    });
  });

  it('goes with the last key', () => {
    const node = { labels: { team: 'ours' }, annotations: wroteLabel() };
    const result = plan({ node, wishes: [labelWish('team', absent())], listed: [listedLabel] });
    expect(recordOf(result)).toBeNull();
    expect(labelsOf(result)).toEqual({ team: null });
  });
});

describe('a key that shall go if the record shows that it is ours', () => {
  const wishes = [labelWish('team', absent())];
  const listed = [listedLabel];
  it.each<[string, Case, unknown]>([
    [
      'gets back the value found before us',
      { node: { labels: { team: 'ours' }, annotations: wroteLabel('theirs') }, wishes, listed },
      { team: 'theirs' },
    ],
    [
      'goes when nothing was found before us',
      { node: { labels: { team: 'ours' }, annotations: wroteLabel() }, wishes, listed },
      { team: null },
    ],
    [
      'stays when only the annotation, which a kubelet can write, says that it is ours',
      { node: { labels: { team: 'ours' }, annotations: wroteLabel('theirs') }, wishes },
      undefined,
    ],
    [
      'stays when the NodeLifecycle lists another value',
      {
        node: { labels: { team: 'ours' }, annotations: wroteLabel() },
        wishes,
        listed: [{ ...listedLabel, value: 'older' }],
      },
      undefined,
    ],
    [
      'stays as a stranger left it',
      { node: { labels: { team: 'stranger' }, annotations: wroteLabel('theirs') }, wishes, listed },
      undefined,
    ],
    [
      'stays away when a stranger removed it',
      { node: { annotations: wroteLabel('theirs') }, wishes, listed },
      undefined,
    ],
  ])('%s', (_, given, labels) => {
    expect(labelsOf(plan(given))).toEqual(labels);
  });

  it.each<[string, NodeSketch, readonly OwnedKey[]]>([
    ['changed by a stranger', { labels: { team: 'x' }, annotations: wroteLabel('t') }, listed],
    ['changed by a stranger and no longer listed', { labels: { team: 'x' }, annotations: wroteLabel() }, []],
    ['removed by a stranger', { annotations: wroteLabel('t') }, listed],
    ['removed by a stranger and no longer listed', { annotations: wroteLabel('t') }, []],
  ])('is no longer in the record when it was %s', (_, node, still) => {
    expect(recordOf(plan({ node, wishes, listed: still }))).toBeNull();
  });

  it('goes without return under a prefix that the platform reserves', () => {
    const key = 'node.kubernetes.io/role';
    const annotations = owned({ labels: { [key]: { owner: 'stamp', wrote: 'ours', found: 'admin' } } });
    const result = plan({
      node: { labels: { [key]: 'ours' }, annotations },
      wishes: [labelWish(key, absent())],
      listed: [{ ...listedLabel, key }],
    });
    expect(labelsOf(result)).toEqual({ [key]: null });
  });
});

describe('a key that its owner names', () => {
  it.each<[string, NodeSketch]>([
    ['whoever set it', { labels: { team: 'theirs' } }],
    ['when we set it', { labels: { team: 'ours' }, annotations: wroteLabel() }],
    ['when a stranger changed it', { labels: { team: 'stranger' }, annotations: wroteLabel('theirs') }],
    [
      'and what was found before us with it, or the next pass would remove that',
      { labels: { team: 'ours' }, annotations: wroteLabel('theirs') },
    ],
  ])('goes %s', (_, node) => {
    const result = plan({ node, wishes: [labelWish('team', absent('named'))] });
    expect(labelsOf(result)).toEqual({ team: null });
  });
});

describe('an unreadable record', () => {
  const node = {
    labels: { team: 'ours' },
    taints: [gateTaint],
    annotations: { [annotationKeys.owned]: '{"la' },
  };

  it('makes every removal wait', () => {
    const wishes = [labelWish('team', absent('named')), taintWish(gate, absent('named'))];
    const result = plan({ node, wishes, listed: [listedLabel] });
    expect(result).toMatchObject({ isRecordUnreadable: true, changes: [] });
    expect(labelsOf(result)).toBeUndefined();
    expect(taintsOf(result)).toBeUndefined();
  });

  it('is rebuilt from what the NodeLifecycle lists and the node carries', () => {
    const listed = [listedLabel, { ...listedLabel, key: 'gone' }];
    expect(recordOf(plan({ node, wishes: [], listed }))).toEqual({
      labels: { team: { owner: 'stamp', wrote: 'ours' } },
    });
  });

  it('does not keep a wish from being written', () => {
    expect(labelsOf(plan({ node, wishes: [labelWish('zone', present())] }))).toEqual({ zone: 'ours' });
  });
});

describe('the direction of a patch', () => {
  const tainted = { taints: [gateTaint] };
  const soft = 'example.com/soft:PreferNoSchedule';
  it.each<[NodePatchPlan['direction'], string, Case]>([
    ['gate', 'adds a taint', { wishes: [taintWish(gate, present())] }],
    ['release', 'removes one', { node: tainted, wishes: [taintWish(gate, absent('named'))] }],
    [
      'gate',
      'removes one and adds another',
      { node: tainted, wishes: [taintWish(gate, absent('named')), taintWish('b:NoExecute', present())] },
    ],
    ['neither', 'changes a value', { node: tainted, wishes: [taintWish(gate, present('other'))] }],
    ['neither', 'adds advice to the scheduler', { wishes: [taintWish(soft, present())] }],
    ['neither', 'sets a label', { wishes: [labelWish('team', present())] }],
  ])('is %s when it %s', (direction, _, given) => {
    expect(plan(given).direction).toBe(direction);
  });
});
