// Which wishes of an evaluation count, and what is said about those that do not: a capability behind its barrier is silent, a
// refused wish rests, a conflict is shown. Pure.

import type { Reason } from '../api/reasons.ts';
import type { Verdict } from '../fleet/node-state.ts';
import { type MergedWish, mergeWishes, type WishConflict } from '../objects/wish.ts';
import type { CapabilityDecision } from './evaluate.ts';
import type { Rejections } from './rejections.ts';

export type CountedWishes = {
  readonly merged: MergedWish;
  readonly verdicts: readonly Verdict[];
  /** The capabilities whose wishes are among the merged ones. */
  readonly counted: readonly string[];
};

export function countWishes(
  node: string,
  speaking: readonly CapabilityDecision[],
  rejections: Rejections,
): CountedWishes {
  const judged = speaking.map((each) => ({
    ...each,
    refused: rejections.of(node, each.capability.name, each.decision.wish),
  }));
  // One that is tried again is still refused until the server has said otherwise.
  const refusals = judged.flatMap(({ capability, refused }) =>
    refused === null ? [] : [verdict(capability.name, 'Rejected', refused.message)],
  );
  const counted = judged.filter(({ refused }) => refused?.isResting !== true);
  const merged = mergeWishes(
    counted.map(({ capability: { name, rank }, decision: { wish } }) => ({ capability: name, rank, wish })),
  );
  return {
    merged,
    verdicts: [...refusals, ...merged.conflicts.flatMap(conflictVerdicts)],
    counted: counted.map(({ capability }) => capability.name),
  };
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
