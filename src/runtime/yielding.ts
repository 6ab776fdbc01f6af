// Whether what is merely told about nodes gives way to the nodes themselves, and for how long.

import { type Clock, sleep } from '../base/clock.ts';
import type { Reporter } from './capability.ts';

export type YieldingPorts = {
  readonly clock: Clock;
  /** Many nodes wait for their visit: what is merely told about them can wait too. */
  readonly isBusy: () => boolean;
};

/** How long objects of our own give way to nodes, how often they look whether they still have to, and how slow they are after it. */
const YIELD_MS_MAX = 60_000;
const YIELD_MS = 250;
const SLOW_MS = 1_000;

/** An API server with time to spare answers a write sooner. */
const PROMPT_MS = 50;
const REST_MS_MAX = 1_000;

/** Who has waited long for an answer stays away as long before the next write: nobody waits for what is merely told. */
export async function restingAfter<T>(
  write: () => Promise<T>,
  clock: Clock,
  ending: AbortSignal,
): Promise<T> {
  const startedMs = clock.monotonicMs();
  const outcome = await write();
  const tookMs = clock.monotonicMs() - startedMs;
  if (tookMs > PROMPT_MS) await sleep(clock, Math.min(tookMs, REST_MS_MAX), ending);
  return outcome;
}

/** What is merely told about nodes, one object for each of them. */
export function isPatient(reporter: Reporter): boolean {
  return reporter.kind === 'object' && !reporter.isUrgent;
}

/**
 * Waits while many nodes do. Nodes first, but not for ever: a fleet that is never calm is told about all the same, slowly. Who waits here
 * keeps the others in the queue: each of them coming by to ask would cost as much as the work itself.
 */
export function createYielding(
  reporter: Reporter,
  { clock, isBusy }: YieldingPorts,
): (ending: AbortSignal) => Promise<void> {
  let busySinceMs: number | null = null;
  const waitMs = () => {
    if (!isPatient(reporter) || !isBusy()) {
      busySinceMs = null;
      return 0;
    }
    busySinceMs ??= clock.monotonicMs();
    return clock.monotonicMs() - busySinceMs < YIELD_MS_MAX ? YIELD_MS : SLOW_MS;
  };
  return async (ending) => {
    for (let ms = waitMs(); ms > 0 && !ending.aborted; ms = ms === SLOW_MS ? 0 : waitMs())
      await sleep(clock, ms, ending);
  };
}
