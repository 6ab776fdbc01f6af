// The one writer of a node and its record: carries out a pass step by step and turns every outcome into what happens next.
// A refused Node patch is tried again owner by owner, so that the least important concern never blocks a release.

import { type Clock, soonest } from '../base/clock.ts';
import { isSame } from '../base/same.ts';
import { nodeLifecycleType } from '../api/keys.ts';
import { type LifecycleView, verificationOf, type VerificationRecord } from '../fleet/lifecycle.ts';
import type { NodeState } from '../fleet/node-state.ts';
import type { NodeView } from '../objects/node.ts';
import { nodeType } from '../objects/ref.ts';
import type { MergedWish, Owner } from '../objects/wish.ts';
import type { Act, ActOutcome, NodeStep } from './act.ts';
import type { WriteKind } from './arbitrate.ts';
import type { Brake } from './brake.ts';
import type { Breaker } from './breaker.ts';
import type { Contests } from './contests.ts';
import { createDisplayWaits } from './display-waits.ts';
import type { CapabilityDecision } from './evaluate.ts';
import { readLive } from './live-read.ts';
import { type KeyChange, type NodePatchPlan, planNodePatch, withTimeAdded } from './node-patch.ts';
import { createPace, type Pace } from './pace.ts';
import { partsOf } from './patch-parts.ts';
import { frees, type Pass, planPass } from './pass.ts';
import type { Cache, Caches, EventRecorder, KubeApi, OwnWrites, Priority, WorkOutcome } from './ports.ts';
import type { Rejections } from './rejections.ts';
import type { Setbacks } from './setbacks.ts';
import { standBack } from './stand-back.ts';
import type { Turnstile } from './turnstile.ts';

export type WriterPorts = {
  readonly clock: Clock;
  readonly api: KubeApi;
  readonly act: Act;
  readonly events: EventRecorder;
  readonly rejections: Rejections;
  readonly setbacks: Setbacks;
  readonly contests: Contests;
  /** For what a capability says after a write. */
  readonly sources: Caches;
  readonly turnstile: Turnstile;
  readonly breaker: Breaker;
  readonly brake: Pick<Brake, 'releases'>;
  readonly nodes: Cache<NodeView> & OwnWrites;
  readonly lifecycles: Cache & OwnWrites;
};

export type WriteOrder = {
  readonly node: NodeView;
  readonly lifecycle: LifecycleView | undefined;
  readonly state: NodeState;
  readonly merged: MergedWish;
  /** Whose wishes were refused and are not among the merged ones. */
  readonly resting: readonly Owner[];
  readonly speaking: readonly CapabilityDecision[];
  readonly isSettled: boolean;
  readonly isRecordAwaited: boolean;
  readonly verification?: VerificationRecord | undefined;
};

export interface NodeWriter {
  /** Done: nothing is left to do, unless `recheckInMs` says that display waits. */
  write(order: WriteOrder): Promise<WorkOutcome>;
  /** Reads live what a lost reply left in doubt; false when that failed. */
  resolveDoubt(name: string): Promise<boolean>;
  forget(name: string): void;
}

/** Before a change of the record itself has to wait. More than a node is recorded from its birth until it is verified. */
const RECORDS_IN_A_ROW = 12;

export function createNodeWriter(given: WriterPorts): NodeWriter {
  const { clock, contests } = given;
  const ports = { ...given, pace: createPace(clock, RECORDS_IN_A_ROW) };
  const displayWaits = createDisplayWaits(clock);
  return {
    async write(order) {
      const name = order.node.name;
      const facts = { ...order, displayWait: displayWaits.of(name), now: clock.now() };
      const planned = planPass(facts);
      const { contestMs, uncontested, isNews } = standBack(ports, { ...order, pass: planned });
      const pass = contestMs === null ? planned : planPass({ ...facts, merged: uncontested });
      if (pass.steps[0]?.kind === 'DeleteLifecycle' && !(await isLive(ports, order.node)))
        return { kind: 'retry', soon: false, afterMs: null };
      for (const step of pass.steps) {
        const outcome = await takeStep(ports, { ...order, pass, step });
        if (outcome !== null) return outcome;
        if (step.kind === 'PatchNode')
          notePatched(ports, order.node, {
            changes: pass.nodePatch?.changes ?? [],
            isFreeing: pass.isFreeing,
          });
        if (step.kind === 'WriteLifecycle') {
          ports.pace.wrote(name);
          displayWaits.wrote(name, step.cause);
        }
      }
      // A write whose reply was lost may have succeeded, and what was refused may be as wished by now: its state has yet to say so.
      const isAccepted = ports.rejections.accept(name, order.resting);
      const isOvercome = (pass.nodePatch?.patch ?? null) === null && ports.setbacks.clear(name);
      if (isAccepted || isOvercome || isNews) return { kind: 'done', recheckInMs: 0 };
      const overInMs = contests.overInMs(name);
      return { kind: 'done', recheckInMs: soonest(contestMs, overInMs, pass.displayInMs) };
    },
    async resolveDoubt(name) {
      // The record first: when it turns out to be gone, its node is in doubt too.
      const { api, nodes, lifecycles } = ports;
      const isKnown =
        !lifecycles.isDoubtful(name) || (await readLive(api, lifecycles, { type: nodeLifecycleType, name }));
      return isKnown && (!nodes.isDoubtful(name) || (await readLive(api, nodes, { type: nodeType, name })));
    },
    forget(name) {
      displayWaits.forget(name);
      contests.forget(name);
    },
  };
}

