// A patch that was refused, owner by owner: who is at fault is found by trying each alone. Pure.

import { type MergedKeyWish, type NodeWish, type Owner, partOf } from '../objects/wish.ts';
import type { CapabilityDecision } from './evaluate.ts';

export type Part = {
  readonly owner: Owner;
  readonly keys: readonly MergedKeyWish[];
  /** All that the owner asks for, granted or not. */
  readonly wish: NodeWish;
};

/** By rank of the capability; of one capability those who let pods in come first. */
export function partsOf(
  speaking: readonly CapabilityDecision[],
  wishes: readonly MergedKeyWish[],
): readonly Part[] {
  return speaking
    .toSorted((a, b) => b.capability.rank - a.capability.rank)
    .flatMap(({ capability, decision }) => {
      const own = wishes.filter((wish) => wish.capability === capability.name);
      const parts = [...Map.groupBy(own, ({ wish }) => wish.owner)].map(([owner, keys]) => ({
        owner,
        keys,
        wish: partOf(decision.wish, owner),
      }));
      return parts.toSorted((a, b) => Number(isGating(a)) - Number(isGating(b)));
    });
}

function isGating({ keys }: Part): boolean {
  return keys.some(({ kind, wish }) => kind === 'taints' && wish.kind === 'present');
}
