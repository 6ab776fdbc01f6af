// Wishes that the API server refused, by node and owner: left out of patches while they rest, so that the bad value of one owner,
// a rule or a whole capability, never blocks the release of another. What the server refuses need not be the fault of the wish, so each is tried again, later
// each time. In memory only: a restart tries at once.

import { type BackoffPolicy, backoffMs } from '../base/backoff.ts';
import type { Clock } from '../base/clock.ts';
import { type Hash, hashOf } from '../base/hash.ts';
import type { Random } from '../base/random.ts';
import type { NodeWish, Owner } from '../objects/wish.ts';

export type Rejection = {
  readonly node: string;
  readonly owner: Owner;
  /** What this owner asks for, and no other. */
  readonly wish: NodeWish;
  readonly message: string;
};

export type RefusedWish = {
  /** What the server said. */
  readonly message: string;
  /** False: it is to be tried again now. */
  readonly isResting: boolean;
};

export interface Rejections {
  /** True where this very wish was not refused before. */
  add(rejection: Rejection): boolean;
  /** Null for a wish that was not refused. */
  of(node: string, owner: Owner, wish: NodeWish): RefusedWish | null;
  /** Whose wishes were refused. */
  ownersOf(node: string): readonly Owner[];
  /** When the first wish of the node that rests is to be tried again; null when none rests. */
  restMs(node: string): number | null;
  /** What all but these wish of the node was tried, and nothing of it was refused. True where something was before. */
  accept(node: string, resting: readonly Owner[]): boolean;
  forgetNode(node: string): void;
  count(): number;
}

/** A webhook that restarts or a right that is granted late costs seconds; what stays wrong costs a try in five minutes. */
const rests: BackoffPolicy = { firstMs: 5_000, factor: 2, delayMsMax: 600_000 };

type Refused = {
  readonly hash: Hash;
  readonly message: string;
  readonly times: number;
  readonly restsUntilMs: number;
};

export function createRejections({
  clock,
  random,
}: {
  readonly clock: Clock;
  readonly random: Random;
}): Rejections {
  const refused = new Map<string, Map<Owner, Refused>>();
  const restOf = ({ restsUntilMs }: Refused) => restsUntilMs - clock.monotonicMs();
  return {
    add({ node, owner, wish, message }) {
      const byOwner = refused.get(node) ?? new Map<Owner, Refused>();
      const hash = hashOf(wish);
      const before = byOwner.get(owner);
      const times = before?.hash === hash ? before.times + 1 : 1;
      const restsUntilMs = clock.monotonicMs() + backoffMs(rests, times, random);
      refused.set(node, byOwner.set(owner, { hash, message, times, restsUntilMs }));
      return times === 1;
    },
    of(node, owner, wish) {
      const found = refused.get(node)?.get(owner);
      if (found === undefined || found.hash !== hashOf(wish)) return null;
      return { message: found.message, isResting: restOf(found) > 0 };
    },
    ownersOf: (node) => [...(refused.get(node)?.keys() ?? [])],
    restMs(node) {
      const rest = [...(refused.get(node)?.values() ?? [])].map(restOf).filter((ms) => ms > 0);
      return rest.length === 0 ? null : Math.min(...rest);
    },
    accept(node, resting) {
      const byOwner = refused.get(node) ?? new Map<Owner, Refused>();
      const accepted = [...byOwner.keys()].filter((owner) => !resting.includes(owner));
      for (const owner of accepted) byOwner.delete(owner);
      if (byOwner.size === 0) refused.delete(node);
      return accepted.length > 0;
    },
    forgetNode: (node) => void refused.delete(node),
    count: () => refused.size,
  };
}
