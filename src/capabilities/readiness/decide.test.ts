import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../test/support/property-runs.ts';
import { rawNode, type NodeSketch } from '../../../test/support/node-builder.ts';
import { carriedOut, decided, plan, taintsOf } from '../../../test/support/readiness-decision.ts';
import { cni, gate, gateKey } from '../../../test/support/readiness-scene.ts';
import type { RuleSketch } from '../../../test/support/rule-builder.ts';
import type { RawObject } from '../../objects/raw.ts';
import { findingOf } from './finding.ts';

const blue = { labels: { pool: 'blue' } };
const foreign = { key: 'other.io/dedicated', effect: 'NoSchedule', value: 'gpu' };

describe('rules on a node', () => {
  it('come to one patch, however many there are', () => {
    const rules = [ruleOn('a'), ruleOn('b'), ruleOn('c')];
    expect(taintsOf(carriedOut(rawNode(blue), rules)).map(({ key }) => key)).toEqual([
      'readiness.k8s.io/a',
      'readiness.k8s.io/b',
      'readiness.k8s.io/c',
    ]);
  });

  it('leave a node that they do not select', () =>
    expect(plan(rawNode({ labels: { pool: 'red' } }), [{}]).patch).toBeNull());

  it('take their taint from a node that left them, and no stranger', () => {
    const gated = carriedOut(rawNode({ ...blue, taints: [foreign] }), [{}]);
    const left = { ...gated, metadata: { ...gated.metadata, labels: { pool: 'red' } } };
    expect(taintsOf(carriedOut(left, [{}]))).toEqual([foreign]);
  });

  it('do not take a taint that a stranger set from a node that they do not select', () => {
    const node = rawNode({ labels: { pool: 'red' }, taints: [gate] });
    expect(plan(node, [{}]).patch).toBeNull();
  });

  it('take along what is theirs when they are deleted, and nothing that they never had', () => {
    const gated = carriedOut(rawNode(blue), [{}]);
    expect(taintsOf(carriedOut(gated, [{ isDeleting: true }]))).toEqual([]);
    const found = rawNode({ ...blue, taints: [gate] });
    expect(plan(found, [{ isDeleting: true, spec: { dryRun: true } }]).patch).toBeNull();
  });

  it('that are deleted before their taint is there have it recorded, for it may be under way', () => {
    const { wish, verdicts } = decided(rawNode(blue), [{ isDeleting: true }]);
    expect(wish.taints).toMatchObject({ [`${gateKey}:NoSchedule`]: { kind: 'absent', mayArrive: '' } });
    expect(verdicts).toMatchObject([{ parent: 'readiness/NodeReadinessGateRule/cni', reason: 'RuleLeft' }]);
    const ready = rawNode({ ...blue, conditions: { [cni]: 'True' } });
    expect(decided(ready, [{ isDeleting: true }])).toMatchObject({ wish: { taints: {} }, verdicts: [] });
    const kept = { isDeleting: true, finalizers: ['x.io/wait'] };
    expect(decided(rawNode(blue), [kept])).toMatchObject({ wish: { taints: {} }, verdicts: [] });
  });

  it('take along the markers that name them, in either form', () => {
    const prefix = 'readiness.k8s.io/bootstrap-completed-';
    const marked = rawNode({
      ...blue,
      annotations: { [`${prefix}uid-of-cni`]: '{}', [`${prefix}cni`]: 'true' },
    });
    expect(carriedOut(marked, [{ isDeleting: true }]).metadata?.annotations).toEqual({});
  });

  describe('that are gone', () => {
    const bootstrap = { spec: { enforcementMode: 'bootstrap-only' } };
    const marked = () => carriedOut(rawNode({ ...blue, conditions: { [cni]: 'True' } }), [bootstrap]);
    const annotations = (node: RawObject) => Object.keys(node.metadata?.annotations ?? {});

    it('lose a marker that came after them, though no record lists it', () => {
      expect(annotations(marked())).toContain('readiness.k8s.io/bootstrap-completed-uid-of-cni');
      expect(annotations(carriedOut(marked(), []))).toEqual([]);
    });

    it('lose it too while another has their name', () => {
      const another = { ...bootstrap, uid: 'another' };
      expect(annotations(carriedOut(marked(), [another]))).not.toContain(
        'readiness.k8s.io/bootstrap-completed-uid-of-cni',
      );
    });

    it('keep a taint that nothing but the node itself ascribes to them', () => {
      const gated = carriedOut(rawNode(blue), [{}]);
      expect(taintsOf(carriedOut(gated, []))).toEqual([gate]);
    });
  });

  it('put the value of their taint right', () => {
    const node = rawNode({ ...blue, taints: [{ ...gate, value: 'drifted' }] });
    const spec = { taint: { key: gateKey, effect: 'NoSchedule', value: 'right' } };
    expect(taintsOf(carriedOut(node, [{ spec }]))).toEqual([{ ...gate, value: 'right' }]);
  });

  it('adopt a taint that is there already', () => {
    const { patch, changes } = plan(rawNode({ ...blue, taints: [gate] }), [{}]);
    expect(patch).not.toBeNull();
    expect(changes).toMatchObject([
      { key: 'readiness.k8s.io/NetworkReady:NoSchedule', from: '', to: '', isAdoption: true },
    ]);
  });

  it('mark a node in the same patch that frees it', () => {
    const spec = { enforcementMode: 'bootstrap-only' };
    const gated = carriedOut(rawNode(blue), [{ spec }]);
    const ready = { ...gated, status: rawNode({ conditions: { [cni]: 'True' } }).status };
    const freed = carriedOut(ready, [{ spec }]);
    expect(taintsOf(freed)).toEqual([]);
    expect(freed.metadata?.annotations).toHaveProperty(['readiness.k8s.io/bootstrap-completed-uid-of-cni']);
  });

  it('with one taint are told who is older', () => {
    const rules = [{ name: 'young', createdAt: '2026-01-02T00:00:00Z' }, { name: 'old' }];
    const conflicts = decided(rawNode(blue), rules).verdicts.filter(
      ({ reason }) => reason === 'RuleConflict',
    );
    expect(conflicts).toMatchObject([
      { parent: 'readiness/NodeReadinessGateRule/young', message: expect.stringContaining('/old') },
    ]);
  });

  it('of both kinds on one taint conflict as two of one kind do', () => {
    const rules: RuleSketch[] = [{}, { front: 'NodeReadinessRule' }];
    const { verdicts, wish } = decided(rawNode(blue), rules);
    expect(verdicts.filter(({ reason }) => reason === 'RuleConflict')).toHaveLength(1);
    expect(Object.keys(wish.taints ?? {})).toHaveLength(1);
  });

  it('ask for a gate on their own terms', () => {
    const annotations = { 'muster.dev/confirm-impact': '1/40' };
    expect(decided(rawNode(blue), [{ annotations, spec: { maxNewlyGated: 3 } }]).requests).toEqual([
      {
        kind: 'Gate',
        taint: 'readiness.k8s.io/NetworkReady:NoSchedule',
        owner: 'readiness/NodeReadinessGateRule/cni',
        gatedMax: { kind: 'nodes', max: 3 },
        confirmedNodes: 40,
      },
    ]);
  });

  it('in a dry run say what they would do, and do nothing', () => {
    const { verdicts, wish } = decided(rawNode(blue), [{ spec: { dryRun: true } }]);
    expect([wish.taints, verdicts.map((verdict) => findingOf(verdict)?.would)]).toEqual([{}, ['add']]);
  });
});

