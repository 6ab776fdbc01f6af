import { noSharing } from '../base/intern.ts';
import { describe, expect, it } from 'vitest';
import { arbitrateGate, type GateAsk, type GateCounters } from './arbitrate.ts';
import { effectivePolicy, type GatingPolicy, noFlags, policySpec } from './gating-policy.ts';

const noon = Date.UTC(2026, 0, 1, 12);
const ask: GateAsk = {
  node: 'a',
  taint: 'gate:NoSchedule',
  terms: { gatedMax: null, confirmedNodes: null },
  isInService: true,
  isUnrecorded: false,
  isGated: false,
  isControlPlane: false,
};
const counters: GateCounters = { poolSize: 100, inPool: 0, inPoolByOwner: 0, byOwner: 0, noExecuteInPool: 0 };
const byDefault = effectivePolicy(undefined, noFlags);
const pause = (until: number | null) => ({ pauses: [{ by: 'ann', reason: 'release day', until }] });
const hold = (until: number | null) => ({ holds: { a: { by: 'x', reason: 'debugging', until } } });
const evicting = { taint: 'evict:NoExecute' };
const allowing = { noExecuteKeys: ['evict'], authority: 'act' } as const;

type Case = [string, Partial<GateAsk>, Partial<GateCounters>, Partial<GatingPolicy>, string];

describe('a gate on a node', () => {
  it.each<Case>([
    ['is granted while the pool has room', {}, { inPool: 24 }, {}, 'granted'],
    ['is held when a quarter of the pool is gated', {}, { inPool: 25 }, {}, 'GatingBudgetSpent'],
    ['is granted up to ten nodes in a small pool', {}, { poolSize: 12, inPool: 9 }, {}, 'granted'],
    ['is granted to a node that was never released', { isInService: false }, { inPool: 90 }, {}, 'granted'],
    [
      'is held while the record does not say',
      { isUnrecorded: true, isInService: false },
      {},
      {},
      'NotSynced',
    ],
    ['is granted to a node that is gated already', { isGated: true }, { inPool: 90 }, {}, 'granted'],
    [
      'is held beyond what its rule allows',
      { terms: { gatedMax: { kind: 'nodes', max: 3 }, confirmedNodes: null } },
      { inPoolByOwner: 3 },
      {},
      'RuleBudgetSpent',
    ],
    [
      'is granted where a person has agreed',
      { terms: { gatedMax: null, confirmedNodes: 40 } },
      { inPool: 39, byOwner: 39 },
      {},
      'granted',
    ],
    [
      'is held beyond what a person has agreed to',
      { terms: { gatedMax: null, confirmedNodes: 40 } },
      { inPool: 40, byOwner: 40 },
      {},
      'GatingBudgetSpent',
    ],
    ['is held while somebody asks to pause', {}, {}, pause(null), 'GatingPaused'],
    ['is held until the pause ends', {}, {}, pause(noon + 1), 'GatingPaused'],
    ['is granted after the pause has ended', {}, {}, pause(noon), 'granted'],
    ['is held while the node is to be left alone', {}, {}, hold(null), 'NodeHeld'],
    ['is granted after that has ended', {}, {}, hold(noon), 'granted'],
    [
      'is held for any node where the authority is to observe',
      { isInService: false },
      {},
      { authority: 'observe' },
      'ObserveOnly',
    ],
    [
      'that evicts is held unless its key is allowed',
      { ...evicting, isInService: false },
      {},
      {},
      'NoExecuteNotAllowed',
    ],
    ['that evicts is granted where its key is allowed', evicting, {}, allowing, 'granted'],
    [
      'that evicts is held where the authority is to gate',
      evicting,
      {},
      { ...allowing, authority: 'gate' },
      'NoExecuteNotAllowed',
    ],
    [
      'that evicts is granted on nodes that were never released, however many there are',
      { ...evicting, isInService: false },
      { noExecuteInPool: 90 },
      allowing,
      'granted',
    ],
    [
      'that evicts is held on any node while somebody asks to pause',
      { ...evicting, isInService: false },
      {},
      { ...allowing, ...pause(null) },
      'GatingPaused',
    ],
    [
      'that evicts is held on any node that is to be left alone',
      { ...evicting, isInService: false },
      {},
      { ...allowing, ...hold(null) },
      'NodeHeld',
    ],
    [
      'that evicts nobody is granted on a node that was never released, whoever asks to pause',
      { isInService: false },
      {},
      pause(null),
      'granted',
    ],
    [
      'that evicts is never set on the control plane',
      { ...evicting, isControlPlane: true, isInService: false },
      {},
      allowing,
      'ControlPlaneProtected',
    ],
    ['is granted on the control plane where it evicts nobody', { isControlPlane: true }, {}, {}, 'granted'],
    [
      'that evicts is held beyond a tenth of the pool',
      evicting,
      { noExecuteInPool: 10 },
      allowing,
      'GatingBudgetSpent',
    ],
    ['that evicts is granted on one node of a small pool', evicting, { poolSize: 3 }, allowing, 'granted'],
  ])('%s', (_, asked, counted, policy, expected) => {
    const ruling = arbitrateGate(
      { ...ask, ...asked },
      { ...counters, ...counted },
      { policy: { ...byDefault, ...policy }, now: noon },
    );
    expect(ruling.kind === 'granted' ? 'granted' : ruling.reason).toBe(expected);
  });
});

