// The whole centre with readiness alone, and short words for what people, kubelets and agents do to rules and nodes.

import {
  disruptionPolicyName,
  disruptionPolicyType,
  nodeReadinessEvaluationType,
  nodeReadinessGateRuleType,
  nodeReadinessRuleType,
  peerLeaseNames,
} from '../../src/api/keys.ts';
import type { NodeReadinessEvaluationStatus } from '../../src/api/node-readiness-evaluation.ts';
import type { NodeReadinessGateRuleStatus } from '../../src/api/node-readiness-gate-rule.ts';
import type { NodeReadinessRuleStatus } from '../../src/api/node-readiness-rule.ts';
import { createReadiness, type ReadinessOptions } from '../../src/capabilities/readiness/capability.ts';
import { applyMergePatch } from '../../src/objects/patch.ts';
import type { RawObject } from '../../src/objects/raw.ts';
import { leaseType, nodeType, type ResourceType } from '../../src/objects/ref.ts';
import { lifecycleSpec, nodeSpec } from '../../src/runtime/specs.ts';
import { type CentreOptions, centreScene, type CentreScene } from './centre-scene.ts';
import { manualClock } from './manual-clock.ts';
import type { MemoryKubeApi, MemoryOptions } from './memory-kube-api.ts';
import type { NodeSketch } from './node-builder.ts';

export const cni = 'network.k8s.io/CalicoReady';
export const gateKey = 'readiness.k8s.io/NetworkReady';
export const gate = { key: gateKey, effect: 'NoSchedule', value: '' };

export const cniSpec = {
  conditions: [{ type: cni, requiredStatus: 'True' }],
  enforcementMode: 'continuous',
  taint: { key: gateKey, effect: 'NoSchedule' },
  nodeSelector: { matchLabels: { pool: 'blue' } },
};

/** Of so many nodes, in the order in which they sort. */
export const nodeNames = (count: number) =>
  Array.from({ length: count }, (_, index) => `node-${String(index).padStart(2, '0')}`);

export type ReadinessStart = CentreOptions & Pick<ReadinessOptions, 'evaluations'>;

export function readinessScene(memory: Partial<MemoryOptions> = {}) {
  const scene = centreScene(manualClock(), memory);
  return {
    ...scene,
    start({ evaluations = 'all', ...options }: ReadinessStart = {}) {
      const centre = { nodes: nodeSpec, lifecycles: lifecycleSpec };
      return scene.start({
        capabilitiesOf: (metrics) => [createReadiness({ centre, evaluations, metrics })],
        ...options,
      });
    },
    ...actors(scene),
    find: finder(scene.api),
    ...readers(scene.api),
  };
}

function finder(api: MemoryKubeApi) {
  return (type: ResourceType, name: string) =>
    api.objects(type).find((object) => object.metadata?.name === name);
}

/** What people, kubelets, agents and other controllers do. */
function actors(scene: CentreScene) {
  const { api } = scene;
  const find = finder(api);
  const put = (type: ResourceType, name: string, change: Partial<RawObject>) => {
    const before = find(type, name);
    const metadata = { ...before?.metadata, ...change.metadata, name };
    return api.put(type, { ...before, ...change, metadata });
  };
  return {
    /** A node of the blue pool, ready, that says of its network what is given; nothing when it is null. */
    join: (name: string, network: string | null = null, sketch: NodeSketch = {}) =>
      scene.putNode(name, {
        labels: { pool: 'blue' },
        ...sketch,
        conditions: { ...(network === null ? {} : { [cni]: network }), ...sketch.conditions },
      }),
    /** Its agent reports, now. */
    report(name: string, network: string | null, type = cni) {
      const since = new Date(scene.clock.now()).toISOString().replace(/\.\d+Z/, 'Z');
      scene.changeNode(name, (raw) => {
        const { conditions = [] } = (raw.status ?? {}) as { conditions?: readonly { type: string }[] };
        const said = { type, status: network, lastTransitionTime: since, lastHeartbeatTime: since };
        const others = conditions.filter((condition) => condition.type !== type);
        return {
          ...raw,
          status: { ...(raw.status as object), conditions: network === null ? others : [...others, said] },
        };
      });
    },
    relabel: (name: string, labels: Readonly<Record<string, string>>) =>
      scene.changeNode(name, (raw) => ({ ...raw, metadata: { ...raw.metadata, labels } })),
    patchNode: (name: string, patch: unknown) =>
      scene.changeNode(name, (raw) => applyMergePatch(raw, patch) as RawObject),
    putRule: (name: string, spec: object = {}, metadata: RawObject['metadata'] = {}) =>
      put(nodeReadinessGateRuleType, name, { spec: { ...cniSpec, ...spec }, metadata }),
    putUpstreamRule: (name: string, spec: object = {}, metadata: RawObject['metadata'] = {}) =>
      put(nodeReadinessRuleType, name, { spec: { ...cniSpec, ...spec }, metadata }),
    deleteRule: (name: string) => api.remove(nodeReadinessGateRuleType, name),
    deleteUpstreamRule: (name: string) => api.remove(nodeReadinessRuleType, name),
    putPolicy: (spec: object) => put(disruptionPolicyType, disruptionPolicyName, { spec }),
    putPeer: (kind: keyof typeof peerLeaseNames, holder: string) =>
      api.put(leaseType, {
        metadata: { name: peerLeaseNames[kind], namespace: 'nrr-system' },
        spec: { holderIdentity: holder },
      }),
  };
}

/** What anybody can see. */
function readers(api: MemoryKubeApi) {
  const find = finder(api);
  return {
    rule: (name: string) => find(nodeReadinessGateRuleType, name),
    ruleStatus: (name: string) =>
      (find(nodeReadinessGateRuleType, name)?.status ?? {}) as NodeReadinessGateRuleStatus,
    upstreamStatus: (name: string) =>
      (find(nodeReadinessRuleType, name)?.status ?? {}) as NodeReadinessRuleStatus,
    conditionOf: (name: string, type: string) =>
      (
        (find(nodeReadinessGateRuleType, name) ?? find(nodeReadinessRuleType, name))
          ?.status as NodeReadinessGateRuleStatus
      )?.conditions?.find((condition) => condition.type === type),
    evaluations: () => api.objects(nodeReadinessEvaluationType).map(({ metadata }) => metadata?.name),
    evaluation: (name: string) =>
      find(nodeReadinessEvaluationType, name)?.status as NodeReadinessEvaluationStatus | undefined,
    annotations: (name: string) => find(nodeType, name)?.metadata?.annotations ?? {},
    gated: () =>
      api
        .objects(nodeType)
        .filter(({ spec }) =>
          ((spec as { taints?: readonly { key: string }[] }).taints ?? []).some(({ key }) => key === gateKey),
        )
        .map(({ metadata }) => metadata?.name ?? ''),
  };
}
