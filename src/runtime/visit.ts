// One visit of one node: evaluate, store, notify, write. It reads the caches as they are, so a lost, doubled or late visit
// changes nothing but the moment. Never writes itself: the writer does, and only while this replica leads.

import { assert } from '../base/assert.ts';
import { type Clock, type Instant, soonest } from '../base/clock.ts';
import { isSame } from '../base/same.ts';
import type { Log } from '../base/log.ts';
import type { Counter, Metrics } from '../base/metrics.ts';
import type { TriggerSource } from '../fleet/change.ts';
import { type DownstreamController, notify } from '../fleet/downstream.ts';
import { type LifecycleView, verificationOf, type VerificationRecord } from '../fleet/lifecycle.ts';
import { type NodeConclusion, type NodeState, validateNodeState, type Verdict } from '../fleet/node-state.ts';
import type { PoolResolver } from '../fleet/pools.ts';
import { serviceOf } from '../fleet/service.ts';
import type { NodeStateStore, Occasion } from '../fleet/store.ts';
import { isExpectedStep } from '../fleet/update-phase.ts';
import type { NodeView } from '../objects/node.ts';
import type { Asked } from './asked.ts';
import type { Barriers, Gatekept } from './barrier.ts';
import type { Brake } from './brake.ts';
import { type Breath, createBreath } from './breath.ts';
import type { Contests } from './contests.ts';
import type { AskRequest, GateRequest, NodeCapability, Request, StartWorkerRequest } from './capability.ts';
import { type CapabilityDecision, evaluateNode } from './evaluate.ts';
import { effectivePolicy, type GatingFlags, type GatingPolicy } from './gating-policy.ts';
import type { NodeWriter, WriteOrder } from './node-writer.ts';
import type { Cache, Caches, EventRecorder, Leadership, NodeEvent, WorkOutcome } from './ports.ts';
import type { Rejections } from './rejections.ts';
import type { Setbacks } from './setbacks.ts';
import { tellVisited } from './tell-visited.ts';
import type { Visit } from './visits.ts';
import { countWishes } from './wishes.ts';
import type { SlotRuling, WorkerSlots } from './worker-slots.ts';

export type VisitPorts = {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly sources: Caches;
  readonly nodes: Cache<NodeView>;
  readonly lifecycles: Cache<LifecycleView>;
  /** What the cluster's policy says of gating; undefined without one. */
  readonly policy: () => GatingPolicy | undefined;
  readonly gatingFlags: GatingFlags;
  readonly brake: Brake;
  readonly slots: WorkerSlots;
  readonly asked: Asked;
  readonly setbacks: Setbacks;
  readonly contests: Pick<Contests, 'verdictsOf'>;
  readonly capabilities: readonly NodeCapability[];
  /** What has to be open before anything at all is written. */
  readonly core: Gatekept;
  readonly barriers: Barriers;
  readonly store: NodeStateStore;
  readonly pools: PoolResolver;
  readonly downstream: readonly DownstreamController[];
  readonly leadership: Leadership;
  readonly rejections: Rejections;
  readonly writer: NodeWriter;
  readonly events: EventRecorder;
};

/** A capability that always wants to look again now must not keep the operator busy for ever. */
const RECHECK_MS_MIN = 100;

export function createVisit(ports: VisitPorts): Visit {
  const failures = ports.metrics.counter({
    name: 'muster_capability_failures_total',
    help: 'Throws inside a capability',
    labels: ['capability'],
  });
  const phaseSteps = ports.metrics.counter({
    name: 'muster_unexpected_phase_steps_total',
    help: 'Steps from one phase of an update to another that its diagram does not show',
  });
  const context = { ...ports, failures, phaseSteps, breath: createBreath(ports.clock) };
  return (name, trigger) => visitNode(context, name, trigger);
}

type VisitContext = VisitPorts & {
  readonly failures: Counter;
  readonly phaseSteps: Counter;
  readonly breath: Breath;
};

