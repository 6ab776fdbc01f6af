// The words and tables of the sync bench. Every figure is the median of the runs.

import { arch, availableParallelism, cpus, loadavg } from 'node:os';
import { median } from '../statistics.ts';
import { formatNumber, formatTable } from '../text-table.ts';
import { type Budget, isOver, MiB, syncRatio } from './budgets.ts';
import { type ClientName, clientNames, clientTitles, nodeFlagsOf } from './clients.ts';
import type { Plan } from './plan.ts';
import { canPin } from '../processes.ts';
import type { ClientFigures, Footprint, Round } from './rounds.ts';

export function formatSetting(plan: Plan, bytes: number): string {
  const nodes = formatNumber(plan.nodes);
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const place = canPin() ? 'server and client each on a core of their own' : 'cores not assigned';
  return [
    `${nodes} nodes, ${formatNumber(bytes / plan.nodes / 1_000, 1)} KB each, median of ${plan.runs}`,
    `Node ${process.version}, ${model}, ${availableParallelism()} cores, ${arch()}, ${place}`,
    `load average at the start ${formatNumber(loadavg()[0] ?? 0, 2)}`,
    ...clientNames.map((name) => `${clientTitles[name]}: ${nodeFlagsOf(name).join(' ')}`),
    '',
  ].join('\n');
}

type Column = {
  readonly title: string;
  readonly of: (figures: ClientFigures, round: Round) => number | null;
  readonly digits: number;
};

const syncColumns: readonly Column[] = [
  { title: 'ms', of: ({ sync }) => sync.wallMs, digits: 0 },
  { title: 'CPU ms', of: ({ sync }) => sync.cpuMs, digits: 0 },
  { title: 'waited ms', of: ({ sync }) => sync.waitedMs, digits: 0 },
  { title: 'x transport', of: ({ sync }, { transport }) => sync.cpuMs / transport.sync.cpuMs, digits: 2 },
  { title: 'loop ms', of: ({ sync }) => sync.longestBlockMs, digits: 0 },
  { title: 'peak MiB', of: ({ sync }) => sync.peakRssBytes / MiB, digits: 0 },
  { title: 'relisted MiB', of: (figures) => figures.relistedPeakRssBytes / MiB, digits: 0 },
];

const churnColumns: readonly Column[] = [
  { title: 'CPU %', of: ({ churn }) => churn.cpuShare * 100, digits: 1 },
  { title: 'waited ms', of: ({ churn }) => churn.waitedMs, digits: 0 },
  { title: 'p50 ms', of: ({ churn }) => churn.latencyMsP50, digits: 2 },
  { title: 'p99 ms', of: ({ churn }) => churn.latencyMsP99, digits: 1 },
  { title: 'loop ms', of: ({ churn }) => churn.longestBlockMs, digits: 0 },
  { title: 'RSS MiB', of: ({ churn }) => churn.rssBytes / MiB, digits: 0 },
  { title: 'heap MiB', of: ({ heapBytes }) => heapBytes / MiB, digits: 1 },
];

export function formatFigures(plan: Plan, rounds: readonly Round[]): string {
  const churn = `churn, ${plan.churnPerSecond}/s for ${plan.churnSeconds} s`;
  const ratios = rounds.map((round) => formatNumber(syncRatio(round), 2)).join(', ');
  return [
    formatColumns(`sync, then ${plan.relists} relists`, syncColumns, rounds),
    formatColumns(churn, churnColumns, rounds),
    `muster, times transport and JSON.parse, by run: ${ratios}\n`,
  ].join('\n');
}

function formatColumns(title: string, columns: readonly Column[], rounds: readonly Round[]): string {
  const cell = (name: ClientName, { of, digits }: Column) => {
    const known = rounds.flatMap((round) => of(round[name], round) ?? []);
    return formatNumber(known.length === 0 ? null : median(known), digits);
  };
  return formatTable(
    [title, ...columns.map((column) => column.title)],
    clientNames.map((name) => [clientTitles[name], ...columns.map((column) => cell(name, column))]),
  );
}

export function formatFootprint(footprint: Footprint): string {
  const rows = Object.entries(footprint).map(([kind, bytes]) => [kind, formatNumber(bytes)]);
  return formatTable(['kept per node', 'bytes'], rows);
}

export function formatBudgets(plan: Plan, budgets: readonly Budget[]): string {
  if (!plan.areBudgetsChecked) return 'budgets are not checked at this size';
  return budgets
    .map((budget) => {
      const { what, measured, max, unit, digits } = budget;
      const verdict = isOver(budget) ? 'OVER' : 'ok  ';
      return `${verdict}  ${what}: ${formatNumber(measured, digits)} of at most ${max} ${unit}`;
    })
    .join('\n');
}
