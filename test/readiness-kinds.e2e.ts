// The readiness kinds on a real API server: accepted, refused in which words, and no field lost through an old version.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  nodeReadinessEvaluationType,
  nodeReadinessGateRuleType,
  nodeReadinessRuleType,
} from '../src/api/keys.ts';
import { resourceName } from '../src/objects/ref.ts';
import { headOf, type InstalledCluster, startInstalledCluster } from './support/installed-cluster.ts';
import { upstreamChanges, upstreamRefusals, upstreamRule } from './support/upstream-rules.ts';

let cluster: InstalledCluster;

beforeAll(async () => {
  cluster = await startInstalledCluster();
});

afterAll(() => cluster?.stop());

const conditions = [{ type: 'network.k8s.io/CalicoReady', requiredStatus: 'True' }];
const taint = { key: 'readiness.k8s.io/NetworkReady', effect: 'NoSchedule' };
const nodeSelector = { matchLabels: { pool: 'blue' } };
const plain = { conditions, taint, nodeSelector, enforcementMode: 'continuous' };
const full = {
  ...plain,
  taint: { ...taint, value: 'pending' },
  conditions: [{ ...conditions[0], defaultStatus: 'Unknown' }],
  conditionPolicy: 'allOf',
  dryRun: true,
  suspend: false,
  healthyFor: '30s',
  unhealthyFor: '1m30s',
  maxConditionAge: '10m',
  after: ['first'],
  maxNewlyGated: '25%',
  gracePeriod: '5m',
};

const counts = {
  totalApplicableNodes: 2,
  nodesWithTaint: 1,
  nodesWithoutTaint: 1,
  nodesReady: 1,
  nodesNotReady: 1,
  nodesUnknown: 0,
  lastUpdated: '2026-11-15T10:42:00Z',
};

/** The one field that needs the other mode. */
const booted = { ...plain, enforcementMode: 'bootstrap-only', dryRun: true, bootstrap: { perBoot: true } };

const fullStatus = {
  observedGeneration: 1,
  conditions: [
    {
      type: 'Ready',
      status: 'False',
      observedGeneration: 1,
      lastTransitionTime: counts.lastUpdated,
      reason: 'NodesFailing',
      message: '3 nodes',
    },
  ],
  summary: {
    ...counts,
    bootstrapCompletedNodes: 1,
    heldNodes: 1,
    conditionSummaries: [
      { type: conditions[0]?.type, nodesSatisfied: 1, nodesUnsatisfied: 1, nodesMissing: 0 },
    ],
  },
  failedNodes: [{ nodeName: 'c', reason: 'WriteFailed', message: 'no', lastUpdated: counts.lastUpdated }],
  failedNodeCount: 3,
  dryRunResults: {
    affectedNodes: 2,
    taintsToAdd: 1,
    taintsToRemove: 0,
    riskyOperations: 0,
    summary: '1 would get the taint (a)',
  },
};

function gateRule(name: string, spec: object) {
  return { ...headOf(nodeReadinessGateRuleType, name), spec };
}

function rule(name: string, spec: object) {
  return { ...headOf(nodeReadinessRuleType, name), spec };
}

describe('the readiness kinds', () => {
  it.each([nodeReadinessGateRuleType, nodeReadinessEvaluationType, nodeReadinessRuleType])(
    '$kind is established and structural',
    async (type) => {
      const crd = await cluster.kubectl(['get', 'crd', resourceName(type), '-o', 'json']);
      expect(crd).not.toContain('NonStructuralSchema');
      expect(crd).toContain('"type": "Established"');
    },
  );

  it('are found under their short names', async () => {
    for (const name of ['nrgr', 'nre', 'nodereadinesseval', 'nrr'])
      expect(await cluster.kubectl(['get', name])).toBe('');
  });

  it('can be narrowed by mode, taint key and dry run', async () => {
    await cluster.apply(gateRule('narrowed', full));
    const names = await cluster.kubectl([
      'get',
      'nrgr',
      '-o',
      'name',
      `--field-selector=spec.enforcementMode=continuous,spec.taint.key=${taint.key},spec.dryRun=true`,
    ]);
    expect(names.trim()).toBe('nodereadinessgaterule.nodereadiness.io/narrowed');
  });
});

