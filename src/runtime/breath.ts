// Slices work that needs no I/O, so that a whole fleet of it never blocks the event loop: probes, leases and watches are
// served between two slices.

import type { Clock } from '../base/clock.ts';

/** Below the 10 ms that one turn of the event loop may take. */
export const SLICE_MS = 8;

/**
 * To be used as `while (breath.isSpent()) await breath.next();` right before the work: whoever awaits anything between the
 * question and the work lets others ask in the meantime, and all of them are told that there is time left.
 */
export interface Breath {
  isSpent(): boolean;
  /** Resolves in a later turn of the event loop, where a new slice begins. */
  next(): Promise<void>;
}

export function createBreath(clock: Clock): Breath {
  let sliceStartMs = clock.monotonicMs();
  let turn: Promise<void> | null = null;
  const startSlice = () => {
    sliceStartMs = clock.monotonicMs();
    turn = null;
  };
  return {
    isSpent: () => clock.monotonicMs() - sliceStartMs >= SLICE_MS,
    next: () => (turn ??= clock.nextTurn().then(startSlice)),
  };
}
