// A readiness rule and what became of it, at a glance. The states of a rule are reasons of the API, the weightiest first: what
// stands in a table can be looked up in the reference.

import type { NodeReadinessGateRuleStatus } from '../api/node-readiness-gate-rule.ts';
import { ruleShortNames } from '../api/readiness-vocabulary.ts';
import type { Reason } from '../api/reasons.ts';
import type { RuleView } from '../fleet/readiness-rule.ts';
import type { Tone } from './paint.ts';

export type RuleStatus = NodeReadinessGateRuleStatus;

export type RuleFacts = {
  readonly view: RuleView;
  readonly status: RuleStatus;
  /** Who else serves rules of this kind: the holder of its Lease, or nobody. */
  readonly peer: string;
};

export function ruleFacts(view: RuleView, peer: string): RuleFacts {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API server checked it against this very schema
  return { view, status: JSON.parse(view.statusText) as RuleStatus, peer };
}

/** `nrgr/network`: short, and understood by kubectl and by us. */
export function ruleLabel({ front, name }: Pick<RuleView, 'front' | 'name'>): string {
  return `${ruleShortNames[front]}/${name}`;
}

export function conditionOf({ status }: Pick<RuleFacts, 'status'>, type: string) {
  return status.conditions?.find((condition) => condition.type === type);
}

/** At least one. */
export function ruleStates(facts: RuleFacts): readonly string[] {
  const { view, status, peer } = facts;
  const degraded = conditionOf(facts, 'Degraded');
  const conflict = conditionOf(facts, 'Conflict');
  const isInvalid = view.rule === null;
  // What was said of it before is not kept up any more.
  if (view.isDeleting) return [...(peer === '' ? [] : [reason('PeerPresent')]), reason('RuleBeingDeleted')];
  const found: readonly (string | false)[] = [
    peer !== '' && reason('PeerPresent'),
    isInvalid && reason('InvalidRule'),
    degraded?.status === 'True' && !isInvalid && degraded.reason,
    conflict?.status === 'True' && conflict.reason,
    (status.summary?.heldNodes ?? 0) > 0 && reason('GatingIsHeld'),
    view.rule?.isSuspended === true && reason('RuleSuspended'),
    view.rule?.isDryRun === true && reason('RuleIsDryRun'),
  ];
  const states = found.filter((each) => each !== false);
  return states.length > 0 ? states : [appliedOrNot(facts)];
}

/** A word of the operator about an earlier generation is none about this one. */
function appliedOrNot(facts: RuleFacts): string {
  const ready = conditionOf(facts, 'Ready');
  const isCurrent = ready?.observedGeneration === facts.view.generation;
  return ready === undefined || !isCurrent ? reason('Applying') : ready.reason;
}

export function toneOfState(state: string): Tone {
  if (state === 'Applied') return 'good';
  return calm.has(state) ? 'busy' : 'bad';
}

const calm: ReadonlySet<string> = new Set([
  'Applying',
  'GatingIsHeld',
  'RuleSuspended',
  'RuleIsDryRun',
  'PeerPresent',
  'RuleBeingDeleted',
] satisfies readonly Reason[]);

function reason(word: Reason): string {
  return word;
}
