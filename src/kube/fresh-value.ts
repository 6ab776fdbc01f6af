// A value that is read again when it is too old, and kept when that fails: a file that is being rotated must not take
// the client down. Readers at the same time share one read.

import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { ok, type Result } from '../base/result.ts';

export type FreshValueOptions<T> = {
  readonly clock: Clock;
  readonly log: Log;
  readonly ageMsMax: number;
  /** What is read, for the log. */
  readonly what: string;
  readonly read: () => Promise<Result<T, string>>;
};

export class FreshValue<T> {
  readonly #options: FreshValueOptions<T>;
  #known: { readonly value: T } | null = null;
  #readAgainAtMs = 0;
  #reading: Promise<Result<T, string>> | null = null;

  constructor(options: FreshValueOptions<T>) {
    this.#options = options;
  }

  /** Fails only when nothing was ever read. */
  get(): Promise<Result<T, string>> {
    if (this.#known !== null && this.#options.clock.monotonicMs() < this.#readAgainAtMs) {
      return Promise.resolve(ok(this.#known.value));
    }
    this.#reading ??= this.#read();
    return this.#reading;
  }

  outdate(): void {
    this.#readAgainAtMs = 0;
  }

  async #read(): Promise<Result<T, string>> {
    const { clock, log, ageMsMax, what, read } = this.#options;
    const result = await read();
    this.#reading = null;
    this.#readAgainAtMs = clock.monotonicMs() + ageMsMax;
    if (result.kind === 'ok') this.#known = { value: result.value };
    if (result.kind === 'ok' || this.#known === null) return result;
    log.warn('a credential could not be read again; the last one is kept', { what, error: result.error });
    return ok(this.#known.value);
  }
}
