import { describe, expect, it } from 'vitest';
import { createFeed, HANDED_AT_ONCE } from './feed.ts';

const many = Array.from({ length: 2 * HANDED_AT_ONCE + 1 }, (_, index) => String(index));

function setUp() {
  const handed: string[] = [];
  const queue = { isFull: false };
  const feed = createFeed({
    add: (key) => handed.push(key),
    isFull: () => queue.isFull,
    keysOfNode: (name) => (name === 'gone' ? [] : [`${name}/1`, `${name}/2`]),
  });
  const whenThereIsRoom = () => {
    queue.isFull = false;
    feed.more();
    return handed;
  };
  return { feed, handed, queue, whenThereIsRoom };
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
    const { feed, handed, queue, whenThereIsRoom } = setUp();
    queue.isFull = true;
    feed.begin(many);
    feed.tell('a', 'soon');
    expect(handed).toEqual([]);
    expect(whenThereIsRoom().slice(0, 3)).toEqual(['a/1', 'a/2', '0']);
  });

  it('begins anew when it is told to', () => {
    const { feed, handed } = setUp();
    feed.begin(many);
    feed.begin(['a']);
    feed.more();
    expect(handed).toEqual([...many.slice(0, HANDED_AT_ONCE), 'a']);
  });

  it('hands over the keys of a node at once where there is room', () => {
    const { feed, handed } = setUp();
    feed.tell('a', 'later');
    expect(handed).toEqual(['a/1', 'a/2']);
  });

  it('has each node once, those that can wait last, and moves one up but never down', () => {
    const { feed, queue, whenThereIsRoom } = setUp();
    queue.isFull = true;
    for (const name of ['a', 'b', 'a', 'gone']) feed.tell(name, 'later');
    for (const name of ['c', 'b']) feed.tell(name, 'soon');
    feed.tell('c', 'later');
    expect(whenThereIsRoom()).toEqual(['c/1', 'c/2', 'b/1', 'b/2', 'a/1', 'a/2']);
  });
});
