// The order of rules: which of the rules that come first are not met on a node yet. A rule that does not select the node is
// no obstacle; one that does not exist is one until it does, and the status of the rule says so. Pure.

import type { Reason } from '../../../api/reasons.ts';
import type { Rule, RuleView } from '../../../fleet/readiness-rule.ts';

export type Order = {
  /** Predecessors that do not exist, or no longer for long. */
  readonly missing: readonly string[];
  /** The rules of the kind that select the node, by name: whether they are met there. */
  readonly isMetHere: ReadonlyMap<string, boolean>;
};

export function pendingPredecessors({ after }: Rule, { missing, isMetHere }: Order): readonly string[] {
  return after.filter((name) => missing.includes(name) || isMetHere.get(name) === false);
}

export type Disorder = { readonly reason: Reason; readonly message: string };
type Find = (name: string) => RuleView | undefined;

/** What makes no sense about the place of a rule: it comes after itself, or after one that does not exist. */
export function disorderOf(view: RuleView, find: Find): Disorder | null {
  const circle = circleOf(view, find);
  if (circle !== null)
    return { reason: 'CircularOrder', message: `${view.name} comes after ${circle.join(', after ')}` };
  const missing = (view.rule?.after ?? []).filter((name) => find(name)?.isDeleting !== false);
  return missing.length === 0 ? null : { reason: 'UnknownPredecessor', message: missing.join(', ') };
}

/** Rules whose place may make more or less sense when this one changes: those that come after it, by way of others too. */
export function successorsOf(name: string, rules: Iterable<RuleView>, find: Find): readonly RuleView[] {
  return [...rules].filter((rule) => rule.name !== name && wayFrom(rule, name, find) !== null);
}

function circleOf(view: RuleView, find: Find): readonly string[] | null {
  return wayFrom(view, view.name, find);
}

/** The names from the predecessors of a rule to one of that name, or null where none leads there; the shortest way. */
function wayFrom(view: RuleView, name: string, find: Find): readonly string[] | null {
  const seen = new Set<string>();
  let ways = (view.rule?.after ?? []).map((each) => [each]);
  while (ways.length > 0) {
    const found = ways.find((way) => way.at(-1) === name);
    if (found !== undefined) return found;
    ways = ways.flatMap((way) => {
      const last = way.at(-1) ?? '';
      if (seen.has(last)) return [];
      seen.add(last);
      return (find(last)?.rule?.after ?? []).map((each) => [...way, each]);
    });
  }
  return null;
}
