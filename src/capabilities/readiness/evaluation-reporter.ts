// Keeps one NodeReadinessEvaluation per rule and node: created, told, freed of its managedFields, deleted when the node goes
// or leaves the rule. One write at a time, each decided from what is there, so that a crash between any two loses nothing.

import type { Instant } from '../../base/clock.ts';
import { formatTime } from '../../base/timestamp.ts';
import { nodeReadinessEvaluationType } from '../../api/keys.ts';
import type { Reason } from '../../api/reasons.ts';
import type { NodeReadinessEvaluationStatus } from '../../api/node-readiness-evaluation.ts';
import { type EvaluationMode, readinessLimits as limits } from '../../api/readiness-vocabulary.ts';
import { cut } from '../../fleet/bounds.ts';
import type { StateChangeEvent } from '../../fleet/change.ts';
import type { NodeState } from '../../fleet/node-state.ts';
import type { ObjectReporter, ObjectWrite, ReportView, Target } from '../../runtime/capability.ts';
import { conditionResults } from './condition-results.ts';
import { capabilityName } from './decide.ts';
import {
  type EvaluationView,
  hashedName,
  isNameTooLong,
  type Pair,
  pairKey,
  parsePairKey,
  plainName,
  wantedEvaluation,
  type WantedEvaluation,
} from './evaluation.ts';
import { selects } from './gather.ts';
import { parseOwner, type RuleView } from '../../fleet/readiness-rule.ts';
import { allRules, peersIn, type ReadinessSpecs, rulesIn } from './specs.ts';
import { failureIn, findingIn, isHold } from './tally.ts';

export function evaluationReporter(
  specs: ReadinessSpecs,
  mode: EvaluationMode,
): ObjectReporter<EvaluationView> {
  const of = (view: ReportView) => ({ ...view, specs, mode });
  return {
    kind: 'object',
    name: 'readiness-evaluations',
    type: 'node_evaluation',
    watch: specs.evaluations,
    periodMs: 0,
    keysOf: pairsChanged,
    keysOfNode: pairsOf,
    keyOfObject: keyOfEvaluation,
    *allKeys({ store, caches }) {
      for (const state of store.getAll()) yield* pairsOf(state);
      for (const view of caches.of(specs.evaluations).values()) {
        const key = keyOfEvaluation(view);
        if (key !== null) yield key;
      }
    },
    priorityOf: (key, { caches }) => (isBorn(key, caches, specs) ? 'change' : 'resync'),
    next(view, key, now) {
      const pair = parsePairKey(key);
      return pair === null ? null : nextWrite(pair, of(view), now);
    },
  };
}

type EvaluationScene = ReportView & { readonly specs: ReadinessSpecs; readonly mode: EvaluationMode };

/** Under either of its names. */
function isBorn(key: string, caches: ReportView['caches'], specs: ReadinessSpecs): boolean {
  const pair = parsePairKey(key);
  if (pair === null) return false;
  const isThere = (name: string) => caches.of(specs.evaluations).get(name)?.nodeName === pair.nodeName;
  return isThere(plainName(pair)) || isThere(hashedName(pair));
}

function keyOfEvaluation({ front, ruleName, nodeName }: EvaluationView): string | null {
  return front === null ? null : pairKey({ front, ruleName, nodeName });
}

function* pairsOf({ name, verdicts }: NodeState): Generator<string> {
  for (const { parent, detail } of verdicts) {
    const owner = detail === undefined ? null : parseOwner(parent);
    if (owner !== null) yield pairKey({ front: owner.front, ruleName: owner.name, nodeName: name });
  }
}

function pairsChanged({ oldState, newState }: StateChangeEvent): readonly string[] {
  return [...new Set([oldState, newState].flatMap((state) => (state === null ? [] : [...pairsOf(state)])))];
}

function nextWrite(pair: Pair, scene: EvaluationScene, now: Instant): ObjectWrite | null {
  const { caches, specs } = scene;
  const rules = rulesIn(caches, specs, pair.front);
  const rule = rules.get(pair.ruleName);
  if (!rules.isServed() || !caches.of(specs.evaluations).isServed()) return null;
  if (rule !== undefined && !rule.isDeleting && peersIn(caches, specs).has(pair.front)) return null;
  const name = nameOf(pair, scene);
  const other = name === plainName(pair) ? hashedName(pair) : plainName(pair);
  const misnamed = evaluationOf(pair, other, scene);
  if (misnamed !== undefined) return { kind: 'DeleteObject', target: targetOf(misnamed), cause: 'renamed' };
  const have = evaluationOf(pair, name, scene);
  const wanted = rule === undefined ? null : wantedFor(pair, rule, { ...scene, name, now });
  if (wanted === 'unknown') return null;
  if (wanted !== null) return have === undefined ? birthOf(wanted) : changeOf(have, wanted);
  return have === undefined ? null : { kind: 'DeleteObject', target: targetOf(have), cause: 'unselected' };
}

