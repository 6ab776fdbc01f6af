import { describe, expect, it } from 'vitest';
import { ruleView } from '../../test/support/rule-builder.ts';
import { markerKeysOf, parseOwner } from './readiness-rule.ts';

describe('a rule', () => {
  it('is the same engine model in either kind', () => {
    const gate = ruleView();
    const upstream = ruleView({ front: 'NodeReadinessRule' });
    expect(gate.rule).toEqual(upstream.rule);
    expect([gate.owner, upstream.owner]).toEqual([
      'readiness/NodeReadinessGateRule/cni',
      'readiness/NodeReadinessRule/cni',
    ]);
  });

  it('reads every addition', () => {
    const spec = {
      healthyFor: '30s',
      unhealthyFor: '1m30s',
      maxConditionAge: '10m',
      after: ['first'],
      bootstrap: { perBoot: true },
      maxNewlyGated: '25%',
      suspend: true,
      dryRun: true,
    };
    expect(ruleView({ spec }).rule).toMatchObject({
      healthyForMs: 30_000,
      unhealthyForMs: 90_000,
      conditionAgeMsMax: 600_000,
      after: ['first'],
      isPerBoot: true,
      gatedMax: { kind: 'percent', max: 25 },
      isSuspended: true,
      isDryRun: true,
    });
  });

  it.each<[string, object, string]>([
    ['without a selector', { nodeSelector: undefined }, 'spec.nodeSelector'],
    ['with an empty selector', { nodeSelector: {} }, 'spec.nodeSelector'],
    ['without a condition', { conditions: [] }, 'spec.conditions'],
    ['of an unknown mode', { enforcementMode: 'once' }, 'spec.enforcementMode'],
    ['without a taint', { taint: {} }, 'spec.taint'],
    [
      'on a taint that Kubernetes sets itself',
      { taint: { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' } },
      'spec.taint',
    ],
    ['with a duration in words', { healthyFor: 'soon' }, 'spec.healthyFor'],
    ['with a bound beyond the whole', { maxNewlyGated: '200%' }, 'spec.maxNewlyGated'],
  ])('%s is none, and says why', (_, spec, path) => {
    const view = ruleView({ spec });
    expect([view.rule, view.problems.map((problem) => problem.path)]).toEqual([null, [path]]);
  });

  it.each<[string, string | undefined, number | null]>([
    ['counts for the generation that it names', '3/40', 40],
    ['does not count for another generation', '2/40', null],
    ['does not count in other words', '3/all', null],
    ['does not count when absent', undefined, null],
  ])('whose impact is confirmed %s', (_, text, nodes) => {
    const annotations: Record<string, string> =
      text === undefined ? {} : { 'muster.dev/confirm-impact': text };
    expect(ruleView({ generation: 3, annotations }).confirmedNodes).toBe(nodes);
  });

  it('has a marker by its UID, and one by its name that is only read', () => {
    expect(markerKeysOf(ruleView())).toEqual([
      'readiness.k8s.io/bootstrap-completed-uid-of-cni',
      'readiness.k8s.io/bootstrap-completed-cni',
    ]);
  });
});

describe('an owner', () => {
  it.each([
    ['readiness/NodeReadinessRule/cni', { front: 'NodeReadinessRule', name: 'cni' }],
    ['readiness/Stamp/cni', null],
    ['readiness/NodeReadinessRule', null],
    ['nodeconfig/NodeReadinessRule/cni', null],
    ['readiness', null],
  ])('%s is read as what it is', (owner, parsed) => expect(parseOwner(owner)).toEqual(parsed));
});
