// The pod of any worker: unprivileged, without rights in the cluster, pinned to its node by name, gone with the record of the node.
// What runs in it, and for how long, is said by whoever orders it.

import { workerContainer, workerVolumes } from '../../api/custom-check.ts';
import { nodeLifecycleType, systemTaintKeys } from '../../api/keys.ts';
import { verificationDefaults as defaults } from '../../api/verification-vocabulary.ts';
import type { LifecycleView } from '../../fleet/lifecycle.ts';
import type { NodeView } from '../../objects/node.ts';
import { apiVersionOf } from '../../objects/ref.ts';
import { keepsPodsAway } from '../../objects/taint.ts';
import { type ChosenCustom, containersOf, volumesOf } from './custom-checks.ts';
import type { Policy } from './policy.ts';
import { isStartupTaint } from './policies/obstacles.ts';
import type { WorkerTemplate } from './worker-pod.ts';

export type PodOrder = {
  readonly node: NodeView;
  readonly policy: Policy;
  readonly template: WorkerTemplate;
  readonly env: readonly object[];
  /** When its kubelet ends it, even when nobody is left to delete it. */
  readonly lifeSeconds: number;
  readonly custom: readonly ChosenCustom[];
  /** How its kubelet can tell that it answers, where it is there to be asked. */
  readonly readinessProbe?: object;
};

const TOKEN_LIFE_S = 600;
const ACCOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const USER_ID = 65_532;

export function podSpec(order: PodOrder): object {
  const { node, policy, template, env, lifeSeconds, custom, readinessProbe } = order;
  const { worker } = policy;
  const first = containersOf(custom, 'required');
  return {
    restartPolicy: 'Never',
    serviceAccountName: template.serviceAccountName,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 2,
    activeDeadlineSeconds: lifeSeconds,
    ...(worker.priorityClassName === undefined ? {} : { priorityClassName: worker.priorityClassName }),
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [termFor(node.name)] },
      },
    },
    tolerations: tolerationsOf(node, policy),
    securityContext: {
      runAsNonRoot: true,
      runAsUser: USER_ID,
      runAsGroup: USER_ID,
      fsGroup: USER_ID,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    ...(first.length === 0 ? {} : { initContainers: first }),
    containers: [
      {
        name: workerContainer,
        image: template.image,
        imagePullPolicy: template.pullPolicy,
        args: ['worker'],
        env,
        ...(readinessProbe === undefined ? {} : { readinessProbe }),
        resources: {
          requests: { ...defaults.requests, ...template.resources.requests, ...worker.requests },
          limits: { ...defaults.limits, ...template.resources.limits, ...worker.limits },
        },
        terminationMessagePolicy: 'File',
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [
          { name: workerVolumes.scratch, mountPath: '/scratch' },
          { name: workerVolumes.account, mountPath: ACCOUNT_PATH, readOnly: true },
        ],
      },
      ...containersOf(custom, 'advisory'),
    ],
    volumes: [
      { name: workerVolumes.scratch, emptyDir: {} },
      { name: workerVolumes.account, projected: { sources: accountSources } },
      ...volumesOf(custom, template.custom.volumes),
    ],
  };
}

/** A node's label of its host name may differ from its name, and be set by anybody; the name of the object cannot. */
function termFor(nodeName: string): object {
  return { matchFields: [{ key: 'metadata.name', operator: 'In', values: [nodeName] }] };
}

const accountSources: readonly object[] = [
  { serviceAccountToken: { path: 'token', expirationSeconds: TOKEN_LIFE_S } },
  { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
  { downwardAPI: { items: [{ path: 'namespace', fieldRef: { fieldPath: 'metadata.namespace' } }] } },
];

type Toleration = {
  readonly key: string;
  readonly operator: string;
  readonly value?: string;
  readonly effect?: string;
};

/** Its own taints, those of the policy, and those that the node carries for good; never one of an agent that is not done. */
function tolerationsOf(node: NodeView, { taints, worker }: Policy): readonly Toleration[] {
  const exists = (key: string, effect: string): Toleration => ({ key, operator: 'Exists', effect });
  const all: readonly Toleration[] = [
    ...taints.map(({ id }) => {
      const [key = '', effect = ''] = id.split(':');
      return exists(key, effect);
    }),
    ...[systemTaintKeys.notReady, systemTaintKeys.unreachable].map((key) => exists(key, 'NoSchedule')),
    ...node.taints
      .filter((taint) => keepsPodsAway(taint) && !isStartupTaint(taint))
      .map(({ key, effect }) => exists(key, effect)),
    ...(worker.tolerations ?? []).map(({ key, value, effect }) => ({
      key,
      ...(value === undefined ? { operator: 'Exists' } : { operator: 'Equal', value }),
      ...(effect === undefined ? {} : { effect }),
    })),
  ];
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
}

export function ownersOf({ name, uid }: LifecycleView): readonly object[] {
  const owner = { apiVersion: apiVersionOf(nodeLifecycleType), kind: nodeLifecycleType.kind, name, uid };
  return [{ ...owner, blockOwnerDeletion: false }];
}

/** Which node it is on the worker learns from its kubelet, everything else from us. */
export function variablesOf(values: Readonly<Record<string, string>>): readonly object[] {
  const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });
  return [
    field('NODE_NAME', 'spec.nodeName'),
    field('POD_NAMESPACE', 'metadata.namespace'),
    ...Object.entries(values).map(([name, value]) => ({ name, value })),
  ];
}
