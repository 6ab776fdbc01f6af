// What we own on a node, as its NodeLifecycle lists it. The list grows from our own wishes alone, never from the annotation
// on the Node, which a kubelet can write.

import type { OwnedKind } from '../api/lifecycle-vocabulary.ts';
import type { NodeLifecycleStatus } from '../api/node-lifecycle.ts';
import type { NodeView } from '../objects/node.ts';
import { isNodeKey, type OwnedEntry, type OwnedRecord } from '../objects/owned.ts';
import { ownValue } from '../objects/raw.ts';
import { findTaint, parseTaintId, taintId } from '../objects/taint.ts';
import { type KeyKind, keyKinds, type MergedKeyWish } from '../objects/wish.ts';
import { listedOwner, listedValue, statusLimits } from './bounds.ts';
import type { OwnTaints } from './gates.ts';

export type OwnedKey = NonNullable<NodeLifecycleStatus['owned']>[number];

const ownedKindOf: Readonly<Record<KeyKind, OwnedKind>> = {
  labels: 'Label',
  annotations: 'Annotation',
  taints: 'Taint',
};

/** What was listed and still stands on the node, and everything that is wished present now or may still arrive. */
export function nextOwned(
  previous: readonly OwnedKey[],
  node: NodeView,
  wishes: readonly MergedKeyWish[],
): readonly OwnedKey[] {
  const standing = previous.filter((entry) => stands(entry, node));
  const candidates = [...standing, ...wishes.flatMap(ownedKeyOf)];
  const next = [...new Map(candidates.map((entry) => [identity(entry), entry])).values()];
  const kept = next.length <= statusLimits.ownedMax ? next : mostNeeded(next, standing, wishes);
  return kept.toSorted(byIdentity);
}

/** What was listed is kept while a write of it may still arrive; what is listed anew under the same key replaces it. */
export function withArriving(next: readonly OwnedKey[], previous: readonly OwnedKey[]): readonly OwnedKey[] {
  const listed = new Set(next.map(identity));
  const arriving = previous.filter((entry) => !listed.has(identity(entry)));
  return [...next, ...arriving].slice(0, statusLimits.ownedMax).toSorted(byIdentity);
}

/** The keys of this list that are wished for and do not stand on the node: the next thing is to write them. */
export function isAboutToWrite(
  owned: readonly OwnedKey[],
  node: NodeView,
  wishes: readonly MergedKeyWish[],
): boolean {
  const listed = new Set(owned.map(identity));
  return keysToProve(wishes).some((entry) => listed.has(identity(entry)) && !stands(entry, node));
}

/** A gate of ours stands on the node, or is wished for. One that may still arrive is none: until it does, pods come in. */
export function isGateAmong(
  owned: readonly OwnedKey[],
  node: NodeView,
  wishes: readonly MergedKeyWish[],
): boolean {
  const wished = new Set(
    wishes
      .filter(({ wish }) => wish.kind === 'present')
      .flatMap(ownedKeyOf)
      .map(identity),
  );
  return owned.some(
    (entry) =>
      entry.kind === 'Taint' &&
      entry.effect !== 'PreferNoSchedule' &&
      (stands(entry, node) || wished.has(identity(entry))),
  );
}

/** What stands on the node and is not listed yet: once its owner object goes, nobody would know whose it is. */
export function isUnlisted(
  owned: readonly OwnedKey[],
  previous: readonly OwnedKey[],
  node: NodeView,
): boolean {
  const listed = new Set(previous.map(identity));
  return owned.some((entry) => stands(entry, node) && !listed.has(identity(entry)));
}

