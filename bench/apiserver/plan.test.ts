import { describe, expect, it } from 'vitest';
import { planOf } from './plan.ts';

describe('the plan of a run', () => {
  it('is 10,000 nodes and three runs when nothing is said', () => {
    expect(planOf({})).toMatchObject({ nodes: 10_000, runs: 3, watchers: 1, areBudgetsChecked: true });
  });

  it('is small and without budgets for a toy', () => {
    expect(planOf({ toy: true })).toMatchObject({ nodes: 100, runs: 1, areBudgetsChecked: false });
  });

  it.each([
    [{ nodes: 'many' }, '--nodes must be a whole number from 1 to 20000, not many.'],
    [{ concurrency: '0' }, '--concurrency must be a whole number from 1 to 256, not 0.'],
    [{ watchers: '17' }, '--watchers must be a whole number from 1 to 16, not 17.'],
  ])('refuses %j with one sentence', (values, sentence) => {
    expect(() => planOf(values)).toThrow(sentence);
  });
});
