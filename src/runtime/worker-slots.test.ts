import { describe, expect, it } from 'vitest';
import { formatTime } from '../base/timestamp.ts';
import type { VerificationRecord } from '../fleet/lifecycle.ts';
import type { WorkerLimits } from './arbitrate-worker.ts';
import { createWorkerSlots, type SlotOrder } from './worker-slots.ts';

const start = Date.parse('2026-11-01T00:00:00Z');
const unverified: VerificationRecord = { state: 'unverified', attempt: 0 };
const pending: VerificationRecord = { state: 'pending', attempt: 1 };
const running: VerificationRecord = { state: 'in_progress', attempt: 1 };
const verified: VerificationRecord = { state: 'verified', attempt: 1, verdict: 'pass' };

function bench(limits: Partial<WorkerLimits> = {}) {
  const woken: string[] = [];
  const make = () =>
    createWorkerSlots(
      { concurrent: 2, perSecond: 50, burst: 100, ...limits },
      (node) => void woken.push(node),
    );
  let slots = make();
  let now = start;
  const visit = (node: string, rest: Partial<SlotOrder> & { readonly priority?: number } = {}) => {
    const { priority = 0, ...order } = rest;
    const record = { ...pending, workerPod: `worker-${node}` };
    const request = { kind: 'StartWorker', owner: 'verification', priority, record } as const;
    return slots.apply({ node, pool: 'blue', record: unverified, request, mayGrant: true, now, ...order });
  };
  return {
    visit,
    /** A visit in which nothing is asked for. */
    sees: (node: string, record: VerificationRecord) =>
      visit(node, { record: { ...record, workerPod: `worker-${node}` }, request: undefined }),
    /** Granted, or why not. */
    asks: (node: string, rest: Parameters<typeof visit>[1] = {}) => {
      const { granted, verdicts } = visit(node, rest);
      return granted === undefined ? verdicts[0]?.reason : 'granted';
    },
    later: (ms: number) => void (now += ms),
    forget: (node: string) => slots.forget(node, now),
    counts: () => ({ inFlight: slots.inFlight(), waiting: slots.waiting() }),
    woken: () => woken.splice(0),
    restart: () => void (slots = make()),
    imageFailed: (): VerificationRecord => ({
      ...unverified,
      verdict: 'inconclusive',
      reason: 'WorkerImageUnavailable',
      attemptEndedAt: formatTime(now),
    }),
  };
}

