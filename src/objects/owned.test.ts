import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyRecord, formatOwned, isNodeKey, type OwnedRecord, parseOwned } from './owned.ts';

const entry = { owner: 'stamp', wrote: 'ours' };
const record: OwnedRecord = {
  labels: { team: { ...entry, found: '' }, constructor: entry },
  annotations: { 'Example.com/Note': entry },
  taints: { 'example.com/gate:NoSchedule': entry },
};

describe('the ownership record', () => {
  it('is read back as it was written', () => {
    expect(parseOwned(formatOwned(record) ?? '')).toEqual({ kind: 'record', record });
  });

  it('is the same text whatever the order of its keys', () => {
    const { taints, annotations } = record;
    const turned = { taints, annotations, labels: { constructor: entry, team: { found: '', ...entry } } };
    expect(formatOwned(turned)).toBe(formatOwned(record));
  });

  it('is no annotation at all when nothing is owned', () => {
    expect(formatOwned(emptyRecord)).toBeNull();
  });

  it.each<[string, string | undefined]>([
    ['there is no annotation', undefined],
    ['the annotation is empty', ''],
    ['it lists nothing', '{}'],
    ['it lists kinds without keys', '{"labels":{}}'],
    ['it lists only what a later version may know', '{"finalizers":{"a":1}}'],
  ])('is empty when %s', (_, text) => {
    expect(parseOwned(text)).toEqual({ kind: 'record', record: emptyRecord });
  });

  it('keeps of an entry only what it knows', () => {
    const forged = JSON.stringify({ labels: { team: { ...entry, note: 'x'.repeat(1000) } } });
    expect(parseOwned(forged)).toEqual({
      kind: 'record',
      record: { ...emptyRecord, labels: { team: entry } },
    });
  });
});

describe('a hostile record', () => {
  it.each<[string, string]>([
    ['is no JSON', '{"labels":'],
    ['is null', 'null'],
    ['is a list', '[]'],
    ['is a text', '"labels"'],
    ['is a number', '1'],
    ['has a list in place of a kind', '{"labels":[]}'],
    ['has null in place of a kind', '{"taints":null}'],
    ['has a text in place of a kind', '{"annotations":"a"}'],
    ['has a list in place of an entry', '{"labels":{"a":[]}}'],
    ['has null in place of an entry', '{"labels":{"a":null}}'],
    ['has an entry without an owner', '{"labels":{"a":{"wrote":"v"}}}'],
    ['has an entry without a value', '{"labels":{"a":{"owner":"o"}}}'],
    ['has an owner that is no text', '{"labels":{"a":{"owner":{},"wrote":"v"}}}'],
    ['has a value that is no text', '{"labels":{"a":{"owner":"o","wrote":1}}}'],
    ['has a found value that is no text', '{"labels":{"a":{"owner":"o","wrote":"v","found":null}}}'],
    ['has the prototype as a key', '{"labels":{"__proto__":{"owner":"o","wrote":"v"}}}'],
    ['has a key that no label can have', '{"labels":{"a b":{"owner":"o","wrote":"v"}}}'],
    ['has an empty key', '{"labels":{"":{"owner":"o","wrote":"v"}}}'],
    ['has a taint without an effect', '{"taints":{"a":{"owner":"o","wrote":"v"}}}'],
  ])('is unreadable when it %s', (_, text) => {
    expect(parseOwned(text)).toEqual({ kind: 'unreadable' });
  });

  it('never makes the reader throw, nor changes what every object inherits', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        expect(['record', 'unreadable']).toContain(parseOwned(text).kind);
        expect(parseOwned(`{"labels":${text || '{}'}}`).kind).toBeDefined();
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
    );
  });
});

describe('a key that a node can carry', () => {
  it.each<[string, Parameters<typeof isNodeKey>, boolean]>([
    ['is the key of a label', ['labels', 'example.com/team'], true],
    ['is the key and effect of a taint', ['taints', 'example.com/gate:NoSchedule'], true],
    ['has capitals in its prefix as an annotation', ['annotations', 'Example.com/Team'], true],
    ['has none there as a label', ['labels', 'Example.com/Team'], false],
    ['is no taint without an effect', ['taints', 'example.com/gate:'], false],
    ['is no taint with an effect beyond all bounds', ['taints', `gate:${'N'.repeat(64)}`], false],
    ['is no taint without a key', ['taints', ':NoSchedule'], false],
    ['is no text of other characters', ['labels', 'my team'], false],
  ])('%s', (_, [kind, key], expected) => {
    expect(isNodeKey(kind, key)).toBe(expected);
  });
});