async function visitNode(context: VisitContext, name: string, trigger: TriggerSource): Promise<WorkOutcome> {
  const { leadership, writer, barriers, nodes, lifecycles } = context;
  const mayWrite = leadership.epoch() !== null;
  if (mayWrite && !(await writer.resolveDoubt(name))) return { kind: 'retry', soon: false, afterMs: null };
  while (context.breath.isSpent()) await context.breath.next();
  const node = nodes.get(name);
  if (node === undefined) return forget(context, name, trigger);

  const startedMs = context.clock.monotonicMs();
  const { recheckInMs, mayBegin, news, before, ...thought } = think(context, node, trigger);
  // Only now: this may open a barrier, and whoever stood behind it was not heard in this visit.
  barriers.visited(name);
  if (!mayWrite || !mayBegin) return { kind: 'done', recheckInMs };
  for (const event of news) context.events.record(event);
  const outcome = await writer.write({ ...thought, node, lifecycle: lifecycles.get(name) });
  tellVisited(context, { ...thought, before, startedMs });
  return outcome.kind === 'done'
    ? { kind: 'done', recheckInMs: soonest(recheckInMs, outcome.recheckInMs) }
    : outcome;
}

function forget(context: VisitContext, name: string, triggerSource: TriggerSource): WorkOutcome {
  const { clock, store, downstream, writer, rejections, barriers } = context;
  const change = store.delete(name, { at: clock.now(), triggerSource });
  if (change !== null) notify(downstream, change);
  writer.forget(name);
  context.brake.forget(name);
  context.slots.forget(name, clock.now());
  context.asked.forget(name);
  context.setbacks.clear(name);
  rejections.forgetNode(name);
  barriers.visited(name);
  return { kind: 'done', recheckInMs: null };
}

type Thought = Omit<WriteOrder, 'node' | 'lifecycle'> & {
  readonly recheckInMs: number | null;
  /** What has to be known before anything at all is written is known. */
  readonly mayBegin: boolean;
  readonly news: readonly NodeEvent[];
  /** What was said of the node before. */
  readonly before: readonly Verdict[];
};

/** Everything that needs no I/O, in one piece: nothing can change between what is read and what is stored. */
function think(context: VisitContext, node: NodeView, triggerSource: TriggerSource): Thought {
  const { clock, sources, pools, barriers } = context;
  const now = clock.now();
  const previous = recall(context, node);
  const capabilities = context.capabilities.filter((capability) => barriers.isSynced(capability));
  const evaluation = evaluateNode({
    capabilities,
    caches: sources,
    answers: context.asked,
    node,
    pools,
    previous,
    now,
  });
  const { conclusion, decisions, recheckAt } = evaluation;
  const failed = decisions.filter(({ failure }) => failure !== null);
  const speaking = decisions.filter(
    ({ capability, failure }) => failure === null && barriers.isOpen(capability),
  );
  const counted = countWishes(node.name, speaking, context.rejections);
  const gates = speaking.flatMap(({ decision }) => decision.requests).filter(isGateRequest);
  const braked = context.brake.apply({
    node,
    pool: conclusion.poolRef.name,
    service: serviceOf(node, context.lifecycles.get(node.name), { now }),
    wishes: counted.merged.keys,
    requests: gates,
    policy: effectivePolicy(context.policy(), context.gatingFlags),
    now,
  });
  for (const asked of speaking.flatMap(({ decision }) => decision.requests).filter(isAskRequest))
    context.asked.ask(node.name, asked);
  const slots = seat(context, { node, pool: conclusion.poolRef.name, speaking, now });
  const merged = { ...counted.merged, keys: braked.wishes };
  const verdicts = [
    ...counted.verdicts,
    ...braked.verdicts,
    ...slots.verdicts,
    ...context.setbacks.verdictsOf(node.name),
    ...context.contests.verdictsOf(node.name),
  ];
  const occasion = { at: now, triggerSource, resourceVersion: node.resourceVersion };
  const state = remember(
    context,
    { ...conclusion, verdicts: [...conclusion.verdicts, ...verdicts] },
    occasion,
  );
  const isNew = ({ capability: { name } }: CapabilityDecision) =>
    state !== previous && !isSame(said(state, name), said(previous, name));
  for (const { capability } of failed) context.failures.add({ capability: capability.name });
  for (const decision of failed.filter(isNew)) complain(context.log, node, decision);
  return {
    state,
    merged,
    resting: counted.resting,
    speaking,
    verification: slots.record,
    isRecordAwaited: speaking.some(({ decision }) => decision.awaitsRecord === true),
    before: previous?.verdicts ?? [],
    // After a throw silence does not mean that there is nothing to say.
    isSettled: barriers.areAllOpen() && failed.length === 0,
    mayBegin: barriers.isOpen(context.core),
    recheckInMs: soonest(
      recheckIn(soonest(recheckAt, braked.recheckAt, slots.recheckAt), now),
      context.rejections.restMs(node.name),
    ),
    news: [...failed, ...speaking].filter(isNew).flatMap((decision) => eventsOf(node, decision)),
  };
}

