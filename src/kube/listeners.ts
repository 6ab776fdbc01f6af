// Those who want to be told. One that throws is reported and does not keep the others from hearing.

import type { Cancel } from '../base/clock.ts';

export class Listeners<T> {
  readonly #listeners = new Set<(told: T) => void>();
  readonly #onFault: (cause: unknown) => void;

  constructor(onFault: (cause: unknown) => void) {
    this.#onFault = onFault;
  }

  add(listener: (told: T) => void): Cancel {
    // A function of its own, so that the same listener may be added twice and each cancelled alone.
    const entry = (told: T) => listener(told);
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  tell(told: T): void {
    for (const listener of this.#listeners) {
      try {
        listener(told);
      } catch (cause) {
        this.#onFault(cause);
      }
    }
  }
}
