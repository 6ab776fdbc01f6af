// The centre: every watched change becomes node keys, every key one visit: evaluate, store, notify, write. Level-based; a
// visit reads the caches as they are, so a lost, doubled or late key changes nothing but the moment.

import { type Clock, sleep } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { jittered, type Random } from '../base/random.ts';
import { ownTriggers, type TriggerSource } from '../fleet/change.ts';
import { notify } from '../fleet/downstream.ts';
import type { LifecycleView } from '../fleet/lifecycle.ts';
import { validateNodeState } from '../fleet/node-state.ts';
import type { PoolResolver } from '../fleet/pools.ts';
import type { Touched } from '../fleet/routes.ts';
import type { NodeStateStore } from '../fleet/store.ts';
import type { NodeView } from '../objects/node.ts';
import type { ObjectView } from '../objects/raw.ts';
import { createAct } from './act.ts';
import { defaultWriteLimits } from './arbitrate.ts';
import { type Barriers, createBarriers } from './barrier.ts';
import type { NodeCapability } from './capability.ts';
import { type CapabilityDecision, evaluateNode } from './evaluate.ts';
import { measureCentre } from './measures.ts';
import { createNodeWriter, type NodeWriter } from './node-writer.ts';
import type {
  Cache,
  EventRecorder,
  KubeApi,
  Leadership,
  MakeQueue,
  Priority,
  Sources,
  WatchSpec,
  WorkOutcome,
} from './ports.ts';
import { createRejections } from './rejections.ts';
import { type RunningReporter, runReporter } from './reporters.ts';
import { createTurnstile } from './turnstile.ts';
import { countWishes } from './wishes.ts';

export type CentrePorts = {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly api: KubeApi;
  readonly sources: Sources;
  readonly specs: { readonly nodes: WatchSpec<NodeView>; readonly lifecycles: WatchSpec<LifecycleView> };
  readonly capabilities: readonly NodeCapability[];
  readonly store: NodeStateStore;
  readonly pools: PoolResolver;
  readonly leadership: Leadership;
  readonly events: EventRecorder;
  readonly makeQueue: MakeQueue;
  readonly resyncMs: number;
};

export interface Centre {
  /** This replica now leads: everything that was only thought so far is written. */
  leads(): void;
  /** Every capability may speak: the standby is warm, the leader acts. */
  isReady(): boolean;
  /** How long the longest visit under way has lasted; 0 when there is none. */
  oldestVisitMs(): number;
  /** Finishes the visits under way and takes no more. */
  stop(): Promise<void>;
}

const VISITS_AT_ONCE = 32;
/** Work that needs no I/O gives way after this long, so that probes, leases and watches are served. */
const SLICE_MS = 8;

export function createCentre(ports: CentrePorts): Centre {
  const { clock, sources, specs, capabilities, store } = ports;
  const stopping = new AbortController();
  const nodes = sources.ownWrites(specs.nodes);
  const lifecycles = sources.ownWrites(specs.lifecycles);
  const triggers = new Map<string, TriggerSource>();
  const visitingSinceMs = new Map<string, number>();
  const rejections = createRejections();
  const act = createAct(ports);
  const turnstile = createTurnstile(defaultWriteLimits, (name) => queue.add(name, 'resync'));
  const writer = createNodeWriter({ ...ports, act, rejections, turnstile, nodes, lifecycles });
  const reporters = new Map(
    capabilities.map((each) => [
      each.name,
      each.reporters.map((reporter) => runReporter(reporter, { ...ports, act })),
    ]),
  );
  const core = { name: 'lifecycle', watches: [specs.lifecycles] };

  const touch = (touched: Touched, trigger: TriggerSource, priority: Priority) => {
    for (const name of touched === 'all' ? nodes.keys() : touched) {
      triggers.set(name, trigger);
      queue.add(name, priority);
    }
  };
  const barriers = createBarriers({
    capabilities: [core, ...capabilities],
    caches: sources,
    nodes: specs.nodes,
    onSynced: () => touch('all', ownTriggers.startup, 'resync'),
    onOpen: ({ name }) => {
      ports.log.info('capability may speak', { capability: name, nodes: nodes.size });
      for (const reporter of reporters.get(name) ?? []) reporter.open();
      touch('all', ownTriggers.startup, 'resync');
    },
  });
  const downstream: readonly RunningReporter[] = [...reporters.values()].flat();
  const context: VisitContext = {
    ...ports,
    barriers,
    writer,
    rejections,
    downstream,
    core,
    nodes,
    lifecycles,
  };
  const breathe = createBreath(clock);
  const queue = ports.makeQueue({
    name: 'nodes',
    concurrency: VISITS_AT_ONCE,
    work: async (name) => {
      await breathe();
      const trigger = triggers.get(name) ?? ownTriggers.timer;
      triggers.delete(name);
      visitingSinceMs.set(name, clock.monotonicMs());
      return visit(context, name, trigger).finally(() => visitingSinceMs.delete(name));
    },
  });
  measureCentre(ports.metrics, { lifecycles, store, rejections, turnstile });
  const cancels = subscribeRoutes(ports, touch);
  cancels.push(sources.onSynced(() => barriers.check()));
  void resyncForever(ports, stopping.signal, () => {
    rejections.forgetAll();
    touch('all', ownTriggers.resync, 'resync');
  });

  return {
    leads: () => touch('all', ownTriggers.leadership, 'resync'),
    isReady: () => barriers.areAllOpen(),
    oldestVisitMs: () =>
      Math.max(0, ...visitingSinceMs.values().map((sinceMs) => clock.monotonicMs() - sinceMs)),
    async stop() {
      stopping.abort();
      for (const cancel of cancels) cancel();
      await Promise.all([queue.stop(), ...downstream.map((reporter) => reporter.stop())]);
    },
  };
}

