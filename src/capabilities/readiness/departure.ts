// The status of a rule that is being deleted: its nodes are counted no more, and what it waits for is said anew. Pure.

import { finalizerOf } from '../../fleet/readiness-rule.ts';
import type { GateRuleStatus, ReportFacts } from './report-facts.ts';
import { dated, saying } from './rule-conditions.ts';

export type DepartureFacts = Pick<ReportFacts, 'view' | 'now'> & {
  /** Nodes that carry something of the rule, or have yet to be looked at without it; all, or more than are named. */
  readonly nodeNames: readonly string[];
  readonly hasEvaluations: boolean;
};

export function departureStatus(facts: DepartureFacts): GateRuleStatus {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API server checked it against this very schema
  const { summary: _, ...previous } = JSON.parse(facts.view.statusText) as GateRuleStatus;
  const before = previous.conditions ?? [];
  const ready = dated(saying('Ready', ['False', 'RuleBeingDeleted', waitingFor(facts)]), before, facts);
  return { ...previous, conditions: [ready, ...before.filter(({ type }) => type !== ready.type)] };
}

/** So many nodes are named; that there is one more is said. */
export const departureNamesMax = 3;

function waitingFor({ view, nodeNames, hasEvaluations }: DepartureFacts): string {
  if (!view.finalizers.includes(finalizerOf(view)))
    return `nothing of it is left here; it waits for ${view.finalizers.join(', ')}`;
  const others = nodeNames.length > departureNamesMax ? ' and others' : '';
  const names = `${nodeNames.slice(0, departureNamesMax).join(', ')}${others}`;
  const causes = [
    ...(names === '' ? [] : [`what is its own to go from ${names}`]),
    ...(hasEvaluations ? ['its evaluations to go'] : []),
  ];
  return causes.length === 0 ? '' : `waits for ${causes.join(', and for ')}`;
}
