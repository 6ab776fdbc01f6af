// How fast the machine is meanwhile: the same small piece of work again and again, and the processor time that it takes. Guests of one host
// share caches and, two by two, cores, which makes everything slower and counts as stolen from nobody.

import { median } from '../statistics.ts';

const everyMs = 250;
/** A part of the cache that belongs to one core, and a millisecond or two of work. */
const cells = new Uint32Array(64 * 1024);
const rounds = 2;

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

  /** What a beat took between two counts; null if there was none. */
  medianMsBetween(from: number, to: number): number | null {
    const beats = this.#beatsMs.slice(from, to);
    return beats.length === 0 ? null : median(beats);
  }
}

function beat(): number {
  const before = process.threadCpuUsage();
  for (let round = 0; round < rounds; round += 1) {
    for (let index = 0; index < cells.length; index += 1) {
      const other = (index * 40_503 + round) % cells.length;
      cells[index] = ((cells[other] ?? 0) * 31 + index) >>> 0;
    }
  }
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
