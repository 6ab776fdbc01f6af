// Rules of an earlier controller, taken over on a real API server by the very commands of the guide: old definition and old status,
// then ours, and at last nothing is stored in the old version any more.

import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeReadinessGateRuleType } from '../src/api/keys.ts';
import type { NodeReadinessGateRuleStatus } from '../src/api/node-readiness-gate-rule.ts';
import { resourceName } from '../src/objects/ref.ts';
import { type ControlPlane, startControlPlane } from './control-plane/control-plane.ts';
import { until } from './control-plane/until.ts';
import { commandsOf, shellFor } from './support/guide.ts';
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

/** As the guide prints them. */
const guide = [
  'kubectl get nodereadinessgaterules -o yaml > backup-rules.yaml',
  'muster crds | kubectl apply -f -',
  'kubectl delete lease --all-namespaces --field-selector metadata.name=ba65f13e.nodereadiness.io',
  'muster migrate',
];
const lease = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'ba65f13e.nodereadiness.io', namespace: 'default' },
  spec: { holderIdentity: 'the-earlier-one' },
};
/** Of a pool without nodes: nothing but the migration ever writes it. */
const idle = {
  ...rule,
  metadata: { name: 'idle' },
  spec: { ...rule.spec, nodeSelector: { matchLabels: { pool: 'none' } } },
};

let plane: ControlPlane;
let shell: Awaited<ReturnType<typeof shellFor>>;
let operator: OperatorProcess | undefined;

beforeAll(async () => {
  plane = await startControlPlane({ log: (line) => process.stderr.write(`${line}\n`) });
  await plane.kubectl(['apply', '-f', '-'], { input: JSON.stringify(formerDefinition) });
  await plane.kubectl(['wait', '--for=condition=Established', '--timeout=30s', `crd/${crd}`]);
  const taints = [rule.spec.taint];
  await createNode(plane, 'worker', { labels: { pool: 'blue' }, taints });
  for (const object of [rule, idle, lease])
    await plane.kubectl(['apply', '-f', '-'], { input: JSON.stringify(object) });
  shell = await shellFor(plane);
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

/** A definition that does not serve the old version any more: refused for as long as something is stored in it. */
async function withoutOldVersion(): Promise<string> {
  const found = JSON.parse(await plane.kubectl(['get', 'crd', crd, '-o', 'json'])) as {
    spec: { versions: { name: string }[] };
  };
  found.spec.versions = found.spec.versions.filter(({ name }) => name !== 'v1alpha1');
  return plane.kubectl(['replace', '--dry-run=server', '-f', '-'], { input: JSON.stringify(found) });
}

afterAll(async () => {
  await operator?.stop();
  await plane?.stop();
});

describe('a rule of an earlier controller', () => {
  it('is taken over with its taint, and gets a summary in place of its lists', async () => {
    expect(await commandsOf('docs/guides/readiness.md', 'Move from nodereadiness.io/v1alpha1')).toEqual(
      guide,
    );
    const [backup = '', install = '', free = ''] = guide;
    for (const command of [backup, install, free]) await shell(command);
    expect(await shell('cat backup-rules.yaml')).toContain('name: former');
    expect(await plane.kubectl(['get', 'leases', '-A', '-o', 'name'])).not.toContain('ba65f13e');
    await plane.kubectl(['apply', '-f', path.join(root, 'config/rbac')]);
    operator = startOperator((await plane.kubeconfigFor(operatorAccount)).path);
    await operator.waitUntilReady();
    const found = await until('a summary', 30_000, async () => {
      const text = await plane.kubectl(['get', 'nrgr', 'former', '-o', 'jsonpath={.status}']);
      const read = JSON.parse(text) as NodeReadinessGateRuleStatus;
      return read.summary?.nodesWithTaint === 1 && read.observedGeneration === 1 ? read : undefined;
    });
    expect(Object.keys(found).toSorted()).toEqual(['conditions', 'observedGeneration', 'summary']);
    // Its taint stood before, so that the summary may speak of it before the node does.
    await until('the taint is ours', 30_000, async () => {
      const node = await plane.kubectl(['get', 'node', 'worker', '-o', 'jsonpath={.metadata.annotations}']);
      return node.includes('readiness/NodeReadinessGateRule/former') ? true : undefined;
    });
  });

  it('keeps the fields that mean nothing any more', async () => {
    const spec = await plane.kubectl(['get', 'nrgr', 'former', '-o', 'jsonpath={.spec}']);
    expect(JSON.parse(spec)).toEqual(rule.spec);
  });

  it('is warned of by the API server where somebody still uses the old version', async () => {
    const former = (version: string) => plane.request('GET', `/apis/${group}/${version}/${plural}/former`);
    const words =
      'nodereadiness.io/v1alpha1 NodeReadinessGateRule is deprecated; use nodereadiness.io/v1alpha2';
    expect(await former('v1alpha1')).toMatchObject({ status: 200, warning: `299 - "${words}"` });
    expect(await former('v1alpha2')).toMatchObject({ status: 200, warning: '' });
  });

  it('is stored in the new version alone once the last command of the guide has run', async () => {
    const stored = () => plane.kubectl(['get', 'crd', crd, '-o', 'jsonpath={.status.storedVersions}']);
    const read = () => plane.kubectl(['get', 'nrgr', 'idle', '-o', 'json']);
    expect(JSON.parse(await stored())).toEqual(['v1alpha1', 'v1alpha2']);
    const before = JSON.parse(await read()) as { spec: unknown };
    await expect(withoutOldVersion()).rejects.toThrow('must remain in spec.versions');
    const said = await shell(guide.at(-1) ?? '');
    expect(said).toContain(`${crd}: 2 objects are stored in v1alpha2; v1alpha1 is forgotten`);
    expect(JSON.parse(await stored())).toEqual(['v1alpha2']);
    expect((JSON.parse(await read()) as { spec: unknown }).spec).toEqual(before.spec);
    expect(await shell('muster migrate')).toContain(`${crd}: is stored in v1alpha2 alone`);
    await expect(withoutOldVersion()).resolves.toContain('replaced');
  });

  it('goes with its taint', async () => {
    await plane.kubectl(['delete', 'nrgr', 'former', '--timeout=30s']);
    expect(await plane.kubectl(['get', 'node', 'worker', '-o', 'jsonpath={.spec.taints}'])).toBe('');
  });
});
