import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGenerations } from './generations.ts';

describe('generations', () => {
  it('answer with what was made for the id, and never hold more than their bound', () => {
    const ids = fc.array(fc.string({ maxLength: 2 }), { maxLength: 300 });
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 20 }), ids, (entriesMax, asked) => {
        const generations = createGenerations<string>(entriesMax);
        for (const id of asked) {
          expect(generations.recall(id, () => `of ${id}`)).toBe(`of ${id}`);
          expect(generations.size).toBeLessThanOrEqual(entriesMax);
        }
      }),
    );
  });

  it('make once what is used again and again while others pass by', () => {
    const generations = createGenerations<object>(8);
    const first = generations.recall('often', () => ({}));
    for (let turn = 0; turn < 100; turn++) {
      generations.recall(`passing ${turn}`, () => ({}));
      expect(generations.recall('often', () => ({}))).toBe(first);
    }
  });

  it('refuse a bound that leaves no room', () => {
    expect(() => createGenerations(1)).toThrow('entriesMax must be at least 2, not 1');
  });
});
