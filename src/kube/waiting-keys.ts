// The keys of a queue that could be taken now: by level, and within a level in the order of asking. No level starves:
// every tenth key is the oldest of the lowest level that has any. All operations take constant time.

export type WaitingKey = { readonly key: string; readonly level: number; readonly sinceMs: number };

const fairEvery = 10;

export class WaitingKeys {
  /** The level of each and since when it waits, in one number: an object for each would be a good part of what a key costs. */
  readonly #waiting = new Map<string, number>();
  readonly #lines: readonly Line[];
  #taken = 0;

  constructor(levels: number) {
    this.#lines = Array.from({ length: levels }, () => new Line());
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** A key that waits already moves up if asked for at a higher level (a lower number), and never down. */
  add({ key, level, sinceMs }: WaitingKey): void {
    const before = this.#find(key);
    if (before && before.level <= level) return;
    if (before) this.#lines[before.level]?.leave();
    this.#waiting.set(key, (before?.sinceMs ?? sinceMs) * this.#lines.length + level);
    this.#lines[level]?.join(key);
  }

  take(): WaitingKey | undefined {
    if (this.size === 0) return undefined;
    this.#taken++;
    const hasAny = (line: Line) => line.size > 0;
    const isFairTurn = this.#taken % fairEvery === 0;
    const level = isFairTurn ? this.#lines.findLastIndex(hasAny) : this.#lines.findIndex(hasAny);
    const key = this.#lines[level]?.takeFirst((each) => this.#find(each)?.level === level) ?? '';
    const taken = this.#find(key);
    this.#waiting.delete(key);
    return taken;
  }

  /** When the key that waits longest was added; null when none waits. For a scrape: it looks at every key. */
  oldestSinceMs(): number | null {
    if (this.size === 0) return null;
    const oldest = this.#waiting.values().reduce((least, each) => Math.min(least, each), Infinity);
    return Math.floor(oldest / this.#lines.length);
  }

  #find(key: string): WaitingKey | undefined {
    const packed = this.#waiting.get(key);
    if (packed === undefined) return undefined;
    const level = packed % this.#lines.length;
    return { key, level, sinceMs: (packed - level) / this.#lines.length };
  }
}

/** So many places that were passed are forgotten together: one by one a line of ten thousand would be copied each time. */
const PASSED_MAX = 1_024;

/** First in, first out, with a head that moves. */
class Line {
  /** A key that moved up leaves its place behind, to be stepped over; if it is back by then, it has its old place. */
  #keys: string[] = [];
  #head = 0;
  /** Without the places that were left. */
  size = 0;

  join(key: string): void {
    this.#keys.push(key);
    this.size++;
  }

  leave(): void {
    this.size--;
    // Places that were left would stay for good where nobody is ever taken from this line.
    if (this.size === 0) this.#forget(this.#keys.length);
  }

  /** Undefined when nobody is here. */
  takeFirst(isHere: (key: string) => boolean): string | undefined {
    let key = this.#keys[this.#head++];
    while (key !== undefined && !isHere(key)) key = this.#keys[this.#head++];
    if (this.#head > PASSED_MAX) this.#forget(this.#head);
    this.leave();
    return key;
  }

  #forget(count: number): void {
    this.#keys = this.#keys.slice(count);
    this.#head = 0;
  }
}
