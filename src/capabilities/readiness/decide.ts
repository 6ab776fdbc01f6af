// What readiness wants of one node, over all rules at once: each rule takes its stance, stances on one taint become one wish,
// and every rule gets a verdict. Pure.

import type { Instant } from '../../base/clock.ts';
import { cut } from '../../fleet/bounds.ts';
import type { Verdict } from '../../fleet/node-state.ts';
import { isListed } from '../../fleet/owned-keys.ts';
import type { Reason } from '../../api/reasons.ts';
import { ownValue } from '../../objects/raw.ts';
import { findTaint } from '../../objects/taint.ts';
import type { KeyWish, Owner, Proof } from '../../objects/wish.ts';
import type { Decision, Request } from '../../runtime/capability.ts';
import { type Claim, resolveClaims, type Resolved } from './claims.ts';
import { packFinding, type Would } from './finding.ts';
import type { Facts, SelectingRule } from './gather.ts';
import { assessConditions, type Assessment } from './policies/conditions.ts';
import { type Marker, markerOf } from './policies/marker.ts';
import { pendingPredecessors } from './policies/predecessors.ts';
import { type Stance, type StanceFacts, stanceOf, wouldBeStanceOf } from './policies/stance.ts';
import type { Front, RuleView } from '../../fleet/readiness-rule.ts';

export const capabilityName = 'readiness';

const MESSAGE_LENGTH_MAX = 256;

export function decide(facts: Facts, now: Instant): Decision {
  const opinions = opinionsOf(facts, now);
  const unfulfilled = opinionsOf({ ...facts, rules: facts.departing }, now).filter(mayHaveGated);
  const resolved = resolveClaims([
    // First: nobody younger may change what they last said.
    ...facts.unknowable.filter(({ kind }) => kind === 'taints').map(keepingClaim),
    ...opinions.map(claimOf),
    ...facts.leftovers.filter(({ kind }) => kind === 'taints').map(leftoverClaim),
    ...unfulfilled.map(departingClaim),
  ]);
  const rechecks = opinions.flatMap(({ wouldBe, assessment }) => [
    // A dry run waits as long as the rule would.
    ...(wouldBe.recheckAt === null ? [] : [wouldBe.recheckAt]),
    // Only what counts now can grow too old.
    ...(assessment.staleAt === null || assessment.staleAt <= now ? [] : [assessment.staleAt]),
  ]);
  return {
    verdicts: [
      ...opinions.map((each) => verdictOf(each, facts, resolved)),
      ...conflictVerdicts(resolved),
      ...leftVerdicts([...leavingOwners(facts, resolved), ...unlistedOwners(facts, resolved)]),
    ],
    wish: {
      taints: Object.fromEntries([...resolved].flatMap(([taint, { wish }]) => (wish ? [[taint, wish]] : []))),
      annotations: markerWishes(opinions, facts),
    },
    requests: gateRequests(opinions, resolved),
    recheckAt: rechecks.length === 0 ? null : Math.min(...rechecks),
  };
}

type Opinion = SelectingRule & {
  readonly assessment: Assessment;
  readonly marker: Marker;
  readonly hasTaint: boolean;
  readonly stance: Stance;
  /** What it would be if the rule were not a dry run. */
  readonly wouldBe: Stance;
};

