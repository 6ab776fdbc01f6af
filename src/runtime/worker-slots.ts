// Keeps the counters that arbitrate reads before a node gets a worker, and wakes the nodes that waited when a place is free.
// What runs is counted from the records of the nodes, so that a restart counts the same; memory adds only what is under way.

import type { Instant } from '../base/clock.ts';
import { hashFields } from '../base/hash.ts';
import { parseTime } from '../base/timestamp.ts';
import { isRunning, type VerificationRecord } from '../fleet/lifecycle.ts';
import type { Verdict } from '../fleet/node-state.ts';
import {
  arbitrateWorker,
  nextInLine,
  placesAmong,
  type WaitingNode,
  type WorkerLimits,
  type WorkerRuling,
} from './arbitrate-worker.ts';
import type { StartWorkerRequest } from './capability.ts';
import { createImagePause } from './image-pause.ts';

export type SlotOrder = {
  readonly node: string;
  readonly pool: string;
  /** As it is written now. */
  readonly record: VerificationRecord | undefined;
  readonly request: StartWorkerRequest | undefined;
  /** This replica leads, and has counted the records of all nodes. */
  readonly mayGrant: boolean;
  readonly now: Instant;
};

export type SlotRuling = {
  /** What the record becomes; undefined when nothing was asked for or granted. */
  readonly granted: VerificationRecord | undefined;
  readonly verdicts: readonly Verdict[];
  readonly recheckAt: Instant | null;
};

export interface WorkerSlots {
  apply(order: SlotOrder): SlotRuling;
  forget(node: string, now: Instant): void;
  inFlight(): number;
  waiting(): number;
}

const JITTER_MS_MAX = 5_000;

export function createWorkerSlots(limits: WorkerLimits, wake: (node: string) => void): WorkerSlots {
  const places = createPlaces();
  const waiting = new Map<string, WaitingNode>();
  const image = createImagePause();
  const starts = createStarts(limits);

  /** Who was woken for a place waits and has it. */
  const crowd = () => ({ inFlight: places.count(), waiting: waiting.size - places.kept() });
  const wakeNext = (now: Instant) => {
    const { inFlight, waiting: others } = crowd();
    for (let left = placesAmong(inFlight + others, limits) - inFlight; left > 0; left--) {
      const next = nextInLine(unplaced(waiting, places), places.inPool, now);
      if (next === null) return;
      places.put(next.node, { pool: next.pool, kind: 'kept' });
      wake(next.node);
    }
  };
  const leave = (node: string, now: Instant) => {
    waiting.delete(node);
    if (places.take(node)) wakeNext(now);
  };
  const ask = ({ node, pool, now }: SlotOrder, request: StartWorkerRequest): WorkerRuling => {
    const { priority, record } = request;
    const { since } = waiting.get(node) ?? { since: now };
    const spread = { spreadSince: Math.min(since, request.spreadSince), jitterMs: jitterOf(node) };
    const asked = { hasPlace: places.of(node) !== undefined, ...spread };
    const counters = { ...crowd(), ...starts.at(now), ...image.counters() };
    const ruling = arbitrateWorker(asked, counters, { limits, now });
    if (ruling.kind === 'held') {
      waiting.set(node, { node, pool, priority, since, dueSince: dueSince(record, since) });
      // One more that waits may be what makes a crowd, which has more places.
      if (ruling.until === null) wakeNext(now);
      return ruling;
    }
    starts.spend(now);
    image.started(record, now);
    waiting.delete(node);
    places.put(node, { pool, kind: 'granted' });
    return ruling;
  };

  return {
    apply(order) {
      const { node, pool, record, request, mayGrant, now } = order;
      image.note(node, record, now);
      if (record !== undefined && isRunning(record)) {
        waiting.delete(node);
        places.put(node, { pool, kind: 'running' });
        return nothing;
      }
      if (request === undefined || !mayGrant) {
        leave(node, now);
        return nothing;
      }
      // Its worker has ended: who waits comes before its next one.
      if (places.of(node)?.kind === 'running') leave(node, now);
      // Its record was not written the last time: it has its place all the same.
      if (places.of(node)?.kind === 'granted') return { ...nothing, granted: request.record };
      const ruling = ask(order, request);
      if (ruling.kind === 'granted') return { ...nothing, granted: request.record };
      return { granted: undefined, verdicts: [heldVerdict(request, ruling)], recheckAt: ruling.until };
    },
    forget(node, now) {
      image.forget(node);
      leave(node, now);
    },
    inFlight: () => places.count(),
    waiting: () => waiting.size,
  };
}

const nothing: SlotRuling = { granted: undefined, verdicts: [], recheckAt: null };

/** kept: for a node that was woken for it and has not come back yet. */
type Place = { readonly pool: string; readonly kind: 'running' | 'granted' | 'kept' };

/** Who has a place, and how many of each pool. */
function createPlaces() {
  const places = new Map<string, Place>();
  const byPool = new Map<string, number>();
  let kept = 0;
  const take = (node: string): boolean => {
    const place = places.get(node);
    if (place === undefined) return false;
    places.delete(node);
    if (place.kind === 'kept') kept--;
    const left = (byPool.get(place.pool) ?? 1) - 1;
    if (left === 0) byPool.delete(place.pool);
    else byPool.set(place.pool, left);
    return true;
  };
  return {
    of: (node: string) => places.get(node),
    count: () => places.size,
    kept: () => kept,
    inPool: (pool: string) => byPool.get(pool) ?? 0,
    put(node: string, place: Place): void {
      take(node);
      places.set(node, place);
      if (place.kind === 'kept') kept++;
      byPool.set(place.pool, (byPool.get(place.pool) ?? 0) + 1);
    },
    take,
  };
}

function* unplaced(
  waiting: ReadonlyMap<string, WaitingNode>,
  places: ReturnType<typeof createPlaces>,
): Generator<WaitingNode> {
  for (const each of waiting.values()) if (places.of(each.node) === undefined) yield each;
}

function dueSince({ attempt, createdAt }: VerificationRecord, since: Instant): Instant {
  return attempt === 1 ? Math.min(since, parseTime(createdAt) ?? since) : since;
}

/** The same for a node every time, so that asking again changes nothing. */
function jitterOf(node: string): number {
  return Number.parseInt(hashFields([node]).slice(-6), 16) % JITTER_MS_MAX;
}

function heldVerdict(
  { owner }: StartWorkerRequest,
  { reason, message }: Extract<WorkerRuling, { kind: 'held' }>,
): Verdict {
  return { capability: 'verification', parent: owner, outcome: 'unknown', reason, message };
}

/** A bucket of starts that fills by itself. */
function createStarts({ perSecond, burst }: WorkerLimits) {
  let left = burst;
  let countedAt: Instant = 0;
  const leftAt = (now: Instant) => Math.min(burst, left + (Math.max(0, now - countedAt) / 1000) * perSecond);
  return {
    at(now: Instant) {
      const startsLeft = leftAt(now);
      return { startsLeft, nextStartAt: now + Math.ceil(((1 - startsLeft) / perSecond) * 1000) };
    },
    spend(now: Instant) {
      left = leftAt(now) - 1;
      countedAt = now;
    },
  };
}
