import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../src/sim/faults/rule.ts';
import { campaign, type FamilyTally, partOf, spread, sumOf, vacuousIn } from './campaign.ts';
import { type Case, Harness } from './harness.ts';
import { launchOperator } from './operator.ts';
import { births } from './scenarios/births.ts';

const items = Array.from({ length: 1_000 }, (_, index) => index);

describe('the order of what may not all fit into its time', () => {
  it('has everything once, whichever part comes first', () => {
    for (const part of [0, 5, 96, 123_456])
      expect(spread(items, part).toSorted((a, b) => a - b)).toEqual(items);
  });

  it('begins with some of every stretch of the list, and with others the next time', () => {
    const [one, next] = [spread(items, 3), spread(items, 4)].map((order) => order.slice(0, 10));
    expect(new Set(one?.map((item) => Math.floor(item / 250))).size).toBe(4);
    expect(one?.filter((item) => next?.includes(item))).toEqual([]);
  });

  it('is made of parts that together are all of it', () =>
    expect([0, 1, 2].flatMap((part) => partOf(items, part, 3)).toSorted((a, b) => a - b)).toEqual(items));
});

describe('a campaign', () => {
  const harness = new Harness(launchOperator);
  const strikes: FaultRule = {
    match: { verb: 'write', phase: 'beforeForward', times: 2 },
    action: { kind: 'status', code: 500 },
  };
  const misses: FaultRule = { ...strikes, match: { ...strikes.match, name: 'nobody' } };
  const planned = (family: string, ...rules: readonly FaultRule[]): Case => ({
    scenario: births,
    family,
    seed: 0,
    plan: { rules },
  });
  const all = { budgetMs: Infinity, failuresMax: 1 };

  it('counts what struck whole, partly and not at all, and strikes apart from faults', async () => {
    const cases = [
      planned('none'),
      planned('one', strikes),
      planned('one', strikes, misses),
      planned('other', misses),
    ];
    const result = await campaign(harness, cases, all);
    expect(sumOf(result.tallies)).toMatchObject({
      planned: 4,
      runs: 4,
      whole: 1,
      partly: 1,
      missed: 1,
      faults: 2,
      strikes: 4,
    });
    expect(vacuousIn(result).map(({ family }) => family)).toEqual(['other']);
  });

  it('counts a rule that was drawn twice as two that struck', async () => {
    const { tallies } = await campaign(harness, [planned('random', strikes, strikes)], all);
    expect(sumOf(tallies)).toMatchObject({ whole: 1, faults: 2, strikes: 4 });
  });

  it('does not blame what was drawn by lot, nor what was not run to its end', () => {
    const [tally] = [{ planned: 3, runs: 3, whole: 0, partly: 0, missed: 3 }] as const;
    const rest = { scenario: 'births', faults: 0, strikes: 0, breached: 0, ms: 0 };
    const of = (family: string, runs: number): FamilyTally => ({ ...tally, ...rest, family, runs });
    expect(vacuousIn({ tallies: [of('random', 3), of('crash', 2)] })).toEqual([]);
    expect(vacuousIn({ tallies: [of('crash', 3)] })).toHaveLength(1);
  });

  it('says whether time or failures ended it', async () => {
    const fails = { judge: async (each: Case) => ({ ...(await harness.judge(each)), breaches: [breach] }) };
    const breach = { oracle: 'I1 own only', message: 'wrong' };
    const cases = [planned('none'), planned('none')];
    expect(await campaign(fails, cases, all)).toMatchObject({ done: 1, stoppedBy: 'failures' });
    expect(await campaign(harness, cases, { ...all, budgetMs: 0 })).toMatchObject({
      done: 0,
      stoppedBy: 'time',
    });
    expect(await campaign(harness, cases, all)).toMatchObject({ done: 2, stoppedBy: null });
  });

  it('is not planned over a scenario that writes nothing', async () => {
    const idle = { ...births, name: 'idle', world: () => {}, story: [] };
    await expect(harness.enumerated(idle)).rejects.toThrow('idle writes nothing without faults');
  });
});
