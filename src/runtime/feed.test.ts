import { describe, expect, it } from 'vitest';
import { createFeed, HANDED_AT_ONCE } from './feed.ts';

const many = Array.from({ length: 2 * HANDED_AT_ONCE + 1 }, (_, index) => String(index));

function setUp() {
  const handed: string[] = [];
  const queue = { isFull: false };
  const feed = createFeed(
    (key) => handed.push(key),
    () => queue.isFull,
  );
  return { feed, handed, queue };
}

describe('a feed', () => {
  it('hands over a few keys at a time, and each once', () => {
    const { feed, handed } = setUp();
    feed.begin(many);
    expect(handed).toHaveLength(HANDED_AT_ONCE);
    for (let times = 0; times < 4; times++) feed.more();
    expect(handed).toEqual(many);
  });

  it('hands over none while the queue is full', () => {
    const { feed, handed, queue } = setUp();
    queue.isFull = true;
    feed.begin(many);
    expect(handed).toEqual([]);
    queue.isFull = false;
    feed.more();
    expect(handed).toEqual(many.slice(0, HANDED_AT_ONCE));
  });

  it('begins anew when it is told to', () => {
    const { feed, handed } = setUp();
    feed.begin(many);
    feed.begin(['a']);
    feed.more();
    expect(handed).toEqual([...many.slice(0, HANDED_AT_ONCE), 'a']);
  });
});