describe('places for workers', () => {
  it('are given until the limit, and who comes late waits', () => {
    const { asks, counts } = bench();
    expect(['a', 'b', 'c'].map((node) => asks(node))).toEqual(['granted', 'granted', 'WorkerSlotsSpent']);
    expect(counts()).toEqual({ inFlight: 2, waiting: 1 });
  });

  it('are the same for a node that asks again before its record is written', () => {
    const { asks, counts } = bench();
    expect(['a', 'a', 'a', 'b'].map((node) => asks(node))).toEqual(Array(4).fill('granted'));
    expect(counts()).toEqual({ inFlight: 2, waiting: 0 });
  });

  it('pass to who waits when a worker has ended, and are kept until it comes back', () => {
    const { asks, sees, woken } = bench();
    for (const node of ['a', 'b', 'c', 'd']) asks(node);
    for (const node of ['a', 'b']) sees(node, running);
    expect(woken()).toEqual([]);
    sees('a', verified);
    expect(woken()).toEqual(['c']);
    expect(asks('e')).toBe('WorkerSlotsSpent');
    expect(asks('c')).toBe('granted');
  });

  it('pass on when the node that was woken does not want one any more', () => {
    const { asks, sees, woken } = bench();
    for (const node of ['a', 'b', 'c', 'd']) asks(node);
    sees('a', verified);
    expect(woken()).toEqual(['c']);
    sees('c', unverified);
    expect(woken()).toEqual(['d']);
  });

  it('pass on when the node that has one is gone, and when the one that was woken is gone', () => {
    const { asks, forget, woken, counts } = bench();
    for (const node of ['a', 'b', 'c', 'd']) asks(node);
    forget('a');
    expect(woken()).toEqual(['c']);
    forget('c');
    expect(woken()).toEqual(['d']);
    expect(asks('d')).toBe('granted');
    expect(counts()).toEqual({ inFlight: 2, waiting: 0 });
  });

  it('do not stay with a node whose worker has ended and which asks for the next one', () => {
    const { asks, sees, woken } = bench({ concurrent: 1 });
    asks('a');
    sees('a', running);
    asks('b');
    expect(asks('a', { record: { ...verified, state: 'failed', verdict: 'fail' } })).toBe('WorkerSlotsSpent');
    expect(woken()).toEqual(['b']);
    expect(asks('b')).toBe('granted');
  });

  it('are not given by a standby, which counts all the same', () => {
    const { asks, sees, counts } = bench();
    sees('a', running);
    expect(asks('b', { mayGrant: false })).toBeUndefined();
    expect(counts()).toEqual({ inFlight: 1, waiting: 0 });
  });

  it('are counted alike after a restart, from the records', () => {
    const { asks, sees, restart, counts } = bench({ concurrent: 3 });
    const records = { a: running, b: pending, c: unverified, d: verified } as const;
    const seeAll = () => Object.entries(records).forEach(([node, record]) => void sees(node, record));
    seeAll();
    const before = counts();
    restart();
    seeAll();
    expect(counts()).toEqual(before);
    expect(['c', 'd'].map((node) => asks(node))).toEqual(['granted', 'WorkerSlotsSpent']);
  });

  it('go by priority, then to the pool with the fewest workers, then to who waits longest', () => {
    const { asks, sees, later, woken } = bench();
    for (const node of ['a', 'b']) {
      asks(node);
      sees(node, running);
    }
    asks('blue');
    later(1);
    asks('green', { pool: 'green' });
    later(1);
    asks('high', { priority: 5 });
    sees('a', verified);
    expect(woken()).toEqual(['high']);
    sees('high', running);
    sees('b', verified);
    expect(woken()).toEqual(['green']);
    sees('high', verified);
    expect(woken()).toEqual(['blue']);
  });

  it('go to the node whose round began first, whenever it came to ask, and not before others for a second try', () => {
    const { visit, asks, sees, later, woken } = bench({ concurrent: 1 });
    const asksAfter = (node: string, createdAt: string, attempt = 1) =>
      visit(node, {
        request: {
          kind: 'StartWorker',
          owner: 'verification',
          priority: 0,
          record: { state: 'pending', attempt, createdAt, workerPod: `worker-${node}` },
        },
      });
    asks('a');
    sees('a', running);
    later(60_000);
    asksAfter('late', formatTime(start + 50_000));
    later(1);
    asksAfter('again', formatTime(start + 10_000), 2);
    later(1);
    asksAfter('early', formatTime(start + 20_000));
    for (const node of ['a', 'early', 'late']) sees(node, verified);
    expect(woken()).toEqual(['early', 'late', 'again']);
  });

  it('go to a node of low priority that has waited for two minutes', () => {
    const { asks, sees, later, woken } = bench({ concurrent: 1 });
    asks('a');
    sees('a', running);
    asks('low', { priority: -1 });
    later(120_001);
    asks('low', { priority: -1 });
    asks('high', { priority: 1 });
    sees('a', verified);
    expect(woken()).toEqual(['low']);
  });
});

describe('places in a crowd', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `node-${index}`);

  it('are more once there are as many nodes as may be at work then', () => {
    const { asks, woken, counts } = bench({ concurrent: 2, inCrowd: 4 });
    for (const node of names(3)) asks(node);
    expect(counts().inFlight).toBe(2);
    asks('fourth');
    expect(woken()).toEqual(['node-2', 'fourth']);
    expect(['node-2', 'fourth', 'fifth'].map((node) => asks(node))).toEqual([
      'granted',
      'granted',
      'WorkerSlotsSpent',
    ]);
  });

  it('become fewer as it thins out, and who has one keeps it', () => {
    const { asks, sees, woken, counts } = bench({ concurrent: 2, inCrowd: 4 });
    for (const node of names(5)) asks(node);
    for (const node of woken()) asks(node);
    for (const node of names(4)) sees(node, running);
    expect(counts()).toEqual({ inFlight: 4, waiting: 1 });
    sees('node-0', verified);
    expect(woken()).toEqual(['node-4']);
    asks('node-4');
    expect(counts().inFlight).toBe(4);
    for (const node of ['node-1', 'node-2']) sees(node, verified);
    expect(asks('late')).toBe('WorkerSlotsSpent');
    expect(counts().inFlight).toBe(2);
  });
});

