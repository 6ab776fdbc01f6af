// A Node as its kubelet registers it: labels, addresses, capacity, what runs on it. Pure; the server adds the rest.

import { nodeLabelKeys, simKeys } from '../api/keys.ts';
import { formatMicroTime, formatTime } from '../base/timestamp.ts';
import type { Instant } from '../base/clock.ts';
import { hashFields } from '../base/hash.ts';
import type { Random } from '../base/random.ts';
import type { RawObject } from '../objects/raw.ts';
import type { PlannedNode } from './fleet-plan.ts';
import type { StageCondition } from './stage.ts';

export const KUBELET_VERSION = 'v1.36.3';
const ZONES = 3;
const SERVER_REGION = 'sim-1';

export type Boot = { readonly bootID: string; readonly machineID: string };

export type NodeCondition = StageCondition & { readonly since: Instant };

/** A kubelet is fine until a stage says otherwise. */
export const healthyConditions: readonly StageCondition[] = [
  ['MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
].map(([type = '', reason = '', message = '']) => ({ type, status: 'False', reason, message }));

export function nodeBody(
  planned: PlannedNode,
  boot: Boot,
  status: Readonly<Record<string, unknown>>,
): RawObject {
  const { name, pool, index } = planned;
  const { taints, instanceType } = pool.machine;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        [nodeLabelKeys.hostname]: name,
        [nodeLabelKeys.operatingSystem]: 'linux',
        [nodeLabelKeys.architecture]: 'amd64',
        [nodeLabelKeys.instanceType]: instanceType,
        [nodeLabelKeys.region]: SERVER_REGION,
        [nodeLabelKeys.zone]: `${SERVER_REGION}${'abc'.charAt(index % ZONES)}`,
        [nodeLabelKeys.pool]: pool.name,
        [simKeys.simulated]: 'true',
      },
    },
    spec: {
      providerID: `sim://${SERVER_REGION}/${boot.machineID}`,
      ...(taints.length === 0
        ? {}
        : { taints: taints.map(({ key, value, effect }) => ({ key, value, effect })) }),
    },
    status,
  };
}

/** What the kubelet says about its machine: once at its start, and again after a reboot. */
export function machineStatus({ name, pool }: PlannedNode, boot: Boot): Readonly<Record<string, unknown>> {
  const { cpu, memoryGi, pods } = pool.machine;
  return {
    capacity: { cpu: `${cpu}`, memory: `${memoryGi}Gi`, 'ephemeral-storage': '100Gi', pods: `${pods}` },
    allocatable: {
      cpu: `${cpu * 1000 - 100}m`,
      memory: `${memoryGi * 1024 - 512}Mi`,
      'ephemeral-storage': '90Gi',
      pods: `${pods}`,
    },
    addresses: [
      { type: 'InternalIP', address: nodeAddress(name) },
      { type: 'Hostname', address: name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      architecture: 'amd64',
      bootID: boot.bootID,
      containerRuntimeVersion: 'sim://1.0.0',
      kernelVersion: '6.12.0-sim',
      kubeProxyVersion: '',
      kubeletVersion: KUBELET_VERSION,
      machineID: boot.machineID,
      operatingSystem: 'linux',
      osImage: 'Muster simulated node',
      systemUUID: boot.machineID,
    },
  };
}

export function conditionList(conditions: Iterable<NodeCondition>, now: Instant): readonly object[] {
  const order = [...conditions].sort((a, b) => Number(a.type === 'Ready') - Number(b.type === 'Ready'));
  return order.map(({ since, ...condition }) => ({
    ...condition,
    lastHeartbeatTime: formatTime(now),
    lastTransitionTime: formatTime(since),
  }));
}

const LEASE_SECONDS = 40;

export function leaseBody(node: { name: string; uid: string }, now: Instant): RawObject {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name: node.name,
      namespace: nodeLeaseNamespace,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: node.name, uid: node.uid }],
    },
    spec: {
      holderIdentity: node.name,
      leaseDurationSeconds: LEASE_SECONDS,
      renewTime: formatMicroTime(now),
    },
  };
}

export const nodeLeaseNamespace = 'kube-node-lease';

/** An address of 10.0.0.0/16, the same for the same name. */
export function nodeAddress(name: string): string {
  return `10.0.${lastBytes(name)}`;
}

/** An address of 10.244.0.0/16, the same for the same pod. */
export function podAddress(uid: string): string {
  return `10.244.${lastBytes(uid)}`;
}

function lastBytes(text: string): string {
  const number = Number.parseInt(hashFields([text]).slice(-4), 16);
  return `${number >> 8}.${number & 255}`;
}

export function drawUuid(random: Random): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random.next() * 16).toString(16)).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
