import { describe, expect, it } from 'vitest';
import { planOf } from './plan.ts';

describe('the plan of a run', () => {
  it('is 10,000 nodes, three runs and five relists when nothing is said', () => {
    expect(planOf({})).toMatchObject({ nodes: 10_000, runs: 3, relists: 5, areBudgetsChecked: true });
  });

  it('is small and without budgets for a toy', () => {
    expect(planOf({ toy: true })).toMatchObject({ nodes: 200, runs: 1, areBudgetsChecked: false });
  });

  it('takes the number of nodes from the flag, for a toy too', () => {
    expect(planOf({ nodes: '5000' }).nodes).toBe(5_000);
    expect(planOf({ toy: true, nodes: '20' }).nodes).toBe(20);
  });

  it.each([
    [{ nodes: 'many' }, '--nodes must be a whole number from 1 to 50000, not many.'],
    [{ nodes: '0' }, '--nodes must be a whole number from 1 to 50000, not 0.'],
    [{ runs: '1.5' }, '--runs must be a whole number from 1 to 25, not 1.5.'],
    [{ protocol: 'spdy' }, '--protocol must be auto or http1, not spdy.'],
    [{ start: '' }, '--start must be stream or pages, not .'],
  ])('refuses %j with one sentence', (values, sentence) => {
    expect(() => planOf(values)).toThrow(sentence);
  });
});
