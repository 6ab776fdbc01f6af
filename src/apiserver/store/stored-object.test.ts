import { assert, constantFrom, dictionary, jsonValue, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RawObject } from '../../objects/raw.ts';
import { sameValue, sharing } from './stored-object.ts';

const old: RawObject = {
  metadata: { name: 'a', labels: { x: '1' } },
  spec: { taints: [{ key: 'a' }, { key: 'b' }] },
};

describe('sharing with the object before', () => {
  it('gives the old object when nothing changed, whatever the order of keys', () => {
    const same = {
      spec: { taints: [{ key: 'a' }, { key: 'b' }] },
      metadata: { labels: { x: '1' }, name: 'a' },
    };
    expect(sharing(same, old)).toBe(old);
  });

  it('takes every part that is as it was from the old object', () => {
    const next = structuredClone({ ...old, metadata: { name: 'a', labels: { x: '2' } } });
    const shared = sharing(next, old);
    expect(shared).toEqual(next);
    expect(shared.spec).toBe(old.spec);
    expect(shared.metadata).not.toBe(old.metadata);
  });

  it('tells a field that is gone from one that is there', () => {
    expect(sharing({ metadata: { name: 'a' } }, old)).toEqual({ metadata: { name: 'a' } });
    expect(sharing({ ...old, status: undefined }, old)).toBe(old);
  });

  it('keeps keys that every object inherits', () => {
    const labels: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":"b"}');
    const shared = sharing({ spec: labels, status: 1 }, { spec: {} });
    expect(Object.keys(shared.spec ?? {})).toEqual(['__proto__', 'constructor']);
  });

  it('never changes what an object says, and is the old one exactly if both say the same', () => {
    const part = dictionary(constantFrom('a', 'b', 'c'), jsonValue({ maxDepth: 3 }));
    assert(
      property(part, part, (next, before) => {
        const shared = sharing(next, before);
        expect(sameValue(shared, next)).toBe(true);
        expect(shared === before).toBe(sameValue(next, before));
      }),
    );
  });
});