type Patched = { readonly changes: readonly KeyChange[]; readonly isFreeing: boolean };

/** After the reply was taken in: the node is looked at as it is by now. */
function notePatched(
  { contests, brake, nodes }: WriterPorts,
  node: NodeView,
  { changes, isFreeing }: Patched,
): void {
  contests.made(node.name, changes);
  if (isFreeing) brake.releases(nodes.get(node.name) ?? node);
}

type StepOrder = WriteOrder & { readonly pass: Pass; readonly step: NodeStep };

/** Null: done, go on with the next step. */
async function takeStep(
  ports: WriterPorts & { readonly pace: Pace },
  order: StepOrder,
): Promise<WorkOutcome | null> {
  const paceMs = order.step.kind === 'WriteLifecycle' ? ports.pace.waitMs(order.node.name) : 0;
  if (paceMs > 0) return { kind: 'done', recheckInMs: paceMs };
  const writeKind = kindOf(order);
  const ruling = ports.turnstile.enter(writeKind, order.node.name);
  if (ruling.kind === 'held') return { kind: 'done', recheckInMs: null };
  return carryOut(ports, order).finally(() => ports.turnstile.leave(writeKind));
}

function kindOf({ step, pass }: StepOrder): WriteKind {
  if (step.kind === 'PatchNode') return 'NodePatch';
  return pass.isAwaited ? 'RecordWrite' : 'LifecycleWrite';
}

async function carryOut(ports: WriterPorts, order: StepOrder): Promise<WorkOutcome | null> {
  const { step, node, pass } = order;
  const outcome = await ports.act(step);
  ports.breaker.note(kindOf(order), outcome);
  if (step.kind === 'PatchNode') noteSetback(ports, node, outcome);
  if (outcome.kind === 'done') announce(ports, order);
  else if (step.kind === 'PatchNode' && outcome.kind !== 'notLeading') tellHindered(order, outcome);
  const isolated =
    outcome.kind === 'rejected' && step.kind === 'PatchNode' ? await isolate(ports, order) : null;
  return isolated ?? settle(ports, { step, outcome, name: node.name, priority: priorityOf(pass.nodePatch) });
}

function noteSetback({ setbacks, events }: WriterPorts, node: NodeView, outcome: ActOutcome): void {
  if (outcome.kind === 'done') return void setbacks.clear(node.name);
  if (outcome.kind !== 'failed' && outcome.kind !== 'unknown') return;
  const note = outcome.failure.message;
  if (setbacks.note(node.name, note))
    events.record({ node, type: 'Warning', reason: 'WriteFailed', action: 'PatchNode', note });
}

function tellHindered({ pass, speaking }: StepOrder, { kind }: ActOutcome): void {
  const by = kind === 'conflict' ? 'conflict' : 'failure';
  for (const { capability } of speaking) {
    const changes = changesOf(pass, capability.name);
    if (changes.length > 0) capability.hindered?.({ changes, by });
  }
}

function changesOf({ nodePatch }: Pass, capability: string): readonly KeyChange[] {
  return nodePatch?.changes.filter((change) => change.capability === capability) ?? [];
}

