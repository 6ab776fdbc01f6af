// The order of rules: which of the rules that come first are not met on a node yet. A rule that does not select the node is
// no obstacle; one that does not exist is one until it does, and the status of the rule says so. Pure.

import type { Rule, RuleView } from '../../../fleet/readiness-rule.ts';

export type Order = {
  /** Predecessors that do not exist. */
  readonly missing: readonly string[];
  /** The rules of the kind that select the node, by name: whether they are met there. */
  readonly isMetHere: ReadonlyMap<string, boolean>;
};

export function pendingPredecessors({ after }: Rule, { missing, isMetHere }: Order): readonly string[] {
  return after.filter((name) => missing.includes(name) || isMetHere.get(name) === false);
}

/** Predecessors that make no sense: those that do not exist, and those that come after this rule in turn. */
export function senselessPredecessors(
  view: RuleView,
  find: (name: string) => RuleView | undefined,
): readonly string[] {
  return (view.rule?.after ?? []).filter(
    (name) => find(name) === undefined || leadsTo(name, view.name, find),
  );
}

function leadsTo(from: string, to: string, find: (name: string) => RuleView | undefined): boolean {
  const seen = new Set<string>();
  const waiting = [from];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (name === to) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    waiting.push(...(find(name)?.rule?.after ?? []));
  }
  return false;
}
