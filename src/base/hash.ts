// FNV-1a over delimited canonical fields, 64 bits, for change detection: equal hash, nothing to do. Not for security.

const PRIME_LOW = 0x1b3;
const OFFSET_HIGH = 0xcbf29ce4;
const OFFSET_LOW = 0x84222325;

/** A 64-bit hash as 16 hex digits: compared and stored as a string because a double cannot hold it. */
export type Hash = string;

/** Fields are delimited by length, so that ["ab","c"] and ["a","bc"] differ. */
export function hashFields(fields: Iterable<string>): Hash {
  let high = OFFSET_HIGH;
  let low = OFFSET_LOW;
  const mix = (byte: number) => {
    low = (low ^ byte) >>> 0;
    // Multiplication by 2^40 + 0x1b3, split into 32-bit halves: the product of the low half is below 2^53.
    const product = low * PRIME_LOW;
    const carry = Math.floor(product / 2 ** 32);
    high = (Math.imul(high, PRIME_LOW) + carry + ((low << 8) >>> 0)) >>> 0;
    low = product >>> 0;
  };
  const mixText = (text: string) => {
    for (const byte of encoder.encode(text)) mix(byte);
  };
  for (const field of fields) {
    mixText(`${field.length}:`);
    mixText(field);
  }
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
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
