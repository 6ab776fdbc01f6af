// The managed fields of a generated Node: who wrote what, as the API server keeps it. No operator needs them and every one
// that does not ask for less is sent them.

import { formatTime } from '../../src/base/timestamp.ts';
import type { Draw } from './draw.ts';

const owned = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, {}]));

const conditionFields = owned(
  '.',
  'f:lastHeartbeatTime',
  'f:lastTransitionTime',
  'f:message',
  'f:reason',
  'f:status',
  'f:type',
);
const condition = (type: string) => [`k:{"type":"${type}"}`, conditionFields] as const;

const kubeletMetadata = {
  'f:metadata': {
    'f:annotations': owned(
      '.',
      'f:alpha.kubernetes.io/provided-node-ip',
      'f:csi.volume.kubernetes.io/nodeid',
      'f:volumes.kubernetes.io/controller-managed-attach-detach',
    ),
    'f:labels': owned(
      '.',
      'f:beta.kubernetes.io/arch',
      'f:beta.kubernetes.io/os',
      'f:k8s.io/cloud-provider-aws',
      'f:kubernetes.io/arch',
      'f:kubernetes.io/hostname',
      'f:kubernetes.io/os',
      'f:topology.ebs.csi.aws.com/zone',
    ),
  },
  'f:spec': owned('f:providerID'),
};

const kubeletStatus = {
  'f:status': {
    'f:addresses': owned('.', 'k:{"type":"Hostname"}', 'k:{"type":"InternalDNS"}', 'k:{"type":"InternalIP"}'),
    'f:allocatable': owned(
      '.',
      'f:cpu',
      'f:ephemeral-storage',
      'f:hugepages-1Gi',
      'f:hugepages-2Mi',
      'f:memory',
      'f:pods',
    ),
    'f:capacity': owned(
      '.',
      'f:cpu',
      'f:ephemeral-storage',
      'f:hugepages-1Gi',
      'f:hugepages-2Mi',
      'f:memory',
      'f:pods',
    ),
    'f:conditions': Object.fromEntries(
      ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'].map(condition),
    ),
    'f:daemonEndpoints': { 'f:kubeletEndpoint': owned('f:Port') },
    'f:images': {},
    'f:nodeInfo': owned(
      'f:architecture',
      'f:bootID',
      'f:containerRuntimeVersion',
      'f:kernelVersion',
      'f:kubeletVersion',
      'f:machineID',
      'f:osImage',
      'f:systemUUID',
    ),
    'f:volumesInUse': {},
  },
};

const controllerMetadata = {
  'f:metadata': {
    'f:annotations': owned('f:node.alpha.kubernetes.io/ttl'),
    'f:labels': owned(
      'f:failure-domain.beta.kubernetes.io/region',
      'f:failure-domain.beta.kubernetes.io/zone',
      'f:topology.kubernetes.io/region',
      'f:topology.kubernetes.io/zone',
    ),
  },
  'f:spec': owned('f:podCIDR', 'f:podCIDRs', 'f:taints'),
};

const detectorStatus = {
  'f:status': {
    'f:conditions': Object.fromEntries(
      ['KernelDeadlock', 'ReadonlyFilesystem', 'FrequentContainerdRestart'].map(condition),
    ),
  },
};

const entries = [
  { manager: 'kubelet', fieldsV1: kubeletMetadata },
  { manager: 'kube-controller-manager', fieldsV1: controllerMetadata },
  { manager: 'node-problem-detector', subresource: 'status', fieldsV1: detectorStatus },
  { manager: 'kubelet', subresource: 'status', fieldsV1: kubeletStatus },
];

export function managedFieldsOf(draw: Draw) {
  return entries.map((entry) => ({
    operation: 'Update',
    apiVersion: 'v1',
    time: formatTime(draw.instant()),
    fieldsType: 'FieldsV1',
    ...entry,
  }));
}
