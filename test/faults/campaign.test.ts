import { describe, expect, it } from 'vitest';
import { partOf, spread } from './campaign.ts';

const items = Array.from({ length: 1_000 }, (_, index) => index);

describe('the order of what may not all fit into its time', () => {
  it('has everything once, whichever part comes first', () => {
    for (const part of [0, 5, 96, 123_456])
      expect(spread(items, part).toSorted((a, b) => a - b)).toEqual(items);
  });

  it('begins with some of every stretch of the list, and with others the next time', () => {
    const [one, next] = [spread(items, 3), spread(items, 4)].map((order) => order.slice(0, 10));
    expect(new Set(one?.map((item) => Math.floor(item / 250))).size).toBe(4);
    expect(one?.filter((item) => next?.includes(item))).toEqual([]);
  });

  it('is made of parts that together are all of it', () =>
    expect([0, 1, 2].flatMap((part) => partOf(items, part, 3)).toSorted((a, b) => a - b)).toEqual(items));
});
