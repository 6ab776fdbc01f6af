import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeState } from '../../../test/support/builders.ts';
import { type RuleSketch, ruleView } from '../../../test/support/rule-builder.ts';
import type { Verdict } from '../../fleet/node-state.ts';
import { createNodeStateStore } from '../../fleet/store.ts';
import { type Finding, packFinding } from './finding.ts';
import { gateRuleStatus } from './report.ts';
import type { ReportFacts } from './report-facts.ts';
import { tallyOf } from './tally.ts';
import { upstreamStatus } from './upstream-report.ts';

const noon = Date.UTC(2026, 0, 1, 12);
const calm: Finding = {
  generation: 1,
  conditions: [{ current: 'True', mark: 'met' }],
  readiness: 'ready',
  hasTaint: false,
  isPending: false,
  isBootstrapped: false,
  would: 'nothing',
};
const owner = (front = 'NodeReadinessGateRule') => `readiness/${front}/cni`;

type Told = { readonly finding?: Partial<Finding>; readonly verdicts?: readonly Verdict[] };

function facts(sketch: RuleSketch, nodes: Readonly<Record<string, Told>>): ReportFacts {
  const view = ruleView(sketch);
  const store = storeOf(nodes, view.owner);
  const tally = tallyOf(view, { store, nodes: new Map() });
  return { view, tally, selectedCount: store.count(), disorder: null, now: noon };
}

function storeOf(nodes: Readonly<Record<string, Told>>, parent: string) {
  const store = createNodeStateStore();
  for (const [name, { finding = {}, verdicts = [] }] of Object.entries(nodes)) {
    const detail = packFinding({ ...calm, ...finding });
    const own: Verdict = {
      capability: 'readiness',
      parent,
      outcome: 'unknown',
      reason: 'r',
      message: '',
      detail,
    };
    store.set(nodeState({ name, verdicts: [own, ...verdicts] }), {
      at: noon,
      triggerSource: 'Node',
      resourceVersion: '1',
    });
  }
  return store;
}

const told = (reason: string, message: string, parent = owner()): Verdict => ({
  capability: 'readiness',
  parent,
  outcome: 'unknown',
  reason,
  message,
});
/** As the brake says it. */
const keptOff = (reason: string, message: string): Verdict => ({ ...told(reason, message), isKeptOff: true });

const conditionIn = (status: ReturnType<typeof gateRuleStatus>, type: string) =>
  status.conditions?.find((condition) => condition.type === type);

