// The words and tables of the verification bench.

import { arch, availableParallelism, cpus, loadavg } from 'node:os';
import { dataPlace } from '../cluster/cluster.ts';
import { percentile } from '../statistics.ts';
import { countRows, formatNumber, formatTable, spentRows } from '../text-table.ts';
import { MiB, newSeries } from './budgets.ts';
import type { Figures, Holdings } from './measure.ts';
import type { Plan } from './plan.ts';

export function formatSetting({ nodes, workersMax, workerSeconds, joins, wave }: Plan): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  return [
    `${formatNumber(nodes)} nodes join a real control plane at once, etcd ${dataPlace()}; kubelets are simulated`,
    `workers take ${workerSeconds} s, ${workersMax} at once; then ${formatNumber(joins)} nodes leave and join, ${wave} at a time`,
    `Node ${process.version}, ${model}, ${availableParallelism()} cores for everything, ${arch()}`,
    `load average at the start ${formatNumber(loadavg()[0] ?? 0, 2)}`,
    '',
  ].join('\n');
}

export function formatFigures(figures: Figures): string {
  const { joinMs, before, after } = figures;
  const seconds = (ms: number) => formatNumber(ms / 1_000, 1);
  return [
    formatTable(
      ['from birth to verified', 'p50 s', 'p95 s', 'p99 s', 'last s', 'workers at once'],
      [
        [
          'all nodes at once',
          ...[0.5, 0.95, 0.99, 1].map((share) => seconds(percentile(joinMs, share))),
          formatNumber(figures.workersMax),
        ],
      ],
    ),
    formatTable(
      ['operator', 'RSS MiB', 'metric series', 'cached objects'],
      [holdingsRow('after the first wave', before), holdingsRow(`after ${figures.rejoined} joins`, after)],
    ),
    formatTable(
      ['requests until all were verified', 'count', 'per node'],
      [
        ...countRows('operator', figures.ownWrites, joinMs.length),
        ...countRows('operator, besides', figures.ownOtherRequests, joinMs.length),
        ...countRows('everybody', figures.allWrites, joinMs.length),
      ],
    ),
    formatTable(
      ['processor time until all were verified', 's', 'ms per node'],
      spentRows('', figures.joinShares, joinMs.length),
    ),
    ...newSeries(figures).map((series) => `new series: ${series}`),
    `${seconds(figures.joinWallMs)} s for all, of which ${formatNumber(figures.joinStolen * 100)} % were stolen; ${seconds(figures.rejoinWallMs)} s for the waves; ` +
      `${seconds(figures.cpuMs)} s of processor time; peak RSS ${formatNumber(figures.rssPeakBytes / MiB)} MiB\n`,
  ].join('\n');
}

function holdingsRow(when: string, { rssBytes, series, objects }: Holdings) {
  return [when, formatNumber(rssBytes / MiB), formatNumber(series.length), formatNumber(objects)];
}
