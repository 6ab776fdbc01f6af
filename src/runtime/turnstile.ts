// Keeps the counters that arbitrate reads, and wakes what they held: the oldest waiter when a write of its kind is done.

import { arbitrate, type Ruling, type WriteKind, type WriteLimits } from './arbitrate.ts';

export interface Turnstile {
  /** Granted: the write is counted until `leave`. Held: the waiter's key is woken when its turn comes. */
  enter(kind: WriteKind, key: string): Ruling;
  leave(kind: WriteKind): void;
  heldCount(): number;
}

export function createTurnstile(limits: WriteLimits, wake: (key: string) => void): Turnstile {
  const writesInFlight: Record<WriteKind, number> = { NodePatch: 0, LifecycleWrite: 0, StatusWrite: 0 };
  const held: Record<WriteKind, Set<string>> = {
    NodePatch: new Set(),
    LifecycleWrite: new Set(),
    StatusWrite: new Set(),
  };
  return {
    enter(kind, key) {
      const ruling = arbitrate({ writesInFlight }, limits, kind);
      if (ruling.kind === 'granted') writesInFlight[kind]++;
      else held[ruling.wokenBy].add(key);
      return ruling;
    },
    leave(kind) {
      writesInFlight[kind]--;
      const [oldest] = held[kind];
      if (oldest === undefined) return;
      held[kind].delete(oldest);
      wake(oldest);
    },
    heldCount: () => Object.values(held).reduce((sum, keys) => sum + keys.size, 0),
  };
}
