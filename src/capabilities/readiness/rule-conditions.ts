// The conditions of a rule: Ready (applied everywhere without error), Conflict, Degraded, and those that are there only while
// they have something to say. Pure.

import type { Reason } from '../../api/reasons.ts';
import { readinessLimits as limits } from '../../api/readiness-vocabulary.ts';
import { formatProblem } from '../../base/result.ts';
import { cut } from '../../fleet/bounds.ts';
import { type Condition, withCondition } from '../../objects/condition.ts';
import { areNodesListed, type GateRuleStatus, isApplied, type ReportFacts } from './report-facts.ts';
import { conflictReasons, type NodeVerdict } from './tally.ts';

export type RuleConditions = NonNullable<GateRuleStatus['conditions']>;
type Told = Omit<Condition, 'lastTransitionTime'>;
type Words = readonly [status: Condition['status'], reason: Reason, message?: string];

export function ruleConditions(facts: ReportFacts, previous: RuleConditions): RuleConditions {
  const told = [ready(facts), conflict(facts), degraded(facts), ...noExecute(facts), ...listsOmitted(facts)];
  return told.map((each) => dated(each, previous, facts));
}

/** Its transition time moves only when its status does. */
export function dated(
  told: Told,
  previous: RuleConditions,
  { view, now }: Pick<ReportFacts, 'view' | 'now'>,
): RuleConditions[number] {
  const before = previous.filter(({ type }) => type === told.type);
  const [condition] = withCondition(before, { ...told, message: words(told.message) }, now);
  return { ...(condition ?? { ...told, lastTransitionTime: '' }), observedGeneration: view.generation };
}

function ready(facts: ReportFacts): Told {
  const { view, tally, selectedCount } = facts;
  if (view.rule === null) return saying('Ready', ['False', 'InvalidRule']);
  if (isApplied(facts)) return saying('Ready', ['True', 'Applied', `on ${nodesOf(tally.total)}`]);
  if (tally.failed.length > 0) {
    const others = tally.held.length === 0 ? '' : `; gating of ${nodesOf(tally.held.length)} is held`;
    return saying('Ready', ['False', 'NodesFailing', `${nodesOf(tally.failed.length)}${others}`]);
  }
  if (tally.held.length > 0) return saying('Ready', ['False', 'GatingIsHeld', firstOf(tally.held)]);
  const done = tally.total - tally.unapplied;
  return saying('Ready', ['False', 'Applying', `${done} of ${selectedCount} nodes`]);
}

function conflict({ tally }: ReportFacts): Told {
  const reason = conflictReasons.find((each) =>
    tally.conflicts.some(({ verdict }) => verdict.reason === each),
  );
  if (reason === undefined) return saying('Conflict', ['False', 'AsExpected']);
  const nodes = tally.conflicts.filter(({ verdict }) => verdict.reason === reason);
  return saying('Conflict', ['True', reason, firstOf(nodes)]);
}

function degraded({ view, tally, disorder }: ReportFacts): Told {
  if (view.problems.length > 0)
    return saying('Degraded', ['True', 'InvalidRule', view.problems.map(formatProblem).join('; ')]);
  if (disorder !== null) return saying('Degraded', ['True', disorder.reason, disorder.message]);
  if (tally.failed.length > 0) return saying('Degraded', ['True', 'NodesFailing', firstOf(tally.failed)]);
  return saying('Degraded', ['False', 'AsExpected']);
}

function noExecute({ tally }: ReportFacts): readonly Told[] {
  const refused = tally.held.filter(({ verdict }) => verdict.reason === 'NoExecuteNotAllowed');
  if (refused.length === 0) return [];
  return [saying('NoExecuteNotAllowed', ['True', 'NoExecuteNotAllowed', firstOf(refused)])];
}

function listsOmitted(facts: ReportFacts): readonly Told[] {
  const isTooLong = facts.view.front === 'NodeReadinessRule' && !areNodesListed(facts);
  return isTooLong ? [saying('NodeListsOmitted', ['True', 'TooManyNodes'])] : [];
}

function nodesOf(count: number): string {
  return count === 1 ? '1 node' : `${count} nodes`;
}

/** One node speaks for all: a list of thousands would be a status of megabytes. */
function firstOf(verdicts: readonly NodeVerdict[]): string {
  const [first] = verdicts.toSorted((a, b) => (a.nodeName < b.nodeName ? -1 : 1));
  if (first === undefined) return '';
  const said = wordsOf(first);
  const alike = verdicts.filter((each) => wordsOf(each) === said).length;
  const more = alike === 1 ? '' : ` and ${alike - 1} more`;
  const others = alike === verdicts.length ? '' : `; ${nodesOf(verdicts.length - alike)} for another reason`;
  return `${first.nodeName}${more}: ${said}${others}`;
}

function wordsOf({ verdict: { message, reason } }: NodeVerdict): string {
  return message || reason;
}

export function saying(type: string, [status, reason, message = '']: Words): Told {
  return { type, status, reason, message };
}

function words(message: string): string {
  return cut(message, limits.conditionMessageLengthMax);
}
