// What people read of runs: totals, and for a failure its shortest form, what was broken, the trace and the command that replays it.

import type { FaultPlan } from '../../src/sim/faults/rule.ts';
import type { TraceLine } from '../../src/sim/faults/trace.ts';
import { type CampaignResult, type Failure, struckRules, sumOf, type Tally, vacuousIn } from './campaign.ts';
import { excerptOf } from './excerpt.ts';
import type { Case, Harness } from './harness.ts';
import type { Breach } from './oracles/oracle.ts';
import type { Run } from './run.ts';

const columns = {
  planned: 8,
  runs: 7,
  whole: 7,
  partly: 7,
  missed: 7,
  faults: 8,
  strikes: 8,
  breached: 9,
} as const;
const NAME_WIDTH = 31;

/** A row for each scenario and below it one for each of its families. */
export function tableOf(result: CampaignResult): string {
  const head = Object.entries(columns).map(([name, width]) => name.padStart(width));
  return [
    `${''.padEnd(NAME_WIDTH)}${head.join('')} ms/run`,
    ...byScenario(result).flatMap(({ scenario, families }) => [
      rowOf(scenario, sumOf(families)),
      ...families.map((tally) => rowOf(`  ${tally.family}`, tally)),
    ]),
    rowOf('all', sumOf(result.tallies)),
    'whole, partly, missed: runs in which all, some or none of the planned rules struck, of those with',
    'rules. faults: rules that struck. strikes: how often they did.',
    ...closingOf(result),
  ].join('\n');
}

function rowOf(name: string, tally: Tally): string {
  const cells = Object.entries(columns).map(([column, width]) =>
    String(tally[column as keyof typeof columns]).padStart(width),
  );
  return `${name.padEnd(NAME_WIDTH)}${cells.join('')}${msPerRun(tally).toFixed(1).padStart(7)}`;
}

function msPerRun({ ms, runs }: Tally): number {
  return ms / Math.max(1, runs);
}

function byScenario({ tallies }: CampaignResult) {
  const groups = Map.groupBy(tallies, ({ scenario }) => scenario);
  return [...groups].map(([scenario, families]) => ({ scenario, families }));
}

function closingOf(result: CampaignResult): readonly string[] {
  const { done, planned, stoppedBy, failures } = result;
  const share = ((100 * done) / Math.max(1, planned)).toFixed(1);
  const why = {
    time: '; the time was over',
    failures: `; stopped after ${failures.length} failures, there may be more`,
  };
  return [
    `${done} of ${planned} planned runs done (${share} %)${stoppedBy === null ? '' : why[stoppedBy]}`,
    ...vacuousIn(result).map(
      ({ scenario, family, missed }) =>
        `FAILED ${scenario} / ${family}: nothing struck in any of ${missed} runs, which show nothing`,
    ),
  ];
}

/** In the form in which the other runners report, and with every count. A family of faults over a scenario counts as one test. */
export function countsOf(result: CampaignResult) {
  const vacuous = vacuousIn(result);
  const ran = result.tallies.filter(({ runs }) => runs > 0);
  const failed = ran.filter((tally) => tally.breached > 0 || vacuous.includes(tally));
  const { done, planned, stoppedBy } = result;
  return {
    numPassedTests: ran.length - failed.length,
    numFailedTests: failed.length,
    done,
    planned,
    stoppedBy,
    vacuous: vacuous.map(({ scenario, family }) => ({ scenario, family })),
    all: withMean(sumOf(result.tallies)),
    scenarios: byScenario(result).map(({ scenario, families }) => ({
      scenario,
      ...withMean(sumOf(families)),
      families: families.map(({ scenario: _scenario, ...tally }) => withMean(tally)),
    })),
  };
}

function withMean<T extends Tally>({ ms, ...tally }: T) {
  return { ...tally, msPerRun: Number(msPerRun({ ...tally, ms }).toFixed(1)) };
}

export function struckWords(run: Pick<Run, 'plan' | 'strikes'>): string {
  return `${struckRules(run)} of ${run.plan.rules.length} rules struck, ${run.strikes.length} strikes`;
}

export type Replay = {
  readonly scenario: string;
  readonly seed: number;
  readonly plan: FaultPlan;
  readonly mutant?: string;
};

export function commandOf({ scenario, seed, plan, mutant }: Replay): string {
  const faults = JSON.stringify(plan).replaceAll("'", "'\\''");
  const planted = mutant === undefined ? '' : ` --mutant ${mutant}`;
  return `npm run test:faults -- --scenario ${scenario} --seed ${seed}${planted} --faults '${faults}'`;
}

/** A failure in its shortest form. */
export async function shortestReport(
  harness: Harness,
  { case: failed, breaches }: Failure,
  mutant?: string,
): Promise<string> {
  const shortest = { ...failed, ...(await harness.shortest(failed, breaches[0]?.oracle ?? '')) };
  const { run, breaches: left } = await harness.judge(shortest);
  return failureReport(shortest, left, { run, ...(mutant === undefined ? {} : { mutant }) });
}

const LINES_MAX = 120;
const BREACHES_MAX = 5;

export function failureReport(
  { scenario, seed, plan }: Pick<Case, 'scenario' | 'seed' | 'plan'>,
  breaches: readonly Breach[],
  { run, mutant, linesMax = LINES_MAX }: Reported,
): string {
  const told = breaches.slice(0, BREACHES_MAX);
  const lines = readable(run);
  const breached = told.flatMap(({ message }) => linesNamed(message, lines));
  return [
    `${scenario.name}, seed ${seed}: ${breaches.length} breaches; ${struckWords(run)}`,
    ...told.map(({ oracle, message }) => `  ${oracle}: ${message}`),
    'trace (ms, who, what @revision; ! a fault strikes, > a breach):',
    ...excerptOf(lines, { breached, linesMax }),
    'replay:',
    `  ${commandOf({ scenario: scenario.name, seed, plan, ...(mutant === undefined ? {} : { mutant }) })}`,
  ].join('\n');
}

/** The line of the write that a breach names by its revision, which comes before all that hear of it; none where it names none. */
function linesNamed(message: string, lines: readonly TraceLine[]): readonly number[] {
  const revision = /@\d+/.exec(message)?.[0];
  const line = lines.findIndex(({ text }) => revision !== undefined && text.endsWith(` ${revision}`));
  return line < 0 ? [] : [line];
}

type Reported = { readonly run: Run; readonly mutant?: string; readonly linesMax?: number };

/** Renewals of the Lease are many and say little, but for those that a fault struck. */
function readable({ trace }: Run): readonly TraceLine[] {
  return trace
    .lines()
    .filter(({ isStrike, text }) => isStrike || !/ (?:get|replace) leases\..*: ok /.test(text));
}
