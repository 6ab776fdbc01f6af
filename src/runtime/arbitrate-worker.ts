// Which nodes get a worker now: the limits of arbitrate that are about workers. Pure: counters and what is asked for in,
// granted or held out.

import type { Reason } from '../api/reasons.ts';
import type { Instant } from '../base/clock.ts';

export type WorkerLimits = {
  /** Workers at once. */
  readonly concurrent: number;
  /** Workers at once while at least so many nodes wait or have one. Left out: `concurrent`. */
  readonly inCrowd?: number;
  /** Starts per second, and how many at once on top of that. */
  readonly perSecond: number;
  readonly burst: number;
};

export const defaultWorkerLimits: WorkerLimits = { concurrent: 100, inCrowd: 250, perSecond: 50, burst: 100 };

export function placesAmong(nodes: number, { concurrent, inCrowd = concurrent }: WorkerLimits): number {
  return nodes >= inCrowd ? Math.max(concurrent, inCrowd) : concurrent;
}

export type WorkerAsk = {
  /** It was woken for a place that is kept for it. */
  readonly hasPlace: boolean;
  readonly spreadSince: Instant;
  /** Where many start at once, each waits for this long from then on: they would all ask the same DNS server at the same moment. */
  readonly jitterMs: number;
};

export type WorkerCounters = {
  /** Running, granted and being written, or kept for a node that was woken. */
  readonly inFlight: number;
  readonly waiting: number;
  readonly startsLeft: number;
  readonly nextStartAt: Instant;
  /** Nodes whose last worker could not be started because of its image. */
  readonly imageFailures: number;
  /** When the next one may try whether the image is there again. */
  readonly nextTrialAt: Instant;
};

export type WorkerRuling =
  | { readonly kind: 'granted' }
  | {
      readonly kind: 'held';
      readonly reason: Reason;
      readonly message: string;
      /** Null: woken when a place is free. */
      readonly until: Instant | null;
    };

type WorkerLimit = (ask: WorkerAsk, counters: WorkerCounters, at: WorkerMoment) => WorkerRuling | null;
export type WorkerMoment = { readonly limits: WorkerLimits; readonly now: Instant };

export function arbitrateWorker(ask: WorkerAsk, counters: WorkerCounters, at: WorkerMoment): WorkerRuling {
  for (const limit of workerLimits) {
    const ruling = limit(ask, counters, at);
    if (ruling !== null) return ruling;
  }
  return { kind: 'granted' };
}

/** One node may have a broken disk; three nodes have a wrong image. */
const IMAGE_FAILURES_MAX = 3;

export function isImageInDoubt(imageFailures: number): boolean {
  return imageFailures >= IMAGE_FAILURES_MAX;
}

const imageIsUnavailable: WorkerLimit = (_, { imageFailures, nextTrialAt }, { now }) => {
  if (!isImageInDoubt(imageFailures) || now >= nextTrialAt) return null;
  return {
    kind: 'held',
    reason: 'WorkerImageUnavailable',
    message: `the image of the worker cannot be pulled on ${IMAGE_FAILURES_MAX} nodes or more; one node at a time tries again`,
    until: nextTrialAt,
  };
};

const slotsAreSpent: WorkerLimit = ({ hasPlace }, { inFlight, waiting }, { limits }) => {
  const places = placesAmong(inFlight + waiting, limits);
  if (hasPlace || inFlight < places) return null;
  const message = `${places} workers run at once`;
  return { kind: 'held', reason: 'WorkerSlotsSpent', message, until: null };
};

/** From how many nodes on a crowd is a crowd. */
const CROWD = 10;

const crowdIsSpread: WorkerLimit = ({ spreadSince, jitterMs }, { inFlight, waiting }, { now }) => {
  if (inFlight + waiting < CROWD || now >= spreadSince + jitterMs) return null;
  const message = 'many nodes start at once and are spread over some seconds';
  return { kind: 'held', reason: 'WorkerRateSpent', message, until: spreadSince + jitterMs };
};

const startsAreSpent: WorkerLimit = (_, { startsLeft, nextStartAt }, { limits }) => {
  if (startsLeft >= 1) return null;
  const message = `${limits.perSecond} workers may be started per second`;
  return { kind: 'held', reason: 'WorkerRateSpent', message, until: nextStartAt };
};

const workerLimits: readonly WorkerLimit[] = [
  imageIsUnavailable,
  slotsAreSpent,
  crowdIsSpread,
  startsAreSpent,
];

export type WaitingNode = {
  readonly node: string;
  readonly pool: string;
  readonly priority: number;
  /** When it first asked. */
  readonly since: Instant;
  /** When its round began, which a restart remembers; for a second try when it asked: who never had a worker comes first. */
  readonly dueSince: Instant;
};

/** Nobody waits longer than this behind nodes of a higher priority. */
const STARVED_MS = 120_000;

/** Who is next: whoever has waited too long, then the highest priority, then the pool with the fewest workers, then whose round began first. */
export function nextInLine(
  waiting: Iterable<WaitingNode>,
  inFlightOf: (pool: string) => number,
  now: Instant,
): WaitingNode | null {
  let best: WaitingNode | null = null;
  for (const each of waiting) if (best === null || isBefore(each, best, { inFlightOf, now })) best = each;
  return best;
}

type Line = { readonly inFlightOf: (pool: string) => number; readonly now: Instant };

function isBefore(a: WaitingNode, b: WaitingNode, { inFlightOf, now }: Line): boolean {
  const isStarved = ({ since }: WaitingNode) => now - since > STARVED_MS;
  if (isStarved(a) !== isStarved(b)) return isStarved(a);
  if (isStarved(a)) return a.since < b.since;
  if (a.priority !== b.priority) return a.priority > b.priority;
  const [inA, inB] = [inFlightOf(a.pool), inFlightOf(b.pool)];
  return inA === inB ? a.dueSince < b.dueSince : inA < inB;
}
