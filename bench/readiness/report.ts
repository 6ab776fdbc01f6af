// The words and tables of the readiness bench: ratios first, because milliseconds do not travel.

import { arch, availableParallelism, cpus, loadavg } from 'node:os';
import { dataPlace } from '../cluster/cluster.ts';
import { percentile } from '../statistics.ts';
import { countRows, formatNumber, formatTable, type Row, spentRows } from '../text-table.ts';
import { burstRatio, cpuMsPerNode, MiB } from './budgets.ts';
import type { HeldRow } from './held.ts';
import type { ActorFigures, SizeFigures } from './measure.ts';
import type { PhaseFigures } from './phases.ts';
import type { Plan } from './plan.ts';

export function formatSetting({ nodes, rules, isEmbedded, isApart, concurrency, heapMiB }: Plan): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  return [
    `${formatNumber(nodes)} nodes x ${rules} rules on ${isEmbedded ? 'the embedded API server' : `a real control plane, etcd ${dataPlace()}`}`,
    `${concurrency} patches at a time; operator and bare client with the chart's flags of Node and a heap of at most ${heapMiB} MiB`,
    `Node ${process.version}, ${model}, ${availableParallelism()} cores, ${isApart ? 'one of them for the control plane alone' : 'for everything'}, ${arch()}`,
    `load average at the start ${formatNumber(loadavg()[0] ?? 0, 2)}`,
    '',
  ].join('\n');
}

export function formatFigures(figures: SizeFigures): string {
  const { operator, bare, peer, nodeBytes, stored, nodes, held } = figures;
  const [before, after] = bare;
  const actors = [before, operator, after, peer].filter((actor) => actor !== null && actor !== undefined);
  return [
    formatTable(
      [
        'phase',
        'by',
        'x bare',
        'tries',
        'wall s',
        'stolen %',
        'a beat ms',
        'p50 ms',
        'p99 ms',
        'status p99 s',
        'CPU s',
        'until the last',
        'machine CPU s',
        'peak RSS MiB',
      ],
      actors.flatMap((actor) => actor.phases.map((phase) => rowOf(actor, phase, figures))),
    ),
    formatTable(
      ['processor time until the last node', 's', 'ms per node'],
      actors.flatMap((actor) =>
        actor.phases
          .filter(isBurst)
          .flatMap(({ phase, sharesUntilLast }) =>
            spentRows(`${phase} by ${actor.name}: `, sharesUntilLast, nodes),
          ),
      ),
    ),
    formatServerTimes(actors),
    formatMemory(operator),
    formatHeld(held),
    formatTable(
      ['writes of the operator', 'count', 'per node'],
      operator.phases.flatMap(({ phase, writes }) => countRows(phase, writes, nodes)),
    ),
    formatTable(
      ['writes of the operator until the last node', 'count', 'per node'],
      operator.phases
        .filter(isBurst)
        .flatMap(({ phase, writesUntilLast, otherRequestsUntilLast }) => [
          ...countRows(phase, writesUntilLast, nodes),
          ...countRows(`${phase}, besides`, otherRequestsUntilLast, nodes),
        ]),
    ),
    formatTable(
      ['looks of the operator, by queue', 'count', 'per node'],
      operator.phases.flatMap(({ phase, looks }) => countRows(phase, looks, nodes)),
    ),
    formatTable(
      ['looks of the operator until the last node', 'count', 'per node'],
      operator.phases
        .filter(isBurst)
        .flatMap(({ phase, looksUntilLast }) => countRows(phase, looksUntilLast, nodes)),
    ),
    formatFailures(operator),
    `a Node is ${formatNumber(nodeBytes / 1_000, 1)} KB; the status of a rule at most ${formatNumber(stored.statusBytesMax)} bytes; ` +
      `${formatNumber(stored.evaluations)} evaluations; ${figures.isEmbedded ? 'as JSON' : 'etcd'} per rule ${formatNumber(stored.bytesPerRule / 1e6, 2)} MB; ` +
      `processor time per node in the bursts ${formatNumber(cpuMsPerNode(figures), 2)} ms\n`,
  ].join('\n');
}

function formatServerTimes(actors: readonly ActorFigures[]): string {
  return formatTable(
    ['p99 of the API server, by the bounds of its histogram', 'by', 'Node patch ms', 'status of a rule ms'],
    actors.flatMap(({ name, phases }) =>
      phases.map(({ phase, nodePatchSecondsP99, ruleStatusSecondsP99 }) => [
        phase,
        name,
        ...[nodePatchSecondsP99, ruleStatusSecondsP99].map((each) =>
          formatNumber(each === null ? null : each * 1_000),
        ),
      ]),
    ),
  );
}

/** Working sets and not RSS: nothing where there was no container. */
function formatMemory({ phases }: ActorFigures): string {
  return formatTable(
    ['peak of the working set of the operator, until the end of', 'MiB', 'heap and buffers', 'files'],
    phases.flatMap(({ phase, memory }) => {
      if (memory?.by !== 'working set in a container') return [];
      const parts = [memory.bytes, memory.anonymousBytes, memory.fileBytes];
      return [[phase, ...parts.map((bytes) => formatNumber(bytes / MiB))]];
    }),
  );
}

/** Strings that two kinds share are counted for each, and once in all of it. */
function formatHeld(held: readonly HeldRow[]): string {
  return formatTable(
    ['held in memory by a standby, after a collection', 'objects', 'bytes each', 'MiB'],
    held.map(({ what, objects, bytes }) => [
      what,
      formatNumber(objects),
      formatNumber(objects === 0 ? null : bytes / objects),
      formatNumber(bytes / MiB, 1),
    ]),
  );
}

function isBurst({ phase }: PhaseFigures): boolean {
  return phase === 'add' || phase === 'remove';
}

function rowOf(actor: ActorFigures, phase: PhaseFigures, { bare }: SizeFigures): Row {
  const share = (sample: readonly number[], of: number) =>
    sample.length === 0 ? null : percentile(sample, of);
  const lag = share(phase.lagsMs, 0.99);
  return [
    phase.phase,
    actor.name,
    formatNumber(isBurst(phase) ? burstRatio({ operator: actor, bare }, phase.phase) : null, 2),
    formatNumber(phase.tries),
    formatNumber(phase.wallMs / 1_000, 1),
    formatNumber(phase.stolen * 100),
    formatNumber(phase.beatMs, 2),
    formatNumber(share(phase.latenciesMs, 0.5)),
    formatNumber(share(phase.latenciesMs, 0.99)),
    formatNumber(lag === null ? null : lag / 1_000, 1),
    formatNumber(phase.cpuMs / 1_000, 2),
    formatNumber(phase.cpuMsUntilLast / 1_000, 2),
    formatNumber(phase.machineMs / 1_000, 1),
    formatNumber(phase.rssPeakBytes / MiB),
  ];
}

function formatFailures({ phases }: ActorFigures): string {
  const failures = phases.flatMap((each) =>
    [...each.failures].map(([what, count]) => `${each.phase}: ${count} x ${what}`),
  );
  return failures.length === 0
    ? 'no write was refused or throttled\n'
    : `refused or throttled: ${failures.join('; ')}\n`;
}
