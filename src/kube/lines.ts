// Splits a stream of bytes into lines without ever joining what need not be joined: a watch of 10,000 nodes is 127 MB. Works on
// bytes and decodes nothing, so that a character cut in two by a chunk stays whole.

export type LineListener = {
  /** Valid only during the call: the next line may come to stand in the same place. */
  readonly line: (bytes: Buffer) => void;
  /** The line grew beyond the bound; the rest of it is skipped. `start` is how it began. */
  readonly tooLong: (start: string) => void;
};

const NEWLINE = 10;
const START_BYTES = 200;
const ROOM_BYTES = 32 * 1024;
const ROOM_BYTES_KEPT = 1024 * 1024;

export class LineSplitter {
  readonly #listener: LineListener;
  readonly #bytesMax: number;
  /** Where a line that came in several chunks is put together, again and again: a new place per line is the collector's work. */
  #room = Buffer.allocUnsafeSlow(ROOM_BYTES);
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
    const length = this.#pendingBytes + bytes.length;
    if (length > this.#room.length) this.#grow(length);
    bytes.copy(this.#room, this.#pendingBytes);
    this.#pendingBytes = length;
    if (length <= this.#bytesMax) return;
    this.#isSkipping = true;
    this.#listener.tooLong(this.#take().toString('utf8', 0, START_BYTES));
  }

  #grow(length: number): void {
    const room = Buffer.allocUnsafeSlow(length * 2);
    this.#room.copy(room, 0, 0, this.#pendingBytes);
    this.#room = room;
  }

  #take(): Buffer {
    const bytes = this.#room.subarray(0, this.#pendingBytes);
    this.#pendingBytes = 0;
    // One huge line must not hold its room for as long as the watch lives.
    if (this.#room.length > ROOM_BYTES_KEPT) this.#room = Buffer.allocUnsafeSlow(ROOM_BYTES);
    return bytes;
  }
}
