import { describe, expect, it } from 'vitest';
import { formatTime } from '../base/timestamp.ts';
import { pending, running, slotsBench, start, unverified, verified } from '../../test/support/slots-bench.ts';

describe('places for workers', () => {
  it('are given until the limit, and who comes late waits', () => {
    const { asks, counts } = slotsBench();
    expect(['a', 'b', 'c'].map((node) => asks(node))).toEqual(['granted', 'granted', 'WorkerSlotsSpent']);
    expect(counts()).toEqual({ inFlight: 2, waiting: 1 });
  });

  it('go at once to a node of a crowd that joined longer ago than starts are spread over', () => {
    const { asks } = slotsBench({ concurrent: 100 });
    for (let each = 0; each < 30; each++) asks(`node-${each}`);
    expect(asks('just born')).toBe('WorkerRateSpent');
    expect(asks('born before', { spreadSince: start - 5_000 })).toBe('granted');
  });

  it('are the same for a node that asks again before its record is written', () => {
    const { asks, counts } = slotsBench();
    expect(['a', 'a', 'a', 'b'].map((node) => asks(node))).toEqual(Array(4).fill('granted'));
    expect(counts()).toEqual({ inFlight: 2, waiting: 0 });
  });

  it('pass to who waits when a worker has ended, and are kept until it comes back', () => {
    const { asks, sees, woken } = slotsBench();
    for (const node of ['a', 'b', 'c', 'd']) asks(node);
    for (const node of ['a', 'b']) sees(node, running);
    expect(woken()).toEqual([]);
    sees('a', verified);
    expect(woken()).toEqual(['c']);
    expect(asks('e')).toBe('WorkerSlotsSpent');
    expect(asks('c')).toBe('granted');
  });

  it('pass on when the node that was woken does not want one any more', () => {
    const { asks, sees, woken } = slotsBench();
    for (const node of ['a', 'b', 'c', 'd']) asks(node);
    sees('a', verified);
    expect(woken()).toEqual(['c']);
    sees('c', unverified);
    expect(woken()).toEqual(['d']);
  });

  it('pass on when the node that has one is gone, and when the one that was woken is gone', () => {
    const { asks, forget, woken, counts } = slotsBench();
    for (const node of ['a', 'b', 'c', 'd']) asks(node);
    forget('a');
    expect(woken()).toEqual(['c']);
    forget('c');
    expect(woken()).toEqual(['d']);
    expect(asks('d')).toBe('granted');
    expect(counts()).toEqual({ inFlight: 2, waiting: 0 });
  });

  it('do not stay with a node whose worker has ended and which asks for the next one', () => {
    const { asks, sees, woken } = slotsBench({ concurrent: 1 });
    asks('a');
    sees('a', running);
    asks('b');
    expect(asks('a', { record: { ...verified, state: 'failed', verdict: 'fail' } })).toBe('WorkerSlotsSpent');
    expect(woken()).toEqual(['b']);
    expect(asks('b')).toBe('granted');
  });

  it('are not given by a standby, which counts all the same', () => {
    const { asks, sees, counts } = slotsBench();
    sees('a', running);
    expect(asks('b', { mayGrant: false })).toBeUndefined();
    expect(counts()).toEqual({ inFlight: 1, waiting: 0 });
  });

  it('are counted alike after a restart, from the records', () => {
    const { asks, sees, restart, counts } = slotsBench({ concurrent: 3 });
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
    const { asks, sees, later, woken } = slotsBench();
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
    const { visit, asks, sees, later, woken } = slotsBench({ concurrent: 1 });
    const asksAfter = (node: string, createdAt: string, attempt = 1) =>
      visit(node, {
        request: {
          kind: 'StartWorker',
          owner: 'verification',
          priority: 0,
          spreadSince: Infinity,
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
    const { asks, sees, later, woken } = slotsBench({ concurrent: 1 });
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
    const { asks, woken, counts } = slotsBench({ concurrent: 2, inCrowd: 4 });
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
    const { asks, sees, woken, counts } = slotsBench({ concurrent: 2, inCrowd: 4 });
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
