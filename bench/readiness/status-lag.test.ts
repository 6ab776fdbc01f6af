import { describe, expect, it } from 'vitest';
import { lagsOf } from './status-lag.ts';

describe('the lag of a status', () => {
  it('is the time until a count that includes the change', () => {
    const changes = { sentAtMs: [0, 10, 20], from: 5, direction: 1 } as const;
    const samples = [
      { atMs: 1, count: 5 },
      { atMs: 15, count: 7 },
      { atMs: 40, count: 8 },
    ];
    expect(lagsOf(changes, samples)).toEqual([15, 5, 20]);
  });

  it('is measured downwards as well', () => {
    const changes = { sentAtMs: [0, 10], from: 5, direction: -1 } as const;
    expect(lagsOf(changes, [{ atMs: 12, count: 3 }])).toEqual([12, 2]);
  });

  it('never ends when nobody counts the change', () => {
    const changes = { sentAtMs: [0, 10], from: 0, direction: 1 } as const;
    expect(lagsOf(changes, [{ atMs: 5, count: 1 }])).toEqual([5, Infinity]);
  });
});
