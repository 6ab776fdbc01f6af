// Leaves lists of objects that nobody reads out of a JSON text before it is decoded and parsed: managedFields and images are two
// thirds of a Node. Safe because it is checked: a cut in the wrong place leaves brackets or quotes without their partner, the
// parser refuses it, and the whole text is parsed instead.

/** Parses one text and throws what JSON.parse throws for the whole of it. */
export type JsonReader = (bytes: Buffer) => unknown;

/** Of each name the first list after the one before is left out, so the names stand in the order of the texts. */
export function readerWithoutLists(names: readonly string[]): JsonReader {
  const room = new Room();
  const openings = names.map((name) => Buffer.from(`"${name}":[{`));
  return (bytes) => {
    const cut = cutLists(bytes, openings, room);
    if (cut !== null) {
      try {
        return JSON.parse(cut.toString('utf8'));
      } catch {
        // A cut in the wrong place.
      }
    }
    return JSON.parse(bytes.toString('utf8'));
  };
}

const closing = Buffer.from('}]');

/**
 * In JSON the quotes inside a string are escaped, so what is found is a key and a list of objects, and the first `}]` after it
 * is where such a list ends if its objects hold no lists of objects.
 */
function cutLists(bytes: Buffer, openings: readonly Buffer[], room: Room): Buffer | null {
  let kept = 0;
  let length = 0;
  for (const opening of openings) {
    const at = bytes.indexOf(opening, kept);
    const end = at < 0 ? -1 : bytes.indexOf(closing, at + opening.length);
    if (end < 0) continue;
    const inside = at + opening.length - 1;
    length += bytes.copy(room.of(bytes.length), length, kept, inside);
    kept = end + 1;
  }
  if (kept === 0) return null;
  length += bytes.copy(room.of(bytes.length), length, kept);
  return room.of(bytes.length).subarray(0, length);
}

/** What remains is put together in one place that is used again and again: a new one per text is work for the collector. */
class Room {
  #bytes = Buffer.allocUnsafeSlow(16 * 1024);

  of(size: number): Buffer {
    if (this.#bytes.length < size) this.#bytes = Buffer.allocUnsafeSlow(size * 2);
    return this.#bytes;
  }
}
