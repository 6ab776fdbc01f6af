// Whether what is merely told about nodes gives way to the nodes themselves, and for how long.

import type { Clock } from '../base/clock.ts';
import type { Reporter } from './capability.ts';

export type YieldingPorts = {
  readonly clock: Clock;
  /** Many nodes wait for their visit: what is merely told about them can wait too. */
  readonly isBusy: () => boolean;
};

/** How long objects of our own give way to nodes, how often they look whether they still have to, and how slow they are after it. */
const YIELD_MS_MAX = 60_000;
const YIELD_MS = 250;
export const SLOW_MS = 1_000;

/** What is merely told about nodes, one object for each of them. */
export function isPatient(reporter: Reporter): boolean {
  return reporter.kind === 'object' && !reporter.isUrgent;
}

/**
 * How long the next object waits before it looks again whether it has to; 0 when it need not. Nodes first, but not for ever: a fleet
 * that is never calm is told about all the same, slowly.
 */
export function createYielding(reporter: Reporter, { clock, isBusy }: YieldingPorts): () => number {
  let busySinceMs: number | null = null;
  return () => {
    if (!isPatient(reporter) || !isBusy()) {
      busySinceMs = null;
      return 0;
    }
    busySinceMs ??= clock.monotonicMs();
    return clock.monotonicMs() - busySinceMs < YIELD_MS_MAX ? YIELD_MS : SLOW_MS;
  };
}
