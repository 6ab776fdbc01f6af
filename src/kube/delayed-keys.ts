// The keys of a queue that wait for a time: one time per key, the soonest asked for. A binary heap, so that ten thousand
// keys cost a handful of comparisons each.

export type DelayedKey = { readonly key: string; readonly level: number; readonly dueMs: number };

export class DelayedKeys {
  readonly #current = new Map<string, DelayedKey>();
  /** Also holds what was replaced by something sooner, until it comes up or there is too much of it. */
  #heap: DelayedKey[] = [];

  get size(): number {
    return this.#current.size;
  }

  /** Keeps the soonest time and the highest level (the lowest number) of all that was asked for. */
  add(asked: DelayedKey): void {
    const before = this.#current.get(asked.key);
    const next = before ? soonestOf(before, asked) : asked;
    if (before && next.dueMs === before.dueMs && next.level === before.level) return;
    this.#current.set(asked.key, next);
    this.#push(next);
    if (this.#heap.length > 2 * this.#current.size + 64) this.#rebuild();
  }

  nextDueMs(): number | null {
    this.#dropReplaced();
    return this.#heap[0]?.dueMs ?? null;
  }

  takeDue(nowMs: number): DelayedKey | undefined {
    this.#dropReplaced();
    const first = this.#heap[0];
    if (first === undefined || first.dueMs > nowMs) return undefined;
    this.#pop();
    this.#current.delete(first.key);
    return first;
  }

  #dropReplaced(): void {
    for (let first = this.#heap[0]; first && this.#current.get(first.key) !== first; first = this.#heap[0])
      this.#pop();
  }

  #rebuild(): void {
    this.#heap = [];
    for (const delayed of this.#current.values()) this.#push(delayed);
  }

  #push(delayed: DelayedKey): void {
    let at = this.#heap.push(delayed) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#dueAt(parent) <= delayed.dueMs) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #pop(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const child = this.#dueAt(left + 1) < this.#dueAt(left) ? left + 1 : left;
      if (this.#dueAt(child) >= last.dueMs) return;
      this.#swap(at, child);
      at = child;
    }
  }

  #dueAt(index: number): number {
    return this.#heap[index]?.dueMs ?? Infinity;
  }

  #swap(a: number, b: number): void {
    const [first, second] = [this.#heap[a], this.#heap[b]];
    if (first === undefined || second === undefined) return;
    this.#heap[a] = second;
    this.#heap[b] = first;
  }
}

function soonestOf(a: DelayedKey, b: DelayedKey): DelayedKey {
  return { key: a.key, level: Math.min(a.level, b.level), dueMs: Math.min(a.dueMs, b.dueMs) };
}
