import { describe, expect, it } from 'vitest';
import { planOf } from './plan.ts';

describe('the plan of a run', () => {
  it('is a try with 200 nodes and workers of 15 s when nothing is said', () => {
    expect(planOf({})).toMatchObject({
      nodes: 200,
      workersMax: 100,
      operatorFlags: [],
      workerSeconds: 15,
      joins: 1_000,
      wave: 100,
      areBudgetsChecked: true,
    });
  });

  it('is small and without budgets for a toy', () => {
    expect(planOf({ toy: true })).toMatchObject({ nodes: 6, joins: 12, areBudgetsChecked: false });
  });

  it('holds a crowd to the limits of the operator, unless a flag says otherwise', () => {
    expect(planOf({ nodes: '1000' }).workersMax).toBe(250);
    const limited = planOf({ nodes: '1000', 'workers-max': '40' });
    expect(limited).toMatchObject({ workersMax: 40, operatorFlags: ['--workers-max=40'] });
  });

  it('sends no more nodes away at a time than there are', () => {
    expect(planOf({ nodes: '10' }).wave).toBe(10);
  });

  it.each([
    [{ nodes: '10001' }, '--nodes must be a whole number from 1 to 10000, not 10001.'],
    [{ 'worker-seconds': 'long' }, '--worker-seconds must be a whole number from 1 to 60, not long.'],
  ])('refuses %j with one sentence', (values, sentence) => {
    expect(() => planOf(values)).toThrow(sentence);
  });
});
