import { describe, expect, it } from 'vitest';
import { DelayedKeys } from './delayed-keys.ts';

function delayedBy(
  ...asked: readonly (readonly [key: string, dueMs: number, level?: number])[]
): DelayedKeys {
  const delayed = new DelayedKeys();
  for (const [key, dueMs, level = 1] of asked) delayed.add({ key, dueMs, level });
  return delayed;
}

function dueIn(delayed: DelayedKeys, nowMs = Infinity) {
  const taken: string[] = [];
  for (let next = delayed.takeDue(nowMs); next; next = delayed.takeDue(nowMs)) taken.push(next.key);
  return taken;
}

describe('a delayed key', () => {
  it('is due at its time and not before', () => {
    const delayed = delayedBy(['a', 10]);
    expect(delayed.nextDueMs()).toBe(10);
    expect(delayed.takeDue(9)).toBeUndefined();
    expect(delayed.takeDue(10)).toEqual({ key: 'a', dueMs: 10, level: 1 });
    expect([delayed.size, delayed.nextDueMs(), delayed.takeDue(99)]).toEqual([0, null, undefined]);
  });

  it('has one time, the soonest, and one level, the highest, of all that was asked for', () => {
    const delayed = delayedBy(['a', 10, 2], ['a', 20, 0], ['a', 5, 1], ['a', 30, 3]);
    expect(delayed.size).toBe(1);
    expect(delayed.nextDueMs()).toBe(5);
    expect(delayed.takeDue(5)).toEqual({ key: 'a', dueMs: 5, level: 0 });
    expect(delayed.nextDueMs()).toBeNull();
    expect(delayed.takeDue(100)).toBeUndefined();
  });

  it('may be delayed again once it was taken', () => {
    const delayed = delayedBy(['a', 5]);
    delayed.takeDue(5);
    delayed.add({ key: 'a', dueMs: 50, level: 3 });
    expect(delayed.takeDue(50)).toEqual({ key: 'a', dueMs: 50, level: 3 });
  });
});

describe('delayed keys', () => {
  it('come up in the order of their times, whatever the order of asking', () => {
    const times = Array.from({ length: 200 }, (_, i) => (i * 73) % 200);
    const delayed = delayedBy(...times.map((dueMs) => [String(dueMs), dueMs] as const));
    expect(dueIn(delayed, 99)).toEqual(Array.from({ length: 100 }, (_, i) => String(i)));
    expect(delayed.size).toBe(100);
    expect(dueIn(delayed)).toEqual(Array.from({ length: 100 }, (_, i) => String(100 + i)));
  });

  it('stay in order while each is asked for ever sooner', () => {
    const delayed = new DelayedKeys();
    for (let sooner = 300; sooner >= 0; sooner -= 10) {
      for (let i = 0; i < 10; i++) delayed.add({ key: String(i), dueMs: sooner + i, level: 1 });
      expect(delayed.nextDueMs()).toBe(sooner);
    }
    expect(delayed.size).toBe(10);
    expect(dueIn(delayed)).toEqual(Array.from({ length: 10 }, (_, i) => String(i)));
    expect(delayed.nextDueMs()).toBeNull();
  });
});
