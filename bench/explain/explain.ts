// `npm run bench -- explain`: how long somebody waits for `muster explain rule` before a local API server with a fleet, from the
// start of the process to its end. The rule holds half of the nodes back: then most is read.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildAll } from '../../scripts/build.ts';
import { type Bench, type FlagValues } from '../bench.ts';
import { wholeNumber } from '../flag-values.ts';
import { median, percentile } from '../statistics.ts';
import { formatNumber, formatTable } from '../text-table.ts';
import { fillFleet } from './fleet.ts';
import { runExplain, type Run, startServer } from './processes.ts';

/** Judged by processor time: what the clock shows beyond it is the wait for a core and for the server. */
const BUDGET_MS = 300;

export const explainBench: Bench = {
  name: 'explain',
  summary: 'how long muster explain rule takes, from start to end of the process',
  flags: {
    nodes: { type: 'string', help: 'nodes that the rule selects (1000)' },
    runs: { type: 'string', help: 'how often it is measured (21)' },
    toy: { type: 'boolean', help: 'small and without a budget, to see that it runs' },
  },
  run: (values) => measure(planOf(values)),
};

type Plan = { readonly nodes: number; readonly runs: number; readonly isToy: boolean };

function planOf(values: FlagValues): Plan {
  const isToy = values['toy'] === true;
  return {
    isToy,
    nodes: wholeNumber(values, 'nodes', { default: isToy ? 20 : 1000, max: 10_000 }),
    runs: wholeNumber(values, 'runs', { default: isToy ? 2 : 21, max: 1000 }),
  };
}

async function measure({ nodes, runs, isToy }: Plan): Promise<readonly string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'muster-bench-explain-'));
  await buildAll(path.join(folder, 'dist'));
  const server = await startServer(folder);
  try {
    await fillFleet(server.url, nodes);
    const measured: Run[] = [];
    // The first one reads files that nobody has read before; a person's second question is what is measured.
    for (let run = 0; run <= runs; run += 1) measured.push(await runExplain(folder));
    const [cold, ...warm] = measured;
    const wall = warm.map(({ wallMs }) => wallMs);
    const processor = warm.map(({ cpuMs }) => cpuMs);
    const row = (name: string, sample: readonly number[]) => [
      name,
      formatNumber(median(sample)),
      formatNumber(percentile(sample, 0.9)),
      formatNumber(Math.max(...sample)),
    ];
    process.stdout.write(
      `${nodes} nodes, ${runs} runs, the first one before them took ${formatNumber(cold?.wallMs ?? 0)} ms\n\n`,
    );
    process.stdout.write(
      formatTable(
        ['explain', 'median ms', 'p90 ms', 'max ms'],
        [row('by the clock', wall), row('processor', processor)],
      ),
    );
    if (isToy || median(processor) <= BUDGET_MS) return [];
    return [`explain: ${formatNumber(median(processor))} ms of a core, at most ${BUDGET_MS} are allowed.`];
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
