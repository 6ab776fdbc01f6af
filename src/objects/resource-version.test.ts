import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareResourceVersions } from './resource-version.ts';

/** Far beyond what a double or 64 bits can hold. */
const numbers = fc.oneof(fc.bigInt({ min: 1n, max: 20n }), fc.bigInt({ min: 1n, max: 10n ** 60n }));

describe('resourceVersions', () => {
  it('are ordered as the decimal numbers they are, of any length', () => {
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        const expected = a === b ? 'equal' : a < b ? 'older' : 'newer';
        expect(compareResourceVersions(String(a), String(b))).toBe(expected);
      }),
    );
  });

  it('are ordered totally: each way round the opposite, and in chains', () => {
    const opposite = { older: 'newer', newer: 'older', equal: 'equal', unknown: 'unknown' } as const;
    fc.assert(
      fc.property(numbers.map(String), numbers.map(String), numbers.map(String), (a, b, c) => {
        const ab = compareResourceVersions(a, b);
        expect(compareResourceVersions(b, a)).toBe(opposite[ab]);
        if (ab === compareResourceVersions(b, c)) expect(compareResourceVersions(a, c)).toBe(ab);
      }),
    );
  });

  it.each([
    ['9007199254740992', '9007199254740993', 'older'],
    ['9', '10', 'older'],
    ['10', '9', 'newer'],
    ['7', '7', 'equal'],
    ['abc', 'abc', 'equal'],
  ])('%s is to %s: %s', (a, b, order) => {
    expect(compareResourceVersions(a, b)).toBe(order);
  });

  it.each(['', '0', '07', '-1', '+1', '1.5', '1e3', 'abc', ' 7', '7\n', '７'])('%j has no order', (text) => {
    expect(compareResourceVersions(text, '5')).toBe('unknown');
    expect(compareResourceVersions('5', text)).toBe('unknown');
  });
});
