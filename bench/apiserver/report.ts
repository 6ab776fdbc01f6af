// The words and tables of the apiserver bench. Every figure is the median of the runs.

import { arch, availableParallelism, cpus, loadavg } from 'node:os';
import { median, percentile } from '../statistics.ts';
import { canPin } from '../processes.ts';
import { formatNumber, formatTable } from '../text-table.ts';
import { writesPerCoreSecond } from './budgets.ts';
import type { ServerFigures, TimedRow, WorldReport } from './messages.ts';
import type { Plan } from './plan.ts';
import type { ReadRow, Round, WriteRow } from './rounds.ts';

const MiB = 1024 * 1024;

export function formatSetting({ nodes, runs, concurrency, watchers }: Plan): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const place = canPin() ? 'server and load each on a core of their own' : 'cores not assigned';
  return [
    `${formatNumber(nodes)} nodes with their leases and records, median of ${runs}`,
    `${concurrency} writes at a time, ${watchers} x watch of all nodes, ${watchers} x watch of all leases`,
    `Node ${process.version}, ${model}, ${availableParallelism()} cores, ${arch()}, ${place}`,
    `load average at the start ${formatNumber(loadavg()[0] ?? 0, 2)}`,
    '',
  ].join('\n');
}

type Column<Row> = {
  readonly title: string;
  readonly of: (row: Row) => number | null;
  readonly digits: number;
};

const serverColumns: readonly Column<{ readonly server: ServerFigures }>[] = [
  { title: 'waited ms', of: ({ server }) => server.waitedMs, digits: 0 },
  { title: 'loop ms', of: ({ server }) => server.longestBlockMs, digits: 0 },
  { title: 'own ms', of: ({ server }) => server.longestTurnMs, digits: 0 },
  { title: 'longest GC ms', of: ({ server }) => server.longestCollectionMs, digits: 0 },
  { title: 'GC %', of: ({ server }) => (server.collectionMs / server.wallMs) * 100, digits: 1 },
  { title: 'RSS MiB', of: ({ server }) => server.rssBytes / MiB, digits: 0 },
];

const readColumns: readonly Column<ReadRow>[] = [
  { title: 'ms', of: ({ server }) => server.wallMs, digits: 0 },
  { title: 'CPU ms', of: ({ server }) => server.cpuMs, digits: 0 },
  ...serverColumns,
];

const writeColumns: readonly Column<WriteRow>[] = [
  { title: 'writes/s', of: ({ load }) => load.writes / (load.wallMs / 1_000), digits: 0 },
  { title: 'per core s', of: writesPerCoreSecond, digits: 0 },
  { title: 'CPU us each', of: ({ server, load }) => (server.cpuMs * 1_000) / load.writes, digits: 0 },
  { title: 'p50 ms', of: ({ load }) => load.latencyMsP50, digits: 1 },
  { title: 'p99 ms', of: ({ load }) => load.latencyMsP99, digits: 1 },
  { title: 'load CPU %', of: ({ load }) => (load.cpuMs / load.wallMs) * 100, digits: 0 },
  ...serverColumns,
];

export function formatFigures(rounds: readonly Round[]): string {
  const filled = median(rounds.map(({ filledRssBytes }) => filledRssBytes)) / MiB;
  const byRun = rounds.map(({ mix }) => formatNumber(writesPerCoreSecond(mix))).join(', ');
  const blocks = rounds.map(({ mix }) => formatNumber(mix.server.longestTurnMs)).join(', ');
  return [
    formatRows(
      'reads',
      readColumns,
      rounds.map((round) => round.reads),
    ),
    formatRows(
      'writes',
      writeColumns,
      rounds.map(({ kinds, mix }) => [...kinds, mix]),
    ),
    `all together, by run: ${byRun} writes per core second; longest own block ${blocks} ms; RSS when filled ${formatNumber(filled)} MiB\n`,
  ].join('\n');
}

/** The same rows in every round. */
function formatRows<Row extends { readonly what: string }>(
  title: string,
  columns: readonly Column<Row>[],
  rounds: readonly (readonly Row[])[],
): string {
  const cell = (row: number, { of, digits }: Column<Row>) => {
    const known = rounds.flatMap((rows) => (rows[row] === undefined ? [] : (of(rows[row]) ?? [])));
    return formatNumber(known.length === 0 ? null : median(known), digits);
  };
  return formatTable(
    [title, ...columns.map((column) => column.title)],
    (rounds[0] ?? []).map(({ what }, row) => [what, ...columns.map((column) => cell(row, column))]),
  );
}

export function formatWorlds({ worlds, writes }: WorldReport): string {
  const rows = (timed: readonly TimedRow[]) =>
    timed.map(({ what, micros }) => [
      what,
      ...[median(micros), percentile(micros, 0.99)].map((each) => formatNumber(each)),
    ]);
  return [
    formatTable(['in process: to create', 'us', 'p99 us'], rows(worlds)),
    formatTable(['in process: each write, by world', 'us', 'p99 us'], rows(writes)),
  ].join('\n');
}

/** What the budgets leave out: a server that has to wait for its core is slow for whoever asks it. */
export function formatByClock(rounds: readonly Round[]): string {
  const of = (figure: (mix: WriteRow) => number) =>
    formatNumber(median(rounds.map(({ mix }) => figure(mix))));
  const rate = of(({ load }) => load.writes / (load.wallMs / 1_000));
  const block = of(({ server }) => server.longestBlockMs);
  const waited = of(({ server }) => ((server.waitedMs ?? 0) / server.wallMs) * 100);
  return `by the clock, not judged: ${rate} writes/s, longest block ${block} ms, ${waited} % of the time waiting for the core\n`;
}
