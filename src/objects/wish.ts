// What capabilities want of a Node, as data. A key that no wish names is kept as it is. Wishes of several capabilities merge by
// what they want and by rank, so the order in which they are given can never matter.

import { assert } from '../base/assert.ts';
import type { TaintId } from './taint.ts';

/** `capability` or `capability/Kind/name`: on whose behalf a key is written. */
export type Owner = string;

/** What will prove later that a key is ours: a living owner object that names it, or the node's own record. */
export type Proof = 'object' | 'record';

export type KeyWish =
  | {
      readonly kind: 'present';
      readonly owner: Owner;
      readonly value: string;
      /** When the key is given back: put back the value found there before us, or treat that value as ours. */
      readonly prior: 'restore' | 'adopt';
      readonly proof: Proof;
    }
  | {
      readonly kind: 'absent';
      readonly owner: Owner;
      /**
       * named: the owner names this key, so it goes whoever set it. attested: a living owner names the key and has let this
       * node go, so it goes if the annotation says that we set it. recorded: the owner says nothing any more, so only if the
       * node's own record shows it too.
       */
      readonly basis: 'named' | 'attested' | 'recorded';
      /** A write of this value may still be under way: the record lists it, so that it counts as ours if it arrives. */
      readonly mayArrive?: string;
    };

/** keep: nothing is written or owned for the taint, but while it stands nobody else may take it away. */
export type TaintWish = KeyWish | { readonly kind: 'keep'; readonly owner: Owner };

export type NodeWish = {
  readonly labels?: Readonly<Record<string, KeyWish>>;
  readonly annotations?: Readonly<Record<string, KeyWish>>;
  readonly taints?: Readonly<Record<TaintId, TaintWish>>;
};

export const keyKinds = ['labels', 'annotations', 'taints'] as const;
export type KeyKind = (typeof keyKinds)[number];

export type RankedWish = { readonly capability: string; readonly rank: number; readonly wish: NodeWish };

type Suitor<W extends TaintWish = TaintWish> = {
  readonly kind: KeyKind;
  readonly key: string;
  readonly capability: string;
  readonly wish: W;
};

export type MergedKeyWish = Suitor<KeyWish>;

export type WishConflict = {
  readonly kind: KeyKind;
  readonly key: string;
  readonly winner: Suitor;
  readonly loser: Suitor;
};

export type MergedWish = {
  readonly keys: readonly MergedKeyWish[];
  readonly conflicts: readonly WishConflict[];
};

/**
 * Higher rank wins a key; of a taint, whoever wants it wins over whoever wants it gone, because a gate that somebody still needs
 * must not open. A losing wish that differs is a conflict, to be shown and never fought out on the node.
 */
export function mergeWishes(wishes: readonly RankedWish[]): MergedWish {
  const byKey = new Map<string, Suitor[]>();
  const byRank = wishes.toSorted((a, b) => b.rank - a.rank || (a.capability < b.capability ? -1 : 1));
  for (const suitor of byRank.flatMap(keyWishes)) {
    const id = `${suitor.kind} ${suitor.key}`;
    const rivals = byKey.get(id);
    if (rivals === undefined) byKey.set(id, [suitor]);
    else rivals.push(suitor);
  }
  const won = [...byKey.values()].map((suitors) => ({ suitors, winner: winnerOf(suitors) }));
  const keys = won
    .flatMap(({ winner }) => (isWritten(winner) ? [winner] : []))
    .sort((a, b) => compareText(a.kind, b.kind) || compareText(a.key, b.key));
  const conflicts = won.flatMap(({ suitors, winner }) =>
    suitors
      .filter(({ wish }) => isDifferent(winner.wish, wish))
      .map((loser) => ({ kind: loser.kind, key: loser.key, winner, loser })),
  );
  return { keys, conflicts };
}

/** Of the highest rank comes first. */
function winnerOf(suitors: readonly Suitor[]): Suitor {
  const [first] = suitors;
  assert(first !== undefined, 'a key is there because somebody wishes for it');
  if (first.kind !== 'taints') return first;
  const wanting = (kind: TaintWish['kind']) => suitors.find(({ wish }) => wish.kind === kind);
  return wanting('present') ?? wanting('keep') ?? first;
}

/** What one owner has asked for among all that a capability wishes for. */
export function partOf(wish: NodeWish, owner: Owner): NodeWish {
  return withOwners(wish, (each) => each === owner);
}

/** The wish without those of some owners. */
export function withoutOwners(wish: NodeWish, owners: readonly Owner[]): NodeWish {
  return withOwners(wish, (each) => !owners.includes(each));
}

function withOwners(wish: NodeWish, isCounted: (owner: Owner) => boolean): NodeWish {
  const kinds = keyKinds.map((kind) => {
    const entries = Object.entries<TaintWish>(wish[kind] ?? {});
    return [kind, Object.fromEntries(entries.filter(([, { owner }]) => isCounted(owner)))] as const;
  });
  return Object.fromEntries(kinds.filter(([, keys]) => Object.keys(keys).length > 0));
}

function isWritten(suitor: Suitor): suitor is MergedKeyWish {
  return suitor.wish.kind !== 'keep';
}

function keyWishes({ capability, wish }: RankedWish): readonly Suitor[] {
  return keyKinds.flatMap((kind) =>
    Object.entries<TaintWish>(wish[kind] ?? {})
      .sort(([a], [b]) => compareText(a, b))
      .map(([key, keyWish]) => ({ kind, key, capability, wish: keyWish })),
  );
}

function isDifferent(a: TaintWish, b: TaintWish): boolean {
  if (a.kind === 'present' && b.kind === 'present') return a.value !== b.value;
  return (a.kind === 'absent') !== (b.kind === 'absent');
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
