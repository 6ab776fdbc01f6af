// From the controller of kubernetes-sigs to Muster on a real API server, by the very commands of the guide: its definition, its
// Lease, its rule, taint and marker first; nothing is gated twice and nothing flaps.

import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bootstrapMarkerPrefix, nodeReadinessRuleType, peerLeaseNames } from '../src/api/keys.ts';
import { apiVersionOf, resourceName } from '../src/objects/ref.ts';
import { type ControlPlane, startControlPlane } from './control-plane/control-plane.ts';
import { until } from './control-plane/until.ts';
import { createNode, operatorAccount } from './support/cluster-world.ts';
import { commandsOf, shellFor } from './support/guide.ts';
import { type OperatorProcess, startOperator } from './support/operator-process.ts';
import { peerDefinition } from './support/peer-definition.ts';

const root = path.resolve(import.meta.dirname, '..');
const crd = resourceName(nodeReadinessRuleType);
const taint = { key: 'readiness.k8s.io/NetworkReady', effect: 'NoSchedule' };
const rule = {
  apiVersion: apiVersionOf(nodeReadinessRuleType),
  kind: nodeReadinessRuleType.kind,
  metadata: { name: 'network', finalizers: ['readiness.node.x-k8s.io/cleanup-taints'] },
  spec: {
    conditions: [{ type: 'network.k8s.io/CalicoReady', requiredStatus: 'True' }],
    enforcementMode: 'bootstrap-only',
    taint,
    nodeSelector: { matchLabels: { pool: 'blue' } },
  },
};
const lease = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: peerLeaseNames.NodeReadinessRule, namespace: 'nrr-system' },
  spec: { holderIdentity: 'nrc-1' },
};

/** As the guide prints them. */
const guide = [
  'muster crds | kubectl apply -f -',
  'kubectl -n nrr-system delete lease ba65f13e.readiness.node.x-k8s.io',
  'kubectl get nrr -o yaml',
  'kubectl get nre -l rule=RULE',
];

let plane: ControlPlane;
let operator: OperatorProcess | undefined;
let shell: Awaited<ReturnType<typeof shellFor>>;

const put = (object: object) => plane.kubectl(['apply', '-f', '-'], { input: JSON.stringify(object) });
const read = (what: string, field: string) =>
  plane.kubectl(['get', ...what.split(' '), '-o', `jsonpath={${field}}`]);

beforeAll(async () => {
  plane = await startControlPlane({ log: (line) => process.stderr.write(`${line}\n`) });
  shell = await shellFor(plane);
  await put(peerDefinition);
  await plane.kubectl(['wait', '--for=condition=Established', '--timeout=30s', `crd/${crd}`]);
  await plane.kubectl(['create', 'namespace', 'nrr-system']);
  for (const object of [rule, lease]) await put(object);
  const uid = await read('nrr network', '.metadata.uid');
  await createNode(plane, 'held', { labels: { pool: 'blue' }, taints: [taint] });
  await createNode(plane, 'done', { labels: { pool: 'blue' } });
  const marker = `${bootstrapMarkerPrefix}${uid}={"rule-name":"network"}`;
  await plane.kubectl(['annotate', 'node', 'done', marker]);
});

afterAll(async () => {
  await operator?.stop();
  await plane?.stop();
});

describe('the way from another controller', () => {
  it('is in the guide as it is gone here', async () => {
    const heading = "Move from kubernetes-sigs' node-readiness-controller";
    expect(await commandsOf('docs/guides/readiness.md', heading)).toEqual(guide);
  });

  it('leaves its rules alone while it holds its Lease, and says so', async () => {
    await shell(guide[0] ?? '');
    await plane.kubectl(['apply', '-f', path.join(root, 'config/rbac')]);
    operator = startOperator((await plane.kubeconfigFor(operatorAccount)).path);
    await operator.waitUntilReady();
    await operator.waitForLine('another controller serves these rules; Muster leaves them to it');
    const { text } = await operator.get('metrics', '/metrics');
    expect(text).toContain('node_readiness_peer_present{kind="NodeReadinessRule"} 1');
    expect(await read('nrr network', '.status')).toBe('');
    expect(await read('node held', '.metadata.annotations')).not.toContain('readiness/NodeReadinessRule');
  });

  it('takes over when the Lease is gone: adopts the taint, believes the marker, gates nobody twice', async () => {
    await shell(guide[1] ?? '');
    await until('a summary', 30_000, async () =>
      (await read('nrr network', '.status.summary.totalApplicableNodes')) === '2' ? true : undefined,
    );
    await until('what was done before counts', 30_000, async () =>
      (await read('nrr network', '.status.summary')).includes('"bootstrapCompletedNodes":1')
        ? true
        : undefined,
    );
    expect(JSON.parse(await read('node held', '.spec.taints'))).toMatchObject([taint]);
    expect(await read('node done', '.spec.taints')).toBe('');
    const events = await until('the taint is adopted', 30_000, async () => {
      const reasons = await plane.kubectl(['get', 'events', '-A', '-o', 'jsonpath={.items[*].reason}']);
      return reasons.includes('TaintAdopted') ? reasons : undefined;
    });
    expect(events).not.toContain('TaintAdded');
  });

  it('shows what it did where the guide says', async () => {
    expect(await shell(guide[2] ?? '')).toMatch(/conditions:[^]*summary:/);
    await until('both evaluations', 30_000, async () => {
      const table = await shell((guide[3] ?? '').replace('RULE', 'network'));
      return table.includes('network-held') && table.includes('network-done') ? true : undefined;
    });
  });
});