/** `<rule>-<node>`, unless some other rule and node of this cluster would make the same name of it. */
function nameOf(pair: Pair, { caches, specs }: EvaluationScene): string {
  const name = plainName(pair);
  const isTaken = () => {
    for (const { front, name: ruleName, ...rule } of allRules(caches, specs)) {
      if (!name.startsWith(`${ruleName}-`)) continue;
      const nodeName = name.slice(ruleName.length + 1);
      if (front === pair.front && ruleName === pair.ruleName) continue;
      const node = caches.of(specs.nodes).get(nodeName);
      if (node !== undefined && selects({ front, name: ruleName, ...rule }, node)) return true;
    }
    const view = caches.of(specs.evaluations).get(name);
    return view !== undefined && view.front === null;
  };
  return isNameTooLong(pair) || isTaken() ? hashedName(pair) : name;
}

/** The object of this name, if it speaks of this pair. */
function evaluationOf(
  pair: Pair,
  name: string,
  { caches, specs }: EvaluationScene,
): EvaluationView | undefined {
  const view = caches.of(specs.evaluations).get(name);
  return view !== undefined && keyOfEvaluation(view) === pairKey(pair) ? view : undefined;
}

type Wanting = EvaluationScene & { readonly name: string; readonly now: Instant };

/** Null: there is to be none. Unknown: the node was not evaluated since the rule changed, and will be. */
function wantedFor(
  { nodeName }: Pair,
  rule: RuleView,
  { store, caches, specs, mode, name, now }: Wanting,
): WantedEvaluation | null | 'unknown' {
  const node = caches.of(specs.nodes).get(nodeName);
  if (mode === 'none' || rule.isDeleting || rule.rule === null || node === undefined || !selects(rule, node))
    return null;
  const state = store.get(nodeName);
  const finding = state === undefined ? null : findingIn(state, rule.owner);
  if (state === undefined || finding === null || finding.generation !== rule.generation) return 'unknown';
  // One write says how it ended; while the node is being written there is nothing to tell yet.
  const failure = failureIn(state, rule.owner);
  const isUnderWay = finding.isPending && failure === null && !isHeld(state, rule.owner);
  if (isUnderWay) return 'unknown';
  const isCalm = finding.readiness === 'ready' && !finding.hasTaint;
  if (mode === 'unsatisfied' && isCalm) return null;
  const status: NodeReadinessEvaluationStatus = {
    conditionResults: conditionResults(rule.rule, finding),
    allConditionsSatisfied: finding.readiness === 'ready',
    taintStatus: finding.hasTaint ? 'Present' : 'Absent',
    reason:
      state.verdicts.find(({ parent, detail }) => parent === rule.owner && detail !== undefined)?.reason ??
      '',
    lastEvaluated: formatTime(now),
    evaluationCount: state.evaluationCount,
    ...(failure === null
      ? {}
      : {
          lastError: cut(failure.message || failure.reason, limits.errorLengthMax),
          lastErrorTime: formatTime(now),
        }),
  };
  return wantedEvaluation(name, rule, { nodeName, status });
}

function isHeld({ verdicts }: NodeState, owner: string): boolean {
  // Where two rules have one taint, it is held on behalf of the one that has the say.
  const isSecond = verdicts.some(
    ({ parent, reason }) => parent === owner && reason === ('RuleConflict' satisfies Reason),
  );
  return verdicts.some(
    (verdict) =>
      isHold(verdict) && (verdict.parent === owner || (isSecond && verdict.capability === capabilityName)),
  );
}

function birthOf({ name, body }: WantedEvaluation): ObjectWrite {
  const ref = { type: nodeReadinessEvaluationType, namespace: '', name };
  return { kind: 'CreateObject', ref, body, cause: 'evaluated' };
}

function changeOf(have: EvaluationView, wanted: WantedEvaluation): ObjectWrite | null {
  const target = targetOf(have);
  if (have.specHash !== wanted.specHash) {
    const { labels, ownerReferences } = wanted.body.metadata ?? {};
    const patch = { metadata: { labels, ownerReferences }, spec: wanted.body.spec };
    return { kind: 'PatchObject', target, patch, cause: 'rule changed' };
  }
  if (have.statusHash !== wanted.statusHash) {
    const patch = { lastError: null, lastErrorTime: null, ...wanted.status };
    return { kind: 'WriteStatus', target, patch, cause: 'evaluated' };
  }
  // Half of its bytes; once wiped, no merge patch of ours brings them back.
  if (!have.isTracked) return null;
  return {
    kind: 'PatchObject',
    target,
    patch: { metadata: { managedFields: [{}] } },
    cause: 'managedFields',
  };
}

function targetOf({ name, uid, resourceVersion }: EvaluationView): Target {
  return { ref: { type: nodeReadinessEvaluationType, namespace: '', name }, uid, resourceVersion };
}
