// The whole centre before an API server in memory, with a clock that a test moves. An operator can be killed and another
// started over the same cluster; what was written is read back in words.

import { silentLog } from '../../src/base/log.ts';
import type { Metrics } from '../../src/base/metrics.ts';
import { seededRandom } from '../../src/base/random.ts';
import {
  annotationKeys,
  nodeLifecycleType,
  nodeReadinessEvaluationType,
  nodeReadinessGateRuleType,
  nodeReadinessRuleType,
  nodeVerificationType,
} from '../../src/api/keys.ts';
import type { NodeLifecycleStatus } from '../../src/api/node-lifecycle.ts';
import { createPoolResolver, createPoolSelectorCache } from '../../src/fleet/pools.ts';
import { createNodeStateStore } from '../../src/fleet/store.ts';
import { createCaches } from '../../src/kube/caches.ts';
import { createQueue } from '../../src/kube/queue.ts';
import { labelValueProblem } from '../../src/objects/label-key.ts';
import { isRecord, type RawObject } from '../../src/objects/raw.ts';
import { nodeType, podType, type ResourceType } from '../../src/objects/ref.ts';
import type { WorkerLimits } from '../../src/runtime/arbitrate-worker.ts';
import type { NodeCapability } from '../../src/runtime/capability.ts';
import { createCentre } from '../../src/runtime/centre.ts';
import type { ApiFailure, KubeApi, NodeEvent, ObjectEvent, WorkQueue } from '../../src/runtime/ports.ts';
import { type GatingFlags, policySpec } from '../../src/runtime/gating-policy.ts';
import { lifecycleSpec, nodeSpec } from '../../src/runtime/specs.ts';
import { apiFailure } from './api-failure.ts';
import { createLag } from './lag.ts';
import { type ManualClock, manualClock, settle } from './manual-clock.ts';
import {
  createMemoryKubeApi,
  type FaultHook,
  type MemoryCall,
  type MemoryKubeApi,
  type MemoryOptions,
} from './memory-kube-api.ts';
import { newNode, type NodeSketch } from './node-builder.ts';
import { type RecordedMetrics, recordedMetrics } from './recorded-metrics.ts';
import { stampCapability, type StampSpec, stampType } from './stamp-capability.ts';

export type CentreOptions = {
  readonly capabilities?: readonly NodeCapability[];
  /** False: a standby, until `leads` is called. */
  readonly isLeading?: boolean;
  readonly gatingFlags?: GatingFlags;
  readonly workerLimits?: WorkerLimits;
  /** Made with what this operator counts into. */
  readonly capabilitiesOf?: (metrics: Metrics) => readonly NodeCapability[];
};

export type RunningCentre = {
  readonly store: ReturnType<typeof createNodeStateStore>;
  readonly centre: ReturnType<typeof createCentre>;
  readonly events: readonly NodeEvent[];
  /** About objects that are no nodes. */
  readonly ruleEvents: readonly ObjectEvent[];
  readonly metrics: RecordedMetrics;
  leads(): void;
  /** The lease is lost, and the process has not ended yet. */
  stepsDown(): void;
  isIdle(): boolean;
  /** As a crash: it never sends or hears anything again. */
  kill(): void;
  stop(): Promise<void>;
};

export type CentreScene = ReturnType<typeof centreScene>;

const withStatus: readonly ResourceType[] = [
  nodeType,
  nodeLifecycleType,
  stampType,
  nodeReadinessGateRuleType,
  nodeReadinessRuleType,
  nodeReadinessEvaluationType,
  nodeVerificationType,
  podType,
];