describe('the status of a rule', () => {
  it('is applied when every node is as it should be', () => {
    const status = gateRuleStatus(facts({ generation: 1 }, { a: {}, b: {} }));
    expect(status.observedGeneration).toBe(1);
    expect(conditionIn(status, 'Ready')).toMatchObject({
      status: 'True',
      reason: 'Applied',
      message: 'on 2 nodes',
    });
  });

  it.each<[string, Told, string]>([
    ['a node is not yet as it should be', { finding: { isPending: true } }, 'Applying'],
    ['a node was evaluated before the rule changed', { finding: { generation: 0 } }, 'Applying'],
    ['a node fails', { verdicts: [told('WriteFailed', 'no', 'readiness')] }, 'NodesFailing'],
    [
      'a node is held',
      { finding: { isPending: true }, verdicts: [keptOff('GatingBudgetSpent', 'full')] },
      'GatingIsHeld',
    ],
  ])('is not applied while %s', (_, node, reason) => {
    const status = gateRuleStatus(facts({ status: { observedGeneration: 0 } }, { a: {}, b: node }));
    expect([conditionIn(status, 'Ready'), status.observedGeneration]).toMatchObject([
      { status: 'False', reason },
      0,
    ]);
  });

  it('is applied where another capability fails on a node', () => {
    const failing = { ...told('Rejected', 'no', 'verification'), capability: 'verification' };
    const status = gateRuleStatus(facts({}, { a: { verdicts: [failing] } }));
    expect([conditionIn(status, 'Ready')?.reason, status.failedNodes]).toEqual(['Applied', undefined]);
  });

  it('is not applied while a node that it selects was not evaluated', () => {
    const status = gateRuleStatus({ ...facts({}, { a: {} }), selectedCount: 2 });
    expect(conditionIn(status, 'Ready')).toMatchObject({
      status: 'False',
      reason: 'Applying',
      message: '1 of 2 nodes',
    });
  });

  it('says what is wrong with a rule that cannot be read', () => {
    const status = gateRuleStatus(facts({ spec: { nodeSelector: {} } }, {}));
    expect(conditionIn(status, 'Degraded')).toMatchObject({
      status: 'True',
      reason: 'InvalidRule',
      message: expect.stringContaining('is empty'),
    });
  });

  it('says with whom a rule shares its taint', () => {
    const status = gateRuleStatus(
      facts({}, { a: { verdicts: [told('RuleConflict', 'belongs to old too')] } }),
    );
    expect(conditionIn(status, 'Conflict')).toMatchObject({
      status: 'True',
      message: 'a: belongs to old too',
    });
  });

  it('says that a policy does not allow its taint', () => {
    const held = { finding: { isPending: true }, verdicts: [keptOff('NoExecuteNotAllowed', 'not allowed')] };
    const status = gateRuleStatus(facts({}, { a: held }));
    expect(conditionIn(status, 'NoExecuteNotAllowed')).toMatchObject({ status: 'True' });
  });

  it('keeps its times while it says the same', () => {
    const before = gateRuleStatus(facts({}, { a: {} }));
    const later = { ...facts({ status: before }, { a: {} }), now: noon + 60_000 };
    expect(gateRuleStatus(later)).toEqual(before);
  });

  it('moves only the times of what changed', () => {
    const before = gateRuleStatus(facts({}, { a: {} }));
    const now = { ...facts({ status: before }, { a: { finding: { hasTaint: true } } }), now: noon + 60_000 };
    const after = gateRuleStatus(now);
    expect(after.summary?.lastUpdated).toBe('2026-01-01T12:01:00Z');
    expect(after.conditions).toEqual(before.conditions);
  });

  it('leaves out what an earlier controller listed', () => {
    const status = { appliedNodes: ['a'], completedNodes: ['b'], nodeEvaluations: [] };
    expect(Object.keys(gateRuleStatus(facts({ status }, { a: {} })))).toEqual([
      'observedGeneration',
      'conditions',
      'summary',
    ]);
  });

  it('lists twenty nodes that fail and counts all', () => {
    const failing = told('WriteFailed', 'x'.repeat(300), 'node-writer');
    const names = Array.from({ length: 30 }, (_, index) => `node-${String(index).padStart(2, '0')}`);
    const nodes = Object.fromEntries(
      names.map((name) => [name, { verdicts: [{ ...failing, capability: 'node-writer' }] }]),
    );
    const status = gateRuleStatus(facts({}, nodes));
    expect([status.failedNodes?.length, status.failedNodeCount]).toEqual([20, 30]);
    expect(status.failedNodes?.[0]).toMatchObject({
      nodeName: 'node-00',
      message: expect.stringMatching(/^x{127}…$/),
    });
    expect(JSON.stringify(status).length).toBeLessThan(8_192);
  });

  it('is small however many nodes there are', () => {
    const types = Array.from({ length: 5 }, (_, index) => ({
      type: `example.com/Condition${index}`,
      requiredStatus: 'True',
    }));
    const met = { finding: { conditions: types.map(() => ({ current: 'True', mark: 'met' }) as const) } };
    const nodes = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`node-${index}`, met]));
    const status = gateRuleStatus(facts({ spec: { conditions: types } }, nodes));
    expect(JSON.stringify(status).length).toBeLessThan(2_048);
  });

  describe('of the longest conditions and names', () => {
    const conditions = Array.from({ length: 32 }, (_, index) => ({
      type: `${index}`.padEnd(316, 'x'),
      requiredStatus: 'True',
    }));
    const failing = { ...told('WriteFailed', 'x'.repeat(300), 'node-writer'), capability: 'node-writer' };
    const nodes = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`n${index}`.padEnd(253, 'x'), { verdicts: [failing] }]),
    );

    it('stays within 8 KB, and still counts all', () => {
      const status = gateRuleStatus(facts({ spec: { conditions } }, nodes));
      expect(new TextEncoder().encode(JSON.stringify(status)).length).toBeLessThanOrEqual(8_192);
      expect([status.failedNodeCount, status.summary?.totalApplicableNodes]).toEqual([30, 30]);
      expect(status.failedNodes?.length).toBeGreaterThan(0);
      expect(status.summary?.conditionSummaries?.length).toBeGreaterThan(0);
    });

    it('is the same when nothing has changed', () => {
      const before = gateRuleStatus(facts({ spec: { conditions } }, nodes));
      const later = { ...facts({ spec: { conditions }, status: before }, nodes), now: noon + 60_000 };
      expect(gateRuleStatus(later)).toEqual(before);
    });
  });

  it('shows a dry run with a few names', () => {
    const nodes = Object.fromEntries(
      Array.from({ length: 7 }, (_, index) => [`node-${index}`, { finding: { would: 'add' as const } }]),
    );
    const { dryRunResults } = gateRuleStatus(
      facts({ spec: { dryRun: true } }, { ...nodes, z: { finding: { would: 'remove' } } }),
    );
    expect(dryRunResults).toMatchObject({
      affectedNodes: 8,
      taintsToAdd: 7,
      taintsToRemove: 1,
      riskyOperations: 0,
    });
    expect(dryRunResults?.summary).toBe(
      '7 would get the taint (node-0, node-1, node-2, node-3, node-4, ...), 1 would lose it (z)',
    );
  });
});

