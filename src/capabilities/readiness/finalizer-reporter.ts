// Keeps the finalizer of rules: there from the beginning, gone when nothing of the rule is left on any node and none of its
// evaluations exists. Beside it stand the taints that nodes may carry on its behalf. So a rule that is deleted, or that comes to
// name another taint, takes along what it did, whatever happens in between.

import { annotationKeys } from '../../api/keys.ts';
import type { ObjectReporter, ObjectWrite, ReportView } from '../../runtime/capability.ts';
import { finalizerOf, type Front, type RuleView } from '../../fleet/readiness-rule.ts';
import { evaluationsAwaited, evaluationsLeft, nodesLeft } from './leavings.ts';
import { peersIn, type ReadinessSpecs, rulesIn } from './specs.ts';
import { peerNews, refOf, rulesTouched } from './status-reporter.ts';

/** Every node of a fleet is a cause to look, and to try again what was refused: more often it is not looked on their account. */
const PERIOD_MS = 1_000;

export function finalizerReporter(front: Front, specs: ReadinessSpecs): ObjectReporter {
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
    also: [evaluationsAwaited(front, specs)],
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
  // Each evaluation that goes is a cause to look, and nodes take longer to look at.
  if (!has || evaluationsLeft(rule, view, specs) > 0) return null;
  if (nodesLeft(rule, { ...view, max: 1 }, specs).length > 0) return null;
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
