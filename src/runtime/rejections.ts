// Wishes that the API server refused, by node and capability: left out of patches while they rest, so that one capability's bad
// value never blocks another's release. What the server refuses need not be the fault of the wish, so each is tried again, later
// each time. In memory only: a restart tries at once.

import { type BackoffPolicy, backoffMs } from '../base/backoff.ts';
import type { Clock } from '../base/clock.ts';
import { type Hash, hashOf } from '../base/hash.ts';
import type { Random } from '../base/random.ts';
import type { NodeWish } from '../objects/wish.ts';

export type Rejection = {
  readonly node: string;
  readonly capability: string;
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
  of(node: string, capability: string, wish: NodeWish): RefusedWish | null;
  /** When the first wish of the node that rests is to be tried again; null when none rests. */
  restMs(node: string): number | null;
  /** What these capabilities wish of the node was tried, and nothing of it was refused. True where something was before. */
  accept(node: string, capabilities: readonly string[]): boolean;
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
  const refused = new Map<string, Map<string, Refused>>();
  const restOf = ({ restsUntilMs }: Refused) => restsUntilMs - clock.monotonicMs();
  return {
    add({ node, capability, wish, message }) {
      const byCapability = refused.get(node) ?? new Map<string, Refused>();
      const hash = hashOf(wish);
      const before = byCapability.get(capability);
      const times = before?.hash === hash ? before.times + 1 : 1;
      const restsUntilMs = clock.monotonicMs() + backoffMs(rests, times, random);
      refused.set(node, byCapability.set(capability, { hash, message, times, restsUntilMs }));
      return times === 1;
    },
    of(node, capability, wish) {
      const found = refused.get(node)?.get(capability);
      if (found === undefined || found.hash !== hashOf(wish)) return null;
      return { message: found.message, isResting: restOf(found) > 0 };
    },
    restMs(node) {
      const rest = [...(refused.get(node)?.values() ?? [])].map(restOf).filter((ms) => ms > 0);
      return rest.length === 0 ? null : Math.min(...rest);
    },
    accept(node, capabilities) {
      const byCapability = refused.get(node);
      const accepted = capabilities.filter((capability) => byCapability?.delete(capability));
      if (byCapability?.size === 0) refused.delete(node);
      return accepted.length > 0;
    },
    forgetNode: (node) => void refused.delete(node),
    count: () => refused.size,
  };
}
