// Wishes that the API server refused, by node and capability: left out of patches until the wish changes or a resync forgets
// them, so that one capability's bad value never blocks another's release. In memory only: a restart tries once more.

import { type Hash, hashOf } from '../base/hash.ts';
import type { NodeWish } from '../objects/wish.ts';

export type Rejection = {
  readonly node: string;
  readonly capability: string;
  readonly wish: NodeWish;
  readonly message: string;
};

export interface Rejections {
  add(rejection: Rejection): void;
  /** What the server said of this very wish, or null. */
  messageFor(node: string, capability: string, wish: NodeWish): string | null;
  forgetNode(node: string): void;
  forgetAll(): void;
  count(): number;
}

export function createRejections(): Rejections {
  const refused = new Map<string, Map<string, { readonly hash: Hash; readonly message: string }>>();
  return {
    add({ node, capability, wish, message }) {
      const byCapability = refused.get(node) ?? new Map();
      refused.set(node, byCapability.set(capability, { hash: hashOf(wish), message }));
    },
    messageFor(node, capability, wish) {
      const rejection = refused.get(node)?.get(capability);
      return rejection !== undefined && rejection.hash === hashOf(wish) ? rejection.message : null;
    },
    forgetNode: (node) => void refused.delete(node),
    forgetAll: () => refused.clear(),
    count: () => refused.size,
  };
}