function recheckIn(at: Instant | null, now: Instant): number | null {
  return at === null ? null : Math.max(RECHECK_MS_MIN, at - now);
}

type Seating = {
  readonly node: NodeView;
  readonly pool: string;
  readonly speaking: readonly CapabilityDecision[];
  readonly now: Instant;
};

type Seated = SlotRuling & { readonly record: VerificationRecord | undefined };

/** Counts the node's worker, and lets one start where a place is free: then the record is the one that was asked for. */
function seat(context: VisitContext, { node, pool, speaking, now }: Seating): Seated {
  const decisions = speaking.map(({ decision }) => decision);
  const request = decisions.flatMap(({ requests }) => requests).find(isStartRequest);
  const ruling = context.slots.apply({
    node: node.name,
    pool,
    record: verificationOf(context.lifecycles.get(node.name), node.uid),
    request,
    // Before every record has been looked at, what runs already is not counted.
    mayGrant: context.leadership.epoch() !== null && context.barriers.isOpen(context.core),
    now,
  });
  const wanted = decisions.find(({ verification }) => verification !== undefined)?.verification;
  return { ...ruling, record: ruling.granted ?? wanted };
}

function isAskRequest(request: Request): request is AskRequest {
  return request.kind === 'Ask';
}

function isStartRequest(request: Request): request is StartWorkerRequest {
  return request.kind === 'StartWorker';
}

function isGateRequest(request: Request): request is GateRequest {
  return request.kind === 'Gate';
}

/** The last state of this node; one of an earlier node of its name is no concern of this one. */
function recall({ store, writer, rejections }: VisitContext, { name, uid }: NodeView): NodeState | undefined {
  const previous = store.get(name);
  if (previous === undefined || previous.uid === uid) return previous;
  writer.forget(name);
  rejections.forgetNode(name);
  return undefined;
}

function remember(
  { store, downstream, log, phaseSteps }: VisitContext,
  conclusion: NodeConclusion,
  occasion: Occasion,
): NodeState {
  const changes = store.set(conclusion, occasion);
  for (const change of changes) {
    notify(downstream, change);
    if (change.changeType !== 'Updated') continue;
    const { oldState, newState } = change;
    if (!isExpectedStep(oldState.phase, newState.phase)) phaseSteps.add();
  }
  const state = store.get(conclusion.name);
  assert(state !== undefined, 'a state that was set is in the store');
  // A pool that comes from a label is known by the node that names it.
  const problems = changes.length === 0 ? [] : validateNodeState(state, (pool) => pool !== '');
  if (problems.length > 0) log.warn('node state is invalid', { node: state.name, problems });
  return state;
}

/** What a capability has concluded about a node: it speaks again only when this changes. */
function said(state: NodeState | undefined, capability: string): readonly Verdict[] {
  return state?.verdicts.filter((verdict) => verdict.capability === capability) ?? [];
}

function complain(log: Log, { name }: NodeView, { capability, failure }: CapabilityDecision): void {
  const fields = { capability: capability.name, node: name, error: failure?.stack };
  log.error('capability failed on a node; its keys stay as they are', fields);
}

function eventsOf(
  node: NodeView,
  { capability, decision, failure }: CapabilityDecision,
): readonly NodeEvent[] {
  if (failure === null)
    return decision.requests.flatMap((request) => (request.kind === 'RecordEvent' ? [request.event] : []));
  const note = `${capability.name}: ${failure.message}`;
  return [{ node, type: 'Warning', reason: 'InternalError', action: 'Evaluate', note }];
}
