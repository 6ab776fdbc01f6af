// The readiness kinds on a real API server: accepted, refused in which words, and no field lost through an old version.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  nodeReadinessEvaluationType,
  nodeReadinessGateRuleType,
  nodeReadinessRuleType,
} from '../src/api/keys.ts';
import { resourceName } from '../src/objects/ref.ts';
import { headOf, type InstalledCluster, startInstalledCluster } from './support/installed-cluster.ts';

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
  it('keeps every field, and the stored version stays v1alpha2', async () => {
    await cluster.apply(gateRule('kept', full));
    await cluster.patch(
      'nrgr/kept',
      { status: { summary: counts, failedNodeCount: 3 } },
      '--subresource=status',
    );
    const path = '/apis/nodereadiness.io/v1alpha1/nodereadinessgaterules/kept';
    const old = (await cluster.request('GET', path)).body as { spec: object; status: object };
    const reply = await cluster.request('PUT', path, {
      body: { ...old, spec: { ...old.spec, dryRun: false } },
    });
    expect(reply.status).toBe(200);
    const after = JSON.parse(await cluster.kubectl(['get', 'nrgr', 'kept', '-o', 'json'])) as typeof old;
    expect(after.spec).toEqual({ ...full, dryRun: false });
    expect(after.status).toEqual({ summary: counts, failedNodeCount: 3 });
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
    ['an empty selector', { nodeSelector: {} }, 'nodeSelector must have at least one label or expression'],
    [
      'a selector of two empty parts',
      { nodeSelector: { matchLabels: {}, matchExpressions: [] } },
      'at least one',
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
    ['an effect that does not exist', { taint: { ...taint, effect: 'NoWay' } }, 'Unsupported value'],
    ['an unknown mode', { enforcementMode: 'sometimes' }, 'Unsupported value'],
    [
      'a default in bootstrap-only',
      { enforcementMode: 'bootstrap-only', conditions: [{ ...conditions[0], defaultStatus: 'True' }] },
      'defaultStatus cannot be used with enforcementMode bootstrap-only',
    ],
    [
      'anyOf in bootstrap-only',
      { enforcementMode: 'bootstrap-only', conditionPolicy: 'anyOf' },
      'conditionPolicy anyOf cannot be used with enforcementMode bootstrap-only',
    ],
    [
      'a default with anyOf',
      { conditionPolicy: 'anyOf', conditions: [{ ...conditions[0], defaultStatus: 'True' }] },
      'defaultStatus cannot be used with conditionPolicy anyOf',
    ],
  ])('refuses %s', async (_, change, words) => {
    await expect(cluster.create(make('refused', { ...plain, ...change }))).rejects.toThrow(words);
  });
});

describe('a NodeReadinessGateRule', () => {
  it.each<[string, object, string]>([
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
    ['a duration of days', { healthyFor: '25h' }, 'must be from 0s to 24h'],
    ['a duration in words', { healthyFor: 'soon' }, 'should match'],
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
  const withKey = (key: string) => rule('refused', { ...plain, taint: { ...taint, key } });

  it.each([
    ['example.com/a', 'taint key must start with'],
    ['readiness.k8s.io/a/b', "exactly one '/' separator"],
    ['readiness.k8s.io/', '1-63 characters'],
    [`readiness.k8s.io/${'a'.repeat(64)}`, '1-63 characters'],
    ['readiness.k8s.io/-a', 'must start and end with an alphanumeric character'],
    ['readiness.k8s.io/a b', 'must consist of alphanumeric characters'],
  ])('refuses the taint key %s', async (key, words) => {
    await expect(cluster.create(withKey(key))).rejects.toThrow(words);
  });

  it.each<[string, object, string]>([
    ['conditions', { conditions: [{ type: 'Other', requiredStatus: 'True' }] }, 'conditions is immutable'],
    ['conditionPolicy', { conditionPolicy: 'anyOf' }, 'conditionPolicy is immutable'],
    ['enforcementMode', { enforcementMode: 'bootstrap-only' }, 'enforcementMode is immutable'],
    ['taint.key', { taint: { ...taint, key: 'readiness.k8s.io/b' } }, 'taint.key is immutable'],
    ['taint.effect', { taint: { ...taint, effect: 'NoExecute' } }, 'taint.effect is immutable'],
    ['nodeSelector', { nodeSelector: { matchLabels: { pool: 'red' } } }, 'nodeSelector is immutable'],
  ])('keeps its %s for ever', async (_, change, words) => {
    await cluster.apply(rule('fixed', plain));
    await expect(cluster.patch('nrr/fixed', { spec: change })).rejects.toThrow(words);
  });

  it('may say what it meant by default, and turn its dry run on and off', async () => {
    await cluster.apply(rule('loose', plain));
    await cluster.patch('nrr/loose', { spec: { conditionPolicy: 'allOf', dryRun: true } });
    await cluster.patch('nrr/loose', { spec: { dryRun: false } });
  });
});
