// Rules of an earlier controller, taken over on a real API server as the guide says: old definition, old status, then ours.

import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeReadinessGateRuleType } from '../src/api/keys.ts';
import type { NodeReadinessGateRuleStatus } from '../src/api/node-readiness-gate-rule.ts';
import { resourceName } from '../src/objects/ref.ts';
import { type ControlPlane, startControlPlane } from './control-plane/control-plane.ts';
import { until } from './control-plane/until.ts';
import { createNode, operatorAccount } from './support/cluster-world.ts';
import { type OperatorProcess, startOperator } from './support/operator-process.ts';

const { group, plural, kind } = nodeReadinessGateRuleType;
const crd = resourceName(nodeReadinessGateRuleType);
const root = path.resolve(import.meta.dirname, '..');
const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** One version, nothing bounded: as it was before. */
const formerDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: crd },
  spec: {
    group,
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    scope: 'Cluster',
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: anything, status: anything } } },
      },
    ],
  },
};

const calico = 'network.k8s.io/CalicoReady';
const rule = {
  apiVersion: `${group}/v1alpha1`,
  kind,
  metadata: { name: 'former', finalizers: ['nodereadiness.io/cleanup-taints'] },
  spec: {
    conditions: [{ type: calico, requiredStatus: 'True' }],
    enforcementMode: 'continuous',
    gracePeriod: '30s',
    taint: { key: 'readiness.k8s.io/NetworkReady', effect: 'NoSchedule' },
    nodeSelector: { matchLabels: { pool: 'blue' } },
  },
};
const status = {
  observedGeneration: 1,
  appliedNodes: ['worker'],
  completedNodes: ['worker'],
  failedNodes: [
    { nodeName: 'gone', reason: 'EvaluationError', message: 'x', lastUpdated: '2025-10-14T06:29:45Z' },
  ],
  nodeEvaluations: [
    {
      nodeName: 'worker',
      conditionResults: [
        { type: calico, currentStatus: 'Unknown', requiredStatus: 'True', satisfied: false, missing: true },
      ],
      taintAction: 'none',
      lastEvaluated: '2025-10-14T06:29:45Z',
    },
  ],
};

let plane: ControlPlane;
let operator: OperatorProcess | undefined;

beforeAll(async () => {
  plane = await startControlPlane({ log: (line) => process.stderr.write(`${line}\n`) });
  await plane.kubectl(['apply', '-f', '-'], { input: JSON.stringify(formerDefinition) });
  await plane.kubectl(['wait', '--for=condition=Established', '--timeout=30s', `crd/${crd}`]);
  const taints = [rule.spec.taint];
  await createNode(plane, 'worker', { labels: { pool: 'blue' }, taints });
  await plane.kubectl(['apply', '-f', '-'], { input: JSON.stringify(rule) });
  const patch = [
    'patch',
    `${crd}/former`,
    '--subresource=status',
    '--type=merge',
    '-p',
    JSON.stringify({ status }),
  ];
  await plane.kubectl(patch);
});

afterAll(async () => {
  await operator?.stop();
  await plane?.stop();
});

describe('a rule of an earlier controller', () => {
  it('is taken over with its taint, and gets a summary in place of its lists', async () => {
    await plane.kubectl(['apply', '-f', path.join(root, 'config/crds')]);
    await plane.kubectl(['apply', '-f', path.join(root, 'config/rbac')]);
    operator = startOperator((await plane.kubeconfigFor(operatorAccount)).path);
    await operator.waitUntilReady();
    const found = await until('a summary', 30_000, async () => {
      const text = await plane.kubectl(['get', 'nrgr', 'former', '-o', 'jsonpath={.status}']);
      const read = JSON.parse(text) as NodeReadinessGateRuleStatus;
      return read.summary?.nodesWithTaint === 1 && read.observedGeneration === 1 ? read : undefined;
    });
    expect(Object.keys(found).toSorted()).toEqual(['conditions', 'observedGeneration', 'summary']);
    const node = await plane.kubectl(['get', 'node', 'worker', '-o', 'jsonpath={.metadata.annotations}']);
    expect(node).toContain('readiness/NodeReadinessGateRule/former');
  });

  it('keeps the fields that mean nothing any more', async () => {
    const spec = await plane.kubectl(['get', 'nrgr', 'former', '-o', 'jsonpath={.spec}']);
    expect(JSON.parse(spec)).toEqual(rule.spec);
  });

  it('is stored in the new version, so that the old one can be forgotten', async () => {
    const stored = () => plane.kubectl(['get', 'crd', crd, '-o', 'jsonpath={.status.storedVersions}']);
    expect(JSON.parse(await stored())).toEqual(['v1alpha1', 'v1alpha2']);
    const patch = JSON.stringify({ status: { storedVersions: ['v1alpha2'] } });
    await plane.kubectl(['patch', 'crd', crd, '--subresource=status', '--type=merge', '-p', patch]);
    expect(JSON.parse(await stored())).toEqual(['v1alpha2']);
  });

  it('goes with its taint', async () => {
    await plane.kubectl(['delete', 'nrgr', 'former', '--timeout=30s']);
    expect(await plane.kubectl(['get', 'node', 'worker', '-o', 'jsonpath={.spec.taints}'])).toBe('');
  });
});
