// How fast the machine is meanwhile: the same small piece of work again and again, and how long it takes. Guests of one host
// share caches and, two by two, cores, which makes everything slower and counts as stolen from nobody.

import { performance } from 'node:perf_hooks';
import { percentile } from '../statistics.ts';

const everyMs = 250;
/** A part of the cache that belongs to one core, and a millisecond or two of work. */
const cells = new Uint32Array(64 * 1024);
const rounds = 8;
/**
 * By the clock, because Linux may count the processor time of a thread in steps of four milliseconds. Who has to wait for the core
 * takes longer, and most do not.
 */
const undisturbedShare = 0.25;

export class Pulse {
  readonly #beatsMs: number[] = [];
  #timer: NodeJS.Timeout | null = null;

  start(): void {
    this.#timer = setInterval(() => this.#beatsMs.push(beat()), everyMs);
    // A run that failed ends, though nobody has stopped this.
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  /** How many beats there were. */
  get count(): number {
    return this.#beatsMs.length;
  }

  /** What an undisturbed beat took between two counts; null if there was none. */
  msBetween(from: number, to: number): number | null {
    const beats = this.#beatsMs.slice(from, to);
    return beats.length === 0 ? null : percentile(beats, undisturbedShare);
  }
}

function beat(): number {
  const startedMs = performance.now();
  for (let round = 0; round < rounds; round += 1) {
    for (let index = 0; index < cells.length; index += 1) {
      const other = (index * 40_503 + round) % cells.length;
      cells[index] = ((cells[other] ?? 0) * 31 + index) >>> 0;
    }
  }
  return performance.now() - startedMs;
}