function opinionsOf(facts: Facts, now: Instant): readonly Opinion[] {
  const { node, rules, wasReleased, recordedTaints, peers } = facts;
  const looked = rules.map((each) => ({
    ...each,
    assessment: assessConditions(each.rule, node, now),
    marker: markerOf(each.view, each.rule, node),
    hasTaint: findTaint(node.taints, each.rule.taint) !== undefined,
  }));
  const isMetHere = (front: Front) =>
    new Map(
      looked
        .filter(({ view }) => view.front === front)
        .map(({ view, assessment, marker }) => [
          view.name,
          marker.isComplete || assessment.readiness === 'ready',
        ]),
    );
  return looked.map((each) => {
    const { front } = each.view;
    const isFirst = each.rule.after.length === 0;
    const stanceFacts: StanceFacts = {
      ...each,
      node,
      wasReleased,
      isTaintRecorded: recordedTaints.includes(each.rule.taint),
      pendingPredecessors: isFirst
        ? []
        : pendingPredecessors(each.rule, { missing: each.missingPredecessors, isMetHere: isMetHere(front) }),
      isPeerPresent: peers.has(front),
      now,
    };
    const stance = stanceOf(stanceFacts);
    return { ...each, stance, wouldBe: each.rule.isDryRun ? wouldBeStanceOf(stanceFacts) : stance };
  });
}

function claimOf({ view, rule, stance }: Opinion): Claim {
  return {
    taint: rule.taint,
    owner: view.owner,
    want: stance.want,
    value: rule.taintValue,
    proof: proofOf(view),
    basis: 'attested',
  };
}

function leftoverClaim({ key, owner, basis }: Facts['leftovers'][number]): Claim {
  return {
    taint: key,
    owner,
    want: 'withdraw',
    value: '',
    proof: 'record',
    basis,
  };
}

/**
 * The rule is not met on this very version of the node, and a patch for it may be under way: it was decided before somebody suspended the
 * rule or made it a dry run, or while the rules before it were met. Who was so from the beginning never gated anybody.
 */
function mayHaveGated({ view, rule, assessment, marker, hasTaint }: Opinion): boolean {
  const mayGate = !(rule.isDryRun || rule.isSuspended) || wasEdited(view);
  return mayGate && !hasTaint && !marker.isComplete && assessment.readiness !== 'ready';
}

/** The first generation is its birth, and its deletion is one more. */
function wasEdited({ generation, isDeleting }: RuleView): boolean {
  return generation > (isDeleting ? 2 : 1);
}

/** Decided before the rule was to go, its taint may reach the node after it has gone: then only the record can say whose it is. */
function departingClaim({ view, rule }: Opinion): Claim {
  return {
    taint: rule.taint,
    owner: view.owner,
    want: 'withdraw',
    value: rule.taintValue,
    proof: 'record',
    basis: 'attested',
    mayArrive: true,
  };
}

function keepingClaim({ key, owner, value }: Facts['unknowable'][number]): Claim {
  return { taint: key, owner, want: 'keep', value, proof: 'record', basis: 'recorded' };
}

/** A rule that nothing keeps may be gone before anybody can ask it whose the key is: then the record has to say so first. */
function proofOf({ isAnchored }: RuleView): Proof {
  return isAnchored ? 'object' : 'record';
}

function markerWishes(opinions: readonly Opinion[], { leftovers }: Facts): Record<string, KeyWish> {
  const wishes: Record<string, KeyWish> = {};
  for (const { kind, key, owner, basis } of leftovers)
    if (kind === 'annotations') wishes[key] = { kind: 'absent', owner, basis };
  for (const { view, marker, stance } of opinions) {
    // Of an earlier boot: it would stand beside the taint, and say that the rule is done with the node.
    if (marker.isStale && stance.want === 'gate')
      wishes[marker.key] = { kind: 'absent', owner: view.owner, basis: 'named' };
    if (stance.isMarking)
      wishes[marker.key] = {
        kind: 'present',
        owner: view.owner,
        value: marker.value,
        prior: 'adopt',
        proof: proofOf(view),
      };
  }
  return wishes;
}

/** What the brake has to know of a rule that wants its taint on the node. */
function gateRequests(opinions: readonly Opinion[], resolved: Resolved): readonly Request[] {
  return opinions
    .filter(({ view, rule }) => resolved.get(rule.taint)?.wish?.owner === view.owner)
    .filter(({ stance }) => stance.want === 'gate')
    .map(({ view, rule }) => ({
      kind: 'Gate',
      taint: rule.taint,
      owner: view.owner,
      gatedMax: rule.gatedMax,
      confirmedNodes: view.confirmedNodes,
    }));
}

