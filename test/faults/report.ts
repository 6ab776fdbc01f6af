// What people read of runs: totals, and for a failure its shortest form, what was broken, the trace and the command that replays it.

import type { FaultPlan } from '../../src/sim/faults/rule.ts';
import type { CampaignResult, Failure, Tally } from './campaign.ts';
import type { Case, Harness } from './harness.ts';
import type { Breach } from './oracles/oracle.ts';
import type { Run } from './run.ts';

export function totalsOf({ tallies }: CampaignResult): Tally {
  const sum: Tally = { runs: 0, strikes: 0, unstruck: 0, breached: 0, ms: 0 };
  for (const tally of tallies.values()) {
    sum.runs += tally.runs;
    sum.strikes += tally.strikes;
    sum.unstruck += tally.unstruck;
    sum.breached += tally.breached;
    sum.ms += tally.ms;
  }
  return sum;
}

export function tableOf(result: CampaignResult): string {
  const rows = [...result.tallies, ['all', totalsOf(result)] as const].map(
    ([name, { runs, strikes, breached, ms }]) =>
      `${name.padEnd(44)} ${String(runs).padStart(6)} runs ${String(strikes).padStart(7)} faults ${String(breached).padStart(4)} breaches ${(ms / Math.max(1, runs)).toFixed(1).padStart(6)} ms per run`,
  );
  const share = ((100 * result.done) / Math.max(1, result.planned)).toFixed(1);
  return [...rows, `${result.done} of ${result.planned} planned runs done (${share} %)`].join('\n');
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
  const lines = readable(run);
  const left = lines.length > linesMax ? [`... and ${lines.length - linesMax} lines more, by --trace`] : [];
  return [
    `${scenario.name}, seed ${seed}: ${breaches.length} breaches`,
    ...breaches.slice(0, BREACHES_MAX).map(({ oracle, message }) => `  ${oracle}: ${message}`),
    'trace (ms, who, what @revision):',
    ...lines.slice(0, linesMax),
    ...left,
    'replay:',
    `  ${commandOf({ scenario: scenario.name, seed, plan, ...(mutant === undefined ? {} : { mutant }) })}`,
  ].join('\n');
}

type Reported = { readonly run: Run; readonly mutant?: string; readonly linesMax?: number };

/** Renewals of the Lease are many and say little, but for those that a fault struck. */
function readable({ trace }: Run): readonly string[] {
  return trace
    .lines()
    .filter((line) => line.includes('! ') || !/ (?:get|replace) leases\..*: ok /.test(line));
}