describe('starts of workers', () => {
  it('come from a bucket that fills by itself', () => {
    const { asks, visit, later } = bench({ concurrent: 9, perSecond: 2, burst: 3 });
    expect(['a', 'b', 'c', 'd'].map((node) => asks(node))).toEqual([
      ...Array<string>(3).fill('granted'),
      'WorkerRateSpent',
    ]);
    expect(visit('d').recheckAt).toBe(start + 500);
    later(500);
    expect(asks('d')).toBe('granted');
    later(60_000);
    expect(['e', 'f', 'g', 'h'].map((node) => asks(node))).toEqual([
      ...Array<string>(3).fill('granted'),
      'WorkerRateSpent',
    ]);
  });

  it('are spread over five seconds in a crowd, each node at a moment of its own that does not move', () => {
    const { visit, later } = bench({ concurrent: 100 });
    const names = Array.from({ length: 60 }, (_, index) => `node-${index}`);
    const first = names.map((name) => visit(name));
    expect(first.slice(0, 10).every(({ granted }) => granted !== undefined)).toBe(true);
    const moments = first.slice(10).map(({ recheckAt }) => recheckAt ?? 0);
    expect(new Set(moments).size).toBeGreaterThan(40);
    expect(Math.min(...moments)).toBeGreaterThanOrEqual(start);
    expect(Math.max(...moments)).toBeLessThan(start + 5_000);
    later(1);
    const again = names.slice(10).map((name) => visit(name));
    expect(
      again.filter(({ recheckAt }, index) => recheckAt !== null && recheckAt !== moments[index]),
    ).toEqual([]);
    later(5_000);
    expect(names.slice(10).every((name) => visit(name).granted !== undefined)).toBe(true);
  });
});

describe('an image that cannot be pulled', () => {
  const failing = ['a', 'b', 'c'] as const;
  function paused() {
    const scene = bench({ concurrent: 50 });
    for (const node of failing) scene.sees(node, scene.imageFailed());
    return scene;
  }

  it('on two nodes holds nobody', () => {
    const { asks, sees, imageFailed } = bench();
    for (const node of ['a', 'b']) sees(node, imageFailed());
    expect(['c', 'd'].map((node) => asks(node))).toEqual(['granted', 'granted']);
  });

  it('on three nodes holds all nodes but one per minute, these three included', () => {
    const { asks, sees, later, imageFailed } = paused();
    expect(asks('d')).toBe('granted');
    expect(asks('e')).toBe('WorkerImageUnavailable');
    expect(failing.map((node) => asks(node, { record: imageFailed() }))).toEqual(
      Array(3).fill('WorkerImageUnavailable'),
    );
    later(30_000);
    sees('d', imageFailed());
    later(29_999);
    expect(asks('e')).toBe('WorkerImageUnavailable');
    later(1);
    expect(asks('e')).toBe('granted');
    expect(asks('f')).toBe('WorkerImageUnavailable');
  });

  it('holds nobody any more when the trial comes to run, whatever became of the three', () => {
    const { asks, sees, later, imageFailed } = paused();
    const failed = imageFailed();
    later(1_000);
    expect(asks('d')).toBe('granted');
    expect(asks('e')).toBe('WorkerImageUnavailable');
    later(5_000);
    sees('d', running);
    for (const node of failing) sees(node, failed);
    expect(['e', 'f', 'g'].map((node) => asks(node))).toEqual(Array(3).fill('granted'));
  });

  it('holds nobody any more when the trial has ended before it was seen to run', () => {
    const { asks, sees, later } = paused();
    later(1_000);
    asks('d');
    later(5_000);
    sees('d', verified);
    expect(['e', 'f', 'g'].map((node) => asks(node))).toEqual(Array(3).fill('granted'));
  });

  it('holds all again when three nodes fail after that', () => {
    const { asks, sees, later, imageFailed } = paused();
    later(1_000);
    asks('d');
    sees('d', running);
    later(60_000);
    for (const node of failing) sees(node, imageFailed());
    asks('e');
    expect(asks('f')).toBe('WorkerImageUnavailable');
  });

  it('does not count nodes that are gone', () => {
    const { asks, forget } = paused();
    asks('d');
    forget('a');
    expect(asks('e')).toBe('granted');
  });

  it('holds all after a restart too', () => {
    const { asks, sees, restart, imageFailed } = paused();
    restart();
    for (const node of failing) sees(node, imageFailed());
    expect(asks('d')).toBe('granted');
    expect(asks('e')).toBe('WorkerImageUnavailable');
  });
});
