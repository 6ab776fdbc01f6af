// The wire shapes of Node, CSINode and Lease.

import { kindFields } from '../metadata-shape.ts';
import {
  flag,
  int,
  list,
  microTime,
  open,
  pointer,
  quantities,
  setOf,
  shown,
  struct,
  text,
  texts,
  time,
} from '../shape.ts';

const condition = struct({
  type: shown(text),
  status: shown(text),
  lastHeartbeatTime: time,
  lastTransitionTime: time,
  reason: text,
  message: text,
});

const taint = struct({ key: shown(text), value: text, effect: shown(text), timeAdded: pointer(time) });

const systemFacts = struct({
  machineID: shown(text),
  systemUUID: shown(text),
  bootID: shown(text),
  kernelVersion: shown(text),
  osImage: shown(text),
  containerRuntimeVersion: shown(text),
  kubeletVersion: shown(text),
  kubeProxyVersion: shown(text),
  operatingSystem: shown(text),
  architecture: shown(text),
  swap: open,
});

export const nodeFields = kindFields({
  spec: struct({
    podCIDR: text,
    podCIDRs: setOf(text),
    providerID: text,
    unschedulable: flag,
    taints: list(taint),
    configSource: open,
    externalID: text,
  }),
  status: struct({
    capacity: quantities,
    allocatable: quantities,
    phase: text,
    conditions: list(condition, 'type'),
    addresses: list(struct({ type: shown(text), address: shown(text) }), 'type'),
    daemonEndpoints: struct({ kubeletEndpoint: struct({ Port: shown(int) }) }),
    nodeInfo: systemFacts,
    images: list(struct({ names: list(text), sizeBytes: int })),
    volumesInUse: list(text),
    volumesAttached: list(struct({ name: shown(text), devicePath: shown(text) })),
    config: open,
    runtimeHandlers: open,
    features: open,
    declaredFeatures: list(text),
  }),
});

export const csiNodeFields = kindFields({
  spec: struct({
    drivers: shown(
      list(
        struct({
          name: shown(text),
          nodeID: shown(text),
          topologyKeys: shown(list(text)),
          allocatable: pointer(struct({ count: pointer(int) })),
        }),
        'name',
      ),
    ),
  }),
});

export const leaseFields = kindFields({
  spec: struct({
    holderIdentity: pointer(text),
    leaseDurationSeconds: pointer(int),
    acquireTime: pointer(microTime),
    renewTime: pointer(microTime),
    leaseTransitions: pointer(int),
    strategy: pointer(text),
    preferredHolder: pointer(text),
  }),
});

/** ConfigMap, Secret, ServiceAccount and Namespace: little more than their metadata. */
export const configMapFields = kindFields({
  data: texts,
  binaryData: { shape: { kind: 'map', of: { kind: 'bytes' } }, emit: 'nonzero' },
  immutable: pointer(flag),
});

export const secretFields = kindFields({
  data: { shape: { kind: 'map', of: { kind: 'bytes' } }, emit: 'nonzero' },
  stringData: texts,
  type: text,
  immutable: pointer(flag),
});

export const serviceAccountFields = kindFields({
  secrets: list(
    struct({
      kind: text,
      namespace: text,
      name: text,
      uid: text,
      apiVersion: text,
      resourceVersion: text,
      fieldPath: text,
    }),
    'name',
  ),
  imagePullSecrets: list(struct({ name: text }), 'name'),
  automountServiceAccountToken: pointer(flag),
});

export const namespaceFields = kindFields({
  spec: struct({ finalizers: list(text) }),
  status: struct({
    phase: text,
    conditions: list(
      struct({
        type: shown(text),
        status: shown(text),
        lastTransitionTime: time,
        reason: text,
        message: text,
      }),
      'type',
    ),
  }),
});
