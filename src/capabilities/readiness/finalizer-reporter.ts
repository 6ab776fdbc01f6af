// Keeps the finalizer of rules: there from the beginning, gone when nothing of the rule is left on any node and none of its
// evaluations exists. Beside it stand the taints that nodes may carry on its behalf. So a rule that is deleted, or that comes to
// name another taint, takes along what it did, whatever happens in between.

import { annotationKeys } from '../../api/keys.ts';
import type { Reason } from '../../api/reasons.ts';
import type { NodeState } from '../../fleet/node-state.ts';
import type { NodeView } from '../../objects/node.ts';
import { parseOwned } from '../../objects/owned.ts';
import type { Owner } from '../../objects/wish.ts';
import type { AlsoWatched, ObjectReporter, ObjectWrite, ReportView } from '../../runtime/capability.ts';
import { type EvaluationView, ruleKeyOf } from './evaluation.ts';
import { finalizerOf, type Front, isTaintOf, type RuleView } from '../../fleet/readiness-rule.ts';
import { markersLeavingWith, unrecordedTaint } from './gather.ts';
import { allRules, peersIn, type ReadinessSpecs, rulesIn } from './specs.ts';
import { peerNews, refOf, rulesTouched } from './status-reporter.ts';

/** Every node of a fleet is a cause to look, and to try again what was refused: more often it is not looked on their account. */
const PERIOD_MS = 1_000;

export function finalizerReporter(front: Front, specs: ReadinessSpecs): ObjectReporter {
  const evaluations: AlsoWatched<EvaluationView> = {
    watch: specs.evaluations,
    // Only a rule that goes waits for its evaluations; there is one for each of its nodes.
    keyOfObject: ({ front: of, ruleName }, caches) =>
      of === front && rulesIn(caches, specs, front).get(ruleName)?.isDeleting === true ? ruleName : null,
  };
  return {
    kind: 'object',
    name: `readiness-finalizers-${front}`,
    type: 'rule_finalizer',
    // Until a rule is anchored, every node that it gates costs one write more.
    isUrgent: true,
    watch: specs.rules[front],
    periodMs: PERIOD_MS,
    periodMsFor: (_, change) => (change === null ? 0 : PERIOD_MS),
    keysOf: (change) => rulesTouched(change, front),
    keyOfObject: ({ name }) => name,
    also: [evaluations],
    anew: [peerNews(front, specs)],
    allKeys: ({ caches }) => rulesIn(caches, specs, front).keys(),
    next(view, key) {
      const rule = rulesIn(view.caches, specs, front).get(key);
      if (rule === undefined || peersIn(view.caches, specs).has(front)) return null;
      return nextWrite(rule, view, specs);
    },
  };
}

function nextWrite(rule: RuleView, view: ReportView, specs: ReadinessSpecs): ObjectWrite | null {
  const own = finalizerOf(rule);
  const has = rule.finalizers.includes(own);
  if (!rule.isDeleting) return anchoring(rule, has ? rule.finalizers : [...rule.finalizers, own]);
  if (!has || isAnythingLeft(rule, view, specs)) return null;
  const finalizers = rule.finalizers.filter((each) => each !== own);
  return writeOf(rule, { finalizers }, 'RuleBeingDeleted');
}

/** More taints than anybody gives one rule in turn; the last ones are the ones that nodes may still carry. */
const NOTED_TAINTS_MAX = 16;

function anchoring(rule: RuleView, finalizers: readonly string[]): ObjectWrite | null {
  const isNoted = rule.rule === null || rule.notedTaints.includes(rule.rule.taint);
  if (isNoted && finalizers.length === rule.finalizers.length) return null;
  const noted = isNoted ? rule.notedTaints : [...rule.notedTaints, rule.rule?.taint ?? ''];
  const annotations = { [annotationKeys.ruleTaints]: noted.slice(-NOTED_TAINTS_MAX).join(' ') };
  return writeOf(rule, isNoted ? { finalizers } : { finalizers, annotations }, 'RuleCreated');
}

function writeOf(rule: RuleView, metadata: object, cause: string): ObjectWrite {
  const target = { ref: refOf(rule), uid: rule.uid, resourceVersion: rule.resourceVersion };
  return { kind: 'PatchObject', target, patch: { metadata }, cause };
}

function isAnythingLeft(rule: RuleView, { caches, store }: ReportView, specs: ReadinessSpecs): boolean {
  if (caches.of(specs.evaluations).countOf('rule', ruleKeyOf(rule.front, rule.name)) > 0) return true;
  const rules = [...allRules(caches, specs)];
  const markers = markersLeavingWith(rule, rules);
  for (const node of caches.of(specs.nodes).values())
    if (isOn(node, rule, markers) || unrecordedTaint(rule, rules, node) !== undefined) return true;
  let isSpokenOf = false;
  store.range((state) => {
    isSpokenOf = isStillAbout(state, rule.owner);
    return !isSpokenOf;
  });
  return isSpokenOf;
}

/** The node was last looked at while the rule stood, or has something of it yet to be recorded or taken away. */
function isStillAbout({ verdicts }: NodeState, owner: Owner): boolean {
  const left: Reason = 'RuleLeft';
  return verdicts.some(
    ({ parent, detail, reason }) => parent === owner && (detail !== undefined || reason === left),
  );
}

/** Only what the rule names: what merely claims to be the rule's must not keep it from going. */
function isOn(node: NodeView, rule: RuleView, markers: readonly string[]): boolean {
  if (markers.some((key) => Object.hasOwn(node.annotations, key))) return true;
  const text = node.annotations[annotationKeys.owned] ?? '';
  if (!text.includes(rule.owner)) return false;
  const parsed = parseOwned(text);
  if (parsed.kind === 'unreadable') return false;
  return Object.entries(parsed.record.taints).some(
    ([taint, { owner }]) => owner === rule.owner && isTaintOf(rule, taint),
  );
}
