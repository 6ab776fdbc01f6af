// What we own on a node, as its NodeLifecycle lists it. The list grows from our own wishes alone, never from the annotation
// on the Node, which a kubelet can write.

import { lifecycleLimits, type OwnedKind } from '../api/lifecycle-vocabulary.ts';
import type { NodeLifecycleStatus } from '../api/node-lifecycle.ts';
import type { NodeView } from '../objects/node.ts';
import type { OwnedEntry, OwnedRecord } from '../objects/owned.ts';
import { findTaint, parseTaintId, taintId } from '../objects/taint.ts';
import { type KeyKind, keyKinds, type MergedKeyWish } from '../objects/wish.ts';
import type { OwnTaints } from './gates.ts';

export type OwnedKey = NonNullable<NodeLifecycleStatus['owned']>[number];

const ownedKindOf: Readonly<Record<KeyKind, OwnedKind>> = {
  labels: 'Label',
  annotations: 'Annotation',
  taints: 'Taint',
};

/** What was listed and still stands on the node, and everything that is wished present now. */
export function nextOwned(
  previous: readonly OwnedKey[],
  node: NodeView | null,
  wishes: readonly MergedKeyWish[],
): readonly OwnedKey[] {
  const next = new Map<string, OwnedKey>();
  for (const entry of previous) if (node !== null && stands(entry, node)) next.set(identity(entry), entry);
  for (const entry of wishes.flatMap(ownedKeyOf)) next.set(identity(entry), entry);
  return [...next.values()]
    .sort((a, b) => (identity(a) < identity(b) ? -1 : 1))
    .slice(0, lifecycleLimits.ownedMax);
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
    (entry) => entry.kind === ownedKindOf[kind] && keyText(entry) === key && (entry.value ?? '') === value,
  );
}

/** The listed keys that stand on the node, as entries of its record: how an unreadable record is rebuilt. */
export function recordFrom(owned: readonly OwnedKey[], node: NodeView): OwnedRecord {
  const record: Record<KeyKind, Record<string, OwnedEntry>> = { labels: {}, annotations: {}, taints: {} };
  for (const entry of owned.filter((listed) => stands(listed, node))) {
    const kind = keyKinds.find((each) => ownedKindOf[each] === entry.kind);
    if (kind !== undefined) record[kind][keyText(entry)] = { owner: entry.owner, wrote: entry.value ?? '' };
  }
  return record;
}

function ownedKeyOf({ kind, key, wish }: MergedKeyWish): readonly OwnedKey[] {
  if (wish.kind !== 'present') return [];
  const { key: name, effect } = kind === 'taints' ? parseTaintId(key) : { key, effect: '' };
  const place = effect === '' ? { key: name } : { key: name, effect };
  return [{ kind: ownedKindOf[kind], ...place, value: wish.value, owner: wish.owner }];
}

function stands(entry: OwnedKey, node: NodeView): boolean {
  const value = entry.value ?? '';
  switch (entry.kind) {
    case 'Label':
      return node.labels[entry.key] === value;
    case 'Annotation':
      return node.annotations[entry.key] === value;
    case 'Taint':
      return findTaint(node.taints, keyText(entry))?.value === value;
  }
}

function keyText({ kind, key, effect = '' }: OwnedKey): string {
  return kind === 'Taint' ? taintId({ key, effect }) : key;
}

function identity(entry: OwnedKey): string {
  return `${entry.kind} ${keyText(entry)}`;
}
