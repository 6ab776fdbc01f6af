// Keeps the finalizer of rules: there from the beginning, gone when nothing of the rule is left on any node and none of its
// evaluations exists. So a rule that is deleted takes along what it did, whatever happens in between.

import { annotationKeys } from '../../api/keys.ts';
import type { NodeView } from '../../objects/node.ts';
import { parseOwned } from '../../objects/owned.ts';
import type { AlsoWatched, ObjectReporter, ObjectWrite, ReportView } from '../../runtime/capability.ts';
import { type EvaluationView, ruleKeyOf } from './evaluation.ts';
import { finalizerOf, type Front, markerKeysOf, type RuleView } from '../../fleet/readiness-rule.ts';
import { peersIn, type ReadinessSpecs, rulesIn } from './specs.ts';
import { refOf, rulesTouched } from './status-reporter.ts';

export function finalizerReporter(front: Front, specs: ReadinessSpecs): ObjectReporter {
  const evaluations: AlsoWatched<EvaluationView> = {
    watch: specs.evaluations,
    keyOfObject: (view) => (view.front === front ? view.ruleName : null),
  };
  return {
    kind: 'object',
    name: `readiness-finalizers-${front}`,
    type: 'rule_finalizer',
    watch: specs.rules[front],
    periodMs: 0,
    keysOf: (change) => rulesTouched(change, front),
    keyOfObject: ({ name }) => name,
    also: [evaluations],
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
  if (!rule.isDeleting) return has ? null : writeOf(rule, [...rule.finalizers, own], 'RuleCreated');
  if (!has || isAnythingLeft(rule, view, specs)) return null;
  return writeOf(
    rule,
    rule.finalizers.filter((each) => each !== own),
    'RuleBeingDeleted',
  );
}

function writeOf(rule: RuleView, finalizers: readonly string[], cause: string): ObjectWrite {
  const target = { ref: refOf(rule), uid: rule.uid, resourceVersion: rule.resourceVersion };
  return { kind: 'PatchObject', target, patch: { metadata: { finalizers } }, cause };
}

function isAnythingLeft(rule: RuleView, { caches }: ReportView, specs: ReadinessSpecs): boolean {
  if (caches.of(specs.evaluations).byIndex('rule', ruleKeyOf(rule.front, rule.name)).length > 0) return true;
  for (const node of caches.of(specs.nodes).values()) if (isOn(node, rule)) return true;
  return false;
}

/** Only what the rule names: what merely claims to be the rule's must not keep it from going. */
function isOn(node: NodeView, rule: RuleView): boolean {
  const markers = markerKeysOf(rule);
  if (markers.some((key) => Object.hasOwn(node.annotations, key))) return true;
  const text = node.annotations[annotationKeys.owned] ?? '';
  if (!text.includes(rule.owner)) return false;
  const parsed = parseOwned(text);
  if (parsed.kind === 'unreadable' || rule.rule === null) return false;
  return parsed.record.taints[rule.rule.taint]?.owner === rule.owner;
}
