// The whole centre with verification alone, and short words for what people, kubelets and workers do.

import { type CustomChecks, noCustomChecks } from '../../src/api/custom-check.ts';
import {
  nodeVerificationType,
  workerAnnotations,
  workerLabels,
  workerLabelValues,
} from '../../src/api/keys.ts';
import type { NodeVerificationSpec } from '../../src/api/node-verification.ts';
import { formatReport, type WorkerReport } from '../../src/base/worker-report.ts';
import { createVerification } from '../../src/capabilities/verification/capability.ts';
import { defaultPolicy } from '../../src/capabilities/verification/policy.ts';
import type { WorkerTemplate } from '../../src/capabilities/verification/worker-pod.ts';
import { usualChecks } from '../../src/checks/usual.ts';
import { fieldsOf, type RawObject } from '../../src/objects/raw.ts';
import { podType } from '../../src/objects/ref.ts';
import { lifecycleSpec, nodeSpec } from '../../src/runtime/specs.ts';
import { type CentreOptions, centreScene, type CentreScene } from './centre-scene.ts';
import { manualClock } from './manual-clock.ts';
import type { NodeSketch } from './node-builder.ts';

export const unverified = { key: 'node-ready/unverified', effect: 'NoSchedule', value: 'true' };
export const verifiedLabel = 'node-ready/verified';

export const template: WorkerTemplate = {
  namespace: 'workers',
  image: 'muster',
  pullPolicy: 'IfNotPresent',
  serviceAccountName: 'kube-node-ready-worker',
  resources: {},
  config: {},
  checks: usualChecks.map((name) => ({ name })),
  custom: noCustomChecks,
  dnsService: { namespace: 'kube-system', name: 'kube-dns' },
  isReportingToApi: false,
};

type PolicySpec = Omit<NodeVerificationSpec, 'nodeSelector'>;
export type VerificationStart = CentreOptions & {
  readonly fallback?: PolicySpec;
  readonly custom?: CustomChecks;
  readonly isReportingToApi?: boolean;
  readonly isShownOnNodes?: boolean;
};

export function verificationScene() {
  const scene = centreScene(manualClock());
  return {
    ...scene,
    start({
      fallback,
      custom = noCustomChecks,
      isReportingToApi = false,
      isShownOnNodes = false,
      ...options
    }: VerificationStart = {}) {
      const centre = { nodes: nodeSpec, lifecycles: lifecycleSpec };
      const policy = fallback === undefined ? null : defaultPolicy(fallback);
      return scene.start({
        capabilitiesOf: (metrics) => [
          createVerification({
            centre,
            template: { ...template, custom, isReportingToApi },
            fallback: policy,
            isShownOnNodes,
            metrics,
          }),
        ],
        ...options,
      });
    },
    ...actors(scene),
    ...workers(scene),
    verification: (name: string) => scene.status(name).verification,
  };
}

/** A node of a scene with a policy for all, some seconds after it joined. */
export async function joined(
  sketch: NodeSketch = {},
  spec: PolicySpec = {},
  options: VerificationStart = {},
) {
  const scene = verificationScene();
  scene.putPolicy('all', spec);
  const running = scene.start(options);
  await scene.run(1_000);
  scene.join('a', sketch);
  await scene.run(2_000);
  return { ...scene, running };
}

export type WorkerAnswer = {
  readonly exitCode?: number;
  readonly report?: Partial<WorkerReport>;
  /** In place of a report. */
  readonly message?: string;
  readonly reason?: string;
};

function actors(scene: CentreScene) {
  const { api, clock } = scene;
  const time = () => new Date(clock.now()).toISOString().replace(/\.\d+Z/, 'Z');
  return {
    /** A node that was born with the taint, now. */
    join: (name: string, sketch: NodeSketch = {}) =>
      scene.putNode(name, { taints: [unverified], createdAt: time(), ...sketch }),
    putPolicy: (name: string, spec: PolicySpec & { readonly selector?: object } = {}) => {
      const { selector = everyNode, ...rest } = spec;
      const before = api.objects(nodeVerificationType).find(({ metadata }) => metadata?.name === name);
      const metadata = { ...before?.metadata, name };
      api.put(nodeVerificationType, { ...before, metadata, spec: { nodeSelector: selector, ...rest } });
    },
    deletePolicy: (name: string) => api.remove(nodeVerificationType, name),
    kubeletIs(name: string, status: 'True' | 'False' | 'Unknown') {
      const conditions = [{ type: 'Ready', status, reason: 'Kubelet', message: '' }];
      scene.changeNode(name, (raw) => ({ ...raw, status: { ...(raw.status as object), conditions } }));
    },
    reboot: (name: string, bootID: string) => scene.changeNode(name, running({ bootID })),
    /** Its kubelet is replaced by one of another version. */
    update: (name: string, kubeletVersion: string) => scene.changeNode(name, running({ kubeletVersion })),
    annotate: (name: string, annotations: Readonly<Record<string, string>>) =>
      scene.changeNode(name, (raw) => ({
        ...raw,
        metadata: { ...raw.metadata, annotations: { ...raw.metadata?.annotations, ...annotations } },
      })),
  };
}

