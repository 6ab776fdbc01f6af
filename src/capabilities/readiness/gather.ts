// Which facts matter for one node: the rules that select it, and what rules of earlier times have left on it. Pure over
// read-only caches.

import { annotationKeys, bootstrapMarkerPrefix } from '../../api/keys.ts';
import { type LifecycleView, statusOf } from '../../fleet/lifecycle.ts';
import type { OwnedKey } from '../../fleet/owned-keys.ts';
import type { NodeView } from '../../objects/node.ts';
import { parseOwned } from '../../objects/owned.ts';
import { matches } from '../../objects/selector.ts';
import { findTaint, type TaintId } from '../../objects/taint.ts';
import type { KeyKind, Owner } from '../../objects/wish.ts';
import type { Caches } from '../../runtime/ports.ts';
import {
  finalizerOf,
  type Front,
  fronts,
  isTaintOf,
  markerKeysOf,
  parseOwner,
  type Rule,
  type RuleView,
} from '../../fleet/readiness-rule.ts';
import { allRules, peersIn, type ReadinessSpecs, rulesIn } from './specs.ts';

export type SelectingRule = {
  readonly view: RuleView;
  readonly rule: Rule;
  readonly missingPredecessors: readonly string[];
};

/** A key that a rule put on the node, or may have, and does not stand for any more. */
export type Leftover = {
  readonly kind: KeyKind;
  readonly key: string;
  readonly owner: Owner;
  readonly basis: 'named' | 'attested' | 'recorded';
};

export type Facts = {
  readonly node: NodeView;
  readonly wasReleased: boolean;
  /** Oldest first: where two have the same taint, the first has the say. */
  readonly rules: readonly SelectingRule[];
  readonly leftovers: readonly Leftover[];
  /** Rules that are being deleted and selected the node until then, oldest first: what they wanted of it may be under way. */
  readonly departing: readonly SelectingRule[];
  /** What the record lists as ours of this very version of the node. */
  readonly listed: readonly OwnedKey[];
  /** Keys of rules whose kind the server does not know just now: nobody can say whether they still stand. */
  readonly unknowable: readonly RecordedKey[];
  /** Taints that the record on the node ascribes to somebody. */
  readonly recordedTaints: readonly TaintId[];
  readonly peers: ReadonlySet<Front>;
};

export function gather(caches: Caches, specs: ReadinessSpecs, node: NodeView): Facts {
  const peers = peersIn(caches, specs);
  const rules = [...allRules(caches, specs)].sort(byAge);
  const departing = rules.flatMap((view) => departingFrom(view, node));
  const lifecycle = caches.of(specs.lifecycles).get(node.name);
  const findIn = (front: Front) => (name: string) => rulesIn(caches, specs, front).get(name);
  const isServed = (front: Front) => rulesIn(caches, specs, front).isServed();
  const recorded = recordedKeys(node);
  const isOrphan = ({ kind, key }: RecordedKey) =>
    kind === 'annotations' &&
    key.startsWith(bootstrapMarkerPrefix) &&
    fronts.every(isServed) &&
    !rules.some((view) => markerKeysOf(view).includes(key));
  return {
    node,
    wasReleased: lifecycle?.isReleased ?? false,
    rules: rules.flatMap((view) => selecting(view, node, findIn(view.front))),
    leftovers: [
      ...departing.flatMap(({ view }): readonly Leftover[] => {
        const key = peers.has(view.front) ? undefined : unrecordedTaint(view, rules, node);
        return key === undefined ? [] : [{ kind: 'taints', key, owner: view.owner, basis: 'named' }];
      }),
      ...rules.filter(({ isDeleting }) => isDeleting).flatMap((view) => markersOf(view, rules, node)),
      ...recorded.flatMap((entry) => leftover(entry, { node, peers, findIn, isServed, isOrphan })),
    ],
    departing,
    listed: departing.length === 0 ? [] : listedNow(lifecycle, node),
    unknowable: recorded.filter(({ owner }) => {
      const front = parseOwner(owner)?.front;
      return front !== undefined && !isServed(front);
    }),
    recordedTaints: recorded.flatMap(({ kind, key }) => (kind === 'taints' ? [key] : [])),
    peers,
  };
}

export function byAge(a: RuleView, b: RuleView): number {
  return a.createdAt - b.createdAt || compareText(a.name, b.name) || compareText(a.front, b.front);
}

export function selects(view: RuleView, node: Pick<NodeView, 'labels'>): boolean {
  return !view.isDeleting && isAbout(view, node);
}

/** Whether it is being deleted or not. */
export function isAbout({ rule }: RuleView, node: Pick<NodeView, 'labels'>): boolean {
  return rule !== null && matches(rule.selector, node.labels);
}

type Find = (name: string) => RuleView | undefined;

function selecting(view: RuleView, node: NodeView, find: Find): readonly SelectingRule[] {
  if (view.rule === null || !selects(view, node)) return [];
  // One that is being deleted lets go of its nodes, and must not open the way to the next.
  const missingPredecessors = view.rule.after.filter((name) => find(name)?.isDeleting !== false);
  return [{ view, rule: view.rule, missingPredecessors }];
}

