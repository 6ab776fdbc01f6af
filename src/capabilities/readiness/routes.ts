// From a change of a rule or of a peer's Lease to the nodes that it touches, and only those. Pure.

import { annotationKeys } from '../../api/keys.ts';
import { canonical } from '../../base/hash.ts';
import type { NodeView } from '../../objects/node.ts';
import type { CacheChange, Caches } from '../../runtime/ports.ts';
import type { Route } from '../../runtime/capability.ts';
import { isAbout, selects } from './gather.ts';
import { type Front, fronts, markerKeysOf, type RuleView } from '../../fleet/readiness-rule.ts';
import { isPeerNews, type PeerView, type ReadinessSpecs, rulesIn } from './specs.ts';

export function routes(
  specs: ReadinessSpecs,
  onPeer: (front: Front, holder: string) => void,
): readonly Route[] {
  return fronts.flatMap((front): Route[] => [ruleRoute(front, specs), peerRoute(front, specs, onPeer)]);
}

function ruleRoute(front: Front, specs: ReadinessSpecs): Route<RuleView> {
  return {
    watch: specs.rules[front],
    nodes(change, caches) {
      if (change.kind === 'updated' && isSame(change.before, change.now)) return [];
      const waiting = successors(change, rulesIn(caches, specs, front).values());
      return [...caches.of(specs.nodes).values()]
        .filter((node) => isTouched(node, change, waiting))
        .map(({ name }) => name);
    },
    // A new rule is anchored at once, and then each node needs one write less: whoever can wait for that does.
    priorityOf: (change) => (change.kind === 'added' && !change.now.isAnchored ? 'resync' : 'change'),
  };
}

/** A status, a label or an annotation that says nothing to us touches no node. */
function isSame(before: RuleView, now: RuleView): boolean {
  return (
    before.generation === now.generation &&
    before.isDeleting === now.isDeleting &&
    before.confirmedNodes === now.confirmedNodes &&
    // What had to wait for the records of nodes need not any more.
    before.isAnchored === now.isAnchored &&
    canonical(before.rule) === canonical(now.rule)
  );
}

function isTouched(node: NodeView, change: CacheChange<RuleView>, waiting: readonly RuleView[]): boolean {
  const views = viewsOf(change);
  return (
    [...views, ...waiting].some((view) => selects(view, node)) || views.some((view) => hasLeft(view, node))
  );
}

/** Something of the rule is on the node, whether it selects it or not. */
function hasLeft(view: RuleView, { annotations }: NodeView): boolean {
  return (
    (annotations[annotationKeys.owned] ?? '').includes(view.owner) ||
    markerKeysOf(view).some((key) => Object.hasOwn(annotations, key))
  );
}

/** Rules that come after one that appears or goes: they waited for it, or need not any more. */
function successors(change: CacheChange<RuleView>, rules: Iterable<RuleView>): readonly RuleView[] {
  if (change.kind === 'updated') return [];
  const [{ name } = { name: '' }] = viewsOf(change);
  return [...rules].filter(({ rule }) => rule?.after.includes(name));
}

function viewsOf(change: CacheChange<RuleView>): readonly RuleView[] {
  switch (change.kind) {
    case 'added':
      return [change.now];
    case 'updated':
      return [change.before, change.now];
    case 'deleted':
      return [change.before];
  }
}

/** A peer comes or goes: every node of its kind's rules. Renewals of its Lease touch nothing. */
function peerRoute(
  front: Front,
  specs: ReadinessSpecs,
  onPeer: (front: Front, holder: string) => void,
): Route<PeerView> {
  return {
    watch: specs.peers[front],
    nodes(change, caches: Caches) {
      if (!isPeerNews(change)) return [];
      const now = change.kind === 'deleted' ? '' : change.now.holder;
      // It may have a Lease of that name in another namespace too.
      const other = [...caches.of(specs.peers[front]).values()].find(({ holder }) => holder !== '');
      onPeer(front, now || (other?.holder ?? ''));
      const rules = [...rulesIn(caches, specs, front).values()];
      return [...caches.of(specs.nodes).values()]
        .filter((node) => rules.some((rule) => isAbout(rule, node) || hasLeft(rule, node)))
        .map(({ name }) => name);
    },
  };
}
