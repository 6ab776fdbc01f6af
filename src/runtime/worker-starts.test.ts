import { describe, expect, it } from 'vitest';
import { running, slotsBench, start, verified } from '../../test/support/slots-bench.ts';

describe('starts of workers', () => {
  it('come from a bucket that fills by itself', () => {
    const { asks, visit, later } = slotsBench({ concurrent: 9, perSecond: 2, burst: 3 });
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
    const { visit, later } = slotsBench({ concurrent: 100 });
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
    const scene = slotsBench({ concurrent: 50 });
    for (const node of failing) scene.sees(node, scene.imageFailed());
    return scene;
  }

  it('on two nodes holds nobody', () => {
    const { asks, sees, imageFailed } = slotsBench();
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
