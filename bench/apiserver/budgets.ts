// The budgets of the embedded server, and whether a run met them. Writes are counted by the processor time of the whole process
// and blocks by that of its main thread, so that the verdict does not depend on who else uses the core.

import type { Budget } from '../budget.ts';
import { median } from '../statistics.ts';
import type { WorldReport } from './messages.ts';
import type { Plan } from './plan.ts';
import type { Round, WriteRow } from './rounds.ts';

export type Measured = { readonly rounds: readonly Round[]; readonly worlds: WorldReport };

const writesPerSecondMin = 2_000;
const longestBlockMsMax = 50;
/** A simulator makes thousands of them. */
const worldMsMax = 3;

export function budgetsOf({ nodes }: Plan, { rounds, worlds }: Measured): readonly Budget[] {
  const fleet = `${nodes.toLocaleString('en-US')} nodes`;
  const block = { bound: 'at most', limit: longestBlockMsMax, unit: 'ms', digits: 0 } as const;
  const none = { bound: 'at most', limit: 0, digits: 0 } as const;
  const world = worlds.worlds[1]?.micros ?? [];
  return [
    {
      what: `writes per second of one core with ${fleet} held`,
      measured: median(rounds.map(({ mix }) => writesPerCoreSecond(mix))),
      bound: 'at least',
      limit: writesPerSecondMin,
      unit: 'writes',
      digits: 0,
    },
    {
      ...block,
      what: 'longest block of the event loop during the writes',
      measured: median(rounds.map(({ mix }) => mix.server.longestTurnMs)),
    },
    {
      ...block,
      what: `longest block of the event loop while ${fleet} are read`,
      measured: median(rounds.map(longestReadTurnMs)),
    },
    { ...none, what: 'writes that were refused', measured: worst(rounds, 'refused'), unit: 'writes' },
    { ...none, what: 'events that did not arrive', measured: worst(rounds, 'missing'), unit: 'events' },
    {
      what: 'a new server with the kinds of Muster',
      measured: median(world) / 1_000,
      bound: 'at most',
      limit: worldMsMax,
      unit: 'ms',
      digits: 2,
    },
  ];
}

export function writesPerCoreSecond({ server, load }: WriteRow): number {
  return load.writes / (server.cpuMs / 1_000);
}

function longestReadTurnMs({ reads }: Round): number {
  return Math.max(...reads.map(({ server }) => server.longestTurnMs));
}

function worst(rounds: readonly Round[], figure: 'refused' | 'missing'): number {
  return Math.max(...rounds.flatMap(({ kinds, mix }) => [...kinds, mix].map(({ load }) => load[figure])));
}