type VisitContext = CentrePorts & {
  readonly barriers: Barriers;
  readonly writer: NodeWriter;
  readonly rejections: ReturnType<typeof createRejections>;
  readonly downstream: readonly RunningReporter[];
  readonly core: Parameters<Barriers['isOpen']>[0];
  readonly nodes: Cache<NodeView>;
  readonly lifecycles: Cache<LifecycleView>;
};

async function visit(
  context: VisitContext,
  name: string,
  triggerSource: TriggerSource,
): Promise<WorkOutcome> {
  const { clock, store, barriers, leadership, writer, nodes } = context;
  const mayWrite = leadership.epoch() !== null;
  if (mayWrite && !(await writer.resolveDoubt(name))) return { kind: 'retry', soon: false, afterMs: null };
  const node = nodes.get(name);
  if (node === undefined) return forget(context, name, triggerSource);

  const capabilities = context.capabilities.filter((capability) => barriers.isSynced(capability));
  const now = clock.now();
  const evaluation = evaluateNode({
    ...context,
    capabilities,
    caches: context.sources,
    node,
    previous: store.get(name),
    now,
  });
  const speaking = evaluation.decisions.filter(
    ({ capability, failure }) => failure === null && barriers.isOpen(capability),
  );
  const { merged, verdicts } = countWishes(name, speaking, context.rejections);
  const conclusion = { ...evaluation.conclusion, verdicts: [...evaluation.conclusion.verdicts, ...verdicts] };
  const changes = store.set(conclusion, { at: now, triggerSource, resourceVersion: node.resourceVersion });
  for (const change of changes) notify(context.downstream, change);
  if (changes.length > 0) complain(context, node, evaluation.decisions);
  barriers.visited(name);

  const recheckInMs = evaluation.recheckAt === null ? null : Math.max(0, evaluation.recheckAt - now);
  const state = store.get(name);
  if (!mayWrite || state === undefined || !barriers.isOpen(context.core))
    return { kind: 'done', recheckInMs };
  const lifecycle = context.lifecycles.get(name);
  const outcome = await writer.write({
    node,
    lifecycle,
    state,
    merged,
    speaking,
    isSettled: barriers.areAllOpen(),
  });
  for (const { decision } of speaking)
    for (const { event } of decision.requests) context.events.record(event);
  return outcome.kind === 'done'
    ? { kind: 'done', recheckInMs: soonest(recheckInMs, outcome.recheckInMs) }
    : outcome;
}

function forget(context: VisitContext, name: string, triggerSource: TriggerSource): WorkOutcome {
  const change = context.store.delete(name, { at: context.clock.now(), triggerSource });
  if (change !== null) notify(context.downstream, change);
  context.writer.forget(name);
  context.rejections.forgetNode(name);
  context.barriers.visited(name);
  return { kind: 'done', recheckInMs: null };
}

/** Says once per change of state what a person should look at. */
function complain(
  { log, events, store, metrics }: VisitContext,
  node: NodeView,
  decisions: readonly CapabilityDecision[],
): void {
  for (const { capability, failure } of decisions) {
    if (failure === null) continue;
    metrics
      .counter({
        name: 'muster_capability_failures_total',
        help: 'Throws inside a capability',
        labels: ['capability'],
      })
      .add({ capability: capability.name });
    log.error('capability failed on a node; its keys stay as they are', {
      capability: capability.name,
      node: node.name,
      error: failure.stack,
    });
    events.record({
      node,
      type: 'Warning',
      reason: 'InternalError',
      action: 'Evaluate',
      note: `${capability.name}: ${failure.message}`,
    });
  }
  const state = store.get(node.name);
  const problems =
    state === undefined ? [] : validateNodeState(state, (pool) => store.getByPool(pool).length > 0);
  if (problems.length > 0) log.warn('node state is invalid', { node: node.name, problems });
}

function soonest(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

type TouchNodes = (touched: Touched, trigger: TriggerSource, priority: Priority) => void;

function subscribeRoutes({ sources, specs, capabilities, store }: CentrePorts, touch: TouchNodes) {
  const own = [specs.nodes, specs.lifecycles].map((spec) =>
    sources.subscribe<ObjectView>(spec, (change) => {
      const { name } = change.kind === 'deleted' ? change.before : change.now;
      touch([name], spec.selection.type.kind, 'change');
    }),
  );
  const routed = capabilities.flatMap(({ routes }) =>
    routes.map((route) =>
      sources.subscribe(route.watch, (change) =>
        touch(route.nodes(change, sources, store), route.watch.selection.type.kind, 'change'),
      ),
    ),
  );
  return [...own, ...routed];
}

async function resyncForever(
  { clock, random, resyncMs }: CentrePorts,
  signal: AbortSignal,
  resync: () => void,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(clock, jittered(random, resyncMs, 0.1), signal);
    if (!signal.aborted) resync();
  }
}

/** Resolves at once within a slice, and in a later turn of the event loop when the slice is used up. */
function createBreath(clock: Clock): () => Promise<void> | undefined {
  let sliceStartMs = clock.monotonicMs();
  return () => {
    if (clock.monotonicMs() - sliceStartMs < SLICE_MS) return undefined;
    return clock.nextTurn().then(() => void (sliceStartMs = clock.monotonicMs()));
  };
}
