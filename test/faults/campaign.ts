// Many cases in a row, within a time: counts runs, faults and breaches by scenario and family, and stops early when told to.

import type { Case, Harness } from './harness.ts';
import type { Breach } from './oracles/oracle.ts';
import type { Run } from './run.ts';

export type Failure = { readonly case: Case; readonly breaches: readonly Breach[] };

export type Tally = {
  planned: number;
  runs: number;
  /** Runs in which every rule of the plan struck. Those whose plan has no rule are neither whole nor partly nor missed. */
  whole: number;
  partly: number;
  /** Runs in which no rule of the plan struck: no evidence of anything. */
  missed: number;
  /** Rules that struck at least once. */
  faults: number;
  /** Every time that a rule struck: sixty refusals by one rule are one fault and sixty strikes. */
  strikes: number;
  breached: number;
  /** Of processor time: what else the machine does is not counted. */
  ms: number;
};

export type FamilyTally = Tally & { readonly scenario: string; readonly family: string };

export type CampaignResult = {
  /** In the order of the cases. */
  readonly tallies: readonly FamilyTally[];
  readonly failures: readonly Failure[];
  readonly done: number;
  readonly planned: number;
  /** Why not all that was planned was done. */
  readonly stoppedBy: 'time' | 'failures' | null;
};

export type CampaignOptions = { readonly budgetMs: number; readonly failuresMax: number };

/** The cases in their order, as far as the time goes. */
export async function campaign(
  harness: Pick<Harness, 'judge'>,
  cases: readonly Case[],
  { budgetMs, failuresMax }: CampaignOptions,
): Promise<CampaignResult> {
  const tallies = talliesOf(cases);
  const failures: Failure[] = [];
  const startedMs = performance.now();
  let done = 0;
  let stoppedBy: CampaignResult['stoppedBy'] = null;
  for (const each of cases) {
    if (failures.length >= failuresMax) stoppedBy = 'failures';
    else if (performance.now() - startedMs >= budgetMs) stoppedBy = 'time';
    if (stoppedBy !== null) break;
    const began = process.threadCpuUsage();
    const { run, breaches } = await harness.judge(each);
    const { user, system } = process.threadCpuUsage(began);
    const tally = tallies.get(keyOf(each)) ?? newTally(each);
    count(tally, run);
    tally.ms += (user + system) / 1_000;
    if (breaches.length > 0) {
      tally.breached++;
      failures.push({ case: each, breaches });
    }
    done++;
  }
  return { tallies: [...tallies.values()], failures, done, planned: cases.length, stoppedBy };
}

function keyOf({ scenario, family }: Case): string {
  return `${scenario.name} / ${family}`;
}

function talliesOf(cases: readonly Case[]): ReadonlyMap<string, FamilyTally> {
  const tallies = new Map<string, FamilyTally>();
  for (const each of cases) {
    const tally = tallies.get(keyOf(each)) ?? newTally(each);
    tally.planned++;
    tallies.set(keyOf(each), tally);
  }
  return tallies;
}

function newTally({ scenario, family }: Case): FamilyTally {
  return { scenario: scenario.name, family, ...noTally };
}

export const noTally: Readonly<Tally> = {
  planned: 0,
  runs: 0,
  whole: 0,
  partly: 0,
  missed: 0,
  faults: 0,
  strikes: 0,
  breached: 0,
  ms: 0,
};

function count(tally: Tally, { plan: { rules }, strikes }: Pick<Run, 'plan' | 'strikes'>): void {
  const struck = struckRules({ plan: { rules }, strikes });
  tally.runs++;
  tally.faults += struck;
  tally.strikes += strikes.length;
  if (rules.length === 0) return;
  if (struck === rules.length) tally.whole++;
  else if (struck > 0) tally.partly++;
  else tally.missed++;
}

/** How many rules of its plan struck at least once. */
export function struckRules({ plan: { rules }, strikes }: Pick<Run, 'plan' | 'strikes'>): number {
  const struck = new Set(strikes.map(({ rule }) => rule));
  // A lot may draw one fault twice: then both of its rules are the same object, and strike together.
  return rules.filter((rule) => struck.has(rule)).length;
}

export function sumOf(tallies: readonly Tally[]): Tally {
  const sum: Tally = { ...noTally };
  for (const tally of tallies) for (const field of fields) sum[field] += tally[field];
  return sum;
}

const fields = Object.keys(noTally) as readonly (keyof Tally)[];

/**
 * Families that were run to their end over a scenario and of which nothing ever struck: they pass for evidence and are none. What is
 * drawn by lot may miss.
 */
export function vacuousIn({ tallies }: Pick<CampaignResult, 'tallies'>): readonly FamilyTally[] {
  return tallies.filter(
    ({ family, planned, runs, whole, partly, missed }) =>
      family !== 'random' && runs === planned && missed > 0 && whole + partly === 0,
  );
}

/** All of it, in an order in which any beginning is spread over the whole list and differs from day to day. */
export function spread<T>(items: readonly T[], part: number): readonly T[] {
  return Array.from({ length: PARTS }, (_, index) => partOf(items, part + index, PARTS)).flat();
}

/** A prime: neighbours in the list are faults of one kind at one write, and no kind may fall on one part alone. */
const PARTS = 97;

/** Spread over the whole list: the n-th part of so many, so that parts differ from day to day and together cover all. */
export function partOf<T>(items: readonly T[], part: number, parts: number): readonly T[] {
  return items.filter((_, index) => index % parts === part % parts);
}
