// How evaluations are held: as rows of numbers outside of the heap, found by a hash of their name, and made into views one at a time
// when somebody looks at them. The collector has nothing to follow here, however many there are.

import { assert } from '../../base/assert.ts';
import { hashNumber } from '../../base/hash.ts';
import type { Rows } from '../../runtime/ports.ts';
import { type EvaluationView, plainName } from './evaluation.ts';
import { CELLS, isPackable, namesIn, pack, release, unpack } from './evaluation-packing.ts';
import { HeldNames } from './held-names.ts';

/** Behind its cells a row has the hash of its name, 0 while it is free, and the number of the next row of its chain. */
const HASH = CELLS;
const NEXT = CELLS + 1;
const WIDTH = CELLS + 2;
/** Rows count from 1, so that 0 can be none. */
const NONE = 0;
/** They come in blocks, so that growing copies nothing. */
const BLOCK_ROWS = 1_024;
const CHAINS_MIN = 1_024;

export class EvaluationRows implements Rows<EvaluationView> {
  readonly #names = new HeldNames();
  readonly #blocks: Uint32Array[] = [];
  /** The first row of each chain. There are as many as a power of two, and at least as many as rows. */
  #chains = new Uint32Array(CHAINS_MIN);
  /** How many rows there are in the blocks, the first of those that are free again, and how many are in use. */
  #made = 0;
  #free = NONE;
  #used = 0;
  /** Evaluations that are named or made as ours are not: few, if any. */
  readonly #others = new Map<string, EvaluationView>();

  get size(): number {
    return this.#used + this.#others.size;
  }

  get(key: string): EvaluationView | undefined {
    const row = this.#find(key, hashOf(key));
    return row === NONE ? this.#others.get(key) : this.#viewOf(row);
  }

  has(key: string): boolean {
    return this.#find(key, hashOf(key)) !== NONE || this.#others.has(key);
  }

  set(key: string, view: EvaluationView): void {
    this.delete(key);
    if (isPackable(view)) pack(view, this.#cellsOf(this.#take(hashOf(key))), this.#names);
    else this.#others.set(key, view);
  }

  delete(key: string): boolean {
    const row = this.#find(key, hashOf(key));
    if (row === NONE) return this.#others.delete(key);
    release(this.#cellsOf(row), this.#names);
    this.#giveBack(row);
    return true;
  }

  *entries(): Generator<[string, EvaluationView]> {
    for (const view of this.values()) yield [view.name, view];
  }

  *keys(): Generator<string> {
    for (const { name } of this.values()) yield name;
  }

  *values(): Generator<EvaluationView> {
    for (let row = 1; row <= this.#made; row++) if (this.#cellsOf(row)[HASH] !== 0) yield this.#viewOf(row);
    yield* this.#others.values();
  }

  #viewOf(row: number): EvaluationView {
    return Object.freeze(unpack(this.#cellsOf(row), this.#names));
  }

  #find(key: string, hash: number): number {
    let row = this.#chains[this.#chainOf(hash)] ?? NONE;
    while (row !== NONE && !this.#isNamed(row, key, hash)) row = this.#next(row);
    return row;
  }

  #isNamed(row: number, key: string, hash: number): boolean {
    const cells = this.#cellsOf(row);
    return cells[HASH] === hash && plainName(namesIn(cells, this.#names)) === key;
  }

  /** A free row, at the head of the chain of its hash. */
  #take(hash: number): number {
    if (this.#used >= this.#chains.length) this.#rechain();
    const row = this.#free === NONE ? this.#make() : this.#free;
    if (row === this.#free) this.#free = this.#next(row);
    this.#cellsOf(row)[HASH] = hash;
    this.#link(row, hash);
    this.#used++;
    return row;
  }

  #make(): number {
    if (this.#made % BLOCK_ROWS === 0) this.#blocks.push(new Uint32Array(BLOCK_ROWS * WIDTH));
    this.#made++;
    return this.#made;
  }

  #giveBack(row: number): void {
    const cells = this.#cellsOf(row);
    const chain = this.#chainOf(cells[HASH] ?? 0);
    const after = this.#next(row);
    let before = this.#chains[chain] ?? NONE;
    if (before === row) this.#chains[chain] = after;
    else {
      while (this.#next(before) !== row) before = this.#next(before);
      this.#cellsOf(before)[NEXT] = after;
    }
    cells[HASH] = 0;
    cells[NEXT] = this.#free;
    this.#free = row;
    this.#used--;
  }

  #rechain(): void {
    this.#chains = new Uint32Array(2 * this.#chains.length);
    for (let row = 1; row <= this.#made; row++) {
      const hash = this.#cellsOf(row)[HASH] ?? 0;
      if (hash !== 0) this.#link(row, hash);
    }
  }

  #link(row: number, hash: number): void {
    const chain = this.#chainOf(hash);
    this.#cellsOf(row)[NEXT] = this.#chains[chain] ?? NONE;
    this.#chains[chain] = row;
  }

  #next(row: number): number {
    return this.#cellsOf(row)[NEXT] ?? NONE;
  }

  #chainOf(hash: number): number {
    return hash & (this.#chains.length - 1);
  }

  #cellsOf(row: number): Uint32Array {
    const place = row - 1;
    const from = (place % BLOCK_ROWS) * WIDTH;
    const block = this.#blocks[Math.floor(place / BLOCK_ROWS)];
    assert(block !== undefined, 'a row is in a block');
    return block.subarray(from, from + WIDTH);
  }
}

/** Never 0. Only where a row is looked for depends on it: names are compared all the same. */
function hashOf(key: string): number {
  return hashNumber([key]) >>> 0 || 1;
}
