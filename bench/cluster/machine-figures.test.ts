import { describe, expect, it } from 'vitest';
import { parseMachineFigures, stolenShare } from './machine-figures.ts';

describe('the figures of a machine', () => {
  const before = parseMachineFigures('cpu  100 1 20 300 4 5 6 7 0 0\ncpu0 9 9 9 9 9 9 9 9 0 0\n');

  it('are those of all its cores, and what guests run counts once', () => {
    expect(before).toEqual({ busyMs: 1_320, stolenMs: 70, totalMs: 4_430 });
  });

  it('say which part of a time it did not have', () => {
    const after = parseMachineFigures('cpu  150 1 20 325 4 5 6 32 0 0\n');
    expect(stolenShare(before, after)).toBe(0.25);
    expect(stolenShare(before, before)).toBe(0);
  });
});
