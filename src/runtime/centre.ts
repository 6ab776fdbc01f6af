// The centre: every watched change becomes node keys, every key one visit. Here its parts are put together and kept going:
// routes, barriers, resync, reporters. What a visit does is in visit.ts.

import { annotationKeys } from '../api/keys.ts';
import { type Cancel, type Clock, sleep } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { jittered, type Random } from '../base/random.ts';
import { ownTriggers, type TriggerSource } from '../fleet/change.ts';
import type { LifecycleView } from '../fleet/lifecycle.ts';
import type { PoolResolver } from '../fleet/pools.ts';
import type { Touched } from '../fleet/routes.ts';
import { serviceOf } from '../fleet/service.ts';
import type { NodeStateStore } from '../fleet/store.ts';
import type { NodeView } from '../objects/node.ts';
import { createAct } from './act.ts';
import { defaultWriteLimits } from './arbitrate.ts';
import { type Answers, createAsked } from './asked.ts';
import { type Barriers, createBarriers, type Gatekept } from './barrier.ts';
import { defaultWorkerLimits, type WorkerLimits } from './arbitrate-worker.ts';
import { type Brake, createBrake } from './brake.ts';
import { createBreaker } from './breaker.ts';
import { createContests } from './contests.ts';
import { createEchoes } from './echoes.ts';
import type { FleetView, NodeCapability } from './capability.ts';
import { changesAuthority, type GatingFlags, noFlags, type PolicyView } from './gating-policy.ts';
import { createKnownPolicy } from './known-policy.ts';
import { measureCentre } from './measures.ts';
import { createNodeWriter } from './node-writer.ts';
import type {
  Cache,
  CacheChange,
  EventRecorder,
  KubeApi,
  Leadership,
  MakeQueue,
  OwnWrites,
  Priority,
  Sources,
  WatchSpec,
} from './ports.ts';
import { createRejections } from './rejections.ts';
import { type ReporterPorts, type RunningReporter, runReporter } from './reporters.ts';
import { createSetbacks } from './setbacks.ts';
import { createTurnstile } from './turnstile.ts';
import { createVisit, type VisitPorts } from './visit.ts';
import { createVisits } from './visits.ts';
import { unrestIn } from './yielding.ts';
import { createWorkerSlots } from './worker-slots.ts';

export type CentrePorts = {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly api: KubeApi;
  readonly sources: Sources;
  readonly specs: {
    readonly nodes: WatchSpec<NodeView>;
    readonly lifecycles: WatchSpec<LifecycleView>;
    /** Without it the built-in policy holds. */
    readonly policies?: WatchSpec<PolicyView>;
  };
  readonly capabilities: readonly NodeCapability[];
  readonly store: NodeStateStore;
  readonly pools: PoolResolver;
  readonly leadership: Leadership;
  readonly events: EventRecorder;
  readonly makeQueue: MakeQueue;
  readonly resyncMs: number;
  /** What the operator was told on its command line about gating. */
  readonly gatingFlags?: GatingFlags;
  readonly workerLimits?: WorkerLimits;
};

export interface Centre {
  /** This replica now leads: everything that was only thought so far is written. */
  leads(): void;
  /** Every capability may speak: the standby is warm, the leader acts. */
  isReady(): boolean;
  /** Many nodes are being written, or wait for it. */
  isBusy(): boolean;
  /** How long the longest visit under way has lasted; 0 when there is none. */
  oldestVisitMs(): number;
  /** What is wrong with the work of a capability as a whole; null when nothing is. */
  problem(): string | null;
  /** Finishes the visits under way and takes no more. */
  stop(): Promise<void>;
}

