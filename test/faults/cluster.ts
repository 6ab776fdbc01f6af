// What a story can do to the simulated cluster: as kubelets, people and other controllers, and to the replicas themselves. All of
// it goes through the server's own verbs, so that its rules and its garbage collector apply.

import {
  leaderLeaseName,
  nodeLifecycleType,
  systemNamespace,
  workerAnnotations,
} from '../../src/api/keys.ts';
import type { Outcome } from '../../src/apiserver/resources/request.ts';
import { formatMicroTime, formatTime } from '../../src/base/timestamp.ts';
import { newLease, withRecord } from '../../src/kube/lease-record.ts';
import { isRecord, type RawObject, recordsIn } from '../../src/objects/raw.ts';
import {
  apiVersionOf,
  customResourceDefinitionType,
  leaseType,
  nodeType,
  type ObjectRef,
  podType,
  type ResourceType,
  resourceName,
} from '../../src/objects/ref.ts';
import { worldStart } from '../../src/sim/faults/instance-clock.ts';
import type { World } from '../../src/sim/faults/world.ts';
import { newNode, type NodeSketch } from '../support/node-builder.ts';
import type { StampSpec } from '../support/stamp-capability.ts';
import { stampType } from '../support/stamp-type.ts';
import { nextStep, type WorkerOutcomes } from './workers.ts';

export type Cluster = {
  /** A node joins with its status; the taint that the server gives at birth is taken off by the node controller. */
  joinNode(name: string, sketch?: NodeSketch): void;
  deleteNode(name: string): void;
  /** A merge patch by somebody else. */
  changeNode(name: string, patch: object): void;
  /** Another controller adds a taint to the list as it is now. */
  addTaint(name: string, taint: { readonly key: string; readonly effect: string }): void;
  changeNodeStatus(name: string, status: object): void;
  /** The agent of a node reports a condition, now; the others stay as they are. */
  report(name: string, type: string, status: string): void;
  relabel(name: string, labels: Readonly<Record<string, string | null>>): void;
  /** An object of our kinds is applied: created, or its spec replaced. */
  put(type: ResourceType, name: string, spec: object): void;
  /** One that another controller keeps from going. */
  putKept(type: ResourceType, metadata: { name: string; finalizers: readonly string[] }, spec: object): void;
  remove(type: ResourceType, name: string): void;
  putStamp(name: string, spec: Partial<StampSpec>): void;
  deleteStamp(name: string): void;
  /** From now on the scheduler and kubelets get on with workers every second, one step at a time. */
  runWorkers(outcomes: WorkerOutcomes): void;
  /** Somebody deletes the workers of a node under our hands. */
  deleteWorkers(node: string): void;
  deleteLifecycle(name: string): void;
  deleteLease(): void;
  /** The Lease is made, or rewritten, to be held by somebody from now on. */
  giveLease(holder: string): void;
  /** The CustomResourceDefinition goes, and all objects of the kind with it. */
  deleteDefinition(type: ResourceType): void;
  /** It is applied, in place of the one that may be there. */
  putDefinition(manifest: RawObject): void;
  /** Every object of the kind is written anew as it is, as whoever migrates it to another stored version does. */
  migrate(type: ResourceType): void;
  /** A newer version of us says something of an object that this one does not know. */
  tell(type: ResourceType, name: string, status: object): void;
  /** Every kubelet reports that nothing has changed, as it does every few minutes. */
  heartbeat(): void;
  objects(type: ResourceType): readonly RawObject[];
  /** The replica that leads now is asked to stop, as on a rollout; another life takes its place. */
  stopLeader(): void;
  /** The replica that leads now dies at once. */
  killLeader(): void;
};

export type Replicas = { stop(slot: string): void; leader(): string | null };

const WORKERS_MS = 1_000;

const options = { isDryRun: false, fieldValidation: 'Ignore' } as const;

export function clusterOf(world: World, replicas: Replicas): Cluster {
  const verbs = verbsOf(world);
  const { put, putKept, remove, objects } = verbs;
  return {
    ...nodesOf(world, verbs),
    put,
    putKept,
    remove,
    objects,
    putStamp: (name, spec) => put(stampType, name, { by: 'stamp', ...spec }),
    deleteStamp: (name) => remove(stampType, name),
    deleteLifecycle: (name) => remove(nodeLifecycleType, name),
    runWorkers(outcomes) {
      const look = () => {
        world.as('kubelet', () => runWorkers(world, verbs, outcomes));
        world.schedule.after(WORKERS_MS, look);
      };
      look();
    },
    deleteWorkers(node) {
      for (const { metadata } of objects(podType)) {
        const { namespace = '', name = '', annotations = {} } = metadata ?? {};
        if (annotations[workerAnnotations.targetNode] !== node) continue;
        insist(world.server.resources.delete(verbs.target({ type: podType, namespace, name }), {}));
      }
    },
    deleteLease() {
      for (const { metadata } of objects(leaseType)) {
        const { namespace = '', name = '' } = metadata ?? {};
        insist(world.server.resources.delete(verbs.target({ type: leaseType, namespace, name }), {}));
      }
    },
    giveLease(holder) {
      const place = { type: leaseType, namespace: systemNamespace, name: leaderLeaseName };
      const [known = newLease(place)] = objects(leaseType);
      const time = formatMicroTime(worldStart + world.schedule.nowMs);
      const given = { holder, durationSeconds: 15, acquireTime: time, renewTime: time, transitions: 1 };
      const body = withRecord(known, given);
      const { resources } = world.server;
      const isMade = known.metadata?.uid !== undefined;
      insist(
        isMade
          ? resources.replace(verbs.target(place), { body, options, part: 'main' })
          : resources.create(verbs.target({ ...place, name: '' }), { body, options }),
      );
    },
    deleteDefinition: (type) => remove(customResourceDefinitionType, resourceName(type)),
    putDefinition: ({ metadata, spec }) =>
      put(customResourceDefinitionType, metadata?.name ?? '', isRecord(spec) ? spec : {}),
    migrate(type) {
      for (const { metadata } of objects(type))
        world.touch({ type, namespace: '', name: metadata?.name ?? '' });
    },
    tell: (type, name, status) => verbs.patch(type, name, { status }),
    stopLeader() {
      const slot = replicas.leader();
      if (slot !== null) replicas.stop(slot);
    },
    killLeader() {
      const slot = replicas.leader();
      const instance = slot === null ? undefined : world.living(slot);
      if (instance !== undefined) world.crash(instance, 1_000);
    },
  };
}

