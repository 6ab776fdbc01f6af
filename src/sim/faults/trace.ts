// What happened in a run, in order and in words: who did what at which revision. Equal runs have equal hashes.

import { createHash } from 'node:crypto';

export class Trace {
  readonly #lines: string[] = [];
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  note(who: string, what: string): void {
    this.#lines.push(`${this.#nowMs().toFixed(1).padStart(10)} ${who.padEnd(8)} ${what}`);
  }

  lines(): readonly string[] {
    return this.#lines;
  }

  hash(): string {
    return createHash('sha256').update(this.#lines.join('\n')).digest('hex').slice(0, 16);
  }
}
