import { describe, expect, it } from 'vitest';
import { formatNumber, formatTable } from './text-table.ts';

describe('formatTable', () => {
  it('makes each column as wide as its widest cell, the first flush left and the others flush right', () => {
    const text = formatTable(
      ['client', 'ms'],
      [
        ['muster', '1,234'],
        ['a', '5'],
      ],
    );
    expect(text).toBe('client     ms\nmuster  1,234\na           5\n');
  });

  it('leaves a missing cell empty and ends no line with a space', () => {
    expect(formatTable(['a', 'b', 'c'], [['x', '1']])).toBe('a  b  c\nx  1\n');
  });
});

describe('formatNumber', () => {
  it.each([
    [1234.56, 0, '1,235'],
    [1234.56, 1, '1,234.6'],
    [2, 2, '2.00'],
    [null, 0, '-'],
  ])('writes %s with %d digits as %s', (value, digits, text) => {
    expect(formatNumber(value, digits)).toBe(text);
  });
});
