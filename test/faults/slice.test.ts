import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { campaign, type CampaignResult, partOf, sumOf } from './campaign.ts';
import { dueNow } from './changed.ts';
import { type Case, Harness } from './harness.ts';
import { launchOperator } from './operator.ts';
import { shortestReport } from './report.ts';
import { scenarios } from './scenarios.ts';

/** At some fifty milliseconds of processor time each: three quarters of a minute on a quiet core. */
const RUNS_MAX = 850;
const RANDOM_SCHEDULES = 300;
const timeout = 600_000;

const harness = new Harness(launchOperator);

async function randomCases(): Promise<readonly Case[]> {
  const cases: Case[] = [];
  for (let seed = 1; seed <= RANDOM_SCHEDULES; seed++) {
    const scenario = scenarios[seed % scenarios.length];
    if (scenario !== undefined) cases.push(await harness.random(scenario, seed));
  }
  return cases;
}

/** All faults of what changed, as far as there is room, then a part of the rest that differs from commit to commit. */
async function dueCases(): Promise<{ readonly due: readonly Case[]; readonly planned: number }> {
  const { changed, part } = dueNow(scenarios, join(import.meta.dirname, '../..'));
  const all: Case[] = [];
  for (const scenario of scenarios) all.push(...(await harness.enumerated(scenario)));
  const room = RUNS_MAX - RANDOM_SCHEDULES;
  const first = all.filter(({ scenario }) => changed.includes(scenario));
  const rest = all.filter(({ scenario }) => !changed.includes(scenario));
  const parts = (cases: readonly Case[], share: number) =>
    partOf(cases, part, Math.max(1, Math.ceil(cases.length / Math.max(1, share))));
  const due = [...parts(first, room), ...parts(rest, Math.max(0, room - first.length))].slice(0, room);
  return { due, planned: all.length };
}

function reportsOf({ failures }: CampaignResult): Promise<readonly string[]> {
  return Promise.all(failures.map((failure) => shortestReport(harness, failure)));
}

describe('an operator under faults', () => {
  it('breaks no invariant under the faults that are due', { timeout }, async () => {
    const { due, planned } = await dueCases();
    const result = await campaign(harness, due, { budgetMs: timeout / 2, failuresMax: 3 });
    expect(await reportsOf(result)).toEqual([]);
    const { runs, whole, partly, missed, breached, ms } = sumOf(result.tallies);
    const share = ((100 * runs) / planned).toFixed(1);
    console.log(
      `${runs} of ${planned} enumerated runs (${share} %), ${whole} struck whole, ${partly} partly, ${missed} not at all, ${breached} breaches, ${(ms / runs).toFixed(1)} ms per run`,
    );
    expect(whole + partly).toBeGreaterThan(runs * 0.9);
  });

  it(`breaks no invariant on ${RANDOM_SCHEDULES} random schedules with random faults`, {
    timeout,
  }, async () => {
    const result = await campaign(harness, await randomCases(), { budgetMs: timeout / 2, failuresMax: 3 });
    expect(await reportsOf(result)).toEqual([]);
    expect(result.done).toBe(RANDOM_SCHEDULES);
  });
});
