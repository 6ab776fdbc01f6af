// Splits a stream of bytes into lines without ever joining what need not be joined: a watch of 10,000 nodes is 127 MB. Works on
// bytes and decodes nothing, so that a character cut in two by a chunk stays whole.

export type LineListener = {
  /** Valid only during the call: the bytes belong to the chunk they came in. */
  readonly line: (bytes: Buffer) => void;
  /** The line grew beyond the bound; the rest of it is skipped. `start` is how it began. */
  readonly tooLong: (start: string) => void;
};

const NEWLINE = 10;
const START_BYTES = 200;

export class LineSplitter {
  readonly #listener: LineListener;
  readonly #bytesMax: number;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #isSkipping = false;

  constructor(listener: LineListener, bytesMax: number) {
    this.#listener = listener;
    this.#bytesMax = bytesMax;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      this.#finish(chunk, from, to);
      from = to + 1;
    }
    if (from < chunk.length) this.#keep(chunk.subarray(from));
  }

  /** True when the bytes so far end inside a line. */
  isInsideLine(): boolean {
    return this.#pendingBytes > 0 || this.#isSkipping;
  }

  #finish(chunk: Buffer, from: number, to: number): void {
    if (this.#pendingBytes > 0 || this.#isSkipping || to - from > this.#bytesMax) {
      this.#keep(chunk.subarray(from, to));
      if (!this.#isSkipping) this.#listener.line(this.#take());
      this.#isSkipping = false;
    } else if (to > from) {
      this.#listener.line(chunk.subarray(from, to));
    }
  }

  #keep(bytes: Buffer): void {
    if (this.#isSkipping) return;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes <= this.#bytesMax) return;
    this.#isSkipping = true;
    this.#listener.tooLong(this.#take().toString('utf8', 0, START_BYTES));
  }

  #take(): Buffer {
    const bytes = Buffer.concat(this.#pending, this.#pendingBytes);
    this.#pending = [];
    this.#pendingBytes = 0;
    return bytes;
  }
}