describe('an update through v1alpha1', () => {
  it.each<[string, object]>([
    ['continuous', full],
    ['bootstrap-only', booted],
  ])('of mode %s keeps every field, and the stored version stays v1alpha2', async (mode, spec) => {
    const name = `kept-${mode}`;
    await cluster.apply(gateRule(name, spec));
    await cluster.patch(`nrgr/${name}`, { status: fullStatus }, '--subresource=status');
    const path = `/apis/nodereadiness.io/v1alpha1/nodereadinessgaterules/${name}`;
    const old = (await cluster.request('GET', path)).body as { spec: object; status: object };
    const reply = await cluster.request('PUT', path, {
      body: { ...old, spec: { ...old.spec, dryRun: false } },
    });
    expect(reply.status).toBe(200);
    const after = JSON.parse(await cluster.kubectl(['get', 'nrgr', name, '-o', 'json'])) as typeof old;
    expect(after.spec).toEqual({ ...spec, dryRun: false });
    expect(after.status).toEqual(fullStatus);
    const crd = resourceName(nodeReadinessGateRuleType);
    expect(await cluster.kubectl(['get', 'crd', crd, '-o', 'jsonpath={.status.storedVersions}'])).toBe(
      '["v1alpha2"]',
    );
  });

  it('takes a status of an earlier controller as it was', async () => {
    await cluster.apply(gateRule('former', plain));
    const status = {
      appliedNodes: ['a'],
      completedNodes: ['b'],
      failedNodes: [
        { nodeName: 'c', reason: 'EvaluationError', message: 'no', lastUpdated: '2025-10-14T06:29:45Z' },
      ],
      nodeEvaluations: [
        {
          nodeName: 'a',
          conditionResults: [{ ...conditions[0], currentStatus: 'True', satisfied: true, missing: false }],
          taintAction: 'none',
          lastEvaluated: '2025-10-14T06:29:45Z',
        },
      ],
    };
    await cluster.patch('nrgr/former', { status }, '--subresource=status');
    const read = JSON.parse(await cluster.kubectl(['get', 'nrgr', 'former', '-o', 'jsonpath={.status}']));
    expect(read).toEqual(status);
  });
});

const onlyExists = { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] };

describe.each<[string, (name: string, spec: object) => object]>([
  ['a NodeReadinessGateRule', gateRule],
  ['a NodeReadinessRule', rule],
])('%s', (_, make) => {
  it('takes every field of its own', async () => {
    await cluster.create(make('taken', { ...plain, conditionPolicy: 'anyOf', dryRun: true }));
    await cluster.create(make('boot', { ...plain, enforcementMode: 'bootstrap-only' }));
  });

  it.each<[string, object, string]>([
    ['an empty selector', { nodeSelector: {} }, 'nodeSelector must not be empty'],
    [
      'a selector of two empty parts',
      { nodeSelector: { matchLabels: {}, matchExpressions: [] } },
      'nodeSelector must not be empty',
    ],
    [
      'a label that nobody can have',
      { nodeSelector: { matchLabels: { 'a b': 'c' } } },
      'keys must be those of labels',
    ],
    ['a value that no label has', { nodeSelector: { matchLabels: { a: 'b c' } } }, 'should match'],
    [
      'an expression on no label',
      { nodeSelector: { matchExpressions: [{ key: 'a..b/c', operator: 'Exists' }] } },
      'should match',
    ],
    ['values for Exists', { nodeSelector: onlyExists }, 'values are given for In and NotIn'],
    ['no condition', { conditions: [] }, 'should have at least 1 items'],
    ['a condition twice', { conditions: [...conditions, ...conditions] }, 'Duplicate value'],
    [
      'a status that does not exist',
      { conditions: [{ type: 'a', requiredStatus: 'Yes' }] },
      'Unsupported value',
    ],
    ['an unknown mode', { enforcementMode: 'sometimes' }, 'Unsupported value'],
  ])('refuses %s', async (_, change, words) => {
    await expect(cluster.create(make('refused', { ...plain, ...change }))).rejects.toThrow(words);
  });
});

