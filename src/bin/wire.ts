// One operator, put together from its parts around one KubeApi. Everything that touches the world comes in as a port, so that
// the same wiring runs in a cluster, in a test and in a simulator.

import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Random } from '../base/random.ts';
import { createPoolResolver, createPoolSelectorCache } from '../fleet/pools.ts';
import { createNodeStateStore, type NodeStateStore } from '../fleet/store.ts';
import { createCaches } from '../kube/caches.ts';
import { createEventRecorder, type KubeEventRecorder } from '../kube/events.ts';
import { createLease, type Lease } from '../kube/lease.ts';
import type { LeaseTimings } from '../kube/lease-state.ts';
import { createQueue } from '../kube/queue.ts';
import { leaseType, nodeType } from '../objects/ref.ts';
import type { WorkerLimits } from '../runtime/arbitrate-worker.ts';
import type { NodeCapability } from '../runtime/capability.ts';
import { type Centre, createCentre } from '../runtime/centre.ts';
import type { EventRecorder, KubeApi, Leadership } from '../runtime/ports.ts';
import { type GatingFlags, policySpec } from '../runtime/gating-policy.ts';
import { lifecycleSpec, nodeSpec } from '../runtime/specs.ts';

export type OperatorPorts = {
  readonly api: KubeApi;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly capabilities: readonly NodeCapability[];
  readonly poolLabels: readonly string[];
  readonly resyncMs: number;
  /** Without them nothing is read from the DisruptionPolicy: the built-in brake alone holds. */
  readonly gatingFlags?: GatingFlags;
  readonly workerLimits?: WorkerLimits;
  readonly identity: string;
  /** Null: a single replica that always leads. */
  readonly lease: LeaseSettings | null;
  /** The lease is lost for good: nothing may be written any more and the process has to end. */
  readonly onLost: (reason: string) => void;
};

export type LeaseSettings = {
  readonly namespace: string;
  readonly name: string;
  readonly timings?: LeaseTimings;
};

export type Operator = {
  readonly store: NodeStateStore;
  readonly centre: Centre;
  readonly leadership: Leadership;
  /** The kinds that have not been read to the end yet. */
  unsynced(): readonly string[];
  start(): void;
  /** Finishes what is under way, then gives the lease back. */
  stop(): Promise<void>;
};

export function wireOperator(ports: OperatorPorts): Operator {
  const { api, clock, random, log, metrics } = ports;
  const store = createNodeStateStore();
  const policies = ports.gatingFlags === undefined ? {} : { policies: policySpec };
  const sources = createCaches({
    api,
    clock,
    random,
    log,
    metrics,
    specs: [
      nodeSpec,
      lifecycleSpec,
      ...Object.values(policies),
      ...ports.capabilities.flatMap(({ watches }) => watches),
    ],
  });
  const ending = new AbortController();
  let isInformed = false;
  const lead = async () => {
    await sources.readDeciding(ending.signal);
    if (ending.signal.aborted) return;
    isInformed = true;
    centre.leads();
  };
  const lease = ports.lease === null ? null : makeLease(ports, ports.lease, () => void lead());
  const holder: Leadership = lease ?? { epoch: () => 0 };
  // Who holds the Lease and may not have heard yet of what the last holder acted upon does not write.
  const leadership: Leadership = { epoch: () => (isInformed ? holder.epoch() : null) };
  const recorder = createEventRecorder({ ...ports, isBusy: () => centre.isBusy() });
  measureLeading(ports, lease, leadership);
  const centre = createCentre({
    ...ports,
    sources,
    store,
    leadership,
    events: withNodes(recorder),
    specs: { nodes: nodeSpec, lifecycles: lifecycleSpec, ...policies },
    pools: createPoolResolver(createPoolSelectorCache(), ports.poolLabels),
    makeQueue: (spec) => createQueue({ clock, random, log, metrics, ...spec }),
  });
  return {
    store,
    centre,
    leadership,
    unsynced: () => sources.unsynced(),
    start() {
      sources.start();
      if (lease === null) void lead();
      else lease.start();
    },
    async stop() {
      ending.abort();
      await centre.stop();
      sources.stop();
      await recorder.stop();
      await lease?.stop();
    },
  };
}

function measureLeading(
  { metrics, lease: settings }: OperatorPorts,
  lease: Lease | null,
  leadership: Leadership,
): void {
  const leading = metrics.gauge({
    name: 'muster_leading',
    help: '1 while this replica leads and writes, 0 on a standby',
  });
  const holding = metrics.gauge({
    name: 'leader_election_master_status',
    help: '1 while this replica holds the Lease of this name, under the name of clients written in Go',
    labels: ['name'],
  });
  metrics.beforeScrape(() => {
    leading.set(leadership.epoch() === null ? 0 : 1);
    if (settings !== null) holding.set(lease?.isLeader() ? 1 : 0, { name: settings.name });
  });
}

function makeLease(
  ports: OperatorPorts,
  { namespace, name, timings }: LeaseSettings,
  onLeading: () => void,
): Lease {
  const { api, clock, random, log, identity, onLost } = ports;
  const ref = { type: leaseType, namespace, name };
  const timed = timings === undefined ? {} : { timings };
  return createLease({ api, ref, identity, clock, random, log, onLeading, onLost, ...timed });
}

/** The recorder knows any object; the runtime speaks mostly of nodes. */
function withNodes(recorder: KubeEventRecorder): EventRecorder {
  return {
    record(event) {
      if ('regarding' in event) return recorder.record(event);
      const { node, ...words } = event;
      const regarding = { type: nodeType, namespace: '', name: node.name, uid: node.uid };
      recorder.record({ ...words, regarding });
    },
  };
}
