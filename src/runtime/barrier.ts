// A capability speaks only when it has seen everything: its caches synced, then every node evaluated once. Until then its
// wishes count as silence, which means keep.

import type { NodeCapability } from './capability.ts';
import type { Caches, WatchSpec } from './ports.ts';

export type Gatekept = Pick<NodeCapability, 'name' | 'watches'>;

export interface Barriers {
  /** Looks at the caches again: after one of them has synced. */
  check(): void;
  /** This node has been evaluated with every synced capability, or is gone. */
  visited(node: string): void;
  isSynced(capability: Gatekept): boolean;
  isOpen(capability: Gatekept): boolean;
  areAllOpen(): boolean;
}

export type BarrierPorts = {
  readonly capabilities: readonly Gatekept[];
  readonly caches: Caches;
  readonly nodes: WatchSpec;
  /** Its first round begins: every node is to be visited. */
  readonly onSynced: () => void;
  /** It may speak from now on: every node is to be visited again. */
  readonly onOpen: (capability: Gatekept) => void;
};

export function createBarriers({ capabilities, caches, nodes, onSynced, onOpen }: BarrierPorts): Barriers {
  /** Nodes still to be visited in the first round; absent until synced. */
  const rounds = new Map<Gatekept, Set<string>>();
  const open = new Set<Gatekept>();

  const isReady = ({ watches }: Gatekept) => [nodes, ...watches].every((spec) => caches.of(spec).isSynced());
  const openIfDone = (capability: Gatekept) => {
    if (open.has(capability) || rounds.get(capability)?.size !== 0) return;
    open.add(capability);
    rounds.set(capability, new Set());
    onOpen(capability);
  };

  return {
    check() {
      const starting = capabilities.filter((capability) => !rounds.has(capability) && isReady(capability));
      for (const capability of starting) rounds.set(capability, new Set(caches.of(nodes).keys()));
      if (starting.length > 0) onSynced();
      for (const capability of starting) openIfDone(capability);
    },
    visited(node) {
      for (const [capability, round] of rounds) {
        if (round.delete(node)) openIfDone(capability);
      }
    },
    isSynced: (capability) => rounds.has(capability),
    isOpen: (capability) => open.has(capability),
    areAllOpen: () => open.size === capabilities.length,
  };
}
