import { describe, expect, it } from 'vitest';
import { shortfallsOf } from '../budget.ts';
import { budgetsOf, burstRatio, cpuMsPerNode } from './budgets.ts';
import type { ActorFigures, SizeFigures, StoredFigures } from './measure.ts';
import type { PhaseFigures, PhaseName } from './phases.ts';

const MiB = 1024 * 1024;

const phase = (name: PhaseName, change: Partial<PhaseFigures> = {}): PhaseFigures => ({
  phase: name,
  tries: 1,
  wallMs: 1_000,
  stolen: 0,
  machineMs: 2_000,
  beatMs: 2,
  latenciesMs: [20],
  lagsMs: [3_000],
  cpuMs: 500,
  sharesUntilLast: new Map(),
  otherRequestsUntilLast: new Map(),
  cpuMsUntilLast: 300,
  rssPeakBytes: 100 * MiB,
  memory: null,
  writes: new Map(),
  writesUntilLast: new Map(),
  looks: new Map(),
  looksUntilLast: new Map(),
  failures: new Map(),
  nodePatchSecondsP99: 0.05,
  ruleStatusSecondsP99: 0.05,
  ...change,
});

const names: readonly PhaseName[] = ['add', 'remove', 'churn', 'single', 'quiet'];

const actor = (changes: Partial<Record<PhaseName, Partial<PhaseFigures>>> = {}): ActorFigures => ({
  name: 'someone',
  phases: names.map((name) => phase(name, changes[name])),
});

type Change = {
  readonly nodes?: number;
  readonly rules?: number;
  readonly isEmbedded?: boolean;
  readonly operator?: Parameters<typeof actor>[0];
  readonly stored?: Partial<StoredFigures>;
  readonly memoryMiB?: number;
};

const figures = ({
  nodes = 1_000,
  rules = 1,
  isEmbedded = false,
  operator = {},
  stored = {},
  memoryMiB = 100,
}: Change = {}): SizeFigures => ({
  nodes,
  rules,
  isEmbedded,
  nodeBytes: 12_000,
  operator: actor(operator),
  bare: [actor(), actor({ add: { wallMs: 3_000 } })],
  peer: null,
  held: [],
  stored: {
    statusBytesMax: 800,
    evaluations: nodes,
    bytesPerRule: 900 * nodes,
    statusFailures: 0,
    samples: [],
    ...stored,
  },
  memory: { bytes: memoryMiB * MiB, by: 'RSS' },
});

describe('the budgets of readiness', () => {
  it('are met by a run that stays within each of them', () => {
    expect(shortfallsOf(budgetsOf(figures(), null))).toEqual([]);
  });

  it('hold a burst against the mean of both runs of the bare client', () => {
    expect(burstRatio(figures({ operator: { add: { wallMs: 2_500 } } }), 'add')).toBe(1.25);
  });

  it('leave out what the machine did not have', () => {
    expect(burstRatio(figures({ operator: { add: { wallMs: 5_000, stolen: 0.5 } } }), 'add')).toBe(1.25);
  });

  it.each<[string, Change, string]>([
    ['a slow gate', { operator: { add: { wallMs: 2_600 } } }, 'all nodes gated, times the bare client'],
    ['a slow release', { operator: { remove: { wallMs: 1_300 } } }, 'all nodes released'],
    ['a slow single change', { operator: { single: { latenciesMs: [101] } } }, 'single change'],
    ['a slow churn', { operator: { churn: { latenciesMs: [101] } } }, 'change during the churn'],
    ['a status that never came', { operator: { single: { lagsMs: [Infinity] } } }, 'status behind a single'],
    ['a status that lags', { operator: { churn: { lagsMs: [5_100] } } }, 'status behind the churn'],
    ['a status far behind', { operator: { remove: { lagsMs: [30_100] } } }, 'status behind the release'],
    ['a large status', { stored: { statusBytesMax: 2_049 } }, 'status of a rule'],
    ['much in etcd', { stored: { bytesPerRule: 1_001_000 } }, 'etcd for one rule'],
    [
      'slow writes of its status',
      { operator: { single: { ruleStatusSecondsP99: 0.2 } } },
      'write of a status',
    ],
    [
      'ones in a burst that are slower than patches of nodes',
      { operator: { add: { ruleStatusSecondsP99: 0.4 } } },
      'status in add',
    ],
    ['no status at all', { operator: { churn: { ruleStatusSecondsP99: null } } }, 'status in churn'],
    ['a failed write', { stored: { statusFailures: 1 } }, 'writes that failed'],
    [
      'a write at rest',
      { operator: { quiet: { writes: new Map([['patch nodes', 1]]) } } },
      'in the quiet time',
    ],
    ['much memory', { memoryMiB: 129 }, 'memory of the operator'],
  ])('are missed by %s, and by nothing else', (_sentence, change, words) => {
    const shortfalls = shortfallsOf(budgetsOf(figures(change), null));
    expect(shortfalls).toEqual([expect.stringContaining(words)]);
  });

  it('give a status in a burst as long as the bare client takes for a patch of a node there', () => {
    const slow = figures({ operator: { add: { ruleStatusSecondsP99: 0.4 } } });
    const bare = slow.bare.map((each) => ({
      ...each,
      phases: each.phases.map((one) => ({ ...one, nodePatchSecondsP99: 0.4 })),
    }));
    expect(shortfallsOf(budgetsOf({ ...slow, bare }, null))).toEqual([]);
  });

  it.each([{ nodes: 5_001 }, { rules: 2 }])('leave the churn out beyond what is asked for: %o', (size) => {
    const slow = figures({ ...size, operator: { churn: { latenciesMs: [101] } } });
    expect(shortfallsOf(budgetsOf(slow, null))).toEqual([]);
  });

  it('ask the embedded server neither for etcd nor for the time of a write', () => {
    const change = { operator: { add: { ruleStatusSecondsP99: null } }, stored: { bytesPerRule: Infinity } };
    expect(shortfallsOf(budgetsOf(figures({ ...change, isEmbedded: true }), null))).toEqual([]);
  });

  it('compare what one node costs at two sizes, whichever is named first', () => {
    const large = figures({ nodes: 2_000, operator: { add: { cpuMs: 1_600 }, remove: { cpuMs: 1_000 } } });
    expect(cpuMsPerNode(large) / cpuMsPerNode(figures())).toBeCloseTo(1.3);
    for (const [one, other] of [
      [figures(), large],
      [large, figures()],
    ] as const) {
      const shortfalls = shortfallsOf(budgetsOf(one, other));
      expect(shortfalls).toEqual([expect.stringContaining('2000 nodes to 1000: 1.30 x')]);
    }
  });
});