type Verbs = ReturnType<typeof verbsOf>;

function verbsOf({ server: { resources, registry, store } }: World) {
  const target = ({ type, namespace, name }: ObjectRef) => {
    const definition = registry.find(type);
    if (definition === undefined) throw new Error(`${type.kind} is not served`);
    return { definition, namespace, name };
  };
  const ofCluster = (type: ResourceType, name: string) => target({ type, namespace: '', name });
  const create = (type: ResourceType, body: RawObject) =>
    insist(resources.create(ofCluster(type, ''), { body, options }));
  const patch = (type: ResourceType, name: string, body: object) => {
    const part = 'status' in body ? 'status' : 'main';
    insist(resources.patch(ofCluster(type, name), { patch: { kind: 'merge', body }, options, part }));
  };
  const objects = (type: ResourceType) =>
    store.entries(ofCluster(type, '').definition.bucket).map(({ object }) => object);
  const putKept = (type: ResourceType, metadata: RawObject['metadata'] & object, spec: object) =>
    create(type, { apiVersion: apiVersionOf(type), kind: type.kind, metadata, spec });
  const put = (type: ResourceType, name: string, spec: object) => {
    const known = objects(type).some(({ metadata }) => metadata?.name === name);
    if (known) patch(type, name, { spec });
    else putKept(type, { name }, spec);
  };
  const remove = (type: ResourceType, name: string) => insist(resources.delete(ofCluster(type, name), {}));
  return { target, create, patch, objects, put, putKept, remove };
}

/** What kubelets, agents and other controllers do to nodes. */
function nodesOf(world: World, { create, patch, objects, remove }: Verbs) {
  const find = (name: string) => objects(nodeType).find(({ metadata }) => metadata?.name === name);
  const now = () => formatTime(worldStart + world.schedule.nowMs);
  const conditionsOf = (node: RawObject | undefined) =>
    isRecord(node?.status) ? recordsIn(node.status['conditions']) : [];
  return {
    joinNode(name: string, sketch: NodeSketch = {}) {
      const { status, ...body } = newNode({ ...sketch, name });
      create(nodeType, body);
      patch(nodeType, name, { status: isRecord(status) ? status : {} });
      patch(nodeType, name, { spec: { taints: sketch.taints ?? null } });
    },
    deleteNode: (name: string) => remove(nodeType, name),
    changeNode: (name: string, body: object) => patch(nodeType, name, body),
    addTaint(name: string, taint: { readonly key: string; readonly effect: string }) {
      const { spec } = find(name) ?? {};
      const taints = isRecord(spec) ? recordsIn(spec['taints']) : [];
      patch(nodeType, name, { spec: { taints: [...taints, taint] } });
    },
    changeNodeStatus: (name: string, status: object) => patch(nodeType, name, { status }),
    report(name: string, type: string, status: string) {
      const times = { lastTransitionTime: now(), lastHeartbeatTime: now() };
      const others = conditionsOf(find(name)).filter((condition) => condition['type'] !== type);
      const said = { type, status, reason: 'Said', message: '', ...times };
      patch(nodeType, name, { status: { conditions: [...others, said] } });
    },
    relabel: (name: string, labels: Readonly<Record<string, string | null>>) =>
      patch(nodeType, name, { metadata: { labels } }),
    heartbeat() {
      for (const node of objects(nodeType)) {
        const conditions = conditionsOf(node).map((each) => ({ ...each, lastHeartbeatTime: now() }));
        patch(nodeType, node.metadata?.name ?? '', { status: { conditions } });
      }
    },
  };
}

function runWorkers({ server, schedule }: World, { target, objects }: Verbs, outcomes: WorkerOutcomes): void {
  const { resources } = server;
  for (const pod of objects(podType)) {
    const { name = '', namespace = '' } = pod.metadata ?? {};
    const step = nextStep(pod, outcomes, worldStart + schedule.nowMs);
    const place = target({ type: podType, namespace, name });
    switch (step?.kind) {
      case 'bind': {
        const body = { metadata: { name }, target: { kind: 'Node', name: step.node } };
        insist(resources.act(place, 'binding', { body, options }));
        break;
      }
      case 'remove':
        insist(resources.delete(place, { gracePeriodSeconds: 0 }));
        break;
      case 'say': {
        const patch = { kind: 'merge', body: { status: step.status } } as const;
        insist(resources.patch(place, { patch, options, part: 'status' }));
        break;
      }
      case undefined:
    }
  }
}

/** What people do to objects that are not there any more does nothing; any other refusal is a mistake of the story. */
function insist(outcome: Outcome): void {
  if (outcome.kind === 'error' && outcome.error.code !== 404)
    throw new Error(`the story is refused: ${outcome.error.message}`);
}
