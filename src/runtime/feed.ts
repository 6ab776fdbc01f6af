// Hands very many keys to a queue, a few at a time: with ten rules and 5,000 nodes a look at everything is 50,000 keys, which all at
// once would cost more than what they stand for.

export type Feed = {
  /** From now on these keys; what is left of earlier ones is among them. */
  begin(keys: Iterable<string>): void;
  /** To be called whenever there may be room: a key that was handed over and is worked on brings the next ones. */
  more(): void;
};

/** Enough to keep the workers of a queue busy, and so few that handing them over takes no time. */
export const HANDED_AT_ONCE = 256;

export function createFeed(add: (key: string) => void, isFull: () => boolean): Feed {
  let rest: Iterator<string> | null = null;
  const more = () => {
    for (let handed = 0; rest !== null && handed < HANDED_AT_ONCE && !isFull(); handed++) {
      const next = rest.next();
      if (next.done === true) rest = null;
      else add(next.value);
    }
  };
  return {
    begin(keys) {
      rest = keys[Symbol.iterator]();
      more();
    },
    more,
  };
}
