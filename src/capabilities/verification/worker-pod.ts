// The pod that checks a node: unprivileged, without rights in the cluster, pinned to its node by name, gone with its record.

import { formatTime } from '../../base/timestamp.ts';
import type { Instant } from '../../base/clock.ts';
import { type CustomChecks, workerContainer, workerVolumes } from '../../api/custom-check.ts';
import {
  nodeLifecycleType,
  systemTaintKeys,
  workerAnnotations,
  workerLabels,
  workerLabelValues,
} from '../../api/keys.ts';
import { verificationDefaults as defaults } from '../../api/verification-vocabulary.ts';
import type { LifecycleView, VerificationRecord } from '../../fleet/lifecycle.ts';
import type { NodeView } from '../../objects/node.ts';
import type { RawObject } from '../../objects/raw.ts';
import { apiVersionOf } from '../../objects/ref.ts';
import type { ServiceAnswers, ServiceName } from '../../objects/service.ts';
import { keepsPodsAway } from '../../objects/taint.ts';
import { withAddresses } from './addresses.ts';
import { chosenChecks, containersOf, volumesOf } from './custom-checks.ts';
import type { PlannedCheck, Policy, WorkerSpec } from './policy.ts';
import { isStartupTaint } from './policies/obstacles.ts';
import { nodeLabelValue, nonceOf } from './worker-view.ts';

/** What is the same for all workers of an operator. */
export type WorkerTemplate = {
  readonly namespace: string;
  readonly image: string;
  readonly pullPolicy: string;
  readonly serviceAccountName: string;
  /** Where the policy does not say. */
  readonly resources: Pick<WorkerSpec, 'requests' | 'limits'>;
  /** Keys of the worker's configuration that an admin set for all of them. */
  readonly config: Readonly<Record<string, unknown>>;
  /** What they check where the policy does not choose: what its configuration says, or else the usual. */
  readonly checks: readonly PlannedCheck[];
  readonly custom: CustomChecks;
  /** Whose pods `dns-endpoints` asks where the policy names none. */
  readonly dnsService: ServiceName;
  readonly isReportingToApi: boolean;
};

export type WorkerOrder = {
  readonly node: NodeView;
  readonly policy: Policy;
  readonly record: VerificationRecord;
  readonly lifecycle: LifecycleView;
  readonly template: WorkerTemplate;
  readonly now: Instant;
  /** Where the Services are that its checks are about. */
  readonly services?: ServiceAnswers;
};

export function workerPod(order: WorkerOrder): RawObject {
  const { node, policy, record, lifecycle, template, now } = order;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: record.workerPod ?? '',
      namespace: template.namespace,
      labels: { ...foundBy, [workerLabels.node]: nodeLabelValue(node.name) },
      annotations: {
        [workerAnnotations.targetNode]: node.name,
        [workerAnnotations.nodeUID]: node.uid,
        [workerAnnotations.round]: String(record.round ?? 1),
        [workerAnnotations.attempt]: String(record.attempt ?? 1),
        [workerAnnotations.policy]: `${policy.name}/${policy.generation}`,
        [workerAnnotations.createdAt]: formatTime(now),
      },
      ownerReferences: [
        {
          apiVersion: apiVersionOf(nodeLifecycleType),
          kind: nodeLifecycleType.kind,
          name: lifecycle.name,
          uid: lifecycle.uid,
          blockOwnerDeletion: false,
        },
      ],
    },
    spec: specOf(order),
  };
}

const foundBy = {
  [workerLabels.app]: workerLabelValues.app,
  [workerLabels.component]: workerLabelValues.component,
};

const TOKEN_LIFE_S = 600;
const ACCOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
/** Past the end of its run: a worker that hangs is ended by its kubelet even when nobody is left to delete it. */
const DEADLINE_MARGIN_S = 30;
/** Images of custom checks may be large, and a kubelet counts from before it pulls them. */
const CUSTOM_IMAGES_S = 180;
const USER_ID = 65_532;

function specOf(order: WorkerOrder): object {
  const { node, policy, record, template, services = new Map() } = order;
  const { worker } = policy;
  const { own, custom } = chosenChecks(policy, template);
  const first = containersOf(custom, 'required');
  return {
    restartPolicy: 'Never',
    serviceAccountName: template.serviceAccountName,
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 2,
    activeDeadlineSeconds:
      Math.ceil(policy.workerTimeoutMs / 1000) +
      DEADLINE_MARGIN_S +
      (custom.length === 0 ? 0 : CUSTOM_IMAGES_S),
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
        env: environmentOf(node, record, {
          policy,
          template,
          own: withAddresses(own, services, template.dnsService),
        }),
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
export function tolerationsOf(node: NodeView, { taints, worker }: Policy): readonly Toleration[] {
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

type Chosen = {
  readonly policy: Policy;
  readonly template: WorkerTemplate;
  readonly own: readonly PlannedCheck[];
};

function environmentOf(
  node: NodeView,
  record: VerificationRecord,
  { policy, template, own }: Chosen,
): readonly object[] {
  const { round = 1, attempt = 1 } = record;
  const nonce = nonceOf({ nodeName: node.name, nodeUID: node.uid, round, attempt });
  const runSeconds = Math.max(1, Math.floor(policy.workerTimeoutMs / 1000) - 5);
  const config = {
    ...template.config,
    runTimeout: `${runSeconds}s`,
    ...(policy.checks === null ? {} : { checks: own }),
    ...(template.isReportingToApi ? { reportResultsToAPI: true } : {}),
  };
  const values = {
    NODE_UID: node.uid,
    VERIFICATION_NONCE: nonce,
    WORKER_MODE: 'true',
    WORKER_CONFIG: JSON.stringify(config),
  };
  const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });
  return [
    field('NODE_NAME', 'spec.nodeName'),
    field('POD_NAMESPACE', 'metadata.namespace'),
    ...Object.entries(values).map(([name, value]) => ({ name, value })),
  ];
}