/** Gates are read from the taints. What stands on the node is proven by the list alone, unless an owner object names it. */
function mostNeeded(
  entries: readonly OwnedKey[],
  standing: readonly OwnedKey[],
  wishes: readonly MergedKeyWish[],
): readonly OwnedKey[] {
  const listed = new Set(standing.map(identity));
  const proven = new Set(
    wishes
      .filter((wish) => isPresent(wish, 'object'))
      .flatMap(ownedKeyOf)
      .map(identity),
  );
  const rank = (entry: OwnedKey) => {
    if (entry.kind === 'Taint') return 0;
    if (proven.has(identity(entry))) return 3;
    return listed.has(identity(entry)) ? 1 : 2;
  };
  return entries.toSorted((a, b) => rank(a) - rank(b) || byIdentity(a, b)).slice(0, statusLimits.ownedMax);
}

/** The wishes whose only proof will be this list, as it will have them. */
export function keysToProve(wishes: readonly MergedKeyWish[]): readonly OwnedKey[] {
  return wishes
    .filter((each) => isPresent(each, 'record') || each.wish.kind === 'absent')
    .flatMap(ownedKeyOf);
}

export function ownTaintsOf(owned: readonly OwnedKey[]): OwnTaints {
  return new Map(
    owned.flatMap(({ kind, key, effect = '', owner }) =>
      kind === 'Taint' ? [[taintId({ key, effect }), owner]] : [],
    ),
  );
}

/** Whether the list shows that we wrote this value to this key. */
export function isListed(
  owned: readonly OwnedKey[],
  { kind, key, value }: { kind: KeyKind; key: string; value: string },
): boolean {
  return owned.some(
    (entry) =>
      entry.kind === ownedKindOf[kind] &&
      keyText(entry) === key &&
      (entry.value ?? '') === listedValue(value),
  );
}

/** The listed keys that stand on the node, as entries of its record: how an unreadable record is rebuilt. */
export function recordFrom(owned: readonly OwnedKey[], node: NodeView): OwnedRecord {
  const record: Record<KeyKind, Record<string, OwnedEntry>> = { labels: {}, annotations: {}, taints: {} };
  for (const entry of owned.filter((listed) => stands(listed, node))) {
    const kind = keyKinds.find((each) => ownedKindOf[each] === entry.kind);
    const wrote = valueOn(node, entry);
    if (kind !== undefined && wrote !== undefined)
      record[kind][keyText(entry)] = { owner: entry.owner, wrote };
  }
  return record;
}

function isPresent({ wish }: MergedKeyWish, proof: 'object' | 'record'): boolean {
  return wish.kind === 'present' && wish.proof === proof;
}

/** None for a key that the API server will refuse anyway: it would refuse the list with it. */
function ownedKeyOf({ kind, key, wish }: MergedKeyWish): readonly OwnedKey[] {
  const value = wish.kind === 'present' ? wish.value : wish.mayArrive;
  if (value === undefined || !isNodeKey(kind, key)) return [];
  const place = kind === 'taints' ? parseTaintId(key) : { key };
  return [{ kind: ownedKindOf[kind], ...place, value: listedValue(value), owner: listedOwner(wish.owner) }];
}

function stands(entry: OwnedKey, node: NodeView): boolean {
  const value = valueOn(node, entry);
  return value !== undefined && listedValue(value) === (entry.value ?? '');
}

function valueOn(node: NodeView, entry: OwnedKey): string | undefined {
  switch (entry.kind) {
    case 'Label':
      return ownValue(node.labels, entry.key);
    case 'Annotation':
      return ownValue(node.annotations, entry.key);
    case 'Taint':
      return findTaint(node.taints, keyText(entry))?.value;
  }
}

function keyText({ kind, key, effect = '' }: OwnedKey): string {
  return kind === 'Taint' ? taintId({ key, effect }) : key;
}

function byIdentity(a: OwnedKey, b: OwnedKey): number {
  return identity(a) < identity(b) ? -1 : 1;
}

/** All that an entry says: the same text, the same entry. No owner contains a space. */
export function textOfOwned(entry: OwnedKey): string {
  return `${identity(entry)} ${entry.owner} ${entry.value ?? ''}`;
}

function identity(entry: OwnedKey): string {
  return `${entry.kind} ${keyText(entry)}`;
}
