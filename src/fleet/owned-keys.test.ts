import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeView } from '../../test/support/node-builder.ts';
import { absent, annotationWish, labelWish, present, taintWish } from '../../test/support/wish-builder.ts';
import { annotationKeys } from '../api/keys.ts';
import { lifecycleLimits } from '../api/lifecycle-vocabulary.ts';
import { isListed, nextOwned, type OwnedKey, ownTaintsOf, recordFrom } from './owned-keys.ts';

const label: OwnedKey = { kind: 'Label', key: 'team', value: 'ours', owner: 'stamp' };
const annotation: OwnedKey = { kind: 'Annotation', key: 'note', value: 'ours', owner: 'stamp' };
const taint: OwnedKey = { kind: 'Taint', key: 'gate', effect: 'NoSchedule', value: 'ours', owner: 'stamp' };
const all = [annotation, label, taint];
const carrier = nodeView({
  labels: { team: 'ours' },
  annotations: { note: 'ours' },
  taints: [{ key: 'gate', effect: 'NoSchedule', value: 'ours' }],
});
const long = 'v'.repeat(lifecycleLimits.ownedValueLengthMax + 1);

describe('what is ours on a node', () => {
  it('is what we wish present, before it stands there', () => {
    const wishes = [
      taintWish('gate:NoSchedule', present()),
      labelWish('team', present()),
      annotationWish('note', present()),
    ];
    expect(nextOwned([], nodeView(), wishes)).toEqual(all);
  });

  it('stays what was listed while it stands on the node and nobody speaks of it', () => {
    expect(nextOwned(all, carrier, [])).toEqual(all);
  });

  it('is no more what has gone from the node', () => {
    expect(nextOwned(all, nodeView(), [])).toEqual([]);
  });

  it.each<[string, OwnedKey, object]>([
    ['a label with another value', label, { labels: { team: 'theirs' } }],
    ['an annotation with another value', annotation, { annotations: { note: 'theirs' } }],
    ['a taint with another value', taint, { taints: [{ ...taint, value: 'theirs' }] }],
    ['a taint with another effect', taint, { taints: [{ ...taint, effect: 'NoExecute' }] }],
  ])('is no more %s', (_, entry, sketch) => {
    expect(nextOwned([entry], nodeView(sketch), [])).toEqual([]);
  });

  it('stays what is wished gone until it is gone', () => {
    expect(nextOwned([label], carrier, [labelWish('team', absent())])).toEqual([label]);
  });

  it('has the value and the owner of the wish', () => {
    const wish = present('newer', { owner: 'another' });
    expect(nextOwned([label], carrier, [labelWish('team', wish)])).toEqual([
      { ...label, value: 'newer', owner: 'another' },
    ]);
  });

  it('keeps an empty value, which is not a missing one', () => {
    const wishes = [taintWish('gate:NoSchedule', present(''))];
    expect(nextOwned([], nodeView(), wishes)).toEqual([{ ...taint, value: '' }]);
  });

  it('never grows from the annotation on the node, whatever a kubelet writes there', () => {
    const forged = JSON.stringify({ labels: { team: { owner: 'stamp', wrote: 'ours' } } });
    fc.assert(
      fc.property(fc.oneof(fc.constant(forged), fc.json()), (text) => {
        const node = nodeView({ labels: { team: 'ours' }, annotations: { [annotationKeys.owned]: text } });
        expect(nextOwned([], node, [])).toEqual([]);
      }),
    );
  });

  it('is the same list whatever the order of the wishes', () => {
    const wishes = ['b', 'a', 'c'].map((key) => labelWish(key, present()));
    expect(nextOwned([], nodeView(), wishes.toReversed())).toEqual(nextOwned([], nodeView(), wishes));
  });

  it('does not list a key that no node can carry', () => {
    const wishes = [
      labelWish('a'.repeat(318), present()),
      taintWish(`gate:${'N'.repeat(64)}`, present()),
      labelWish('team', present()),
    ];
    expect(nextOwned([], nodeView(), wishes)).toEqual([label]);
  });
});

