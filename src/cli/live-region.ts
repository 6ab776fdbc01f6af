// The last lines of a terminal, drawn again in place: what scrolled by before stays, nothing flickers, and the cursor is
// given back at the end.

export type Terminal = {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
};

const ESCAPE = '\u001B[';

export class LiveRegion {
  readonly #terminal: Terminal;
  #drawn: readonly string[] = [];

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** One write per drawing, each line replaced and cleared to its end: no moment without text. */
  draw(lines: readonly string[]): void {
    if (lines.length === this.#drawn.length && lines.every((line, index) => line === this.#drawn[index]))
      return;
    const isFirst = this.#drawn.length === 0;
    const body = lines.map((line) => `${line}${ESCAPE}K\n`).join('');
    this.#terminal.write(`${isFirst ? `${ESCAPE}?25l` : this.#top()}${body}${ESCAPE}J`);
    this.#drawn = lines;
  }

  /** After a change of the window's size nobody knows where the old lines are: all is written anew, what stood above too. */
  redraw(above: readonly string[]): void {
    const lines = this.#drawn;
    if (lines.length === 0) return;
    this.#terminal.write(`${ESCAPE}2J${ESCAPE}H${above.map((line) => `${line}\n`).join('')}`);
    this.#drawn = [];
    this.draw(lines);
  }

  /** Leaves the last drawing where it is. The `^C` that a terminal echoes is wiped away. */
  end(): void {
    if (this.#drawn.length > 0) this.#terminal.write(`\r${ESCAPE}K${ESCAPE}?25h`);
  }

  #top(): string {
    return `\r${ESCAPE}${this.#drawn.length}A`;
  }
}
