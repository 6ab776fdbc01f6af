import { describe, expect, it } from 'vitest';
import { rowsOf, shortfalls } from './modules.ts';

const mutants = (...counts: readonly (readonly [status: string, count: number])[]) => ({
  mutants: counts.flatMap(([status, count]) => Array.from({ length: count }, () => ({ status }))),
});

const good = mutants(['Killed', 17], ['Timeout', 1], ['Survived', 2], ['RuntimeError', 4]);
const report = {
  files: {
    'src/kube/reflector.ts': good,
    'src/kube/tombstones.ts': good,
    'src/kube/queue.ts': mutants(['Killed', 10], ['NoCoverage', 1]),
    'src/kube/waiting-keys.ts': mutants(['Killed', 5], ['Survived', 4]),
  },
};

describe('the score of a module', () => {
  it('counts a mutant that ran for too long as found, one that no test reached as not, and one that cannot run as neither', () => {
    const rows = rowsOf(report);
    expect(rows.map(({ module, score }) => [module, score])).toEqual([
      ['reflector', 90],
      ['cache', 90],
      ['queue', 75],
      ['lease', Number.NaN],
      ['total', 85],
    ]);
    expect(rows[0]).toMatchObject({ mutants: 24, Killed: 17, Timeout: 1, Survived: 2, RuntimeError: 4 });
  });

  it('below the bar or of no mutants fails the run, whatever the total', () => {
    expect(shortfalls(rowsOf(report), 85)).toEqual([
      'queue: the mutation score is 75.0, below 85',
      'lease: the mutation score is NaN, below 85',
    ]);
  });
});
