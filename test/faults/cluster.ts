// What a story can do to the simulated cluster: as kubelets, people and other controllers, and to the replicas themselves. All of
// it goes through the server's own verbs, so that its rules and its garbage collector apply.

import { nodeLifecycleType } from '../../src/api/keys.ts';
import type { Outcome } from '../../src/apiserver/resources/request.ts';
import { formatTime } from '../../src/base/timestamp.ts';
import { isRecord, type RawObject, recordsIn } from '../../src/objects/raw.ts';
import {
  apiVersionOf,
  customResourceDefinitionType,
  leaseType,
  nodeType,
  type ObjectRef,
  type ResourceType,
  resourceName,
} from '../../src/objects/ref.ts';
import { worldStart } from '../../src/sim/faults/instance-clock.ts';
import type { World } from '../../src/sim/faults/world.ts';
import { newNode, type NodeSketch } from '../support/node-builder.ts';
import type { StampSpec } from '../support/stamp-capability.ts';
import { stampType } from '../support/stamp-type.ts';

export type Cluster = {
  /** A node joins with its status; the taint that the server gives at birth is taken off by the node controller. */
  joinNode(name: string, sketch?: NodeSketch): void;
  deleteNode(name: string): void;
  /** A merge patch by somebody else. */
  changeNode(name: string, patch: object): void;
  /** Another controller adds a taint to the list as it is now. */
  addTaint(name: string, taint: { readonly key: string; readonly effect: string }): void;
  changeNodeStatus(name: string, status: object): void;
  putStamp(name: string, spec: Partial<StampSpec>): void;
  deleteStamp(name: string): void;
  deleteLifecycle(name: string): void;
  deleteLease(): void;
  /** The CustomResourceDefinition goes, and all objects of the kind with it. */
  deleteDefinition(type: ResourceType): void;
  /** It is applied again. */
  putDefinition(manifest: RawObject): void;
  /** Every kubelet reports that nothing has changed, as it does every few minutes. */
  heartbeat(): void;
  objects(type: ResourceType): readonly RawObject[];
  /** The replica that leads now is asked to stop, as on a rollout; another life takes its place. */
  stopLeader(): void;
  /** The replica that leads now dies at once. */
  killLeader(): void;
};

export type Replicas = { stop(slot: string): void; leader(): string | null };

const typed = { apiVersion: apiVersionOf(stampType), kind: stampType.kind };
const options = { isDryRun: false, fieldValidation: 'Ignore' } as const;

export function clusterOf(world: World, replicas: Replicas): Cluster {
  const { resources } = world.server;
  const target = ({ type, namespace, name }: ObjectRef) => {
    const definition = world.server.registry.find(type);
    if (definition === undefined) throw new Error(`${type.kind} is not served`);
    return { definition, namespace, name };
  };
  const ofCluster = (type: ResourceType, name: string) => target({ type, namespace: '', name });
  const patch = (type: ResourceType, name: string, body: object) => {
    const part = 'status' in body ? 'status' : 'main';
    insist(resources.patch(ofCluster(type, name), { patch: { kind: 'merge', body }, options, part }));
  };
  const remove = (type: ResourceType, name: string) => insist(resources.delete(ofCluster(type, name), {}));
  const objects = (type: ResourceType) =>
    world.server.store.entries(ofCluster(type, '').definition.bucket).map(({ object }) => object);
  return {
    joinNode(name, sketch = {}) {
      const { status, ...body } = newNode({ ...sketch, name });
      insist(resources.create(ofCluster(nodeType, ''), { body, options }));
      patch(nodeType, name, { status: isRecord(status) ? status : {} });
      patch(nodeType, name, { spec: { taints: sketch.taints ?? null } });
    },
    deleteNode: (name) => remove(nodeType, name),
    changeNode: (name, body) => patch(nodeType, name, body),
    addTaint(name, taint) {
      const node = objects(nodeType).find(({ metadata }) => metadata?.name === name);
      const taints = isRecord(node?.spec) ? recordsIn(node.spec['taints']) : [];
      patch(nodeType, name, { spec: { taints: [...taints, taint] } });
    },
    changeNodeStatus: (name, status) => patch(nodeType, name, { status }),
    putStamp(name, spec) {
      const body = { ...typed, metadata: { name }, spec: { by: 'stamp', ...spec } };
      const known = objects(stampType).some(({ metadata }) => metadata?.name === name);
      if (known) patch(stampType, name, { spec: body.spec });
      else insist(resources.create(ofCluster(stampType, ''), { body, options }));
    },
    deleteStamp: (name) => remove(stampType, name),
    deleteLifecycle: (name) => remove(nodeLifecycleType, name),
    deleteLease() {
      for (const { metadata } of objects(leaseType)) {
        const { namespace = '', name = '' } = metadata ?? {};
        insist(resources.delete(target({ type: leaseType, namespace, name }), {}));
      }
    },
    deleteDefinition: (type) => remove(customResourceDefinitionType, resourceName(type)),
    putDefinition: (body) =>
      insist(resources.create(ofCluster(customResourceDefinitionType, ''), { body, options })),
    heartbeat() {
      const lastHeartbeatTime = formatTime(worldStart + world.schedule.nowMs);
      for (const { metadata, status } of objects(nodeType)) {
        const conditions = isRecord(status) ? recordsIn(status['conditions']) : [];
        const beaten = conditions.map((condition) => ({ ...condition, lastHeartbeatTime }));
        patch(nodeType, metadata?.name ?? '', { status: { conditions: beaten } });
      }
    },
    objects,
    stopLeader() {
      const slot = replicas.leader();
      if (slot !== null) replicas.stop(slot);
    },
    killLeader() {
      const slot = replicas.leader();
      const instance = slot === null ? undefined : world.living(slot);
      if (instance === undefined) return;
      world.kill(instance);
      world.bootAfter(instance.slot, 1_000);
    },
  };
}

/** What people do to objects that are not there any more does nothing; any other refusal is a mistake of the story. */
function insist(outcome: Outcome): void {
  if (outcome.kind === 'error' && outcome.error.code !== 404)
    throw new Error(`the story is refused: ${outcome.error.message}`);
}
