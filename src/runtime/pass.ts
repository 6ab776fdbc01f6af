// What one pass over a node should write, in order, each step only if the one before it was done. Pure: the writer carries
// it out. The record comes before the effect that it permits; display shows a node as it is, so it never rides with a patch.

import type { Reason } from '../api/reasons.ts';
import type { NodeLifecycleStatus } from '../api/node-lifecycle.ts';
import type { Instant } from '../base/clock.ts';
import { isSame } from '../base/same.ts';
import {
  hasMerelyStarted,
  hasVerificationMoved,
  isRunning,
  lacksProof,
  type LifecycleView,
  nextLifecycle,
  statusOf,
  type VerificationRecord,
} from '../fleet/lifecycle.ts';
import type { NodeState } from '../fleet/node-state.ts';
import type { OwnedKey } from '../fleet/owned-keys.ts';
import type { NodeView } from '../objects/node.ts';
import { mergePatch } from '../objects/patch.ts';
import { taintId } from '../objects/taint.ts';
import type { MergedKeyWish, MergedWish } from '../objects/wish.ts';
import type { NodeStep } from './act.ts';
import type { DisplayWait } from './display-waits.ts';
import { type NodePatchPlan, planNodePatch, withTimeAdded } from './node-patch.ts';

export type PassFacts = {
  readonly node: NodeView;
  readonly lifecycle: LifecycleView | undefined;
  readonly state: NodeState;
  readonly merged: MergedWish;
  readonly isSettled: boolean;
  /** Somebody has more to say once there is a record. */
  readonly isRecordAwaited: boolean;
  /** Undefined: as it was. */
  readonly verification?: VerificationRecord | undefined;
  readonly displayWait: DisplayWait;
  readonly now: Instant;
};

export type Pass = {
  readonly steps: readonly NodeStep[];
  readonly nodePatch: PlannedPatch | null;
  /** A patch of the node or a worker waits for the record, so that it is more than told. */
  readonly isAwaited: boolean;
  /** Once its patch is done, nothing that we know of keeps the node from work any more, unless another gate of ours stands. */
  readonly isFreeing: boolean;
  /** The display differs and was put off for so long; null: it was not. */
  readonly displayInMs: number | null;
  readonly event: { readonly reason: Reason; readonly note: string } | null;
};

/** The plan, and what it was made from: a patch that is refused is planned again in parts. */
export type PlannedPatch = NodePatchPlan & {
  readonly wishes: readonly MergedKeyWish[];
  readonly listed: readonly OwnedKey[];
};

export function planPass(facts: PassFacts): Pass {
  const { node, lifecycle } = facts;
  const isForeignRecord = lifecycle !== undefined && lifecycle.nodeUID !== node.uid;
  if (isForeignRecord) {
    const cause: Reason = 'NodeRecreated';
    const event = { reason: cause, note: `record of the earlier node ${lifecycle.nodeUID} is replaced` };
    return {
      steps: [{ kind: 'DeleteLifecycle', lifecycle, cause }],
      nodePatch: null,
      isAwaited: true,
      isFreeing: false,
      displayInMs: null,
      event,
    };
  }
  return lifecycle === undefined ? planBirth(facts) : planLife(facts, lifecycle);
}

/** A node without a record can be gated at once where an owner object is proof enough; the rest waits for the record. */
function planBirth(facts: PassFacts): Pass {
  const { node, merged, isRecordAwaited } = facts;
  const provable = merged.keys.filter((wish) => !lacksProof({}, [wish]));
  const nodePatch = planPatch(facts, provable, []);
  const steps: readonly NodeStep[] = [...patchStep(node, nodePatch), { kind: 'CreateLifecycle', node }];
  const isAwaited = provable.length < merged.keys.length || isRecordAwaited;
  const isFreeing = !isRecordAwaited && frees(facts, nodePatch);
  return { steps, nodePatch, isAwaited, isFreeing, displayInMs: null, event: null };
}