describe('the counts of a rule', () => {
  const finding = fc.record({
    readiness: fc.constantFrom<Finding['readiness']>('ready', 'notReady', 'unknown'),
    hasTaint: fc.boolean(),
    conditions: fc.tuple(
      fc.record({
        current: fc.constantFrom<'True' | 'False' | 'Unknown'>('True', 'False', 'Unknown'),
        mark: fc.constantFrom<Finding['conditions'][number]['mark']>(
          'met',
          'unmet',
          'missing',
          'defaulted',
          'stale',
        ),
      }),
    ),
  });

  it('agree with each other whatever was found', () =>
    fc.assert(
      fc.property(fc.array(finding, { maxLength: 12 }), (found) => {
        const nodes = Object.fromEntries(found.map((each, index) => [`n${index}`, { finding: each }]));
        const { summary } = gateRuleStatus(facts({}, nodes));
        const [condition] = summary?.conditionSummaries ?? [];
        const total = found.length;
        expect([
          (summary?.nodesReady ?? 0) + (summary?.nodesNotReady ?? 0) + (summary?.nodesUnknown ?? 0),
          (summary?.nodesWithTaint ?? 0) + (summary?.nodesWithoutTaint ?? 0),
          (condition?.nodesSatisfied ?? 0) +
            (condition?.nodesUnsatisfied ?? 0) +
            (condition?.nodesMissing ?? 0),
        ]).toEqual([total, total, total]);
      }),
    ));
});

describe('the status of a NodeReadinessRule', () => {
  const front = 'NodeReadinessRule' as const;
  const report = (nodes: Readonly<Record<string, Told>>, more: Partial<ReportFacts> = {}) =>
    upstreamStatus({ ...facts({ front }, nodes), ...more }, storeOf(nodes, owner(front)));

  it('lists its nodes while they are few', () => {
    const { appliedNodes, nodeEvaluations } = report({ b: { finding: { isPending: true } }, a: {} });
    expect(appliedNodes).toEqual(['a']);
    expect(nodeEvaluations).toMatchObject([
      { nodeName: 'a', taintStatus: 'Absent', lastEvaluationTime: '2026-01-01T12:00:00Z' },
      { nodeName: 'b' },
    ]);
  });

  it('keeps the times of nodes of which it says the same', () => {
    const before = report({ a: {} });
    const nodes = { a: {}, b: {} };
    const later = { ...facts({ front, status: before }, nodes), now: noon + 60_000 };
    const { nodeEvaluations } = report(nodes, later);
    expect(nodeEvaluations?.map(({ lastEvaluationTime }) => lastEvaluationTime)).toEqual([
      '2026-01-01T12:00:00Z',
      '2026-01-01T12:01:00Z',
    ]);
  });

  it.each([
    ['lists a hundred nodes', 100, 100, 100],
    ['leaves the lists out beyond a hundred nodes, and says so', 101, 101, undefined],
    ['leaves them out while most of its nodes are still to be looked at', 20, 101, undefined],
  ])('%s', (_, evaluated, selectedCount, listed) => {
    const nodes = Object.fromEntries(Array.from({ length: evaluated }, (__, index) => [`n${index}`, {}]));
    const { appliedNodes, nodeEvaluations, conditions } = report(nodes, { selectedCount });
    const isOmitted = conditions?.some(({ type }) => type === 'NodeListsOmitted');
    expect([appliedNodes?.length, nodeEvaluations?.length, isOmitted]).toEqual([listed, listed, !listed]);
  });
});
