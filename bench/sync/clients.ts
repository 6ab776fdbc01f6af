// The clients that are compared, in the order of the table.

import { chartFlags } from '../chart-flags.ts';

export const clientNames = ['transport', 'parsing', 'muster', 'client-node'] as const;
export type ClientName = (typeof clientNames)[number];

export const clientTitles: Readonly<Record<ClientName, string>> = {
  transport: 'transport alone',
  parsing: 'and JSON.parse',
  muster: 'muster',
  'client-node': 'client-node informer',
};

/** As the chart runs the operator. The informer gets more heap: with what the chart allows it dies before it has the list. */
export function nodeFlagsOf(name: ClientName): readonly string[] {
  const flags = ['--expose-gc', ...chartFlags()];
  if (name !== 'client-node') return flags;
  return flags.map((flag) => flag.replace(/^(--max-old-space-size)=.*/, '$1=4096'));
}
