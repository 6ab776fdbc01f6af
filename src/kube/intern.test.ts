import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIntern } from './intern.ts';

describe('the table of shared strings', () => {
  it('answers every string with an equal one and never holds more than its bound', () => {
    const strings = fc.array(fc.string({ maxLength: 6 }), { maxLength: 300 });
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 20 }), strings, (entriesMax, values) => {
        const intern = createIntern(entriesMax);
        for (const value of values) {
          expect(intern.text(value)).toBe(value);
          expect(intern.size).toBeLessThanOrEqual(entriesMax);
        }
      }),
    );
  });

  it('keeps a string that is used again and again while others pass by', () => {
    const intern = createIntern(8);
    for (let i = 0; i < 100; i++) {
      intern.text('zone-a');
      intern.text(`passing ${i}`);
    }
    const before = intern.size;
    intern.text('zone-a');
    expect(intern.size).toBe(before);
  });

  it('does not hold long strings', () => {
    const intern = createIntern(8);
    const long = 'a'.repeat(257);
    expect(intern.text(long)).toBe(long);
    expect(intern.size).toBe(0);
  });

  it('refuses a bound that leaves no room', () => {
    expect(() => createIntern(1)).toThrow('entriesMax must be at least 2, not 1');
  });
});
