// A bounded table of shared strings: thousands of nodes repeat the same label values, reasons and messages.
// Belongs to an instance and never grows beyond its bound, whatever strings a cluster invents.

import { assert } from '../base/assert.ts';
import type { Intern } from '../runtime/ports.ts';

export type InternTable = Intern & {
  /** How many strings the table holds. */
  readonly size: number;
};

export function createIntern(entriesMax = 16_384): InternTable {
  assert(entriesMax >= 2, `entriesMax must be at least 2, not ${entriesMax}`);
  return new TwoGenerations(entriesMax);
}

/** Strings up to this length JSON.parse shares by itself. */
const lengthSharedAnyway = 10;
/** Longer strings are rarely repeated: messages with a time or an address inside. */
const lengthMax = 256;

/**
 * Two generations of half the bound each: when the young one is full it becomes the old one and the old one is
 * dropped. What is used often moves along; what was used once is forgotten without any bookkeeping per string.
 */
class TwoGenerations implements InternTable {
  readonly #generationMax: number;
  #young = new Map<string, string>();
  #old = new Map<string, string>();

  constructor(entriesMax: number) {
    this.#generationMax = Math.floor(entriesMax / 2);
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  text(value: string): string {
    if (value.length <= lengthSharedAnyway || value.length > lengthMax) return value;
    const known = this.#young.get(value);
    if (known !== undefined) return known;
    const shared = this.#old.get(value) ?? value;
    this.#old.delete(value);
    this.#remember(shared);
    return shared;
  }

  #remember(value: string): void {
    if (this.#young.size >= this.#generationMax) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(value, value);
  }
}
