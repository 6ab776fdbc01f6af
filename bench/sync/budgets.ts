// The budgets of a sync, and whether a run met them. Time is compared with a client of the same round that receives and parses
// every object and does nothing with it, so that the verdict does not depend on the machine.

import { median } from '../statistics.ts';
import type { Plan } from './plan.ts';
import type { Round } from './rounds.ts';

export type Budget = {
  readonly what: string;
  readonly measured: number;
  readonly max: number;
  readonly unit: string;
  readonly digits: number;
};

export const MiB = 1024 * 1024;

/** docs/adr/0008 says why this, and not a multiple of the transport alone. */
const ratioMax = 1.25;
const longestBlockMsMax = 50;

export function budgetsOf(plan: Plan, rounds: readonly Round[]): readonly Budget[] {
  const nodes = plan.nodes.toLocaleString('en-US');
  return [
    {
      what: `sync of ${nodes} nodes, times transport and JSON.parse`,
      measured: median(rounds.map(syncRatio)),
      max: ratioMax,
      unit: 'x',
      digits: 2,
    },
    {
      what: `longest block of the event loop during sync`,
      measured: median(rounds.map(({ muster }) => muster.sync.longestBlockMs)),
      max: longestBlockMsMax,
      unit: 'ms',
      digits: 0,
    },
    {
      what: `peak RSS, ${plan.relists} relists included`,
      measured: median(rounds.map(({ muster }) => muster.relistedPeakRssBytes)) / MiB,
      max: rssMiBMax(plan.nodes),
      unit: 'MiB',
      digits: 0,
    },
    {
      what: 'events of the churn that did not arrive',
      measured: Math.max(...rounds.map(({ muster }) => muster.churn.missing)),
      max: 0,
      unit: 'events',
      digits: 0,
    },
  ];
}

/** The budget of the whole operator; it is written down for 5,000 and 10,000 nodes and goes on in the same steps. */
export function rssMiBMax(nodes: number): number {
  return 128 + 32 * Math.max(0, Math.ceil(nodes / 5_000) - 1);
}

/** By processor time: a client that waited for its core is not slow. */
export function syncRatio({ muster, parsing }: Round): number {
  return muster.sync.cpuMs / parsing.sync.cpuMs;
}

export function isOver({ measured, max }: Budget): boolean {
  return measured > max;
}

export function shortfallsOf(budgets: readonly Budget[]): readonly string[] {
  return budgets.filter(isOver).map(({ what, measured, max, unit, digits }) => {
    return `Over budget: ${what} is ${measured.toFixed(digits)} ${unit}, at most ${max} ${unit} are allowed.`;
  });
}
