// The budgets of readiness, and whether a run met them. Time is held against a client of the same run that does only the Node
// patches; what is small is held against a limit.

import type { Budget } from '../budget.ts';
import { percentile } from '../statistics.ts';
import { rssMiBMax } from '../sync/budgets.ts';
import type { ActorFigures, SizeFigures } from './measure.ts';
import type { PhaseFigures, PhaseName } from './phases.ts';

export const MiB = 1024 * 1024;
const burstRatioMax = 1.25;
const burstLagSecondsMax = 30;
const lagSecondsMax = 5;
const changeMsMax = 100;
const churnJudgedMax = { nodes: 5_000, rules: 1 };
const statusBytesMax = 2_048;
/** 5 MB for one rule at 5,000 nodes. */
const etcdBytesPerNodeMax = 1_000;
const linearRatioMax = 1.2;
const change = { limit: changeMsMax, unit: 'ms', digits: 0 };

export function budgetsOf(figures: SizeFigures, other: SizeFigures | null): readonly Budget[] {
  const { operator, stored, nodes, memory, isEmbedded } = figures;
  const p99Of = (phase: PhaseName, sample: 'latenciesMs' | 'lagsMs') =>
    percentile(phaseOf(operator, phase)[sample], 0.99);
  const ratio = { limit: burstRatioMax, unit: 'x', digits: 2 };
  const lag = { limit: lagSecondsMax, unit: 's', digits: 2 };
  return [
    limit('all nodes gated, times the bare client', burstRatio(figures, 'add'), ratio),
    limit('all nodes released, times the bare client', burstRatio(figures, 'remove'), ratio),
    limit('single change on a calm fleet, p99', p99Of('single', 'latenciesMs'), change),
    ...(isChurnJudged(figures)
      ? [limit('change during the churn, p99', p99Of('churn', 'latenciesMs'), change)]
      : []),
    limit('status behind a single change, p99', p99Of('single', 'lagsMs') / 1_000, lag),
    limit('status behind the churn, p99', p99Of('churn', 'lagsMs') / 1_000, lag),
    limit('status behind the release of all nodes, p99', p99Of('remove', 'lagsMs') / 1_000, {
      ...lag,
      limit: burstLagSecondsMax,
    }),
    limit('status of a rule', stored.statusBytesMax, { limit: statusBytesMax, unit: 'bytes', digits: 0 }),
    ...(isEmbedded ? [] : serverBudgets(figures)),
    limit('writes that failed for good', stored.statusFailures, { limit: 0, unit: 'writes', digits: 0 }),
    limit('writes in the quiet time', totalOf(phaseOf(operator, 'quiet').writes), {
      limit: 0,
      unit: 'writes',
      digits: 0,
    }),
    limit(`memory of the operator at its peak, ${memory.by}`, memory.bytes / MiB, {
      limit: rssMiBMax(nodes),
      unit: 'MiB',
      digits: 0,
    }),
    ...(other === null ? [] : [linearity(figures, other)]),
  ];
}

/** What the churn may take is set for one rule and fleets up to 5,000 nodes; beyond it the figure is printed. */
function isChurnJudged({ nodes, rules }: SizeFigures): boolean {
  return nodes <= churnJudgedMax.nodes && rules <= churnJudgedMax.rules;
}

function serverBudgets({ operator, bare, stored, nodes }: SizeFigures): readonly Budget[] {
  // A phase in which nobody wrote one has shown nothing.
  const statusMs = (phase: PhaseName) => (phaseOf(operator, phase).ruleStatusSecondsP99 ?? Infinity) * 1_000;
  const patchMs = (phase: PhaseName) =>
    Math.max(...bare.map((each) => phaseOf(each, phase).nodePatchSecondsP99 ?? 0)) * 1_000;
  const what = (phase: PhaseName) => `write of a status in ${phase}, p99 by the bounds of the histogram`;
  return [
    // In a burst every write waits for the others: ADR 12 says what it is held against.
    ...(['add', 'remove'] as const).map((phase) =>
      limit(`${what(phase)}, the bare client's patch there ${patchMs(phase)}`, statusMs(phase), {
        ...change,
        limit: Math.max(changeMsMax, patchMs(phase)),
      }),
    ),
    ...(['churn', 'single'] as const).map((phase) => limit(what(phase), statusMs(phase), change)),
    limit('etcd for one rule, evaluations included, per node', stored.bytesPerRule / nodes, {
      limit: etcdBytesPerNodeMax,
      unit: 'bytes',
      digits: 0,
    }),
  ];
}

function limit(what: string, measured: number, bound: Pick<Budget, 'limit' | 'unit' | 'digits'>): Budget {
  return { what, measured, bound: 'at most', ...bound };
}

function linearity(figures: SizeFigures, other: SizeFigures): Budget {
  const [small, large] = [figures, other].toSorted((a, b) => a.nodes - b.nodes) as [SizeFigures, SizeFigures];
  return {
    what: `processor time per node, ${large.nodes} nodes to ${small.nodes}`,
    measured: cpuMsPerNode(large) / cpuMsPerNode(small),
    bound: 'at most',
    limit: linearRatioMax,
    unit: 'x',
    digits: 2,
  };
}

/** Of both bursts: what follows has a length of its own. */
export function cpuMsPerNode({ operator, nodes }: SizeFigures): number {
  return (phaseOf(operator, 'add').cpuMs + phaseOf(operator, 'remove').cpuMs) / nodes;
}

/** Against the mean of both runs of the bare client. */
export function burstRatio(
  { operator, bare }: Pick<SizeFigures, 'operator' | 'bare'>,
  phase: PhaseName,
): number {
  const limits = bare.map((each) => givenMs(phaseOf(each, phase)));
  return givenMs(phaseOf(operator, phase)) / (limits.reduce((sum, ms) => sum + ms, 0) / limits.length);
}

/** Without the time that the machine did not have: in a burst every core is busy, so that all who wait wait for it alike. */
export function givenMs({ wallMs, stolen }: PhaseFigures): number {
  return wallMs * (1 - stolen);
}

export function phaseOf({ name, phases }: ActorFigures, phase: PhaseName): PhaseFigures {
  const found = phases.find((each) => each.phase === phase);
  if (found === undefined) throw new Error(`${name} had no phase ${phase}`);
  return found;
}

export function totalOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
