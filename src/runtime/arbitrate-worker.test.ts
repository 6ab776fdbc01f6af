import { describe, expect, it } from 'vitest';
import {
  arbitrateWorker,
  nextInLine,
  type WaitingNode,
  type WorkerAsk,
  type WorkerCounters,
} from './arbitrate-worker.ts';

const limits = { concurrent: 20, perSecond: 10, burst: 20 };
const now = 1_000_000;
const ask: WorkerAsk = { hasPlace: false, spreadSince: now, jitterMs: 3_000 };
const calm: WorkerCounters = {
  inFlight: 0,
  waiting: 0,
  startsLeft: 20,
  nextStartAt: now,
  imageFailures: 0,
  nextTrialAt: 0,
};

type Case = {
  readonly asked?: Partial<WorkerAsk>;
  readonly counters?: Partial<WorkerCounters>;
  readonly ruling: 'granted' | { readonly reason: string; readonly until: number | null };
};

const cases: Readonly<Record<string, Case>> = {
  'is granted where nothing is in the way': { ruling: 'granted' },
  'takes the last place': {
    asked: { spreadSince: now - 5_000 },
    counters: { inFlight: 19 },
    ruling: 'granted',
  },
  'waits until a place is free when all are taken': {
    counters: { inFlight: 20 },
    ruling: { reason: 'WorkerSlotsSpent', until: null },
  },
  'waits when more run than may, because the limit was lowered': {
    counters: { inFlight: 200 },
    ruling: { reason: 'WorkerSlotsSpent', until: null },
  },
  'has the place that was kept for it': {
    asked: { hasPlace: true, spreadSince: now - 5_000 },
    counters: { inFlight: 20 },
    ruling: 'granted',
  },
  'starts at once where few others do': { counters: { inFlight: 5, waiting: 4 }, ruling: 'granted' },
  'starts a little later in a crowd': {
    counters: { inFlight: 5, waiting: 5 },
    ruling: { reason: 'WorkerRateSpent', until: now + 3_000 },
  },
  'starts in a crowd when its moment has come': {
    asked: { spreadSince: now - 3_000 },
    counters: { inFlight: 5, waiting: 5 },
    ruling: 'granted',
  },
  'waits for the next start when they are spent': {
    counters: { startsLeft: 0.99, nextStartAt: now + 1 },
    ruling: { reason: 'WorkerRateSpent', until: now + 1 },
  },
  'waits for the next start even where a place is kept for it': {
    asked: { hasPlace: true },
    counters: { startsLeft: 0, nextStartAt: now + 100 },
    ruling: { reason: 'WorkerRateSpent', until: now + 100 },
  },
  'is not held because two nodes cannot pull the image': {
    counters: { imageFailures: 2, nextTrialAt: now + 60_000 },
    ruling: 'granted',
  },
  'waits when three nodes cannot pull the image': {
    counters: { imageFailures: 3, nextTrialAt: now + 60_000 },
    ruling: { reason: 'WorkerImageUnavailable', until: now + 60_000 },
  },
  'tries the image when the time of the next trial has come': {
    counters: { imageFailures: 50, nextTrialAt: now },
    ruling: 'granted',
  },
  'hears of the image before it hears of places': {
    counters: { imageFailures: 3, nextTrialAt: now + 1, inFlight: 20 },
    ruling: { reason: 'WorkerImageUnavailable', until: now + 1 },
  },
};

describe('a node that asks for a worker', () => {
  it.each(Object.entries(cases))('%s', (_, { asked, counters, ruling }) => {
    const found = arbitrateWorker({ ...ask, ...asked }, { ...calm, ...counters }, { limits, now });
    if (ruling === 'granted') expect(found).toEqual({ kind: 'granted' });
    else expect(found).toMatchObject({ kind: 'held', ...ruling });
  });
});

describe('who is next in line', () => {
  const waiting = (node: string, rest: Partial<WaitingNode> = {}): WaitingNode => ({
    node,
    pool: 'blue',
    priority: 0,
    since: now - 1_000,
    dueSince: rest.since ?? now - 1_000,
    ...rest,
  });
  const nobody = () => 0;
  const next = (line: readonly WaitingNode[], inFlightOf: (pool: string) => number = nobody) =>
    nextInLine(line, inFlightOf, now)?.node;

  it('is nobody when nobody waits', () => {
    expect(nextInLine([], nobody, now)).toBeNull();
  });

  it('is who has waited longest among equals, wherever it stands', () => {
    const line = [waiting('a'), waiting('b', { since: now - 9_000 }), waiting('c')];
    expect(next(line)).toBe('b');
    expect(next(line.toReversed())).toBe('b');
  });

  it('is whose round began first, even if another came to ask before it', () => {
    const line = [waiting('asked', { since: now - 9_000 }), waiting('due', { dueSince: now - 60_000 })];
    expect(next(line)).toBe('due');
  });

  it('is the highest priority before the longest wait', () => {
    expect(next([waiting('old', { since: now - 100_000 }), waiting('high', { priority: 1 })])).toBe('high');
  });

  it('is of the pool with the fewest workers before the longest wait', () => {
    const line = [waiting('blue', { since: now - 100_000 }), waiting('green', { pool: 'green' })];
    expect(next(line, (pool) => (pool === 'blue' ? 3 : 2))).toBe('green');
  });

  it('is the highest priority before the pool with the fewest workers', () => {
    const line = [waiting('green', { pool: 'green' }), waiting('high', { priority: 1 })];
    expect(next(line, (pool) => (pool === 'blue' ? 3 : 0))).toBe('high');
  });

  it('is before all others who has waited for more than two minutes, the longest first', () => {
    const line = [
      waiting('high', { priority: 1000, since: now - 120_000 }),
      waiting('starved', { priority: -1000, since: now - 120_001 }),
      waiting('more starved', { since: now - 130_000 }),
    ];
    expect(next(line)).toBe('more starved');
    expect(next(line.slice(0, 2))).toBe('starved');
    expect(next(line.slice(0, 1))).toBe('high');
  });
});
