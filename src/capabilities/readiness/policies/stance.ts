// What one rule wants of one node: the first of an ordered list of checks that has something to say. Each check is named for
// the state of affairs in which it speaks. Pure.

import type { Instant } from '../../../base/clock.ts';
import type { Reason } from '../../../api/reasons.ts';
import type { NodeView } from '../../../objects/node.ts';
import type { Rule, RuleView } from '../../../fleet/readiness-rule.ts';
import { type Assessment, inThisStateSince } from './conditions.ts';
import type { Marker } from './marker.ts';

/**
 * gate: the taint is to be there. release: it is to go, whoever set it. withdraw: it is to go if it is ours.
 * keep: it stays as it is, and no other rule may release it either. abstain: as if the rule were not there.
 */
export type Want = 'gate' | 'release' | 'withdraw' | 'keep' | 'abstain';

export type Stance = {
  readonly want: Want;
  readonly outcome: 'satisfied' | 'unsatisfied' | 'unknown';
  readonly reason: Reason;
  readonly message: string;
  /** The node is to say that the rule is done with it. */
  readonly isMarking: boolean;
  /** When to look again without a change; null to wait for one. */
  readonly recheckAt: Instant | null;
};

export type StanceFacts = {
  readonly view: RuleView;
  readonly rule: Rule;
  readonly node: NodeView;
  readonly hasTaint: boolean;
  /** The record on the node says whose the taint is. */
  readonly isTaintRecorded: boolean;
  /** The node has been without a gate of ours once. */
  readonly wasReleased: boolean;
  readonly assessment: Assessment;
  readonly marker: Marker;
  /** Rules before this one that are not met on the node. */
  readonly pendingPredecessors: readonly string[];
  /** Another controller serves rules of this kind. */
  readonly isPeerPresent: boolean;
  readonly now: Instant;
};

type Check = (facts: StanceFacts) => Stance | null;

export function stanceOf(facts: StanceFacts): Stance {
  return firstOf(checks, facts);
}

/** What the rule would want if it were not a dry run. */
export function wouldBeStanceOf(facts: StanceFacts): Stance {
  return firstOf(
    checks.filter((check) => check !== ruleIsDryRun),
    facts,
  );
}

function firstOf(list: readonly Check[], facts: StanceFacts): Stance {
  for (const check of list) {
    const stance = check(facts);
    if (stance !== null) return stance;
  }
  return requirementsAreUnmet(facts);
}

const peerIsPresent: Check = ({ isPeerPresent }) =>
  isPeerPresent ? standing('keep', 'PeerPresent', 'another controller serves this rule') : null;

const ruleIsSuspended: Check = ({ rule }) =>
  rule.isSuspended ? standing('keep', 'RuleSuspended', 'the rule is suspended') : null;

const ruleIsDryRun: Check = ({ rule, assessment }) =>
  rule.isDryRun
    ? { ...standing('abstain', 'RuleIsDryRun', assessment.message), outcome: outcomeOf(assessment) }
    : null;

/** A taint that nobody has recorded was left there by whoever marked the node before us, and goes when the node is ready. */
const bootstrapIsComplete: Check = ({ marker, assessment, hasTaint, isTaintRecorded }) => {
  if (!marker.isComplete) return null;
  const isLeftThere = hasTaint && !isTaintRecorded && assessment.readiness === 'ready';
  return {
    ...standing(isLeftThere ? 'release' : 'withdraw', 'BootstrapCompleted', ''),
    outcome: 'satisfied',
    isMarking: marker.lacksBoot,
  };
};

const predecessorsArePending: Check = ({ pendingPredecessors }) =>
  pendingPredecessors.length > 0
    ? standing('keep', 'WaitingForRules', `comes after ${pendingPredecessors.join(', ')}`)
    : null;

/** They are met, and not for long enough yet: a node that waits behind the taint goes on waiting. */
const readinessIsTooYoung: Check = ({ rule, node, hasTaint, assessment, now }) => {
  if (assessment.readiness !== 'ready' || !hasTaint || rule.healthyForMs === 0) return null;
  const dueAt = inThisStateSince(rule, node, { ...assessment, now }) + rule.healthyForMs;
  if (dueAt <= now) return null;
  return { ...standing('keep', 'Stabilizing', 'met too recently'), recheckAt: dueAt };
};

const requirementsAreMet: Check = ({ rule, assessment }) =>
  assessment.readiness === 'ready'
    ? {
        ...standing('release', 'ConditionsSatisfied', ''),
        outcome: 'satisfied',
        isMarking: rule.mode === 'bootstrap-only',
      }
    : null;

/** They are unmet, and not for long enough yet: a node that was released stays so for a while. */
const failureIsTooYoung: Check = ({ rule, node, hasTaint, wasReleased, assessment, now }) => {
  if (hasTaint || !wasReleased || rule.unhealthyForMs === 0) return null;
  const dueAt = inThisStateSince(rule, node, { ...assessment, now }) + rule.unhealthyForMs;
  if (dueAt <= now) return null;
  return { ...standing('keep', 'Stabilizing', assessment.message), outcome: 'unsatisfied', recheckAt: dueAt };
};

function requirementsAreUnmet({ assessment }: StanceFacts): Stance {
  return { ...standing('gate', assessment.reason, assessment.message), outcome: 'unsatisfied' };
}

const checks: readonly Check[] = [
  peerIsPresent,
  ruleIsSuspended,
  ruleIsDryRun,
  bootstrapIsComplete,
  predecessorsArePending,
  readinessIsTooYoung,
  requirementsAreMet,
  failureIsTooYoung,
];

function standing(want: Want, reason: Reason, message: string): Stance {
  return { want, outcome: 'unknown', reason, message, isMarking: false, recheckAt: null };
}

function outcomeOf({ readiness }: Assessment): Stance['outcome'] {
  return readiness === 'ready' ? 'satisfied' : 'unsatisfied';
}
