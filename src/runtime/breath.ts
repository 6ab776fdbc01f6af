// Slices work that needs no I/O, so that a whole fleet of it never blocks the event loop: probes, leases and watches are
// served between two slices.

import type { Clock } from '../base/clock.ts';

/** Below the 10 ms that one turn of the event loop may take. */
export const SLICE_MS = 8;

/** To be awaited before each piece of work: resolves at once within a slice, and in a later turn when it is used up. */
export type Breathe = () => Promise<void>;

export function createBreath(clock: Clock): Breathe {
  let sliceStartMs = clock.monotonicMs();
  let turn: Promise<void> | null = null;
  const startSlice = () => {
    sliceStartMs = clock.monotonicMs();
    turn = null;
  };
  return async () => {
    // All who wait wake in the same turn: who comes last may find the new slice used up already.
    while (clock.monotonicMs() - sliceStartMs >= SLICE_MS) {
      turn ??= clock.nextTurn().then(startSlice);
      await turn;
    }
  };
}
