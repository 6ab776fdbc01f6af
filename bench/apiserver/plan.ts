// How large a run of the apiserver bench is, read from its flags. Every number that a person may ask for has a bound.

import type { Flag, FlagValues } from '../bench.ts';
import { wholeNumber } from '../flag-values.ts';

export type Plan = {
  readonly nodes: number;
  readonly runs: number;
  /** Requests that are under way at the same time. */
  readonly concurrency: number;
  /** Of each kind. */
  readonly watchers: number;
  readonly mixSeconds: number;
  /** For each kind of write alone. */
  readonly kindSeconds: number;
  readonly worlds: number;
  /** A toy shows that nothing crashes; its figures mean nothing. */
  readonly areBudgetsChecked: boolean;
};

export const planFlags = {
  toy: { type: 'boolean', help: 'one short run with 100 nodes, budgets not checked' },
  nodes: { type: 'string', help: 'how many nodes, 1 to 20,000 (default 10,000)' },
  runs: { type: 'string', help: 'how many runs the medians are of, 1 to 25 (default 3)' },
  concurrency: { type: 'string', help: 'how many writes are under way at once, 1 to 256 (default 32)' },
  watchers: {
    type: 'string',
    help: 'how many watch all nodes, and how many all leases, 1 to 16 (default 1)',
  },
} as const satisfies Readonly<Record<string, Flag>>;

const full = { nodes: 10_000, runs: 3, mixSeconds: 10, kindSeconds: 2, worlds: 200 };
const toy = { nodes: 100, runs: 1, mixSeconds: 0.5, kindSeconds: 0.1, worlds: 5 };

export function planOf(values: FlagValues): Plan {
  const isToy = values['toy'] === true;
  const size = isToy ? toy : full;
  return {
    ...size,
    nodes: wholeNumber(values, 'nodes', { default: size.nodes, max: 20_000 }),
    runs: wholeNumber(values, 'runs', { default: size.runs, max: 25 }),
    concurrency: wholeNumber(values, 'concurrency', { default: 32, max: 256 }),
    watchers: wholeNumber(values, 'watchers', { default: 1, max: 16 }),
    areBudgetsChecked: !isToy,
  };
}
