// The keys of a queue that could be taken now: by level, and within a level in the order of asking. No level starves:
// every tenth key is the oldest of the lowest level that has any. All operations take constant time.

export type WaitingKey = { readonly key: string; readonly level: number; readonly sinceMs: number };

/** A place in a line. A key that moved up leaves its old place behind, to be stepped over. */
type Place = WaitingKey & { isLeft: boolean };

const fairEvery = 10;

export class WaitingKeys {
  readonly #places = new Map<string, Place>();
  readonly #lines: readonly Line[];
  #taken = 0;

  constructor(levels: number) {
    this.#lines = Array.from({ length: levels }, () => new Line());
  }

  get size(): number {
    return this.#places.size;
  }

  /** A key that waits already moves up if asked for at a higher level (a lower number), and never down. */
  add({ key, level, sinceMs }: WaitingKey): void {
    const before = this.#places.get(key);
    if (before && before.level <= level) return;
    if (before) this.#lines[before.level]?.leave(before);
    const place = { key, level, sinceMs: before?.sinceMs ?? sinceMs, isLeft: false };
    this.#places.set(key, place);
    this.#lines[level]?.join(place);
  }

  take(): WaitingKey | undefined {
    if (this.size === 0) return undefined;
    this.#taken++;
    const hasAny = (line: Line) => line.size > 0;
    const isFairTurn = this.#taken % fairEvery === 0;
    const line = isFairTurn ? this.#lines.findLast(hasAny) : this.#lines.find(hasAny);
    const place = line?.takeFirst();
    if (place) this.#places.delete(place.key);
    return place;
  }

  /** When the key that waits longest was added; null when none waits. For a scrape: it looks at every key. */
  oldestSinceMs(): number | null {
    if (this.size === 0) return null;
    return this.#places.values().reduce((oldest, { sinceMs }) => Math.min(oldest, sinceMs), Infinity);
  }
}

/** First in, first out, with a head that moves: shifting an array of ten thousand would not be constant. */
class Line {
  #places: Place[] = [];
  #head = 0;
  size = 0;

  join(place: Place): void {
    this.#places.push(place);
    this.size++;
  }

  leave(place: Place): void {
    place.isLeft = true;
    this.size--;
  }

  takeFirst(): Place | undefined {
    let place = this.#next();
    while (place?.isLeft) place = this.#next();
    if (place) this.size--;
    return place;
  }

  #next(): Place | undefined {
    const place = this.#places[this.#head++];
    const isMostlyPassed = this.#head > 64 && this.#head * 2 > this.#places.length;
    if (place === undefined || isMostlyPassed) {
      this.#places = this.#places.slice(this.#head);
      this.#head = 0;
    }
    return place;
  }
}
