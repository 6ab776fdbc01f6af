// Which wishes of an evaluation count, and what is said about those that do not: a capability behind its barrier is silent, a
// refused wish rests, a conflict is shown. Pure.

import type { Reason } from '../api/reasons.ts';
import type { Verdict } from '../fleet/node-state.ts';
import {
  type MergedWish,
  mergeWishes,
  type Owner,
  partOf,
  type WishConflict,
  withoutOwners,
} from '../objects/wish.ts';
import type { CapabilityDecision } from './evaluate.ts';
import type { Rejections } from './rejections.ts';

export type CountedWishes = {
  readonly merged: MergedWish;
  readonly verdicts: readonly Verdict[];
  /** Whose wishes are not among the merged ones, because they were refused. */
  readonly resting: readonly Owner[];
};

export function countWishes(
  node: string,
  speaking: readonly CapabilityDecision[],
  rejections: Rejections,
): CountedWishes {
  const owners = rejections.ownersOf(node);
  const refused = speaking.flatMap(({ capability, decision }) =>
    owners.flatMap((owner) => {
      const found = rejections.of(node, owner, partOf(decision.wish, owner));
      return found === null ? [] : [{ ...found, owner, capability: capability.name }];
    }),
  );
  const resting = refused.flatMap(({ owner, isResting }) => (isResting ? [owner] : []));
  const merged = mergeWishes(
    speaking.map(({ capability: { name, rank }, decision: { wish } }) => ({
      capability: name,
      rank,
      wish: resting.length === 0 ? wish : withoutOwners(wish, resting),
    })),
  );
  // One that is tried again is still refused until the server has said otherwise.
  const refusals = refused.map(({ capability, owner, message }) => ({
    ...verdict(capability, 'Rejected', message),
    parent: owner,
  }));
  return { merged, verdicts: [...refusals, ...merged.conflicts.flatMap(conflictVerdicts)], resting };
}

/** One for each side, of the object that asks: whoever looks at either is to see it. */
function conflictVerdicts({ kind, key, winner, loser }: WishConflict): readonly Verdict[] {
  const message = `${kind} ${key}: ${winner.wish.owner} has its way over ${loser.wish.owner}`;
  return [winner, loser].map(({ capability, wish }) => ({
    ...verdict(capability, 'Conflict', message),
    parent: wish.owner,
  }));
}

function verdict(capability: string, reason: Reason, message: string): Verdict {
  return { capability, parent: capability, outcome: 'unknown', reason, message };
}
