// FNV-1a over delimited canonical fields, 64 bits, for change detection: equal hash, nothing to do. Not for security.

const PRIME_LOW = 0x1b3;
const OFFSET_HIGH = 0xcbf29ce4;
const OFFSET_LOW = 0x84222325;

/** A 64-bit hash as 16 hex digits: compared and stored as a string because a double cannot hold it. */
export type Hash = string;

/** Fields are delimited by length, so that ["ab","c"] and ["a","bc"] differ. */
export function hashFields(fields: Iterable<string>): Hash {
  const { high, low } = mixed(fields);
  // Joined into one piece of text: a sum would hold on to both halves, at twice the size.
  return [high.toString(16).padStart(8, '0'), low.toString(16).padStart(8, '0')].join('');
}

/** The same hash cut to the 53 bits of a number, where very many have to be held. */
export function hashNumber(fields: Iterable<string>): number {
  const { high, low } = mixed(fields);
  return high * 2 ** 21 + (low >>> 11);
}

function mixed(fields: Iterable<string>): HashState {
  const state = { high: OFFSET_HIGH, low: OFFSET_LOW };
  for (const field of fields) mixText(state, `${field.length}:${field}`);
  return state;
}

type HashState = { high: number; low: number };

/** Nearly all text is ASCII, whose characters are their own bytes; only from the first other one on is it encoded. */
function mixText(state: HashState, text: string): void {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 0x7f) {
      for (const byte of encoder.encode(text.slice(index))) mixByte(state, byte);
      return;
    }
    mixByte(state, code);
  }
}

function mixByte(state: HashState, byte: number): void {
  const low = (state.low ^ byte) >>> 0;
  // Multiplication by 2^40 + 0x1b3, split into 32-bit halves: the product of the low half is below 2^53.
  const product = low * PRIME_LOW;
  state.high = (Math.imul(state.high, PRIME_LOW) + Math.floor(product / 2 ** 32) + ((low << 8) >>> 0)) >>> 0;
  state.low = product >>> 0;
}

/** Hash of plain data, independent of the order of object keys. */
export function hashOf(value: unknown): Hash {
  return hashFields([canonical(value)]);
}

/** JSON with sorted keys and without undefined: equal data, equal text. */
export function canonical(value: unknown): string {
  if (value === undefined) return 'null';
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const entries = Object.entries(value)
    .filter(([, entry]) => entry !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonical(entry)}`).join(',')}}`;
}

const encoder = new TextEncoder();