function ruleOn(name: string): RuleSketch {
  return { name, spec: { taint: { key: `readiness.k8s.io/${name}`, effect: 'NoSchedule' } } };
}

const conditions = fc.option(fc.constantFrom('True', 'False', 'Unknown'));
const nodes: fc.Arbitrary<NodeSketch> = fc
  .record({ network: conditions, isBlue: fc.boolean(), isTainted: fc.boolean(), isMarked: fc.boolean() })
  .map(({ network, isBlue, isTainted, isMarked }) => ({
    labels: { pool: isBlue ? 'blue' : 'red' },
    taints: [foreign, ...(isTainted ? [gate] : [])],
    annotations: isMarked ? { 'readiness.k8s.io/bootstrap-completed-uid-of-one': 'true' } : {},
    conditions: network === null ? {} : { [cni]: network },
  }));
const ruleSketches = (name: string): fc.Arbitrary<RuleSketch> =>
  fc.record({
    name: fc.constant(name),
    front: fc.constantFrom<'NodeReadinessGateRule' | 'NodeReadinessRule'>(
      'NodeReadinessGateRule',
      'NodeReadinessRule',
    ),
    isDeleting: fc.boolean(),
    spec: fc.record({
      enforcementMode: fc.constantFrom('continuous', 'bootstrap-only'),
      suspend: fc.boolean(),
      dryRun: fc.boolean(),
      taint: fc.constantFrom(
        { key: gateKey, effect: 'NoSchedule' },
        { key: gateKey, effect: 'NoSchedule', value: 'x' },
      ),
    }),
  });

describe('whatever the rules and the node', () => {
  const worlds = fc.tuple(nodes, ruleSketches('one'), ruleSketches('two'));
  const lives = (check: (node: RawObject, rules: readonly RuleSketch[]) => void) =>
    fc.assert(
      fc.property(worlds, ([sketch, ...rules]) => {
        check(rawNode(sketch), rules);
      }),
      propertyRuns(1_000),
    );

  it('deciding again after our own actions gives none', () =>
    lives((node, rules) => expect(plan(carriedOut(node, rules), rules).patch).toBeNull()));

  it('the taints of others stay', () =>
    lives((node, rules) => expect(taintsOf(carriedOut(node, rules))[0]).toEqual(foreign)));

  it('the order in which rules are found does not matter', () =>
    lives((node, rules) =>
      expect(decided(node, rules.toReversed()).wish).toEqual(decided(node, rules).wish),
    ));

  it('a marker that we write and a taint that we set never stand together', () =>
    lives((node, [one = {}]) => {
      const { wish } = decided(node, [one]);
      const isMarking = Object.values(wish.annotations ?? {}).some(({ kind }) => kind === 'present');
      const isGating = Object.values(wish.taints ?? {}).some(({ kind }) => kind === 'present');
      expect(isMarking && isGating).toBe(false);
    }));
});
