// How long texts are written without holding up the others: in batches, and only for a few milliseconds of one turn of the
// event loop. That the other side took everything is no turn: a fast reader does so before the loop has gone round.

import type { Clock } from '../../base/clock.ts';
import type { LineSink } from './exchange.ts';

/** Several long answers may share one turn with the requests that are due, and 50 ms are too long for all of them. */
const SLICE_MS = 4;
/** Each write costs a call of the system, whatever its size. */
const BATCH_CHARS = 64 * 1024;

export class PacedWriter {
  readonly #sink: LineSink;
  readonly #clock: Clock;
  #batch = '';
  #sliceEndsMs: number;

  constructor(sink: LineSink, clock: Clock) {
    this.#sink = sink;
    this.#clock = clock;
    this.#sliceEndsMs = clock.monotonicMs() + SLICE_MS;
  }

  /** True when it is time to give way before the next text. */
  add(text: string): boolean {
    this.#batch += text;
    return this.#batch.length >= BATCH_CHARS || this.#clock.monotonicMs() >= this.#sliceEndsMs;
  }

  /** Writes what was added, waits for a slow reader, and lets others have their turn if it is their time. */
  async flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = '';
    if (batch !== '' && !this.#sink.write(batch)) await this.#sink.drained();
    if (this.#clock.monotonicMs() < this.#sliceEndsMs) return;
    await this.#clock.nextTurn();
    this.#sliceEndsMs = this.#clock.monotonicMs() + SLICE_MS;
  }
}