describe('a NodeReadinessGateRule', () => {
  it.each<[string, object, string]>([
    ['an effect that does not exist', { taint: { ...taint, effect: 'NoWay' } }, 'Unsupported value'],
    [
      'a default in bootstrap-only',
      { enforcementMode: 'bootstrap-only', conditions: [{ ...conditions[0], defaultStatus: 'True' }] },
      'defaultStatus should not be used with bootstrap-only enforcementMode',
    ],
    [
      'anyOf in bootstrap-only',
      { enforcementMode: 'bootstrap-only', conditionPolicy: 'anyOf' },
      'anyOf conditionPolicy is not supported with bootstrap-only enforcementMode',
    ],
    [
      'a default with anyOf',
      { conditionPolicy: 'anyOf', conditions: [{ ...conditions[0], defaultStatus: 'True' }] },
      'defaultStatus is not supported when conditionPolicy is anyOf',
    ],
    ['a taint key that is too long', { taint: { ...taint, key: `a/${'b'.repeat(64)}` } }, 'should match'],
    [
      'a taint that Kubernetes sets itself',
      { taint: { ...taint, key: 'node.kubernetes.io/unschedulable' } },
      'the taint belongs to Kubernetes or to an autoscaler',
    ],
    ['a taint key without a DNS name', { taint: { ...taint, key: 'a..b/c' } }, 'should match'],
    [
      'a taint key whose prefix is too long',
      { taint: { ...taint, key: `${'a.'.repeat(127)}a/b` } },
      'the prefix of a key has at most 253 characters',
    ],
    ['a negative bound', { maxNewlyGated: -1 }, 'must be a number or a percentage'],
    ['a bound beyond the whole', { maxNewlyGated: '101%' }, 'must be a number or a percentage'],
    ['a duration of more than a day', { healthyFor: '25h' }, 'must be from 0s to 24h'],
    ['an age of nothing', { maxConditionAge: '0s' }, 'must be more than 0s and at most 24h'],
    ['a duration in words', { healthyFor: 'soon' }, 'must be whole hours, minutes and seconds'],
    ['a duration in days', { healthyFor: '1d' }, 'must be whole hours, minutes and seconds'],
    ['a duration in fractions', { unhealthyFor: '1.5h' }, 'must be whole hours, minutes and seconds'],
    ['a duration without end', { healthyFor: '99999999h' }, 'must be whole hours, minutes and seconds'],
    ['an empty duration', { maxConditionAge: '' }, 'must be whole hours, minutes and seconds'],
    ['to come after itself', { after: ['refused'] }, 'a rule cannot come after itself'],
    [
      'a reboot in mode continuous',
      { bootstrap: { perBoot: true } },
      'perBoot needs enforcementMode bootstrap-only',
    ],
    [
      'unhealthyFor in mode bootstrap-only',
      { enforcementMode: 'bootstrap-only', unhealthyFor: '1m' },
      'unhealthyFor needs enforcementMode continuous',
    ],
  ])('refuses %s', async (_, change, words) => {
    await expect(cluster.create(gateRule('refused', { ...plain, ...change }))).rejects.toThrow(words);
  });

  it('can be edited', async () => {
    await cluster.apply(gateRule('edited', plain));
    await cluster.apply(gateRule('edited', { ...plain, taint: { ...taint, key: 'example.com/other' } }));
  });
});

describe('a NodeReadinessRule', () => {
  it.each(upstreamRefusals)('with %s is refused', async (_, change, words) => {
    await expect(cluster.create(upstreamRule('refused', change))).rejects.toThrow(words);
  });

  it.each(upstreamChanges)('keeps its %s for ever', async (_, spec, words) => {
    await cluster.apply(upstreamRule('fixed'));
    await expect(cluster.patch('nrr/fixed', { spec })).rejects.toThrow(words);
  });

  it('may say what it meant by default, and turn its dry run on and off', async () => {
    await cluster.apply(rule('loose', plain));
    await cluster.patch('nrr/loose', { spec: { conditionPolicy: 'allOf', dryRun: true } });
    await cluster.patch('nrr/loose', { spec: { dryRun: false } });
  });

  it('is printed and narrowed as its users know it', async () => {
    await cluster.apply(upstreamRule('printed', { enforcementMode: 'bootstrap-only', dryRun: true }));
    const [heading = '', line = ''] = (await cluster.kubectl(['get', 'nrr', 'printed'])).split('\n');
    expect(heading.trim().split(/ +/)).toEqual(['NAME', 'MODE', 'TAINT', 'EFFECT', 'DRYRUN', 'AGE']);
    expect(line).toMatch(
      /^printed +bootstrap-only +readiness\.k8s\.io\/NetworkReady +NoSchedule +true +\d+s/,
    );
    const selector = `spec.enforcementMode=bootstrap-only,spec.taint.key=${taint.key},spec.dryRun=true`;
    const names = await cluster.kubectl(['get', 'nrr', '-o', 'name', `--field-selector=${selector}`]);
    expect(names.trim()).toBe('nodereadinessrule.readiness.node.x-k8s.io/printed');
  });
});