export function centreScene(clock: ManualClock = manualClock(), memory: Partial<MemoryOptions> = {}) {
  const faults: { before: FaultHook; after: FaultHook } = { before: () => null, after: () => null };
  const api = createMemoryKubeApi({
    clock,
    historySize: 100_000,
    statusSubresources: withStatus,
    ...memory,
    before: async (call) => (await faults.before(call)) ?? refusal(call),
    after: (call) => faults.after(call),
  });
  const lag = createLag();
  const running: RunningCentre[] = [];
  const start = (options: CentreOptions = {}) => {
    const made = startCentre({ ...api, watch: lag.watch(api.watch) }, clock, options);
    running.push(made);
    return made;
  };
  let seen = 0;
  const rest = () =>
    untilIdle(
      () => running.every((each) => each.isIdle()) && api.calls.length === seen,
      () => void (seen = api.calls.length),
    );
  return {
    ...world(api),
    clock,
    api,
    faults,
    /** Events of these kinds do not arrive any more. */
    lag: lag.hold,
    start,
    rest,
    /** Lets time pass second by second, as servers and other clients would. */
    async run(ms: number) {
      await rest();
      for (let passedMs = 0; passedMs < ms; passedMs += 1_000) {
        if (passedMs % 60_000 === 0) api.bookmark();
        await clock.advance(Math.min(1_000, ms - passedMs));
        await rest();
      }
    },
  };
}

/** What tests do as people and other controllers, and how they read what became of it. */
function world(api: MemoryKubeApi) {
  let read = 0;
  const find = (type: ResourceType, name: string) =>
    api.objects(type).find((object) => object.metadata?.name === name);
  const node = (name: string): RawObject => find(nodeType, name) ?? {};
  return {
    putNode: (name: string, sketch: NodeSketch = {}) => api.put(nodeType, newNode({ ...sketch, name })),
    /** Another client changes a node in place. */
    changeNode: (name: string, change: (raw: RawObject) => RawObject) =>
      api.put(nodeType, change(node(name))),
    /** Its record stays: the garbage collector has not come by yet. */
    removeNode: (name: string) => api.remove(nodeType, name),
    /** With what the garbage collector takes with it. */
    deleteNode(name: string) {
      api.remove(nodeType, name);
      api.remove(nodeLifecycleType, name);
    },
    putStamp: (name: string, spec: Partial<StampSpec> = {}) => {
      const status = find(stampType, name)?.status;
      api.put(stampType, {
        metadata: { name },
        spec: { by: 'stamp', ...spec },
        ...(status ? { status } : {}),
      });
    },
    deleteStamp: (name: string) => api.remove(stampType, name),
    deleteLifecycle: (name: string) => api.remove(nodeLifecycleType, name),
    node,
    lifecycle: (name: string): RawObject | undefined => find(nodeLifecycleType, name),
    status: (name: string): NodeLifecycleStatus => find(nodeLifecycleType, name)?.status ?? {},
    stampStatus: (name: string) => find(stampType, name)?.status,
    labels: (name: string) => node(name).metadata?.labels ?? {},
    taints: (name: string) =>
      isRecord(node(name).spec) ? (node(name).spec as { taints?: unknown }).taints : undefined,
    owned: (name: string): unknown => {
      const text = node(name).metadata?.annotations?.[annotationKeys.owned];
      return text === undefined ? undefined : JSON.parse(text);
    },
    /** The writes that were sent since this was last asked, refused ones included. */
    wrote(): readonly string[] {
      const calls = api.calls.slice(read);
      read = api.calls.length;
      return calls.filter(isWrite).map(wordsOf);
    },
    /** Everything but watches since `wrote` was last asked. */
    asked(): readonly string[] {
      const calls = api.calls.slice(read);
      read = api.calls.length;
      return calls.filter(({ verb }) => verb !== 'watch').map(wordsOf);
    },
  };
}

export function isWrite({ verb }: MemoryCall): boolean {
  return verb === 'create' || verb === 'patch' || verb === 'replace' || verb === 'delete';
}

/** `patch nodes/a`, `patch nodelifecycles/a/status`. */
export function wordsOf({ verb, ref, subresource }: MemoryCall): string {
  return `${verb} ${[ref.type.plural, ref.name, subresource].filter((part) => part !== '').join('/')}`;
}

