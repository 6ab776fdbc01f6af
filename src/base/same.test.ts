import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical } from './hash.ts';
import { isSame } from './same.ts';

const leaf = fc.oneof(
  fc.constantFrom(undefined, null, true, false, '', 'a', 'constructor', '__proto__'),
  fc.integer({ min: -2, max: 2 }),
);
const data = fc.letrec((tie) => ({
  value: fc.oneof(
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'constructor'), tie('value'), { maxKeys: 3 }),
  ),
})).value;

describe('two pieces of data are the same', () => {
  it('exactly when their canonical texts are', () => {
    const agrees = fc.property(data, data, (a, b) => isSame(a, b) === (canonical(a) === canonical(b)));
    fc.assert(agrees, { numRuns: 5_000 });
  });

  it('whatever the order of their keys, and a copy is the same as the original', () => {
    fc.assert(fc.property(data, (a) => isSame(a, structuredClone(a))));
    expect(isSame({ a: 1, b: [{ c: 2, d: undefined }] }, { b: [{ c: 2 }], a: 1 })).toBe(true);
  });

  it('not when one has what the other inherits', () => {
    expect(isSame({ constructor: Object }, { a: 1 })).toBe(false);
    expect(isSame({ toString: 1 }, {})).toBe(false);
  });
});