/** What a kubelet says of the machine that it runs on. */
function running(change: object): (raw: RawObject) => RawObject {
  return (raw) => {
    const status = fieldsOf(raw.status);
    return { ...raw, status: { ...status, nodeInfo: { ...fieldsOf(status['nodeInfo']), ...change } } };
  };
}

const everyNode = { matchExpressions: [{ key: 'no-such-label', operator: 'DoesNotExist' }] };

/** What becomes of worker pods, as kubelets, schedulers and people have it. */
function workers({ api }: CentreScene) {
  const pods = () =>
    api.objects(podType).filter(({ metadata }) => metadata?.namespace === template.namespace);
  const isControl = ({ metadata }: RawObject) =>
    metadata?.labels?.[workerLabels.component] === workerLabelValues.control;
  const on = (node: string, those: readonly RawObject[]) =>
    those.find(({ metadata }) => metadata?.annotations?.[workerAnnotations.targetNode] === node);
  const workerOf = (node: string) =>
    on(
      node,
      pods().filter((pod) => !isControl(pod)),
    );
  const controlOn = (node: string) => on(node, pods().filter(isControl));
  const setStatus = (node: string, status: object) => {
    const pod = workerOf(node);
    if (pod === undefined) throw new Error(`no worker on ${node}`);
    api.put(podType, { ...pod, status });
  };
  return {
    pods,
    podNames: () => pods().map(({ metadata }) => metadata?.name ?? ''),
    workerOf,
    controlOn,
    /** The nodes that control workers are on. */
    controlNodes: () =>
      pods()
        .filter(isControl)
        .map(({ metadata }) => metadata?.annotations?.[workerAnnotations.targetNode] ?? '')
        .toSorted(),
    controlEchoes(node: string, podIP: string) {
      const conditions = [{ type: 'Ready', status: 'True' }];
      api.put(podType, { ...controlOn(node), status: { phase: 'Running', podIP, conditions } });
    },
    controlEnds(node: string, phase: 'Succeeded' | 'Failed') {
      api.put(podType, { ...controlOn(node), status: { phase } });
    },
    workerRuns: (node: string) => setStatus(node, { phase: 'Running' }),
    workerWaits: (node: string, reason: string) =>
      setStatus(node, {
        phase: 'Pending',
        containerStatuses: [{ name: 'worker', state: { waiting: { reason } } }],
      }),
    workerIsUnschedulable: (node: string, message: string) =>
      setStatus(node, {
        phase: 'Pending',
        conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }],
      }),
    workerIsEvicted: (node: string) =>
      setStatus(node, {
        phase: 'Failed',
        reason: 'Evicted',
        conditions: [{ type: 'DisruptionTarget', status: 'True' }],
      }),
    workerEnds(node: string, answer: WorkerAnswer = {}) {
      const { exitCode = 0, report = {}, reason = 'Completed' } = answer;
      const message = answer.message ?? reportOf(workerOf(node), report);
      setStatus(node, {
        phase: exitCode === 0 ? 'Succeeded' : 'Failed',
        containerStatuses: [{ name: 'worker', state: { terminated: { exitCode, reason, message } } }],
      });
    },
    deleteWorker: (node: string) =>
      api.remove(podType, `${template.namespace}/${workerOf(node)?.metadata?.name}`),
  };
}

const passed = {
  id: 'dns',
  severity: 'required',
  verdict: 'pass',
  code: '',
  message: '',
  ms: 4,
  tries: 1,
} as const;

const allPassed = usualChecks.map((id) => ({ ...passed, id }));

export const failedDns = { ...passed, verdict: 'fail', code: 'Timeout', message: 'no answer' } as const;

/** What a worker of this pod says: that all is well, unless told otherwise. */
function reportOf(pod: RawObject | undefined, report: Partial<WorkerReport>): string {
  const { containers } = (pod?.spec ?? { containers: [{ env: [] }] }) as {
    containers: [{ env: { name: string; value?: string }[] }];
  };
  const given = (name: string) => containers[0].env.find((each) => each.name === name)?.value ?? '';
  return formatReport({
    nodeName: pod?.metadata?.annotations?.[workerAnnotations.targetNode] ?? '',
    nodeUID: given('NODE_UID'),
    nonce: given('VERIFICATION_NONCE'),
    verdict: 'pass',
    isComplete: true,
    isForAnnotation: false,
    checks: allPassed,
    problems: [],
    ...report,
  });
}

export const failure: WorkerAnswer = {
  exitCode: 1,
  reason: 'Error',
  report: { verdict: 'fail', checks: [failedDns, ...allPassed.slice(1)] },
};
