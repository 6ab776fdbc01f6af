// What is left of a rule that is deleted: its evaluations, and nodes that carry something of it or have yet to be looked at without it.
// It goes when there is nothing any more. Pure.

import { annotationKeys } from '../../api/keys.ts';
import type { Reason } from '../../api/reasons.ts';
import type { NodeState } from '../../fleet/node-state.ts';
import { type Front, isTaintOf, type RuleView } from '../../fleet/readiness-rule.ts';
import type { NodeView } from '../../objects/node.ts';
import { parseOwned } from '../../objects/owned.ts';
import type { TaintId } from '../../objects/taint.ts';
import type { Owner } from '../../objects/wish.ts';
import type { AlsoWatched, ReportView } from '../../runtime/capability.ts';
import { type EvaluationView, ruleKeyOf } from './evaluation.ts';
import { markersLeavingWith, selects, unrecordedTaint } from './gather.ts';
import { allRules, type ReadinessSpecs, rulesIn } from './specs.ts';

type Seen = Pick<ReportView, 'caches' | 'store'>;

export function evaluationsLeft({ front, name }: RuleView, { caches }: Seen, specs: ReadinessSpecs): number {
  return caches.of(specs.evaluations).countOf('rule', ruleKeyOf(front, name));
}

/** Only a rule that goes waits for its evaluations; there is one for each of its nodes. */
export function evaluationsAwaited(front: Front, specs: ReadinessSpecs): AlsoWatched<EvaluationView> {
  return {
    watch: specs.evaluations,
    keyOfObject: ({ front: of, ruleName }, caches) =>
      of === front && rulesIn(caches, specs, front).get(ruleName)?.isDeleting === true ? ruleName : null,
  };
}

/** So many of their names at most: to read what thousands of nodes carry would take long. */
export function nodesLeft(
  rule: RuleView,
  { caches, store, max }: Seen & { readonly max: number },
  specs: ReadinessSpecs,
): readonly string[] {
  const rules = [...allRules(caches, specs)];
  const markers = markersLeavingWith(rule, rules);
  const names = new Set<string>();
  for (const node of caches.of(specs.nodes).values()) {
    if (names.size >= max) break;
    const isKept = (taint: TaintId) =>
      isKeptByAnother(taint, { rule, rules, node, state: store.get(node.name) });
    if (isOn(node, { rule, markers, isKept }) || unrecordedTaint(rule, rules, node) !== undefined)
      names.add(node.name);
  }
  store.range((state) => {
    if (names.size < max && isStillAbout(state, rule.owner)) names.add(state.name);
    return names.size < max;
  });
  return [...names];
}

/** The node was last looked at while the rule stood, or has something of it yet to be recorded or taken away. */
function isStillAbout({ verdicts }: NodeState, owner: Owner): boolean {
  const left: Reason = 'RuleLeft';
  return verdicts.some(
    ({ parent, detail, reason }) => parent === owner && (detail !== undefined || reason === left),
  );
}

type Shared = {
  readonly rule: RuleView;
  readonly rules: readonly RuleView[];
  readonly node: NodeView;
  readonly state: NodeState | undefined;
};

/** Another rule that stands has the say over the taint, and did not let go of the node when it was last looked at. */
function isKeptByAnother(taint: TaintId, { rule, rules, node, state }: Shared): boolean {
  const keeps = (owner: Owner) =>
    state?.verdicts.some(
      ({ parent, detail, outcome }) => parent === owner && detail !== undefined && outcome !== 'satisfied',
    ) === true;
  return rules.some(
    (other) =>
      other.owner !== rule.owner &&
      other.rule?.taint === taint &&
      !other.rule.isDryRun &&
      selects(other, node) &&
      keeps(other.owner),
  );
}

type Sought = {
  readonly rule: RuleView;
  readonly markers: readonly string[];
  readonly isKept: (taint: TaintId) => boolean;
};

/** Only what the rule names: what merely claims to be the rule's must not keep it from going. */
function isOn(node: NodeView, { rule, markers, isKept }: Sought): boolean {
  if (markers.some((key) => Object.hasOwn(node.annotations, key))) return true;
  const text = node.annotations[annotationKeys.owned] ?? '';
  if (!text.includes(rule.owner)) return false;
  const parsed = parseOwned(text);
  if (parsed.kind === 'unreadable') return false;
  return Object.entries(parsed.record.taints).some(
    ([taint, { owner }]) => owner === rule.owner && isTaintOf(rule, taint) && !isKept(taint),
  );
}
