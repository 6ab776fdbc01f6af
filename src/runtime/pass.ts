// What one pass over a node should write, in order, each step only if the one before it was done. Pure: the centre carries it
// out. The record comes before the effect that it permits; display comes last and may be put off.

import type { Reason } from '../api/reasons.ts';
import type { Instant } from '../base/clock.ts';
import { lacksProof, type LifecycleView, nextLifecycle, statusOf } from '../fleet/lifecycle.ts';
import type { NodeState } from '../fleet/node-state.ts';
import type { NodeView } from '../objects/node.ts';
import { mergePatch } from '../objects/patch.ts';
import type { MergedWish } from '../objects/wish.ts';
import type { Action } from './act.ts';
import { type NodePatchPlan, planNodePatch } from './node-patch.ts';

export type PassFacts = {
  readonly node: NodeView;
  readonly lifecycle: LifecycleView | undefined;
  readonly state: NodeState;
  readonly merged: MergedWish;
  readonly isSettled: boolean;
  /** Display alone was written so recently that it has to wait. */
  readonly mayDisplay: boolean;
  readonly now: Instant;
};

export type Pass = {
  readonly steps: readonly Action[];
  readonly nodePatch: NodePatchPlan | null;
  /** The display differs and was put off. */
  readonly isDisplayDue: boolean;
  readonly event: { readonly reason: Reason; readonly note: string } | null;
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
      isDisplayDue: false,
      event,
    };
  }
  return lifecycle === undefined ? planBirth(facts) : planLife(facts, lifecycle);
}

/** A node without a record can be gated at once where an owner object is proof enough; the rest waits for the record. */
function planBirth({ node, merged }: PassFacts): Pass {
  const nodePatch = lacksProof({}, merged.keys) ? null : planNodePatch(node, merged.keys, []);
  const steps: readonly Action[] = [...patchStep(node, nodePatch), { kind: 'CreateLifecycle', node }];
  return { steps, nodePatch, isDisplayDue: false, event: null };
}

function planLife(facts: PassFacts, lifecycle: LifecycleView): Pass {
  const { node, merged } = facts;
  const previous = statusOf(lifecycle);
  const next = nextLifecycle({ ...facts, previous, wishes: merged.keys });
  const nodePatch = planNodePatch(node, merged.keys, previous.owned ?? []);
  const write = (cause: string): Action => ({
    kind: 'WriteLifecycle',
    lifecycle,
    patch: mergePatch(previous, next.status) ?? {},
    cause,
  });
  const hasMoved = previous.stage !== undefined && next.status.stage !== previous.stage;
  const event = hasMoved
    ? ({
        reason: 'StageChanged',
        note: `${previous.stage} -> ${next.status.stage}: ${next.status.stageReason}`,
      } as const)
    : null;
  if (next.changed === 'record') {
    return { steps: [write('record'), ...patchStep(node, nodePatch)], nodePatch, isDisplayDue: false, event };
  }
  const isDisplayStep = next.changed === 'display' && facts.mayDisplay;
  return {
    steps: [...patchStep(node, nodePatch), ...(isDisplayStep ? [write('display')] : [])],
    nodePatch,
    isDisplayDue: next.changed === 'display' && !facts.mayDisplay,
    event: isDisplayStep ? event : null,
  };
}

function patchStep(node: NodeView, plan: NodePatchPlan | null): readonly Action[] {
  if (plan === null || plan.patch === null) return [];
  const causes = plan.changes.map(
    ({ kind, key, owner, to }) => `${owner}: ${kind} ${key} ${to === undefined ? 'absent' : 'present'}`,
  );
  return [{ kind: 'PatchNode', node, patch: plan.patch, causes }];
}