/** A rule that goes and waits for us; one that is kept by somebody else's finalizer alone is gone for us. */
function departingFrom(view: RuleView, node: NodeView): readonly SelectingRule[] {
  const { rule, isDeleting, finalizers } = view;
  const isAwaitingUs = isDeleting && finalizers.includes(finalizerOf(view));
  if (rule === null || !isAwaitingUs || !isAbout(view, node)) return [];
  return [{ view, rule, missingPredecessors: [] }];
}

/** A patch that is under way names the version of the node that it was made for: a list for an earlier one is of no use. */
function listedNow(lifecycle: LifecycleView | undefined, node: NodeView): readonly OwnedKey[] {
  if (lifecycle === undefined || lifecycle.nodeUID !== node.uid) return [];
  const { owned = [], ownedAsOf } = statusOf(lifecycle);
  return ownedAsOf === node.resourceVersion ? owned : [];
}

/**
 * The taint of a rule that goes, on a node that it selects, of which no record speaks: the controller before us or the kubelet has set
 * it, the rule would have taken it away in the end, and nobody else will. Not where another rule has a say over it.
 */
export function unrecordedTaint(
  view: RuleView,
  rules: readonly RuleView[],
  node: NodeView,
): TaintId | undefined {
  const [departing] = departingFrom(view, node);
  if (departing === undefined || departing.rule.isDryRun) return undefined;
  const { taint } = departing.rule;
  if (findTaint(node.taints, taint) === undefined) return undefined;
  const isSpokenFor =
    recordedKeys(node).some(({ kind, key }) => kind === 'taints' && key === taint) ||
    rules.some((other) => other.rule?.taint === taint && !other.rule.isDryRun && selects(other, node));
  return isSpokenFor ? undefined : taint;
}

/** Markers go with their rule, whoever wrote them: they speak of nothing else. */
function markersOf(
  view: RuleView,
  rules: readonly RuleView[],
  { annotations }: NodeView,
): readonly Leftover[] {
  return markersLeavingWith(view, rules)
    .filter((key) => Object.hasOwn(annotations, key))
    .map((key) => ({ kind: 'annotations', key, owner: view.owner, basis: 'named' }));
}

/** The older form has the name alone: while a rule of the other kind bears it too, the marker may be that one's. */
export function markersLeavingWith(view: RuleView, rules: Iterable<RuleView>): readonly string[] {
  const [byUid, byName] = markerKeysOf(view);
  const isShared = [...rules].some(
    ({ front, name, isDeleting }) => front !== view.front && name === view.name && !isDeleting,
  );
  return isShared ? [byUid] : [byUid, byName];
}

/** A key that the record on the node ascribes to somebody. */
export type RecordedKey = {
  readonly kind: KeyKind;
  readonly key: string;
  readonly owner: Owner;
  readonly value: string;
};

function recordedKeys(node: NodeView): readonly RecordedKey[] {
  const parsed = parseOwned(node.annotations[annotationKeys.owned]);
  if (parsed.kind === 'unreadable') return [];
  return (['annotations', 'taints'] as const).flatMap((kind) =>
    Object.entries(parsed.record[kind]).map(([key, { owner, wrote }]) => ({
      kind,
      key,
      owner,
      value: wrote,
    })),
  );
}

type Scene = {
  readonly node: NodeView;
  readonly peers: ReadonlySet<Front>;
  readonly findIn: (front: Front) => Find;
  readonly isServed: (front: Front) => boolean;
  /** A marker of a rule that is gone: it says nothing to anybody, so it needs no proof that it is ours. */
  readonly isOrphan: (entry: RecordedKey) => boolean;
};

function leftover(
  entry: RecordedKey,
  { node, peers, findIn, isServed, isOrphan }: Scene,
): readonly Leftover[] {
  const parsed = parseOwner(entry.owner);
  if (parsed === null || !isServed(parsed.front)) return [];
  if (isOrphan(entry)) return [{ ...entry, basis: 'named' }];
  const view = findIn(parsed.front)(parsed.name);
  if (view === undefined) return [{ ...entry, basis: 'recorded' }];
  if (!view.isDeleting && isLeavingNodesAlone(view, peers)) return [];
  // A node that leaves a rule and comes back was ready once all the same.
  if (entry.kind === 'annotations' && !view.isDeleting) return [];
  if (!isNamedBy(view, entry)) return [{ ...entry, basis: 'recorded' }];
  const isStillAsked = entry.kind === 'annotations' || view.rule?.taint === entry.key;
  return isStillAsked && selects(view, node) ? [] : [{ ...entry, basis: 'attested' }];
}

function isLeavingNodesAlone({ front, rule }: RuleView, peers: ReadonlySet<Front>): boolean {
  return rule === null || rule.isSuspended || rule.isDryRun || peers.has(front);
}

function isNamedBy(view: RuleView, { kind, key }: RecordedKey): boolean {
  return kind === 'taints' ? isTaintOf(view, key) : markerKeysOf(view).includes(key);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
