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

  it('shares long strings too, but holds few of them, and none that are longer than anybody writes', () => {
    const intern = createIntern();
    for (let index = 0; index < 2_000; index++) intern.text(`${index} `.padEnd(257, 'a'));
    expect(intern.size).toBeLessThanOrEqual(512);
    const before = intern.size;
    intern.text('a'.repeat(8_193));
    expect(intern.size).toBe(before);
  });

  it('reads a text once for all who have the same', () => {
    const intern = createIntern();
    const read = (text: string) => intern.parsed(text, () => [text]);
    expect(read('["a"]')).toBe(read('["a"]'));
    expect(read('["b"]')).toEqual(['["b"]']);
    const long = 'a'.repeat(8_193);
    expect(read(long)).not.toBe(read(long));
  });

  it('refuses a bound that leaves no room', () => {
    expect(() => createIntern(1)).toThrow('entriesMax must be at least 2, not 1');
  });
});
