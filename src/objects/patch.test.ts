import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical } from '../base/hash.ts';
import { applyMergePatch, mergePatch } from './patch.ts';

const keys = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c') },
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', ''),
);

/** Null deletes in a merge patch, so that no field can have it as its value; in lists it can stand. */
const { tree } = fc.letrec((tie) => ({
  leaf: fc.oneof(fc.string(), fc.integer(), fc.boolean()),
  list: fc.array(fc.oneof(fc.constant(null), tie('leaf'), tie('tree')), { maxLength: 3 }),
  value: fc.oneof({ depthSize: 'small' }, tie('leaf'), tie('list'), tie('tree')),
  tree: fc.dictionary(keys, tie('value'), { maxKeys: 4 }),
}));

const own = (text: string): unknown => JSON.parse(text);

describe('a merge patch', () => {
  it('applied to what was gives what is wanted', () => {
    fc.assert(
      fc.property(tree, tree, (before, after) => {
        expect(canonical(applyMergePatch(before, mergePatch(before, after)))).toBe(canonical(after));
      }),
      { numRuns: 1000 },
    );
  });

  it('is nothing between equals', () => {
    fc.assert(
      fc.property(tree, (value) => {
        expect(mergePatch(value, structuredClone(value))).toBeUndefined();
      }),
    );
  });

  it('names only fields that differ, so that those of others stay as they are', () => {
    fc.assert(
      fc.property(tree, tree, tree, (before, after, others) => {
        const patch = mergePatch({ ours: before, theirs: others }, { ours: after, theirs: others });
        expect(Object.keys(patch ?? {})).toEqual(canonical(before) === canonical(after) ? [] : ['ours']);
      }),
    );
  });

  it.each<[string, unknown, unknown, unknown]>([
    ['sets a field', {}, { a: 1 }, { a: 1 }],
    ['changes a field', { a: 1, b: 2 }, { a: 1, b: 3 }, { b: 3 }],
    ['deletes a field by null', { a: 1, b: 2 }, { a: 1 }, { b: null }],
    ['takes a field without a value for a missing one', { a: 1 }, { a: undefined }, { a: null }],
    ['takes it so on both sides', { a: undefined }, { a: undefined }, undefined],
    ['leaves out what has no value within what is new', {}, { a: { b: undefined, c: 1 } }, { a: { c: 1 } }],
    ['leaves it out where a text was before', { a: 'x' }, { a: { b: undefined } }, { a: {} }],
    ['goes down to the field that differs', { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { a: { c: 3 } }],
    ['carries a list whole', { a: [1, 2] }, { a: [1, 3] }, { a: [1, 3] }],
    [
      'does not care for the order of keys in a list',
      { a: [{ b: 1, c: 2 }] },
      { a: [{ c: 2, b: 1 }] },
      undefined,
    ],
    ['sets an empty object', {}, { a: {} }, { a: {} }],
    [
      'deletes a label named like what every object inherits',
      { constructor: 'a' },
      {},
      { constructor: null },
    ],
    ['sets such a label', {}, { toString: 'a' }, { toString: 'a' }],
  ])('%s', (_, before, after, patch) => {
    expect(mergePatch(before, after)).toEqual(patch);
  });

  it('keeps the prototype of an object apart from a field of that name', () => {
    const patch = mergePatch({}, own('{"__proto__":{"isAdmin":true}}'));
    expect(canonical(patch)).toBe('{"__proto__":{"isAdmin":true}}');
    const applied = applyMergePatch({}, patch);
    expect(canonical(applied)).toBe('{"__proto__":{"isAdmin":true}}');
    expect(applied).not.toHaveProperty('isAdmin');
  });
});

describe('the application of a merge patch', () => {
  it.each<[string, unknown, unknown, unknown]>([
    ['replaces a value that is no object', { a: 'x' }, { a: { b: 1 } }, { a: { b: 1 } }],
    ['drops nulls from what it adds', {}, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
    ['deletes nothing that is not there', { a: 1 }, { b: null }, { a: 1 }],
    ['takes a patch that is no object for the new value', { a: 1 }, ['b'], ['b']],
    ['leaves everything as it is without a patch', { a: 1 }, undefined, { a: 1 }],
  ])('%s', (_, target, patch, result) => {
    expect(applyMergePatch(target, patch)).toEqual(result);
  });

  it('changes neither its target nor its patch', () => {
    const target = Object.freeze({ a: Object.freeze({ b: 1 }) });
    const patch = Object.freeze({ a: Object.freeze({ c: 2 }) });
    expect(applyMergePatch(target, patch)).toEqual({ a: { b: 1, c: 2 } });
  });
});
