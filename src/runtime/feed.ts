// Hands very many keys to a queue, a few at a time: with ten rules and 5,000 nodes a look at everything, or a change of every node, is
// 50,000 keys, each of which takes memory for as long as it waits. Until there is room a node is known by its name alone.

export type FeedPorts = {
  readonly add: (key: string) => void;
  readonly isFull: () => boolean;
  /** As they are when their turn comes. */
  readonly keysOfNode: (name: string) => Iterable<string>;
};

export type Feed = {
  /** Every key that there is. What is left of the last time is among them. */
  begin(keys: Iterable<string>): void;
  /** The keys of a node; those of nodes that can wait come after all others. */
  tell(name: string, turn: 'soon' | 'later'): void;
  /** To be called whenever there may be room: a key that was handed over and is worked on brings the next ones. */
  more(): void;
};

/** Enough to keep the workers of a queue busy, and so few that handing them over takes no time. */
export const HANDED_AT_ONCE = 256;

export function createFeed({ add, isFull, keysOfNode }: FeedPorts): Feed {
  const names = { soon: new Set<string>(), later: new Set<string>() };
  let rest: Iterator<string> | null = null;
  const nextKeys = (): Iterable<string> | null => {
    for (const waiting of Object.values(names)) {
      const [name] = waiting;
      if (name === undefined) continue;
      waiting.delete(name);
      return keysOfNode(name);
    }
    const next = rest?.next();
    if (next !== undefined && next.done !== true) return [next.value];
    rest = null;
    return null;
  };
  const more = () => {
    for (let handed = 0; handed < HANDED_AT_ONCE && !isFull(); ) {
      const keys = nextKeys();
      if (keys === null) return;
      for (const key of keys) {
        add(key);
        handed++;
      }
    }
  };
  return {
    begin(keys) {
      rest = keys[Symbol.iterator]();
      more();
    },
    tell(name, turn) {
      if (turn === 'soon') names.later.delete(name);
      if (turn === 'soon' || !names.soon.has(name)) names[turn].add(name);
      more();
    },
    more,
  };
}