function verdictOf(opinion: Opinion, { node }: Facts, resolved: Resolved): Verdict {
  const { view, rule, assessment, marker, stance, hasTaint } = opinion;
  const wish = resolved.get(rule.taint)?.wish ?? null;
  const isTaintPending = rule.isDryRun ? false : isTaintMissing(opinion, wish, node.taints);
  const isMarkerPending = stance.isMarking && ownValue(node.annotations, marker.key) !== marker.value;
  return {
    capability: capabilityName,
    parent: view.owner,
    outcome: stance.outcome,
    reason: stance.reason,
    message: cut(stance.message, MESSAGE_LENGTH_MAX),
    detail: packFinding({
      generation: view.generation,
      conditions: assessment.findings,
      readiness: assessment.readiness,
      hasTaint,
      // A rule that nothing keeps may be gone already: what is told of it could outlive it.
      isPending: isTaintPending || isMarkerPending || !view.isAnchored,
      isBootstrapped: marker.isComplete,
      would: wouldOf(opinion),
    }),
  };
}

/** The taint is not as the rules together want it: to be set, to be put right, or to go. Who does not want it waits for none. */
function isTaintMissing(
  { rule, hasTaint, stance }: Opinion,
  wish: KeyWish | null,
  taints: Facts['node']['taints'],
): boolean {
  if (wish === null) return false;
  if (wish.kind === 'present')
    return stance.want === 'gate' && findTaint(taints, rule.taint)?.value !== wish.value;
  return hasTaint && wish.basis === 'named';
}

function wouldOf({ rule, wouldBe, hasTaint }: Opinion): Would {
  if (!rule.isDryRun) return 'nothing';
  if (wouldBe.want === 'gate' && !hasTaint) return 'add';
  return wouldBe.want === 'release' && hasTaint ? 'remove' : 'nothing';
}

function conflictVerdicts(resolved: Resolved): readonly Verdict[] {
  const reason: Reason = 'RuleConflict';
  return [...resolved].flatMap(([taint, { winner, losers }]) =>
    losers.map((owner) => ({
      capability: capabilityName,
      parent: owner,
      outcome: 'unknown' as const,
      reason,
      message: cut(`${taint} belongs to ${winner} too, which is older`, MESSAGE_LENGTH_MAX),
    })),
  );
}

/**
 * Whose keys are to go. One that somebody else keeps or wants is no longer waited for, nor one that merely the node says is somebody's: that
 * is judged in the same way when the rule is gone, and a kubelet must not keep a rule from going.
 */
function leavingOwners({ leftovers }: Facts, resolved: Resolved): readonly Owner[] {
  const isToGo = ({ kind, key, basis }: Facts['leftovers'][number]) =>
    basis !== 'recorded' && (kind !== 'taints' || resolved.get(key)?.wish?.kind === 'absent');
  return leftovers.filter(isToGo).map(({ owner }) => owner);
}

/** Whose taint may still arrive and would not be known as theirs. */
function unlistedOwners({ listed }: Facts, resolved: Resolved): readonly Owner[] {
  return [...resolved].flatMap(([key, { wish }]) => {
    if (wish?.kind !== 'absent' || wish.mayArrive === undefined) return [];
    return isListed(listed, { kind: 'taints', key, value: wish.mayArrive }) ? [] : [wish.owner];
  });
}

/** What is still to be taken away or to be recorded, so that a rule that is deleted can wait for it. */
function leftVerdicts(owners: readonly Owner[]): readonly Verdict[] {
  const reason: Reason = 'RuleLeft';
  return [...new Set(owners)].map((owner) => ({
    capability: capabilityName,
    parent: owner,
    outcome: 'unknown',
    reason,
    message: '',
  }));
}
