// Many cases in a row, within a time: counts runs, faults and breaches by scenario and family, and stops early when told to.

import type { Case, Harness } from './harness.ts';
import type { Breach } from './oracles/oracle.ts';

export type Failure = { readonly case: Case; readonly breaches: readonly Breach[] };

export type Tally = {
  runs: number;
  /** Faults that struck; one that is planned and meets nothing is no evidence. */
  strikes: number;
  unstruck: number;
  breached: number;
  /** Of processor time: what else the machine does is not counted. */
  ms: number;
};

export type CampaignResult = {
  readonly tallies: ReadonlyMap<string, Tally>;
  readonly failures: readonly Failure[];
  readonly done: number;
  readonly planned: number;
};

export type CampaignOptions = { readonly budgetMs: number; readonly failuresMax: number };

/** The cases in their order, as far as the time goes. */
export async function campaign(
  harness: Harness,
  cases: readonly Case[],
  { budgetMs, failuresMax }: CampaignOptions,
): Promise<CampaignResult> {
  const tallies = new Map<string, Tally>();
  const failures: Failure[] = [];
  const startedMs = performance.now();
  let done = 0;
  for (const each of cases) {
    if (performance.now() - startedMs > budgetMs || failures.length >= failuresMax) break;
    const began = process.threadCpuUsage();
    const { run, breaches } = await harness.judge(each);
    const tally = tallyOf(tallies, `${each.scenario.name} / ${each.family}`);
    const struck = new Set(run.strikes.map(({ rule }) => rule)).size;
    tally.runs++;
    tally.strikes += run.strikes.length;
    tally.unstruck += each.plan.rules.length - struck;
    const { user, system } = process.threadCpuUsage(began);
    tally.ms += (user + system) / 1_000;
    if (breaches.length > 0) {
      tally.breached++;
      failures.push({ case: each, breaches });
    }
    done++;
  }
  return { tallies, failures, done, planned: cases.length };
}

function tallyOf(tallies: Map<string, Tally>, key: string): Tally {
  const tally = tallies.get(key) ?? { runs: 0, strikes: 0, unstruck: 0, breached: 0, ms: 0 };
  tallies.set(key, tally);
  return tally;
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