export function isPatchOf(type: ResourceType, name: string): (call: MemoryCall) => boolean {
  return ({ verb, ref }) => verb === 'patch' && ref.type.kind === type.kind && ref.name === name;
}

/** What the real server refuses, as far as these tests try it. */
function refusal({ verb, ref, body }: MemoryCall): ApiFailure | null {
  if (verb !== 'patch' || ref.type.kind !== 'Node') return null;
  const patch = (body as { body: { metadata?: { labels?: Record<string, string | null> } } }).body;
  const values = Object.values(patch.metadata?.labels ?? {}).filter((value) => value !== null);
  const problem = values.map(labelValueProblem).find((each) => each !== null);
  return problem ? apiFailure('Invalid', { message: problem }) : null;
}

function startCentre(api: KubeApi, clock: ManualClock, options: CentreOptions): RunningCentre {
  const { isLeading = true } = options;
  let epoch: number | null = isLeading ? 1 : null;
  let isDead = false;
  const own = mortal(api, () => isDead);
  const metrics = recordedMetrics();
  const capabilities = options.capabilitiesOf?.(metrics) ?? options.capabilities ?? [stampCapability()];
  const shared = { clock, random: seededRandom(1), log: silentLog, metrics, api: own };
  const watches = capabilities.flatMap((each) => each.watches);
  const sources = createCaches({ ...shared, specs: [nodeSpec, lifecycleSpec, policySpec, ...watches] });
  const store = createNodeStateStore();
  const events: NodeEvent[] = [];
  const ruleEvents: ObjectEvent[] = [];
  const queues: WorkQueue[] = [];
  const centre = createCentre({
    ...shared,
    sources,
    specs: { nodes: nodeSpec, lifecycles: lifecycleSpec, policies: policySpec },
    capabilities,
    store,
    pools: createPoolResolver(createPoolSelectorCache(), ['pool']),
    leadership: { epoch: () => epoch },
    events: { record: (event) => void ('node' in event ? events.push(event) : ruleEvents.push(event)) },
    makeQueue(spec) {
      const queue = createQueue({ ...shared, ...spec });
      queues.push(queue);
      return queue;
    },
    resyncMs: 600_000,
    ...(options.gatingFlags === undefined ? {} : { gatingFlags: options.gatingFlags }),
    ...(options.workerLimits === undefined ? {} : { workerLimits: options.workerLimits }),
  });
  sources.start();
  const isStill = ({ waiting, working }: ReturnType<WorkQueue['depth']>) => waiting === 0 && working === 0;
  return {
    store,
    centre,
    events,
    ruleEvents,
    metrics,
    leads() {
      epoch = 1;
      centre.leads();
    },
    stepsDown() {
      epoch = null;
    },
    isIdle: () => isDead || queues.every((queue) => isStill(queue.depth())),
    kill() {
      isDead = true;
      epoch = null;
      sources.stop();
    },
    async stop() {
      await centre.stop();
      sources.stop();
    },
  };
}

/** Calls of a dead process are never answered and change nothing. */
function mortal(api: KubeApi, isDead: () => boolean): KubeApi {
  const never = () => new Promise<never>(() => {});
  const alive =
    <A extends readonly unknown[], T>(call: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      if (isDead()) return never();
      const answer = await call(...args);
      return isDead() ? never() : answer;
    };
  return {
    ...api,
    get: alive(api.get),
    list: alive(api.list),
    create: alive(api.create),
    replace: alive(api.replace),
    patch: alive(api.patch),
    delete: alive(api.delete),
  };
}

/** Idle for three looks in a row; a call that is held open ends the waiting too, after many looks. */
async function untilIdle(isIdle: () => boolean, look: () => void): Promise<void> {
  for (let looks = 0, idleLooks = 0; idleLooks < 3 && looks < 2_000; looks++) {
    await settle();
    idleLooks = isIdle() ? idleLooks + 1 : 0;
    look();
  }
}
