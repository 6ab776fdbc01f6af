// Who reports the status of rules, and when: every five seconds at most, within one second when a node begins or ceases to
// fail, every ten seconds for a dry run. A rule that another controller serves is left to it.

import type { Reason } from '../../api/reasons.ts';
import type { Instant } from '../../base/clock.ts';
import type { StateChangeEvent } from '../../fleet/change.ts';
import type { NodeState } from '../../fleet/node-state.ts';
import type { NodeView } from '../../objects/node.ts';
import type { ObjectRef } from '../../objects/ref.ts';
import type { LookAnew, ReportView, StatusReporter } from '../../runtime/capability.ts';
import type { Cache, CacheChange, ObjectEvent } from '../../runtime/ports.ts';
import { selects } from './gather.ts';
import { disorderOf, successorsOf } from './policies/predecessors.ts';
import { type DepartureFacts, departureNamesMax, departureStatus } from './departure.ts';
import { gateRuleStatus } from './report.ts';
import type { GateRuleStatus, ReportFacts } from './report-facts.ts';
import { evaluationsAwaited, evaluationsLeft, nodesLeft } from './leavings.ts';
import { type Front, ownerOf, parseOwner, ruleTypes, type RuleView } from '../../fleet/readiness-rule.ts';
import { isPeerNews, peersIn, type PeerView, type ReadinessSpecs, rulesIn } from './specs.ts';
import { failureIn, isBroken, tallyOf } from './tally.ts';
import { upstreamStatus } from './upstream-report.ts';

const PERIOD_MS = 5_000;
const FAILURE_PERIOD_MS = 1_000;
const DRY_RUN_PERIOD_MS = 10_000;
/** A small fleet is looked at in this time, so that the first status of a rule that has just been made speaks of all of it. */
const FIRST_AFTER_MS = 500;
/** A rule that goes without trouble is gone by then, and need not say what it waits for. */
const DEPARTURE_AFTER_MS = 5_000;

export function statusReporter(
  front: Front,
  specs: ReadinessSpecs,
  onFailure: (rule: string) => void,
): StatusReporter<RuleView> {
  const find = ({ caches }: Pick<ReportView, 'caches'>, name: string) =>
    rulesIn(caches, specs, front).get(name);
  return {
    name: `readiness-status-${front}`,
    type: 'rule_status',
    watch: specs.rules[front],
    waitMsAfter,
    periodMs: PERIOD_MS,
    periodMsFor(key, change, view) {
      if (find(view, key)?.rule?.isDryRun) return DRY_RUN_PERIOD_MS;
      return change !== null && isFailureNews(change, ownerOf(front, key)) ? FAILURE_PERIOD_MS : PERIOD_MS;
    },
    keysOf(change, { caches }) {
      const broken = rulesBroken(change, rulesIn(caches, specs, front), caches.of(specs.nodes));
      return [...new Set([...rulesTouched(change, front), ...broken])];
    },
    also: [evaluationsAwaited(front, specs)],
    anew: [peerNews(front, specs)],
    related(change, caches) {
      if (change.kind === 'updated' && change.before.generation === change.now.generation) return [];
      const rules = rulesIn(caches, specs, front);
      const { name } = change.kind === 'deleted' ? change.before : change.now;
      return successorsOf(name, rules.values(), (each) => rules.get(each)).map((rule) => rule.name);
    },
    target(caches, key) {
      const view = find({ caches }, key);
      if (view === undefined || peersIn(caches, specs).has(front)) return null;
      // Its last finalizer has gone, and so has the rule, though we did not hear of it yet.
      if (view.isDeleting && view.finalizers.length === 0) return null;
      return { ref: refOf(view), uid: view.uid, resourceVersion: view.resourceVersion, status: parse(view) };
    },
    report(view, key, now) {
      const rule = find(view, key);
      if (rule === undefined) return {};
      if (rule.isDeleting) return departureStatus(departureOf(rule, view, { specs, now }));
      const facts: ReportFacts = {
        view: rule,
        tally: tallyOf(rule, { store: view.store, nodes: view.caches.of(specs.nodes) }),
        selectedCount: selectedCountOf(rule, view, specs),
        disorder: disorderOf(rule, (name) => find(view, name)),
        now,
      };
      return front === 'NodeReadinessRule' ? upstreamStatus(facts, view.store) : gateRuleStatus(facts);
    },
    failed: onFailure,
    announce(target, status) {
      const regarding = { ...target.ref, uid: target.uid };
      return [
        ...conditionEvents(regarding, target.status, status),
        ...heldEvents(regarding, target.status, status),
      ];
    },
  };
}

