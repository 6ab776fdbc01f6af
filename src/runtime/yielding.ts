// What is merely told about nodes gives way to the nodes themselves: when its turn comes, how much of it at a time.

import { type Clock, sleep } from '../base/clock.ts';
import type { Reporter } from './capability.ts';
import type { Turnstile } from './turnstile.ts';

export type YieldingPorts = {
  readonly clock: Clock;
  readonly unrest: () => Unrest;
};

/** much: many nodes are patched or wait for their visit. some: a few are patched each second. */
export type Unrest = 'none' | 'some' | 'much';

type Signs = {
  readonly visits: { isBusy(): boolean };
  readonly turnstile: Pick<Turnstile, 'isBurst' | 'isStirring'>;
};

export function unrestIn({ visits, turnstile }: Signs): Unrest {
  if (visits.isBusy() || turnstile.isBurst()) return 'much';
  return turnstile.isStirring() ? 'some' : 'none';
}

/** How long objects of our own give way to nodes, how often they look whether they still have to, and how slow they are after it. */
const YIELD_MS_MAX = 60_000;
const YIELD_MS = 250;
const SLOW_MS = 1_000;
const ASKED_MS_MAX = 5_000;

/** An API server with time to spare answers a write sooner. */
const PROMPT_MS = 50;
const REST_MS_MAX = 1_000;
/** While some nodes change, a third of the time at most is spent on one kind of what is told about them. */
const REST_SHARE = 2;
/** An API server has more to do with a write than who waits for its answer sees: some fifty a second are enough for what is merely told. */
const REST_MS_MIN = 15;
/** No write takes less: who found nothing to write need not rest. */
const WRITE_MS_MIN = 1;

/** What is merely told about nodes, one object for each of them. */
export function isPatient(reporter: Reporter): boolean {
  return reporter.kind === 'object' && !reporter.isUrgent;
}

type InTurn = <T>(ending: AbortSignal, work: () => Promise<T>) => Promise<T>;

/**
 * Does the work when its turn has come: at once, unless it is merely about what is told. Then many nodes that wait come first; while a
 * few of them change the reporter does one such work at a time for a minute, with a rest after each write; and an API server that takes
 * long is left alone.
 */
export function createYielding(reporter: Reporter, ports: YieldingPorts): InTurn {
  if (!isPatient(reporter)) return (_, work) => work();
  const { clock } = ports;
  const giveWay = createGivingWay(ports);
  const inLane = createLane();
  const isCalm = createCalm(ports);
  return async (ending, work) => {
    await giveWay(ending);
    if (isCalm()) return resting(work, { clock, ending, restMs: restAfterLong });
    return inLane(() => resting(work, { clock, ending, restMs: restInLane }));
  };
}

/** Where some nodes change all day, what is told about them must not fall behind for ever: after a while that is how it is. */
function createCalm({ clock, unrest }: YieldingPorts): () => boolean {
  let stirringSinceMs: number | null = null;
  let askedMs = -Infinity;
  return () => {
    const nowMs = clock.monotonicMs();
    const sign = unrest();
    // While there is something to tell somebody asks all the time: after a pause nobody knows what was in between.
    if (sign === 'none' || nowMs - askedMs > ASKED_MS_MAX) stirringSinceMs = null;
    askedMs = nowMs;
    if (sign === 'none') return true;
    stirringSinceMs ??= nowMs;
    return sign === 'some' && nowMs - stirringSinceMs >= YIELD_MS_MAX;
  };
}

/**
 * Nodes first, but not for ever: a fleet that is never calm is told about all the same, slowly. Who waits here keeps the others in the
 * queue: each of them coming by to ask would cost as much as the work itself.
 */
function createGivingWay({ clock, unrest }: YieldingPorts): (ending: AbortSignal) => Promise<void> {
  let busySinceMs: number | null = null;
  const waitMs = () => {
    if (unrest() !== 'much') {
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

/** Whatever is written for the sake of the nodes that change meets one write of each reporter at most. */
function createLane(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}

type Resting = {
  readonly clock: Clock;
  readonly ending: AbortSignal;
  readonly restMs: (tookMs: number) => number;
};

/** Nobody waits for what is merely told. */
async function resting<T>(work: () => Promise<T>, { clock, ending, restMs }: Resting): Promise<T> {
  const startedMs = clock.monotonicMs();
  const outcome = await work();
  const ms = restMs(clock.monotonicMs() - startedMs);
  if (ms > 0) await sleep(clock, Math.min(ms, REST_MS_MAX), ending);
  return outcome;
}

/** Who has waited long for an answer stays away as long before the next write. */
function restAfterLong(tookMs: number): number {
  return tookMs > PROMPT_MS ? tookMs : 0;
}

function restInLane(tookMs: number): number {
  return tookMs < WRITE_MS_MIN ? 0 : Math.max(REST_MS_MIN, tookMs * REST_SHARE);
}
