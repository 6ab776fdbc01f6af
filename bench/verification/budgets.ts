// The budgets of verification, and whether a run met them.

import type { Budget } from '../budget.ts';
import { percentile } from '../statistics.ts';
import { rssMiBMax } from '../sync/budgets.ts';
import type { Figures } from './measure.ts';
import type { Plan } from './plan.ts';

export const MiB = 1024 * 1024;
const joinSecondsMax = 120;
const reconcileSecondsMax = 1;
/**
 * A label that takes a value for the first time, such as the code of a conflict, brings one series, or one per bucket of a
 * histogram. One per node would be hundreds.
 */
const seriesGrowthMax = 40;
/** The collector does not hand every page back at once. */
const rssGrowthMax = 1.1;

const most = { bound: 'at most', digits: 0 } as const;

export function budgetsOf(plan: Plan, figures: Figures): readonly Budget[] {
  return [
    {
      ...most,
      what: 'from the birth of a node until it is verified, p95',
      measured: percentile(figures.joinMs, 0.95) / 1_000,
      limit: joinSecondsMax,
      unit: 's',
    },
    {
      ...most,
      what: 'nodes that were not verified',
      measured: plan.nodes - figures.joinMs.length,
      limit: 0,
      unit: 'nodes',
    },
    {
      ...most,
      what: 'attempts that did not pass',
      measured: figures.attemptsNotPassed,
      limit: 0,
      unit: 'attempts',
    },
    {
      ...most,
      what: 'workers at once',
      measured: figures.workersMax,
      limit: plan.workersMax,
      unit: 'workers',
    },
    {
      ...most,
      what: 'one look at a node, p99 by the bounds of the histogram',
      measured: figures.reconcileSecondsP99,
      limit: reconcileSecondsMax,
      unit: 's',
      digits: 2,
    },
    ...budgetsOfHoldings(plan, figures),
  ];
}

/** What the operator holds must not grow with the nodes that it has seen. */
function budgetsOfHoldings(plan: Plan, figures: Figures): readonly Budget[] {
  const { before, after } = figures;
  return [
    {
      ...most,
      what: `memory of the operator at its peak, ${figures.memory.by}`,
      measured: figures.memory.bytes / MiB,
      limit: rssMiBMax(plan.nodes),
      unit: 'MiB',
    },
    {
      ...most,
      what: `memory after ${figures.rejoined} nodes left and joined, times that after the first wave`,
      measured: after.rssBytes / before.rssBytes,
      limit: rssGrowthMax,
      unit: 'x',
      digits: 2,
    },
    {
      ...most,
      what: 'metric series that were not there after the first wave',
      measured: newSeries(figures).length,
      limit: seriesGrowthMax,
      unit: 'series',
    },
    {
      ...most,
      what: 'cached objects more than after the first wave',
      measured: after.objects - before.objects,
      limit: 0,
      unit: 'objects',
    },
  ];
}

export function newSeries({ before, after }: Figures): readonly string[] {
  const known = new Set(before.series);
  return after.series.filter((series) => !known.has(series));
}
