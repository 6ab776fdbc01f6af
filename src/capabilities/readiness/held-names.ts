// Names that many rows share, each known by a number for as long as anybody holds it.

import { assert } from '../../base/assert.ts';

export class HeldNames {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #holders: number[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#numbers.size;
  }

  hold(text: string): number {
    const number = this.#numbers.get(text) ?? this.#add(text);
    this.#holders[number] = (this.#holders[number] ?? 0) + 1;
    return number;
  }

  release(number: number): void {
    const left = (this.#holders[number] ?? 0) - 1;
    assert(left >= 0, 'a name is let go as often as it was held');
    this.#holders[number] = left;
    if (left > 0) return;
    this.#numbers.delete(this.textOf(number));
    this.#texts[number] = '';
    this.#free.push(number);
  }

  textOf(number: number): string {
    return this.#texts[number] ?? '';
  }

  #add(text: string): number {
    const number = this.#free.pop() ?? this.#texts.length;
    this.#texts[number] = text;
    this.#numbers.set(text, number);
    return number;
  }
}
