// What happens when: a heap of everything that is due, and one timer of the clock for the first of it. Thousands of
// heartbeats cost one timer, not thousands.

import type { Cancel, Clock } from '../base/clock.ts';

type Due = { readonly atMs: number; readonly sequence: number; run: (() => void) | null };

export class Agenda {
  readonly #clock: Clock;
  readonly #heap: Due[] = [];
  #sequence = 0;
  #armed: { readonly atMs: number; readonly cancel: Cancel } | null = null;
  #isStopped = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs once after the delay unless cancelled. What is due at the same time runs in the order in which it was added. */
  after(delayMs: number, run: () => void): Cancel {
    if (this.#isStopped) return () => {};
    const due: Due = {
      atMs: this.#clock.monotonicMs() + Math.max(0, delayMs),
      sequence: this.#sequence++,
      run,
    };
    this.#push(due);
    this.#arm();
    // It stays in the heap until its time, which is bounded by the longest delay; what it would run is let go at once.
    return () => void (due.run = null);
  }

  /** How many things are still to happen. */
  waiting(): number {
    return this.#heap.reduce((count, due) => count + (due.run === null ? 0 : 1), 0);
  }

  stop(): void {
    this.#isStopped = true;
    this.#armed?.cancel();
    this.#armed = null;
    this.#heap.length = 0;
  }

  #arm(): void {
    const first = this.#heap[0];
    if (first === undefined || (this.#armed !== null && this.#armed.atMs <= first.atMs)) return;
    this.#armed?.cancel();
    const delayMs = Math.max(0, first.atMs - this.#clock.monotonicMs());
    this.#armed = { atMs: first.atMs, cancel: this.#clock.after(delayMs, () => this.#wake()) };
  }

  #wake(): void {
    this.#armed = null;
    const nowMs = this.#clock.monotonicMs();
    for (let first = this.#heap[0]; first !== undefined && first.atMs <= nowMs; first = this.#heap[0]) {
      this.#pop();
      first.run?.();
    }
    if (!this.#isStopped) this.#arm();
  }

  #push(due: Due): void {
    const heap = this.#heap;
    let index = heap.push(due) - 1;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || isSooner(parent, due)) break;
      heap[index] = parent;
      index = above;
    }
    heap[index] = due;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (;;) {
      const [left, right] = [heap[2 * index + 1], heap[2 * index + 2]];
      const isRight = left !== undefined && right !== undefined && isSooner(right, left);
      const child = isRight ? right : left;
      if (child === undefined || isSooner(last, child)) break;
      heap[index] = child;
      index = 2 * index + (isRight ? 2 : 1);
    }
    heap[index] = last;
  }
}

function isSooner(a: Due, b: Due): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.sequence < b.sequence);
}