export function createCentre(ports: CentrePorts): Centre {
  const { sources, specs, capabilities } = ports;
  const nodes = sources.ownWrites(specs.nodes);
  const lifecycles = sources.ownWrites(specs.lifecycles);
  const policySpecs = specs.policies === undefined ? [] : [specs.policies];
  const core: Gatekept = { name: 'lifecycle', watches: [specs.lifecycles, ...policySpecs] };

  const rejections = createRejections(ports);
  const shared = { ...ports, nodes, lifecycles, rejections, ...memoryOf(ports) };
  const act = createAct(ports);
  const answers: Answers = { of: (name) => asked.of(name) };
  const reporters = startReporters(ports, { act, answers, unrest: () => unrest() });
  const downstream = [...reporters.values()].flat();
  const touch: TouchNodes = (touched, trigger, priority) =>
    visits.touch(touched === 'all' ? nodes.keys() : touched, trigger, priority);
  const { turnstile, brake, slots, breaker } = createLimits(ports, touch);
  const asked = createAsked({ ...ports, onAnswer: (name) => touch([name], ownTriggers.timer, 'change') });
  const writer = createNodeWriter({ ...shared, act, turnstile, breaker, brake });
  const barriers = makeBarriers(ports, { core, touch, reporters });
  const policy = createKnownPolicy(sources, specs.policies);
  const gating = { brake, slots, asked, policy: policy.now, gatingFlags: ports.gatingFlags ?? noFlags };
  const visit = createVisit({ ...shared, ...gating, core, barriers, downstream, writer });
  const written = [specs.nodes, specs.lifecycles];
  const echoes = createEchoes({ ...ports, specs: written, turnstile, visits: () => visits });
  const visits = createVisits({
    ...ports,
    urgencyOf: (name, priority) => urgencyOf(nodes.get(name), priority),
    visit: echoes.around((name, trigger) => visit(name, trigger).finally(() => turnstile.pass(name))),
  });
  const unrest = () => unrestIn({ visits, turnstile });
  measureCentre(ports.metrics, { ...shared, turnstile, brake, slots });
  const { fleet, leads } = fleetView(ports);
  for (const capability of capabilities) capability.measure?.(fleet);

  const lookAtEverything = (trigger: TriggerSource) => {
    touch('all', trigger, 'resync');
    for (const reporter of downstream) reporter.refresh();
  };
  const stopping = new AbortController();
  const cancels = [
    ...subscribeRoutes(ports, touch),
    () => echoes.stop(),
    policy.stop,
    sources.subscribe(specs.lifecycles, (change) => doubtOwner(ports, change, nodes)),
    ...tellBrake(shared, written, brake),
    ...policySpecs.map((spec) =>
      sources.subscribe(spec, (change) =>
        changesAuthority(change) ? touch('all', spec.selection.type.kind, 'change') : brake.wakeAll(),
      ),
    ),
    sources.onSynced(() => onSynced(barriers, () => lookAtEverything(ownTriggers.resync))),
  ];
  void resyncForever(ports, stopping.signal, () => lookAtEverything(ownTriggers.resync));
  return {
    leads() {
      leads();
      lookAtEverything(ownTriggers.leadership);
    },
    problem: () => problemOf(capabilities, fleet),
    isReady: () => barriers.areAllOpen(),
    isBusy: () => unrest() === 'much',
    oldestVisitMs: () => visits.oldestMs(),
    async stop() {
      stopping.abort();
      for (const cancel of cancels) cancel();
      await Promise.all([visits.stop(), asked.stop(), ...downstream.map((reporter) => reporter.stop())]);
    },
  };
}

type Opened = {
  readonly core: Gatekept;
  readonly touch: TouchNodes;
  readonly reporters: ReadonlyMap<string, readonly RunningReporter[]>;
};

/** What may speak looks at every node, and its reporters with it. */
function makeBarriers({ capabilities, sources, specs, log }: CentrePorts, opened: Opened): Barriers {
  const { core, touch, reporters } = opened;
  const lookAtAll = () => touch('all', ownTriggers.startup, 'resync');
  return createBarriers({
    capabilities: [core, ...capabilities],
    caches: sources,
    nodes: specs.nodes,
    onSynced: lookAtAll,
    onOpen({ name }) {
      log.info('capability may speak', { capability: name, nodes: sources.of(specs.nodes).size });
      for (const reporter of reporters.get(name) ?? []) reporter.open();
      lookAtAll();
    },
  });
}

/** What is known of nodes besides their state: lost with the process, and learnt again. */
function memoryOf({ clock }: CentrePorts) {
  return { setbacks: createSetbacks(), contests: createContests(clock) };
}

