// After a node was written: what people and metrics are told. An event says what was done, so it follows the write and never
// precedes it.

import type { Instant } from '../../base/clock.ts';
import { bootstrapMarkerPrefix } from '../../api/keys.ts';
import type { Reason } from '../../api/reasons.ts';
import { parseTime } from '../../base/timestamp.ts';
import { findCondition } from '../../objects/condition.ts';
import type { NodeView } from '../../objects/node.ts';
import type { NodeWritten } from '../../runtime/capability.ts';
import type { KeyChange } from '../../runtime/node-patch.ts';
import type { NodeEvent } from '../../runtime/ports.ts';
import type { ReadinessMetrics } from './metrics.ts';
import { bootOf } from './policies/marker.ts';
import { parseOwner, type RuleView } from '../../fleet/readiness-rule.ts';
import { type ReadinessSpecs, rulesIn } from './specs.ts';

/** More taints than nodes wait behind at once. Of a node that goes first nobody takes the taint any more. */
const ADOPTED_MAX = 20_000;

export function createWritten(specs: ReadinessSpecs, metrics: ReadinessMetrics) {
  /** Taints that were on their node before us, as far as this process saw it: a record does not tell adoption from setting. */
  const adopted = new Set<string>();
  return ({ node, changes, caches, now }: NodeWritten): readonly NodeEvent[] => {
    const find = (change: KeyChange) => {
      const owner = parseOwner(change.owner);
      return owner === null ? undefined : rulesIn(caches, specs, owner.front).get(owner.name);
    };
    for (const change of changes) measure(metrics, { change, node, rule: find(change), now, adopted });
    return eventsOf(changes, node);
  };
}

/** One of each kind: ten rules that let a node go at once are one thing that happened to it. */
function eventsOf(changes: readonly KeyChange[], node: NodeView): readonly NodeEvent[] {
  return tellings.flatMap(({ kind, reason, action }) => {
    const told = changes.filter((change) => kindOf(change) === kind);
    const what = ({ key }: KeyChange) => (kind === 'completed' ? 'bootstrap' : `taint ${key}`);
    const note = told.map((change) => `${what(change)} ${kind} by rule ${ruleOf(change)}`).join('; ');
    return told.length === 0 ? [] : [{ node, type: 'Normal', reason, action, note }];
  });
}

type Telling = { readonly kind: ChangeKind; readonly reason: Reason; readonly action: string };

const tellings: readonly Telling[] = [
  { kind: 'added', reason: 'TaintAdded', action: 'AddTaint' },
  { kind: 'removed', reason: 'TaintRemoved', action: 'RemoveTaint' },
  { kind: 'adopted', reason: 'TaintAdopted', action: 'AdoptTaint' },
  { kind: 'completed', reason: 'BootstrapCompleted', action: 'CompleteBootstrap' },
];

function ruleOf({ owner }: KeyChange): string {
  return parseOwner(owner)?.name ?? owner;
}

type ChangeKind = 'added' | 'removed' | 'adopted' | 'completed' | 'other';

function kindOf(change: KeyChange): ChangeKind {
  const { kind, from, to } = change;
  if (kind === 'annotations') return isCompletion(change) ? 'completed' : 'other';
  if (kind !== 'taints') return 'other';
  if (from === undefined) return to === undefined ? 'other' : 'added';
  if (to === undefined) return 'removed';
  return change.isAdoption ? 'adopted' : 'other';
}

/** A marker that is new, or that was of another boot: one that merely comes to say of which boot it is was there already. */
function isCompletion({ key, from, to }: KeyChange): boolean {
  if (!key.startsWith(bootstrapMarkerPrefix) || to === undefined) return false;
  return from === undefined || (bootOf(from) !== '' && bootOf(from) !== bootOf(to));
}

type Measured = {
  readonly change: KeyChange;
  readonly node: NodeView;
  readonly rule: RuleView | undefined;
  readonly now: Instant;
  readonly adopted: Set<string>;
};

function measure(metrics: ReadinessMetrics, { change, node, rule, now, adopted }: Measured): void {
  const name = ruleOf(change);
  const kind = kindOf(change);
  const changedAt = rule === undefined ? null : newestTransition(rule, node);
  if (kind === 'adopted') note(adopted, `${node.uid} ${change.key}`);
  if (kind === 'completed') metrics.bootstrapCompleted(name, bootstrapMs(node, rule, changedAt));
  if (kind !== 'added' && kind !== 'removed') return;
  const operation = kind === 'added' ? 'add' : 'remove';
  metrics.taintChanged(name, operation);
  const isAdopted = kind === 'removed' && adopted.delete(`${node.uid} ${change.key}`);
  if (kind === 'removed' && rule?.rule?.mode === 'bootstrap-only')
    metrics.bootstrapHeld(name, {
      durationMs: heldMs(node, rule, now),
      origin: isAdopted ? 'adopted' : 'controller',
    });
  if (changedAt !== null) metrics.enforced(name, { operation, latencyMs: Math.max(0, now - changedAt) });
}

/** The one of longest ago makes room. */
function note(adopted: Set<string>, taint: string): void {
  const [oldest] = adopted;
  if (adopted.size >= ADOPTED_MAX && oldest !== undefined) adopted.delete(oldest);
  adopted.add(taint);
}

function bootstrapMs(node: NodeView, rule: RuleView | undefined, changedAt: Instant | null): number | null {
  const bornAt = parseTime(node.creationTimestamp);
  if (bornAt === null || changedAt === null || rule === undefined || bornAt < rule.createdAt) return null;
  return Math.max(0, changedAt - bornAt);
}

/** The taint stood from the later of both births on: a rule gates at once. */
function heldMs(node: NodeView, { createdAt }: RuleView, now: Instant): number {
  return Math.max(0, now - Math.max(parseTime(node.creationTimestamp) ?? now, createdAt));
}

function newestTransition({ rule }: RuleView, { conditions }: NodeView): Instant | null {
  const times = (rule?.requirements ?? []).flatMap(
    ({ type }) => parseTime(findCondition(conditions, type)?.lastTransitionTime) ?? [],
  );
  return times.length === 0 ? null : Math.max(...times);
}