describe('the nodes in service of a pool that may be evicted by default', () => {
  const isGranted = (poolSize: number, noExecuteInPool: number) =>
    arbitrateGate(
      { ...ask, ...evicting },
      { ...counters, poolSize, noExecuteInPool, inPool: noExecuteInPool },
      { policy: { ...byDefault, ...allowing }, now: noon },
    ).kind === 'granted';

  it.each([
    [1, 1],
    [9, 1],
    [10, 1],
    [19, 1],
    [20, 2],
    [100, 10],
    [1_005, 100],
  ])('are max(10 %%, 1): of %i nodes %i', (poolSize, max) => {
    expect([isGranted(poolSize, max - 1), isGranted(poolSize, max)]).toEqual([true, false]);
  });
});

describe('the policy on gating', () => {
  const project = (spec: object) =>
    policySpec.project({ metadata: { name: 'default' }, spec }, noSharing).gating;

  it('is the built-in one without an object', () =>
    expect(byDefault).toMatchObject({
      authority: 'gate',
      gating: [
        { kind: 'percent', max: 25 },
        { kind: 'nodes', max: 10 },
      ],
      noExecuteKeys: [],
    }));

  it('is what the object says', () => {
    const spec = {
      authority: 'act',
      gating: { percent: 50, nodes: 1 },
      noExecute: { allowedTaintKeys: ['evict'] },
      pauseRequests: [{ by: 'ann', reason: 'r', until: '2026-01-01T12:00:00Z' }],
      holds: [{ node: 'a', reason: 'r' }],
    };
    expect(project(spec)).toMatchObject({
      authority: 'act',
      gating: [{ max: 50 }, { max: 1 }],
      noExecuteKeys: ['evict'],
      pauses: [{ by: 'ann', until: noon }],
      holds: { a: { until: null } },
    });
  });

  it('gives way to a budget on the command line', () => {
    const flags = { authority: 'act', gateBudget: { kind: 'percent', max: 100 } } as const;
    expect(effectivePolicy(undefined, flags).gating).toEqual([flags.gateBudget]);
  });

  it.each([
    ['observe', 'act', 'observe'],
    ['act', 'observe', 'observe'],
    ['act', 'gate', 'gate'],
  ] as const)('with authority %s on the command line and %s in the object is %s', (flag, said, authority) => {
    const policy = project({ authority: said });
    expect(effectivePolicy(policy, { authority: flag, gateBudget: null }).authority).toBe(authority);
  });
});
