import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import {
  checkVerdicts,
  gateKinds,
  ownedKinds,
  removers,
  stages,
  updatePhases,
  verificationStates,
} from './lifecycle-vocabulary.ts';
import { type NodeLifecycleStatus, nodeLifecycleKind } from './node-lifecycle.ts';

const at = '2026-11-15T10:42:00Z';
const message = 'the taint cni-not-ready keeps ordinary pods away';

const typical: NodeLifecycleStatus = {
  bootID: '0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0',
  stage: 'Gated',
  stageSince: at,
  stageReason: 'OwnTaint',
  stageMessage: message,
  pool: 'general-purpose-arm64',
  gates: [
    {
      kind: 'Own',
      key: 'example.com/cni-not-ready',
      effect: 'NoSchedule',
      reason: 'OwnTaint',
      message,
      since: at,
    },
    { kind: 'Cordon', key: 'unschedulable', reason: 'Cordoned', since: at },
  ],
  gateCount: 2,
  gateSummary: 'cni-not-ready +1',
  firstReleasedAt: at,
  inServiceAt: at,
  owned: Array.from({ length: 6 }, (_, index) => ({
    kind: 'Label' as const,
    key: `example.com/label-${index}`,
    value: 'a-value-of-usual-length',
    owner: 'nodeconfig/NodeConfig/default',
  })),
  verification: {
    state: 'verified',
    attempt: 1,
    verdict: 'pass',
    verifiedAt: at,
    checks: Array.from({ length: 6 }, (_, index) => ({
      name: `check-${index}`,
      verdict: 'pass' as const,
      reason: 'Passed',
      durationMs: 12,
    })),
  },
  timeline: Array.from({ length: 10 }, () => ({ at, stage: 'InService' as const, reason: 'NoOpenGate' })),
};

describe('a NodeLifecycle', () => {
  it('has a schema that accepts a typical record', () => {
    expect([...Value.Errors(nodeLifecycleKind.status, typical)]).toEqual([]);
  });

  it('stays below 4 KB in a typical record', () => {
    expect(JSON.stringify(typical).length).toBeLessThan(4096);
  });

  it.each<[string, Partial<NodeLifecycleStatus>]>([
    ['a message beyond its bound', { stageMessage: 'x'.repeat(129) }],
    [
      'a timeline beyond its bound',
      { timeline: Array.from({ length: 33 }, () => ({ at, stage: 'Gated', reason: 'a' })) },
    ],
    // @ts-expect-error the type refuses it too
    ['a stage that does not exist', { stage: 'Retired' }],
  ])('refuses %s', (_, change) => {
    expect(Value.Check(nodeLifecycleKind.status, { ...typical, ...change })).toBe(false);
  });

  it('offers exactly the words of the vocabulary', () => {
    const schema = JSON.stringify(nodeLifecycleKind.status);
    const lists = [stages, gateKinds, removers, ownedKinds, verificationStates, checkVerdicts, updatePhases];
    expect(lists.filter((list) => !schema.includes(JSON.stringify(list)))).toEqual([]);
  });
});
