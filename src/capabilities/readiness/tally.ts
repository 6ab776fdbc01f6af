// Everything that is known of one rule across the nodes, counted anew each time from their verdicts: a count that is never
// carried over cannot drift.

import { type NodeState, type Verdict, writerName } from '../../fleet/node-state.ts';
import type { NodeStateStore } from '../../fleet/store.ts';
import type { Reason } from '../../api/reasons.ts';
import type { NodeView } from '../../objects/node.ts';
import { findTaint } from '../../objects/taint.ts';
import type { Cache } from '../../runtime/ports.ts';
import { capabilityName } from './decide.ts';
import { type Finding, findingOf } from './finding.ts';
import type { RuleView } from '../../fleet/readiness-rule.ts';
import { selects } from './gather.ts';

export type ConditionTally = { satisfied: number; unsatisfied: number; missing: number };

export type Tally = {
  total: number;
  withTaint: number;
  ready: number;
  notReady: number;
  unknown: number;
  bootstrapped: number;
  /** Not as the rule wants them, or evaluated before its last change. */
  unapplied: number;
  /** Nodes that lack a condition which the rule asks for. */
  lacking: number;
  readonly conditions: readonly ConditionTally[];
  readonly held: NodeVerdict[];
  readonly failed: NodeVerdict[];
  readonly conflicts: NodeVerdict[];
  readonly wouldAdd: string[];
  readonly wouldRemove: string[];
};

export type NodeVerdict = { readonly nodeName: string; readonly verdict: Verdict };

export type Fleet = { readonly store: NodeStateStore; readonly nodes: Pick<Cache<NodeView>, 'get'> };

export function tallyOf(view: RuleView, { store, nodes }: Fleet): Tally {
  const tally = emptyTally(view.rule?.requirements.length ?? 0);
  store.range((state) => {
    const finding =
      findingIn(state, view.owner) ?? (isBroken(state) ? unfound(view, nodes.get(state.name)) : null);
    if (finding !== null) count(tally, view, { state, finding });
    return true;
  });
  return tally;
}

/** Readiness threw on the node: what any of its rules would have found there is not known. */
export function isBroken({ verdicts }: NodeState): boolean {
  const reason: Reason = 'InternalError';
  return verdicts.some((verdict) => verdict.parent === capabilityName && verdict.reason === reason);
}

function unfound(view: RuleView, node: NodeView | undefined): Finding | null {
  if (view.rule === null || node === undefined || !selects(view, node)) return null;
  return {
    generation: view.generation,
    conditions: [],
    readiness: 'unknown',
    hasTaint: findTaint(node.taints, view.rule.taint) !== undefined,
    isPending: true,
    isBootstrapped: false,
    would: 'nothing',
  };
}

/** What the rule found on a node; null where it does not select it or was not evaluated yet. */
export function findingIn(state: NodeState, owner: string): Finding | null {
  const verdict = state.verdicts.find(({ parent, detail }) => parent === owner && detail !== undefined);
  return verdict === undefined ? null : findingOf(verdict);
}

const failures: readonly string[] = ['WriteFailed', 'InternalError'] satisfies readonly Reason[];
const ownFailures: readonly string[] = ['Rejected', 'Contested'] satisfies readonly Reason[];

/** Why a node could not be brought to what a rule wants: a failure of its writes is one of all of them, a refusal or a fight that of one. */
export function failureIn({ verdicts }: NodeState, owner: string): Verdict | null {
  const isFailure = ({ parent, reason }: Verdict) =>
    (failures.includes(reason) && (parent === capabilityName || parent === writerName)) ||
    (ownFailures.includes(reason) && parent === owner);
  return verdicts.find(isFailure) ?? null;
}

/** The weightiest first. */
export const conflictReasons = ['Contested', 'Conflict', 'RuleConflict'] as const satisfies readonly Reason[];

/** The brake keeps the node as it is for now. */
export function isHold({ isKeptOff }: Verdict): boolean {
  return isKeptOff === true;
}

function emptyTally(conditions: number): Tally {
  return {
    total: 0,
    withTaint: 0,
    ready: 0,
    notReady: 0,
    unknown: 0,
    bootstrapped: 0,
    unapplied: 0,
    lacking: 0,
    conditions: Array.from({ length: conditions }, () => ({ satisfied: 0, unsatisfied: 0, missing: 0 })),
    held: [],
    failed: [],
    conflicts: [],
    wouldAdd: [],
    wouldRemove: [],
  };
}

type Counted = { readonly state: NodeState; readonly finding: Finding };

function count(tally: Tally, { owner, generation }: RuleView, { state, finding }: Counted): void {
  const nodeName = state.name;
  tally.total++;
  tally[finding.readiness]++;
  if (finding.hasTaint) tally.withTaint++;
  if (finding.isBootstrapped) tally.bootstrapped++;
  if (finding.isPending || finding.generation !== generation) tally.unapplied++;
  if (finding.conditions.some(({ mark }) => mark === 'missing' || mark === 'defaulted')) tally.lacking++;
  if (finding.would === 'add') tally.wouldAdd.push(nodeName);
  if (finding.would === 'remove') tally.wouldRemove.push(nodeName);
  for (const [index, condition] of tally.conditions.entries()) {
    const mark = finding.conditions[index]?.mark ?? 'missing';
    if (mark === 'met' || mark === 'defaulted') condition.satisfied++;
    else if (mark === 'missing') condition.missing++;
    else condition.unsatisfied++;
  }
  const failure = failureIn(state, owner);
  if (failure !== null) tally.failed.push({ nodeName, verdict: failure });
  for (const verdict of state.verdicts) {
    if (verdict.parent !== owner || verdict.detail !== undefined) continue;
    if (conflictReasons.some((reason) => reason === verdict.reason))
      tally.conflicts.push({ nodeName, verdict });
    else if (isHold(verdict)) tally.held.push({ nodeName, verdict });
  }
}