/** Says what a step that was carried out means to people. */
function announce(ports: WriterPorts, order: StepOrder): void {
  const { events, sources, clock } = ports;
  const { node, pass, step, speaking } = order;
  const { event, nodePatch } = pass;
  if (step.kind !== 'PatchNode') {
    if (event !== null) events.record({ node, type: 'Normal', action: 'Observe', ...event });
    if (step.kind === 'WriteLifecycle') announceVerification(ports, order);
    return;
  }
  for (const { capability } of speaking) {
    const changes = changesOf(pass, capability.name);
    const written = { node, changes, caches: sources, now: clock.now() };
    for (const each of capability.written?.(written) ?? []) events.record(each);
  }
  if (nodePatch?.isRecordUnreadable) {
    const note = 'the ownership record could not be parsed; nothing was removed, and it was rebuilt';
    events.record({ node, type: 'Warning', reason: 'RecordUnreadable', action: 'PatchNode', note });
  }
}

function announceVerification({ events, clock }: WriterPorts, order: StepOrder): void {
  const { node, lifecycle, verification: after, speaking } = order;
  const before = verificationOf(lifecycle, node.uid);
  if (after === undefined || isSame(before, after)) return;
  for (const { capability } of speaking)
    for (const each of capability.recorded?.({ node, before, after, now: clock.now() }) ?? [])
      events.record(each);
}

type Settlement = {
  readonly step: NodeStep;
  readonly outcome: ActOutcome;
  readonly name: string;
  readonly priority: Priority;
};

function settle(ports: WriterPorts, { step, outcome, name, priority }: Settlement): WorkOutcome | null {
  const isNode = step.kind === 'PatchNode';
  const cache = isNode ? ports.nodes : ports.lifecycles;
  switch (outcome.kind) {
    case 'done':
      // A deletion's reply does not say when the object is gone: only a live read does.
      if (step.kind === 'DeleteLifecycle') cache.doubt(name);
      else cache.observe(outcome.object);
      return step.kind === 'DeleteLifecycle' ? { kind: 'retry', soon: true, afterMs: null, priority } : null;
    case 'conflict':
      cache.doubt(name);
      return { kind: 'retry', soon: true, afterMs: null, priority };
    case 'unknown':
      cache.doubt(name);
      return { kind: 'retry', soon: false, afterMs: outcome.failure.retryAfterMs, priority };
    case 'rejected':
    case 'failed':
      return { kind: 'retry', soon: false, afterMs: outcome.failure.retryAfterMs, priority };
    case 'notLeading':
      return { kind: 'done', recheckInMs: null };
  }
}

/**
 * Each owner's keys in a patch of their own, the most important first; who is refused then is refused alone. Null when nobody
 * is: then the refusal is not about what is wished.
 */
async function isolate(ports: WriterPorts, order: StepOrder): Promise<WorkOutcome | null> {
  const { node, pass } = order;
  const { wishes, listed } = pass.nodePatch ?? { wishes: [], listed: [] };
  const again: WorkOutcome = { kind: 'retry', soon: true, afterMs: null };
  let isAnyAtFault = false;
  for (const { owner, keys, wish } of partsOf(order.speaking, wishes)) {
    const plan = withTimeAdded(planNodePatch(node, keys, listed), node, ports.clock.now());
    if (plan.patch === null) continue;
    const step: NodeStep = { kind: 'PatchNode', node, patch: plan.patch, causes: [owner] };
    const outcome = await ports.act(step);
    if (outcome.kind === 'done')
      announce(ports, { ...order, step, pass: { ...pass, nodePatch: { ...plan, wishes: keys, listed } } });
    if (outcome.kind !== 'rejected') {
      const settled = settle(ports, { step, outcome, name: node.name, priority: priorityOf(plan) });
      if (outcome.kind === 'done')
        notePatched(ports, node, { changes: plan.changes, isFreeing: frees(order, plan) });
      return settled ?? again;
    }
    const { message } = outcome.failure;
    const note = `${owner}: ${message}`;
    if (ports.rejections.add({ node: node.name, owner, wish, message }))
      ports.events.record({ node, type: 'Warning', reason: 'Rejected', action: 'PatchNode', note });
    isAnyAtFault = true;
  }
  return isAnyAtFault ? again : null;
}

function priorityOf(plan: NodePatchPlan | null): Priority {
  return plan === null || plan.direction === 'neither' ? 'change' : plan.direction;
}

/** A record that is not of this node may as well be of the next one, of which we have not heard yet: only a live read tells. */
async function isLive({ api, nodes }: WriterPorts, { name, uid }: NodeView): Promise<boolean> {
  const isRead = await readLive(api, nodes, { type: nodeType, name });
  return isRead && nodes.get(name)?.uid === uid;
}