function waitMsAfter(change: CacheChange<RuleView>): number {
  if (change.kind === 'deleted') return 0;
  const wasDeleting = change.kind === 'updated' && change.before.isDeleting;
  if (change.now.isDeleting) return wasDeleting ? 0 : DEPARTURE_AFTER_MS;
  return change.kind === 'added' ? FIRST_AFTER_MS : 0;
}

function departureOf(
  rule: RuleView,
  view: ReportView,
  { specs, now }: { readonly specs: ReadinessSpecs; readonly now: Instant },
): DepartureFacts {
  const nodeNames = nodesLeft(rule, { ...view, max: departureNamesMax + 1 }, specs);
  return { view: rule, nodeNames, hasEvaluations: evaluationsLeft(rule, view, specs) > 0, now };
}

/** A peer that comes takes all rules of its kind, and one that goes leaves them all to us. */
export function peerNews(front: Front, specs: ReadinessSpecs): LookAnew<PeerView> {
  return { watch: specs.peers[front], isCause: isPeerNews };
}

export function refOf({ front, name }: Pick<RuleView, 'front' | 'name'>): ObjectRef {
  return { type: ruleTypes[front], namespace: '', name };
}

function selectedCountOf(rule: RuleView, { caches }: ReportView, specs: ReadinessSpecs): number {
  let count = 0;
  for (const node of caches.of(specs.nodes).values()) if (selects(rule, node)) count++;
  return count;
}

/** The rules of a kind that have a verdict before or after. */
export function rulesTouched({ oldState, newState }: StateChangeEvent, front: Front): readonly string[] {
  const names = new Set<string>();
  for (const state of [oldState, newState])
    for (const { parent } of state?.verdicts ?? []) {
      const owner = parseOwner(parent);
      if (owner?.front === front) names.add(owner.name);
    }
  return [...names];
}

/** Where readiness throws there is no verdict of any rule: all that select the node have to hear of it. */
function rulesBroken(
  { oldState, newState }: StateChangeEvent,
  rules: Cache<RuleView>,
  nodes: Cache<NodeView>,
) {
  const broken = [oldState, newState].find((state) => state !== null && isBroken(state));
  if (!broken) return [];
  const node = nodes.get(broken.name);
  // Of a node that is gone nobody knows any more who selected it.
  const isConcerned = (rule: RuleView) => node === undefined || selects(rule, node);
  return [...rules.values()].filter(isConcerned).map(({ name }) => name);
}

function isFailureNews({ oldState, newState }: StateChangeEvent, owner: string): boolean {
  return wordsOf(oldState, owner) !== wordsOf(newState, owner);
}

function wordsOf(state: NodeState | null, owner: string): string {
  const failure = state === null ? null : failureIn(state, owner);
  return failure === null ? '' : `${failure.reason} ${failure.message}`;
}

/** Ready has something worse to say: that nodes are held beside it is told all the same, once. */
function heldEvents(
  regarding: ObjectEvent['regarding'],
  before: unknown,
  after: unknown,
): readonly ObjectEvent[] {
  const held = heldIn(after);
  const isSaid = conditionsIn(after).some(({ reason }) => reason === ('GatingIsHeld' satisfies Reason));
  if (held === 0 || heldIn(before) > 0 || isSaid) return [];
  const note = `gating of ${held} ${held === 1 ? 'node' : 'nodes'} is held`;
  return [{ regarding, type: 'Warning', reason: 'GatingIsHeld', action: 'Ready', note }];
}

function heldIn(status: unknown): number {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API server checked it against this very schema
  return (status as GateRuleStatus).summary?.heldNodes ?? 0;
}

/** A condition that turns bad is worth a warning, one that turns good a word. Nodes that are held are told of here, once. */
function conditionEvents(
  regarding: ObjectEvent['regarding'],
  before: unknown,
  after: unknown,
): readonly ObjectEvent[] {
  const earlier = conditionsIn(before);
  return conditionsIn(after)
    .filter((condition) => {
      const was = earlier.find(({ type }) => type === condition.type);
      if (condition.type !== 'Ready') return condition.status !== (was?.status ?? 'False');
      return condition.reason === 'GatingIsHeld' && was?.reason !== condition.reason;
    })
    .map(({ type, status, reason, message }) => ({
      regarding,
      type: (type === 'Ready') === (status === 'True') ? 'Normal' : 'Warning',
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by us from the list of reasons
      reason: reason as ObjectEvent['reason'],
      action: type,
      note: message || `${type} is ${status}`,
    }));
}

function conditionsIn(status: unknown): NonNullable<GateRuleStatus['conditions']> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API server checked it against this very schema
  return (status as GateRuleStatus).conditions ?? [];
}

function parse({ statusText }: RuleView): unknown {
  return JSON.parse(statusText);
}