describe('a list that is full', () => {
  const names = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(3, '0')}`);
  const labels = (keys: readonly string[], proof: 'object' | 'record') =>
    keys.map((key) => labelWish(key, present('ours', { proof })));
  const full = lifecycleLimits.ownedMax;

  it('never has more than its bound', () => {
    expect(nextOwned([], nodeView(), labels(names('a', 100), 'record'))).toHaveLength(full);
  });

  it('keeps every taint, because gates are read from it', () => {
    const wishes = [...labels(names('a', 100), 'record'), taintWish('gate:NoSchedule', present())];
    expect(nextOwned([], nodeView(), wishes)).toContainEqual(taint);
  });

  it('keeps what only the list can prove before what an owner object proves as well', () => {
    const wishes = [...labels(names('a', full), 'object'), ...labels(names('z', full), 'record')];
    expect(nextOwned([], nodeView(), wishes).map(({ key }) => key)).toEqual(names('z', full));
  });

  it('keeps what it has before what is new', () => {
    const listed = names('m', full);
    const node = nodeView({ labels: Object.fromEntries(listed.map((key) => [key, 'ours'])) });
    const previous = listed.map((key) => ({ ...label, key }));
    expect(nextOwned(previous, node, labels(names('a', 10), 'record'))).toEqual(previous);
  });

  it('is sorted like any other', () => {
    const wishes = [...labels(names('a', full), 'object'), ...labels(names('z', 10), 'record')];
    const keys = nextOwned([], nodeView(), wishes).map(({ key }) => key);
    expect(keys).toEqual([...names('a', full - 10), ...names('z', 10)]);
  });
});

describe('the proof that a value is ours', () => {
  it.each<[string, Parameters<typeof isListed>[1], boolean]>([
    ['is a listed label', { kind: 'labels', key: 'team', value: 'ours' }, true],
    ['is a listed annotation', { kind: 'annotations', key: 'note', value: 'ours' }, true],
    ['is a listed taint', { kind: 'taints', key: 'gate:NoSchedule', value: 'ours' }, true],
    ['is not another value', { kind: 'labels', key: 'team', value: 'theirs' }, false],
    ['is not another kind', { kind: 'annotations', key: 'team', value: 'ours' }, false],
    ['is not another effect', { kind: 'taints', key: 'gate:NoExecute', value: 'ours' }, false],
    ['is not another key', { kind: 'labels', key: 'constructor', value: 'ours' }, false],
  ])('%s', (_, claim, expected) => {
    expect(isListed(all, claim)).toBe(expected);
  });

  it('is found for a value too long to be listed whole', () => {
    const owned = nextOwned([], nodeView(), [annotationWish('note', present(long))]);
    expect(owned[0]?.value?.length).toBeLessThanOrEqual(lifecycleLimits.ownedValueLengthMax);
    expect(isListed(owned, { kind: 'annotations', key: 'note', value: long })).toBe(true);
    expect(isListed(owned, { kind: 'annotations', key: 'note', value: `${long}.` })).toBe(false);
    expect(nextOwned(owned, nodeView({ annotations: { note: long } }), [])).toEqual(owned);
    expect(nextOwned(owned, nodeView({ annotations: { note: `${long}.` } }), [])).toEqual([]);
  });
});

describe('a record that is rebuilt', () => {
  const entry = { owner: 'stamp', wrote: 'ours' };

  it('has what is listed and stands on the node', () => {
    expect(recordFrom(all, carrier)).toEqual({
      labels: { team: entry },
      annotations: { note: entry },
      taints: { 'gate:NoSchedule': entry },
    });
  });

  it('has nothing that stands there no more', () => {
    expect(recordFrom(all, nodeView())).toEqual({ labels: {}, annotations: {}, taints: {} });
  });

  it('has the whole of a value too long to be listed whole', () => {
    const owned = nextOwned([], nodeView(), [annotationWish('note', present(long))]);
    const { annotations } = recordFrom(owned, nodeView({ annotations: { note: long } }));
    expect(annotations).toEqual({ note: { owner: 'stamp', wrote: long } });
  });

  it('has nothing under a name that every object inherits', () => {
    const hostile = ['constructor', '__proto__'].map((key) => ({ ...label, key }));
    expect(recordFrom(hostile, carrier)).toEqual({ labels: {}, annotations: {}, taints: {} });
  });
});

describe('the taints that are ours', () => {
  it('are known with their owners, by key and effect', () => {
    expect([...ownTaintsOf(all)]).toEqual([['gate:NoSchedule', 'stamp']]);
  });
});
