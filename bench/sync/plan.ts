// How large a run of the sync bench is, read from its flags. Every number that a person may ask for has a bound.

import type { Flag, FlagValues } from '../bench.ts';
import { oneOf, wholeNumber } from '../flag-values.ts';

export type Plan = {
  readonly nodes: number;
  readonly runs: number;
  readonly relists: number;
  readonly churnSeconds: number;
  readonly churnPerSecond: number;
  readonly protocol: 'auto' | 'http1';
  readonly start: 'stream' | 'pages';
  /** A toy shows that nothing crashes; its figures mean nothing. */
  readonly areBudgetsChecked: boolean;
};

export const planFlags = {
  toy: { type: 'boolean', help: 'one short run with 200 nodes, budgets not checked' },
  nodes: { type: 'string', help: 'how many nodes, 1 to 50,000 (default 10,000)' },
  runs: { type: 'string', help: 'how many runs the medians are of, 1 to 25 (default 3)' },
  protocol: { type: 'string', help: 'auto (HTTP/2, the default) or http1, for Muster and the transport' },
  start: {
    type: 'string',
    help: 'stream (initial events, the default) or pages, as with servers that cannot',
  },
} as const satisfies Readonly<Record<string, Flag>>;

const full = { nodes: 10_000, runs: 3, relists: 5, churnSeconds: 20, churnPerSecond: 500 };
const toy = { nodes: 200, runs: 1, relists: 2, churnSeconds: 1, churnPerSecond: 500 };

export function planOf(values: FlagValues): Plan {
  const isToy = values['toy'] === true;
  const size = isToy ? toy : full;
  return {
    ...size,
    nodes: wholeNumber(values, 'nodes', { default: size.nodes, max: 50_000 }),
    runs: wholeNumber(values, 'runs', { default: size.runs, max: 25 }),
    protocol: oneOf(values, 'protocol', ['auto', 'http1']),
    start: oneOf(values, 'start', ['stream', 'pages']),
    areBudgetsChecked: !isToy,
  };
}
