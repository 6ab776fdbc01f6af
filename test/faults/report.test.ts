import { describe, expect, it } from 'vitest';
import { noFaults } from '../../src/sim/faults/rule.ts';
import { type CampaignResult, type FamilyTally, noTally, sumOf } from './campaign.ts';
import { Harness } from './harness.ts';
import { launchOperator } from './operator.ts';
import { countsOf, failureReport, tableOf } from './report.ts';
import { births } from './scenarios/births.ts';

const tally = (family: string, rest: Partial<FamilyTally>): FamilyTally => ({
  scenario: 'readiness-definition-upgraded',
  family,
  ...noTally,
  planned: 2,
  runs: 2,
  ...rest,
});

function resultOf(tallies: readonly FamilyTally[], rest: Partial<CampaignResult> = {}): CampaignResult {
  const { planned, runs } = sumOf(tallies);
  return { tallies, failures: [], done: runs, planned, stoppedBy: null, ...rest };
}

const storm = tally('list instead of stream', { whole: 1, partly: 1, faults: 3, strikes: 63, ms: 50 });
const missing = tally('unserved', { missed: 2 });

describe('the table of a campaign', () => {
  it('tells rules that struck from how often they did, and runs by how much of them struck', () => {
    expect(
      tableOf(resultOf([storm]))
        .split('\n')
        .slice(0, 3),
    ).toEqual([
      '                                planned   runs  whole partly missed  faults strikes breached ms/run',
      'readiness-definition-upgraded         2      2      1      1      0       3      63        0   25.0',
      '  list instead of stream              2      2      1      1      0       3      63        0   25.0',
    ]);
  });

  it('fits into a hundred columns', () => {
    const huge = {
      planned: 50_000,
      runs: 50_000,
      whole: 50_000,
      faults: 151_784,
      strikes: 151_784,
      ms: 99_999,
    };
    const widths = tableOf(resultOf([storm, tally('crash', huge)]))
      .split('\n')
      .map(({ length }) => length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(100);
  });

  it('says that nothing of a family ever struck', () => {
    const words = 'FAILED readiness-definition-upgraded / unserved: nothing struck in any of 2 runs';
    expect(tableOf(resultOf([storm, missing]))).toContain(words);
    expect(tableOf(resultOf([storm]))).not.toContain('FAILED');
  });

  it('says why it ended early', () => {
    expect(tableOf(resultOf([storm], { stoppedBy: 'time' }))).toContain('the time was over');
    expect(tableOf(resultOf([storm], { stoppedBy: 'failures' }))).toContain('stopped after 0 failures');
  });
});

describe('the counts of a campaign', () => {
  it('take a family that never struck for a failed test, and one that was not reached for none', () => {
    const result = resultOf([storm, missing, tally('crash', { runs: 0 })]);
    expect(countsOf(result)).toMatchObject({ numPassedTests: 1, numFailedTests: 1 });
  });

  it('have what there is to know of scenarios and families', () => {
    expect(countsOf(resultOf([storm, missing]))).toMatchObject({
      all: { runs: 4, whole: 1, partly: 1, missed: 2, faults: 3, strikes: 63 },
      vacuous: [{ family: 'unserved' }],
      scenarios: [
        {
          scenario: storm.scenario,
          runs: 4,
          msPerRun: 12.5,
          families: [storm, missing].map(({ family }) => ({ family })),
        },
      ],
    });
  });
});

describe('the report of a failure', () => {
  it('shows the lines around the time of a breach', async () => {
    const run = await new Harness(launchOperator).run(births, 0, noFaults);
    const failed = { scenario: births, seed: 0, plan: noFaults };
    const { revision = 0 } = run.writes.at(-1) ?? {};
    const breach = { oracle: 'I1 own only', message: 'wrong' };
    const dated = failureReport(failed, [{ ...breach, message: `a#1 @${revision}: wrong` }], {
      run,
      linesMax: 5,
    });
    expect(dated).toContain(`I1 own only: a#1 @${revision}: wrong`);
    expect(dated).toMatch(/^> +\d+\.\d/m);
    expect(failureReport(failed, [breach], { run, linesMax: 5 })).not.toMatch(/^> /m);
  });
});
