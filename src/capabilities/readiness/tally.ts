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
  // Nodes of which the same was concluded share one list: with it, ten rules are counted in a few milliseconds.
  const read = new Map<readonly Verdict[], Reading>();
  store.range(({ name, verdicts }) => {
    let reading = read.get(verdicts);
    if (reading === undefined) {
      reading = readingOf(verdicts, view.owner);
      read.set(verdicts, reading);
    }
    const finding = reading.finding ?? (reading.isBroken ? unfound(view, nodes.get(name)) : null);
    if (finding !== null) count(tally, view.generation, { ...reading, name, finding });
    return true;
  });
  return tally;
}

/** What a list of verdicts says of one rule. */
type Reading = {
  readonly finding: Finding | null;
  readonly isBroken: boolean;
  readonly failure: Verdict | null;
  readonly conflicts: readonly Verdict[];
  readonly holds: readonly Verdict[];
};

function readingOf(verdicts: readonly Verdict[], owner: string): Reading {
  const told = verdicts.filter(({ parent, detail }) => parent === owner && detail === undefined);
  const isConflict = ({ reason }: Verdict) => conflictReasons.some((each) => each === reason);
  return {
    finding: findingIn({ verdicts }, owner),
    isBroken: isBroken({ verdicts }),
    failure: failureIn({ verdicts }, owner),
    conflicts: told.filter(isConflict),
    holds: told.filter((verdict) => !isConflict(verdict) && isHold(verdict)),
  };
}

type Concluded = Pick<NodeState, 'verdicts'>;

/** Readiness threw on the node: what any of its rules would have found there is not known. */
export function isBroken({ verdicts }: Concluded): boolean {
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
export function findingIn({ verdicts }: Concluded, owner: string): Finding | null {
  const verdict = verdicts.find(({ parent, detail }) => parent === owner && detail !== undefined);
  return verdict === undefined ? null : findingOf(verdict);
}

const failures: readonly string[] = ['WriteFailed', 'InternalError'] satisfies readonly Reason[];
const ownFailures: readonly string[] = ['Rejected', 'Contested'] satisfies readonly Reason[];

/** Why a node could not be brought to what a rule wants: a failure of its writes is one of all of them, a refusal or a fight that of one. */
export function failureIn({ verdicts }: Concluded, owner: string): Verdict | null {
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

type Counted = Reading & { readonly name: string; readonly finding: Finding };

function count(tally: Tally, generation: number, counted: Counted): void {
  const { name: nodeName, finding, failure, conflicts, holds } = counted;
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
  if (failure !== null) tally.failed.push({ nodeName, verdict: failure });
  for (const verdict of conflicts) tally.conflicts.push({ nodeName, verdict });
  for (const verdict of holds) tally.held.push({ nodeName, verdict });
}
