// What capabilities want of a Node, as data. A key that no wish names is kept as it is. Wishes of several
// capabilities merge by rank alone, so the order in which they are given can never matter.

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
    };

export type NodeWish = {
  readonly labels?: Readonly<Record<string, KeyWish>>;
  readonly annotations?: Readonly<Record<string, KeyWish>>;
  readonly taints?: Readonly<Record<TaintId, KeyWish>>;
};

export const keyKinds = ['labels', 'annotations', 'taints'] as const;
export type KeyKind = (typeof keyKinds)[number];

export type RankedWish = { readonly capability: string; readonly rank: number; readonly wish: NodeWish };

export type MergedKeyWish = {
  readonly kind: KeyKind;
  readonly key: string;
  readonly capability: string;
  readonly wish: KeyWish;
};

export type WishConflict = {
  readonly kind: KeyKind;
  readonly key: string;
  readonly winner: MergedKeyWish;
  readonly loser: MergedKeyWish;
};

export type MergedWish = {
  readonly keys: readonly MergedKeyWish[];
  readonly conflicts: readonly WishConflict[];
};

/** Higher rank wins a key; a losing wish that differs is a conflict, to be shown and never fought out on the node. */
export function mergeWishes(wishes: readonly RankedWish[]): MergedWish {
  const winners = new Map<string, MergedKeyWish>();
  const conflicts: WishConflict[] = [];
  const byRank = wishes.toSorted((a, b) => b.rank - a.rank || (a.capability < b.capability ? -1 : 1));
  for (const merged of byRank.flatMap(keyWishes)) {
    const id = `${merged.kind} ${merged.key}`;
    const winner = winners.get(id);
    if (winner === undefined) winners.set(id, merged);
    else if (isDifferent(winner.wish, merged.wish)) {
      conflicts.push({ kind: merged.kind, key: merged.key, winner, loser: merged });
    }
  }
  const keys = [...winners.values()].sort((a, b) => compareText(a.kind, b.kind) || compareText(a.key, b.key));
  return { keys, conflicts };
}

function keyWishes({ capability, wish }: RankedWish): readonly MergedKeyWish[] {
  return keyKinds.flatMap((kind) =>
    Object.entries(wish[kind] ?? {})
      .sort(([a], [b]) => compareText(a, b))
      .map(([key, keyWish]) => ({ kind, key, capability, wish: keyWish })),
  );
}

function isDifferent(a: KeyWish, b: KeyWish): boolean {
  return a.kind !== b.kind || (a.kind === 'present' && b.kind === 'present' && a.value !== b.value);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
