// The least of a workload controller: a pod on every fitting node for a DaemonSet, as many pods as asked for a Deployment.
// No rollouts, no ReplicaSets. Runs only where no real controller manager does; a kind that is not served has no objects.

import type { Log } from '../base/log.ts';
import { hashOf } from '../base/hash.ts';
import { systemTaintKeys } from '../api/keys.ts';
import { fieldsOf, type RawObject, recordsIn, textOf, viewOf } from '../objects/raw.ts';
import { apiVersionOf, podType, type ResourceType } from '../objects/ref.ts';
import type { Agenda } from './agenda.ts';
import type { Mirror } from './mirror.ts';
import { matchesAffinity, untolerated } from './scheduling.ts';
import type { WorldApi } from './world-api.ts';

export const daemonSetType: ResourceType = {
  group: 'apps',
  version: 'v1',
  plural: 'daemonsets',
  kind: 'DaemonSet',
  scope: 'Namespaced',
};
export const deploymentType: ResourceType = { ...daemonSetType, plural: 'deployments', kind: 'Deployment' };

export type WorkloadsOptions = {
  readonly api: WorldApi;
  readonly log: Log;
  readonly agenda: Agenda;
  readonly nodes: Mirror;
  readonly pods: Mirror;
  readonly daemonSets: Mirror;
  readonly deployments: Mirror;
};

type Fields = Readonly<Record<string, unknown>>;
type Wanted = { readonly name: string; readonly pod: RawObject };

const GATHER_MS = 100;

export class Workloads {
  readonly #options: WorkloadsOptions;
  #isDue = false;

  constructor(options: WorkloadsOptions) {
    this.#options = options;
    const soon = () => this.#soon();
    for (const mirror of [options.daemonSets, options.deployments, options.nodes]) mirror.onChange(soon);
    options.pods.onChange(({ object }) => {
      if (object.metadata?.ownerReferences !== undefined) soon();
    });
  }

  start(): void {
    this.#soon();
  }

  #soon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#options.agenda.after(GATHER_MS, () => {
      this.#isDue = false;
      const { daemonSets, deployments, nodes } = this.#options;
      for (const owner of daemonSets.values())
        void this.#settle(owner, daemonSetType, daemonPods(owner, [...nodes.values()]));
      for (const owner of deployments.values()) void this.#settle(owner, deploymentType, replicaPods(owner));
    });
  }

  /** Names are the lock: a pod that is there under its name is not made twice. */
  async #settle(owner: RawObject, type: ResourceType, wanted: readonly Wanted[]): Promise<void> {
    const { api, log, pods } = this.#options;
    const { uid, namespace } = viewOf(owner);
    const isOwned = (pod: RawObject) =>
      pod.metadata?.ownerReferences?.some((each) => each.uid === uid) === true;
    const owned = [...pods.values()].filter(isOwned);
    const names = new Set(wanted.map(({ name }) => name));
    for (const pod of owned) {
      const ref = { type: podType, ...viewOf(pod) };
      const isDone = ['Succeeded', 'Failed'].includes(textOf(fieldsOf(pod.status)['phase']));
      const isLeaving = pod.metadata?.deletionTimestamp !== undefined;
      if (!isLeaving && (isDone || !names.has(ref.name))) await api.delete(ref, { uid: ref.uid });
    }
    for (const { name, pod } of wanted) {
      if (pods.get(`${namespace}/${name}`) !== undefined) continue;
      const answer = await api.create({ type: podType, namespace, name }, pod);
      if (answer.kind === 'error' && answer.error.reason !== 'AlreadyExists')
        log.debug('a pod of a workload could not be made', { pod: name, failure: answer.error });
    }
    await this.#count(owner, type, { wanted: wanted.length, ready: owned.filter(isReady).length });
  }

  async #count(
    owner: RawObject,
    type: ResourceType,
    count: { wanted: number; ready: number },
  ): Promise<void> {
    const { wanted, ready } = count;
    const observedGeneration = owner.metadata?.generation ?? 0;
    const status: Fields =
      type === daemonSetType
        ? {
            observedGeneration,
            desiredNumberScheduled: wanted,
            currentNumberScheduled: wanted,
            updatedNumberScheduled: wanted,
            numberReady: ready,
            numberAvailable: ready,
            numberMisscheduled: 0,
          }
        : {
            observedGeneration,
            replicas: wanted,
            updatedReplicas: wanted,
            readyReplicas: ready,
            availableReplicas: ready,
          };
    const known = fieldsOf(owner.status);
    const isSame = Object.entries(status).every(([field, value]) => (known[field] ?? 0) === value);
    if (isSame) return;
    const ref = { type, ...viewOf(owner) };
    await this.#options.api.patch(ref, { kind: 'merge', body: { status } }, { subresource: 'status' });
  }
}

/** Every daemon pod is patient with its own node, as the real controller makes it. */
const patience: readonly Fields[] = [
  ...[systemTaintKeys.notReady, systemTaintKeys.unreachable].map((key) => ({ key, effect: 'NoExecute' })),
  ...[
    systemTaintKeys.diskPressure,
    systemTaintKeys.memoryPressure,
    systemTaintKeys.pidPressure,
    systemTaintKeys.unschedulable,
  ].map((key) => ({ key, effect: 'NoSchedule' })),
].map((toleration) => ({ ...toleration, operator: 'Exists' }));

function daemonPods(owner: RawObject, nodes: readonly RawObject[]): readonly Wanted[] {
  return nodes.flatMap((node) => {
    const { name: nodeName, uid } = viewOf(node);
    const template = templatePod(owner, daemonSetType, [nodeName, uid]);
    const pod = withSpec(template.pod, (spec) => ({
      ...spec,
      tolerations: [...recordsIn(spec['tolerations']), ...patience],
    }));
    if (!matchesAffinity(pod, node) || untolerated(pod, node) !== null) return [];
    return [{ name: template.name, pod: withSpec(pod, (spec) => ({ ...spec, affinity: onlyOn(nodeName) })) }];
  });
}

function replicaPods(owner: RawObject): readonly Wanted[] {
  const replicas = Number(fieldsOf(owner.spec)['replicas'] ?? 1);
  return Array.from({ length: replicas }, (_, index) => templatePod(owner, deploymentType, [String(index)]));
}

/** A new template or another place gives another name, and so another pod. */
function templatePod(owner: RawObject, type: ResourceType, place: readonly string[]): Wanted {
  const { name, namespace, uid } = viewOf(owner);
  const template = fieldsOf(fieldsOf(owner.spec)['template']);
  const metadata = fieldsOf(template['metadata']);
  const podName = `${name}-${hashOf([template, ...place]).slice(0, 10)}`;
  const ownerReferences = [{ apiVersion: apiVersionOf(type), kind: type.kind, name, uid, controller: true }];
  return {
    name: podName,
    pod: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, name: podName, namespace, ownerReferences },
      spec: template['spec'],
    },
  };
}

function onlyOn(node: string): Fields {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  return {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
    },
  };
}

function withSpec(pod: RawObject, change: (spec: Fields) => Fields): RawObject {
  return { ...pod, spec: change(fieldsOf(pod.spec)) };
}

function isReady(pod: RawObject): boolean {
  return recordsIn(fieldsOf(pod.status)['conditions']).some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  );
}