/** Whoever keeps counters that are not about one node, each waking the nodes that it held. */
function createLimits(ports: CentrePorts, touch: TouchNodes) {
  const wakeAs = (priority: Priority) => (name: string) => touch([name], ownTriggers.timer, priority);
  const turnstile = createTurnstile(defaultWriteLimits, wakeAs('resync'), ports.clock);
  return {
    turnstile,
    brake: createBrake(wakeAs('gate')),
    slots: createWorkerSlots(ports.workerLimits ?? defaultWorkerLimits, wakeAs('change')),
    breaker: createBreaker({ ...ports, turnstile }),
  };
}

function problemOf(capabilities: readonly NodeCapability[], fleet: FleetView): string | null {
  const problems = capabilities.flatMap((capability) => {
    const found = capability.problem?.(fleet) ?? null;
    return found === null ? [] : [`${capability.name}: ${found}`];
  });
  return problems.length === 0 ? null : problems.join('; ');
}

/** What capabilities see when they are asked from outside. Who always led has led since it started. */
function fleetView({ store, sources, clock, leadership }: CentrePorts) {
  let since = clock.now();
  const fleet: FleetView = {
    store,
    caches: sources,
    now: () => clock.now(),
    leadsSince: () => (leadership.epoch() === null ? null : since),
  };
  return { fleet, leads: () => void (since = clock.now()) };
}

function startReporters(
  ports: CentrePorts,
  own: Pick<ReporterPorts, 'act' | 'unrest' | 'answers'>,
): ReadonlyMap<string, readonly RunningReporter[]> {
  return new Map(
    ports.capabilities.map(({ name, reporters }) => [
      name,
      reporters.map((reporter) => runReporter(reporter, { ...ports, ...own })),
    ]),
  );
}

type TouchNodes = (touched: Touched, trigger: TriggerSource, priority: Priority) => void;

function subscribeRoutes({ sources, capabilities, store }: CentrePorts, touch: TouchNodes) {
  return capabilities.flatMap(({ routes }) =>
    routes.map((route) =>
      sources.subscribe(route.watch, (change) =>
        touch(
          route.nodes(change, sources, store),
          route.watch.selection.type.kind,
          route.priorityOf?.(change) ?? 'change',
        ),
      ),
    ),
  );
}

/** When a kind is served again, what went while nobody could see it is mentioned by no event. */
function onSynced(barriers: Barriers, lookAgain: () => void): void {
  barriers.check();
  if (barriers.areAllOpen()) lookAgain();
}

/** What happens to a node behind a gate of ours can only let it go: it comes before those that may be gated. */
function urgencyOf(node: NodeView | undefined, priority: Priority): Priority {
  const isGated = (node?.annotations[annotationKeys.owned] ?? '').includes('"taints"');
  return isGated && priority === 'change' ? 'release' : priority;
}

/**
 * A record goes with its node. When it goes and we still know the node, a record created anew would be collected again at once,
 * and so on for as long as the word of the node's end is under way: only a live read tells.
 */
function doubtOwner(
  { leadership }: CentrePorts,
  change: CacheChange<LifecycleView>,
  nodes: Cache<NodeView> & OwnWrites<NodeView>,
): void {
  if (change.kind !== 'deleted' || leadership.epoch() === null) return;
  const { name, nodeUID } = change.before;
  if (nodes.get(name)?.uid === nodeUID) nodes.doubt(name);
}

/** Another leader may gate a node while a visit of ours to it takes long. */
function tellBrake(
  { clock, nodes, lifecycles, sources }: Pick<VisitPorts, 'clock' | 'nodes' | 'lifecycles'> & CentrePorts,
  specs: readonly WatchSpec[],
  brake: Brake,
): readonly Cancel[] {
  const tell = (change: CacheChange) => {
    const node = change.kind === 'deleted' ? undefined : nodes.get(change.now.name);
    if (node !== undefined)
      brake.hears(node, serviceOf(node, lifecycles.get(node.name), { now: clock.now() }));
  };
  return specs.map((spec) => sources.subscribe(spec, tell));
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
