// Ages, wrapped sentences and near names: the small forms that everything for people is made of.

import { describe, expect, it } from 'vitest';
import { formatAge } from './age.ts';
import { nearNames } from './near-names.ts';
import { formatTable } from './table.ts';
import { wrap } from './wrap.ts';

describe('an age', () => {
  const minute = 60_000;
  it.each([
    [-5_000, '0s'],
    [0, '0s'],
    [119_999, '119s'],
    [2 * minute, '2m'],
    [119 * minute, '119m'],
    [120 * minute, '2h'],
    [47 * 60 * minute, '47h'],
    [48 * 60 * minute, '2d'],
    [400 * 24 * 60 * minute, '400d'],
  ])('of %d ms is %s', (ms, text) => expect(formatAge(ms)).toBe(text));
});

describe('a wrapped sentence', () => {
  it('keeps within its margins', () => {
    expect(wrap('one two  three four', { columns: 11, indent: 2 })).toEqual([
      '  one two',
      '  three',
      '  four',
    ]);
  });

  it('leaves a word whole that is longer than a line', () => {
    expect(wrap('a abcdefghij b', { columns: 5, indent: 0 })).toEqual(['a', 'abcdefghij', 'b']);
  });

  it('is nothing where there are no words', () => expect(wrap(' ', { columns: 5, indent: 2 })).toEqual([]));
});

describe('what somebody else wrote', () => {
  const evil = 'fine\u001B[2J\u009B31m\u0007';

  it('never reaches the terminal as a command, in prose or in a table', () => {
    const look = { columns: null, hasColour: false };
    const table = formatTable([{ heading: 'WHY', cell: (text: string) => text }], [evil], look);
    expect(table).toEqual(['WHY', 'fine�[2J�31m�']);
    expect(wrap(evil, { columns: 80, indent: 0 })).toEqual(['fine�[2J�31m�']);
  });
});

describe('near names', () => {
  const known = ['network', 'network-gpu', 'storage', 'worknet'];

  it('are those that differ by a few letters, the nearest first', () => {
    expect(nearNames('netwrok', known)).toEqual(['network']);
    expect(nearNames('networks', known)).toEqual(['network']);
  });

  it('are those that contain what was given', () => expect(nearNames('gpu', known)).toEqual(['network-gpu']));

  it('are none where nothing is near', () => expect(nearNames('dns-resolver', known)).toEqual([]));

  it('are never many', () => {
    const many = Array.from({ length: 40 }, (_, index) => `node-${index}`);
    expect(nearNames('node-', many)).toHaveLength(5);
  });
});