/** While it is verified a node is held whoever's taint it carries: its record alone says when that is over. */
export function frees(
  { isSettled, lifecycle }: Pick<PassFacts, 'isSettled' | 'lifecycle'>,
  plan: Pick<NodePatchPlan, 'direction'>,
): boolean {
  const { verificationState } = lifecycle ?? { verificationState: '' };
  const isVerifying = verificationState !== '' && verificationState !== 'verified';
  return plan.direction === 'release' && isSettled && !isVerifying;
}

function planLife(facts: PassFacts, lifecycle: LifecycleView): Pass {
  const { node, merged, displayWait } = facts;
  const previous = statusOf(lifecycle);
  const { status, changed } = nextLifecycle({ ...facts, previous, wishes: merged.keys });
  const nodePatch = planPatch(facts, merged.keys, previous.owned ?? []);
  const patching = patchStep(node, nodePatch);
  const writing = (cause: 'record' | 'display'): NodeStep => {
    return { kind: 'WriteLifecycle', lifecycle, patch: mergePatch(previous, status) ?? {}, cause };
  };
  const hasMoved = previous.stage !== undefined && status.stage !== previous.stage;
  const note = `${previous.stage} -> ${status.stage}: ${status.stageReason}`;
  const event =
    hasMoved && !isToldOtherwise(previous, status) ? ({ reason: 'StageChanged', note } as const) : null;
  const isVerifying = hasVerificationMoved(previous, status) && !hasMerelyStarted(previous, status);
  const isFreeing = frees(facts, nodePatch);
  const isAwaited = patching.length > 0 || isVerifying;
  const shared = { nodePatch, isAwaited, isFreeing, displayInMs: null };
  if (changed === 'record') return { ...shared, steps: [writing('record'), ...patching], event };
  // The patch brings about another pass, which shows the node as it is then.
  if (changed === 'nothing' || patching.length > 0) return { ...shared, steps: patching, event: null };
  // The first time in service decides what a node is called from then on: it is recorded, not merely shown.
  const isFirstService = previous.inServiceAt === undefined && status.inServiceAt !== undefined;
  const isOther = hasMoved || status.gateSummary !== previous.gateSummary;
  // The record of an attempt that is under way is about to be written again, and will show it.
  const isBrief = status.verification !== undefined && isRunning(status.verification);
  const displayInMs = isOther && !isBrief ? displayWait.movedMs : displayWait.wordsMs;
  if (displayInMs > 0 && !isFirstService) return { ...shared, steps: [], displayInMs, event: null };
  return { ...shared, steps: [writing('display')], event };
}

/** Whoever sets or takes a gate of ours, or verifies the node, says so itself: one event for one change is enough. */
function isToldOtherwise(previous: NodeLifecycleStatus, status: NodeLifecycleStatus): boolean {
  const isVerifying = previous.verification?.state !== status.verification?.state;
  return isVerifying || !isSame(ownGates(previous), ownGates(status));
}

function ownGates({ gates = [], owned = [] }: NodeLifecycleStatus): readonly string[] {
  const ids = new Set(owned.map(({ key, effect = '' }) => taintId({ key, effect })));
  return gates.map(({ key, effect = '' }) => taintId({ key, effect })).filter((id) => ids.has(id));
}

function planPatch(
  { node, now }: PassFacts,
  wishes: readonly MergedKeyWish[],
  listed: readonly OwnedKey[],
): PlannedPatch {
  return { ...withTimeAdded(planNodePatch(node, wishes, listed), node, now), wishes, listed };
}

function patchStep(node: NodeView, plan: NodePatchPlan): readonly NodeStep[] {
  if (plan.patch === null) return [];
  const causes = plan.changes.map(
    ({ kind, key, owner, to }) => `${owner}: ${kind} ${key} ${to === undefined ? 'absent' : 'present'}`,
  );
  // Without a change of a key it is the record alone that is put right.
  return [
    {
      kind: 'PatchNode',
      node,
      patch: plan.patch,
      causes: causes.length === 0 ? ['ownership record'] : causes,
    },
  ];
}
