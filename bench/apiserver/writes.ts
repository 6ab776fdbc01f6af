// The writes of the load, each as a kubelet, an operator or a reporter sends it. The same turn always gives the same write,
// and every object is written before one is written again.

import { formatTime } from '../../src/base/timestamp.ts';
import type { RawObject } from '../../src/objects/raw.ts';
import { leaseOf, nodeName } from './fleet.ts';

export type WriteKind = 'lease' | 'nodeStatus' | 'nodeMerge' | 'customStatus' | 'event';

export const writeTitles: Readonly<Record<WriteKind, string>> = {
  lease: 'lease renewal (PUT)',
  nodeStatus: 'node status (strategic merge)',
  nodeMerge: 'node labels and taints (merge)',
  customStatus: 'custom resource status (merge)',
  event: 'event (POST)',
};

export const writeKinds = Object.keys(writeTitles) as readonly WriteKind[];

/** Of twenty writes. Heartbeats are most of what a cluster writes; here the dear ones have a larger share than there. */
const shares: Readonly<Record<WriteKind, number>> = {
  lease: 8,
  nodeStatus: 4,
  nodeMerge: 3,
  customStatus: 3,
  event: 2,
};

export const mixed: readonly WriteKind[] = spread(shares);

export type WriteRequest = {
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly contentType: string;
  readonly body: RawObject;
};

export type Turn = {
  /** Which node it is about. */
  readonly index: number;
  /** Counts up with every write. */
  readonly serial: number;
  /** Of the lease, as it was last answered. */
  readonly resourceVersion: string;
};

const begunMs = Date.UTC(2026, 10, 16);

export function writeOf(kind: WriteKind, turn: Turn): WriteRequest {
  const name = nodeName(turn.index);
  switch (kind) {
    case 'lease':
      return {
        method: 'PUT',
        path: `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${name}`,
        contentType: 'application/json',
        body: leaseOf(name, { resourceVersion: turn.resourceVersion, renewedMs: begunMs + turn.serial }),
      };
    case 'nodeStatus':
      return patch(`/api/v1/nodes/${name}/status`, 'strategic-merge-patch', { status: heartbeat(turn) });
    case 'nodeMerge':
      return patch(`/api/v1/nodes/${name}`, 'merge-patch', wishOf(turn));
    case 'customStatus':
      return patch(`/apis/muster.dev/v1alpha1/nodelifecycles/${name}/status`, 'merge-patch', {
        status: { stage: 'InService', stageSince: timeOf(turn), pool: 'general', gateCount: turn.serial % 7 },
      });
    case 'event':
      return {
        method: 'POST',
        path: '/apis/events.k8s.io/v1/namespaces/default/events',
        contentType: 'application/json',
        body: eventOf(name, turn),
      };
  }
}

function patch(path: string, kind: string, body: RawObject): WriteRequest {
  return { method: 'PATCH', path, contentType: `application/${kind}+json`, body };
}

function heartbeat(turn: Turn) {
  const types = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'];
  return {
    '$setElementOrder/conditions': types.map((type) => ({ type })),
    conditions: types.map((type) => ({ type, lastHeartbeatTime: timeOf(turn) })),
  };
}

function wishOf({ serial }: Turn): RawObject {
  const taint = { key: 'cluster.example.com/gate', value: `v${serial}`, effect: 'NoSchedule' };
  return {
    metadata: { labels: { 'cluster.example.com/turn': `v${serial}` } },
    spec: { taints: serial % 2 === 0 ? [taint] : [] },
  };
}

function eventOf(name: string, turn: Turn): RawObject {
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: `${name}.${turn.serial.toString(16)}`, namespace: 'default' },
    eventTime: `${timeOf(turn).slice(0, -1)}.000000Z`,
    type: 'Normal',
    reason: 'NodeReleased',
    action: 'Release',
    note: `All gates of ${name} are closed; ordinary pods may run on it.`,
    reportingController: 'muster.dev/operator',
    reportingInstance: 'muster-0',
    regarding: { apiVersion: 'v1', kind: 'Node', name },
  };
}

/** Another second with every write, so that each one changes something. */
function timeOf({ serial }: Turn): string {
  return formatTime(begunMs + serial * 1_000);
}

/** Kinds spread evenly instead of in blocks: the next one is always the one that lags furthest behind its share. */
function spread(parts: Readonly<Record<WriteKind, number>>): readonly WriteKind[] {
  const total = writeKinds.reduce((sum, kind) => sum + parts[kind], 0);
  const given = new Map<WriteKind, number>();
  return Array.from({ length: total }, (_, slot) => {
    const lag = (kind: WriteKind) => (parts[kind] * (slot + 1)) / total - (given.get(kind) ?? 0);
    const next = writeKinds.reduce((a, b) => (lag(b) > lag(a) ? b : a));
    given.set(next, (given.get(next) ?? 0) + 1);
    return next;
  });
}
