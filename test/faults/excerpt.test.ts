import { describe, expect, it } from 'vitest';
import type { TraceLine } from '../../src/sim/faults/trace.ts';
import { excerptOf } from './excerpt.ts';

/** A thousand lines. */
const linesWith = (...strikes: readonly number[]): readonly TraceLine[] =>
  Array.from({ length: 1_000 }, (_, index) => ({ text: `line ${index}`, isStrike: strikes.includes(index) }));

const shown = (lines: readonly TraceLine[], breached: readonly number[] = [], linesMax = 60) =>
  excerptOf(lines, { breached, linesMax });

describe('the excerpt of a long trace', () => {
  it('shows what is around the breach, and marks it', () => {
    const told = shown(linesWith(), [700]);
    expect(told).toContain('> line 700');
    expect(told).toContain('  line 670');
    expect(told).toContain('  line 715');
    expect(told).not.toContain('  line 0');
    expect(told).not.toContain('  line 999');
  });

  it('shows the last strike and the end where no breach is known to be anywhere', () => {
    const told = shown(linesWith(10, 500));
    expect(told).toContain('! line 10');
    expect(told).toContain('! line 500');
    expect(told).toContain('  line 505');
    expect(told.at(-1)).toBe('  line 999');
  });

  it('says how much is left out, between and behind', () => {
    const told = shown(linesWith(), [500], 10);
    expect(told.filter((line) => line.includes('left out'))).toEqual([
      '  ... 494 lines left out; all by --trace',
      '  ... 496 lines left out; all by --trace',
    ]);
  });

  it('is never much longer than it may be', () => {
    const storm = linesWith(...Array.from({ length: 300 }, (_, index) => index * 3));
    for (const breaches of [[], [1], [10, 500, 990]])
      expect(
        shown(storm, breaches, 120).filter((line) => !line.includes('left out')).length,
      ).toBeLessThanOrEqual(120);
  });

  it('is all of a trace that is short enough', () => {
    expect(shown(linesWith(), [], 1_000)).toHaveLength(1_000);
    expect(shown([], [5])).toEqual([]);
  });
});
