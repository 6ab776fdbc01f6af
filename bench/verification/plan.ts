// How large a run of the verification bench is, read from its flags. Every number that a person may ask for has a bound.

import { defaultWorkerLimits, placesAmong } from '../../src/runtime/arbitrate-worker.ts';
import type { Flag, FlagValues } from '../bench.ts';
import { wholeNumber } from '../flag-values.ts';

export type Plan = {
  readonly nodes: number;
  /** Workers at once, by the operator's own limits or by a flag. */
  readonly workersMax: number;
  readonly operatorFlags: readonly string[];
  /** How long a worker takes in the first part. */
  readonly workerSeconds: number;
  /** Nodes that leave and join again in the second part, in waves. */
  readonly joins: number;
  readonly wave: number;
  readonly profileDir: string | null;
  readonly areBudgetsChecked: boolean;
};

export const planFlags = {
  toy: { type: 'boolean', help: 'one short run with 6 nodes, budgets not checked' },
  nodes: {
    type: 'string',
    help: 'how many nodes join at once, 1 to 10,000 (default 200; 1,000 for the budget)',
  },
  'workers-max': {
    type: 'string',
    help: 'how many workers run at once, 1 to 1,000 (default: what the operator sets)',
  },
  'worker-seconds': { type: 'string', help: 'how long a worker takes, 1 to 60 (default 15)' },
  joins: { type: 'string', help: 'how many nodes leave and join again, 1 to 100,000 (default 1,000)' },
  wave: { type: 'string', help: 'how many of them at a time, 1 to 10,000 (default 100)' },
  'cpu-prof': { type: 'string', help: 'a folder for a profile of the operator (the figures suffer)' },
} as const satisfies Readonly<Record<string, Flag>>;

const full = { nodes: 200, workerSeconds: 15, joins: 1_000, wave: 100 };
const toy = { nodes: 6, workerSeconds: 1, joins: 12, wave: 6 };

export function planOf(values: FlagValues): Plan {
  const isToy = values['toy'] === true;
  const size = isToy ? toy : full;
  const nodes = wholeNumber(values, 'nodes', { default: size.nodes, max: 10_000 });
  const profileDir = values['cpu-prof'];
  const workersMax = wholeNumber(values, 'workers-max', {
    default: placesAmong(nodes, defaultWorkerLimits),
    max: 1_000,
  });
  return {
    nodes,
    workersMax,
    operatorFlags: values['workers-max'] === undefined ? [] : [`--workers-max=${workersMax}`],
    workerSeconds: wholeNumber(values, 'worker-seconds', { default: size.workerSeconds, max: 60 }),
    joins: wholeNumber(values, 'joins', { default: size.joins, max: 100_000 }),
    wave: Math.min(nodes, wholeNumber(values, 'wave', { default: size.wave, max: 10_000 })),
    profileDir: typeof profileDir === 'string' ? profileDir : null,
    areBudgetsChecked: !isToy,
  };
}
