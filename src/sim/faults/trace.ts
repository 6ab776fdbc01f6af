// What happened in a run, in order and in words: who did what at which revision, and where a fault struck.

export type TraceLine = { readonly text: string; readonly isStrike: boolean };

export class Trace {
  readonly #lines: TraceLine[] = [];
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  note(who: string, what: string): void {
    this.#add(who, what, false);
  }

  strike(who: string, what: string): void {
    this.#add(who, `! ${what}`, true);
  }

  lines(): readonly TraceLine[] {
    return this.#lines;
  }

  #add(who: string, what: string, isStrike: boolean): void {
    this.#lines.push({
      isStrike,
      text: `${this.#nowMs().toFixed(1).padStart(10)} ${who.padEnd(8)} ${what}`,
    });
  }
}
