import { describe, expect, it } from 'vitest';
import { lifecycleView } from '../../../test/support/lifecycle-builder.ts';
import { type NodeSketch, nodeView } from '../../../test/support/node-builder.ts';
import { template } from '../../../test/support/verification-scene.ts';
import type { NodeVerificationSpec } from '../../api/node-verification.ts';
import { fieldsOf, recordsIn } from '../../objects/raw.ts';
import { defaultPolicy } from './policy.ts';
import { workerPod, type WorkerTemplate } from './worker-pod.ts';

type Order = {
  readonly node?: NodeSketch;
  readonly policy?: Omit<NodeVerificationSpec, 'nodeSelector'>;
  readonly operator?: Partial<WorkerTemplate>;
};

function podOf({ node = {}, policy = {}, operator = {} }: Order = {}) {
  const pod = workerPod({
    node: nodeView({ name: 'a', uid: 'uid-a', ...node }),
    policy: defaultPolicy(policy),
    record: { state: 'pending', round: 2, attempt: 3, workerPod: 'node-ready-worker-a-0123456789-3' },
    lifecycle: lifecycleView({}, 'uid-a'),
    template: { ...template, ...operator },
    now: Date.parse('2026-11-01T00:00:00Z'),
  });
  const spec = fieldsOf(pod.spec);
  const [own = {}] = recordsIn(spec['containers']);
  return { pod, spec, own };
}

const exists = (key: string, effect = 'NoSchedule') => ({ key, operator: 'Exists', effect });

describe('the pod of a worker', () => {
  it('carries the marks of the original tool, and goes with the record of its node', () => {
    expect(podOf().pod.metadata).toMatchObject({
      name: 'node-ready-worker-a-0123456789-3',
      namespace: 'workers',
      labels: { app: 'kube-node-ready', component: 'worker', node: 'a' },
      annotations: {
        'kube-node-ready/target-node': 'a',
        'kube-node-ready/node-uid': 'uid-a',
        'kube-node-ready/attempt': '3',
        'kube-node-ready/created-at': '2026-11-01T00:00:00Z',
      },
      ownerReferences: [
        { apiVersion: 'muster.dev/v1alpha1', kind: 'NodeLifecycle', name: 'a', blockOwnerDeletion: false },
      ],
    });
  });

  it('tolerates what the node carries for good, and no agent that is not done', () => {
    const taints = [
      { key: 'node-ready/unverified', effect: 'NoSchedule' },
      { key: 'nvidia.com/gpu', effect: 'NoSchedule', value: 'present' },
      { key: 'example.com/dedicated', effect: 'NoExecute' },
      { key: 'example.com/rather-not', effect: 'PreferNoSchedule' },
      { key: 'node.cilium.io/agent-not-ready', effect: 'NoExecute' },
      { key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoSchedule' },
    ];
    expect(podOf({ node: { taints } }).spec['tolerations']).toEqual([
      exists('node-ready/unverified'),
      exists('node.kubernetes.io/not-ready'),
      exists('node.kubernetes.io/unreachable'),
      exists('nvidia.com/gpu'),
      exists('example.com/dedicated', 'NoExecute'),
    ]);
  });

  it('has the resources of its policy, else those of the operator, else the usual ones', () => {
    const limits = (order: Order) => fieldsOf(podOf(order).own['resources']);
    const usual = { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '128Mi' } };
    const operator = { resources: { requests: { cpu: '10m' }, limits: { memory: '96Mi' } } };
    expect(limits({})).toEqual(usual);
    expect(limits({ operator })).toEqual({
      requests: { cpu: '10m', memory: '64Mi' },
      limits: { memory: '96Mi' },
    });
    expect(limits({ operator, policy: { worker: { limits: { memory: '256Mi' } } } })).toEqual({
      requests: { cpu: '10m', memory: '64Mi' },
      limits: { memory: '256Mi' },
    });
  });

  it('is restricted, has a token that lives for minutes, and never starts again', () => {
    const { spec, own } = podOf();
    expect(spec).toMatchObject({
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      activeDeadlineSeconds: 90,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(own['securityContext']).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(JSON.stringify(spec['volumes'])).toContain('"expirationSeconds":600');
    expect(JSON.stringify(spec)).not.toMatch(/hostPath|hostNetwork|privileged/);
  });
});
