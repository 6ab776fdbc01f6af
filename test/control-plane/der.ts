// The few ASN.1 DER shapes that an X.509 certificate is made of (ITU-T X.690). Writes only; Node reads certificates itself.

export const sequence = (...parts: readonly Buffer[]): Buffer => element(0x30, ...parts);
export const set = (...parts: readonly Buffer[]): Buffer => element(0x31, ...parts);
export const utf8String = (text: string): Buffer => element(0x0c, Buffer.from(text, 'utf8'));
export const octetString = (content: Buffer): Buffer => element(0x04, content);
export const boolean = (value: boolean): Buffer => element(0x01, Buffer.from([value ? 0xff : 0x00]));

/** A value marked by a context tag that wraps it whole. */
export const explicit = (tag: number, content: Buffer): Buffer => element(0xa0 + tag, content);

/** A value whose own type tag is replaced by a context tag. */
export const implicit = (tag: number, content: Buffer): Buffer => element(0x80 + tag, content);

/** A non-negative integer from its big-endian bytes; a leading zero keeps the sign bit clear. */
export function integer(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const minimal = first === -1 ? Buffer.from([0]) : bytes.subarray(first);
  return element(0x02, (minimal[0] ?? 0) >= 0x80 ? Buffer.from([0]) : Buffer.alloc(0), minimal);
}

export function bitString(content: Buffer, unusedBits = 0): Buffer {
  return element(0x03, Buffer.from([unusedBits]), content);
}

export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** UTCTime: two digits of the year, valid for 1950-2049. */
export function utcTime(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14);
  return element(0x17, Buffer.from(`${digits}Z`, 'ascii'));
}

function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(content.length)]), content]);
}

function lengthBytes(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const bytes = bigEndian(length);
  return [0x80 + bytes.length, ...bytes];
}

function bigEndian(value: number): readonly number[] {
  return value < 0x100 ? [value] : [...bigEndian(Math.floor(value / 0x100)), value % 0x100];
}

// Seven bits a byte, most significant first, the high bit set on all but the last.
function base128(value: number): readonly number[] {
  const tail = [value % 0x80];
  for (let rest = Math.floor(value / 0x80); rest > 0; rest = Math.floor(rest / 0x80)) {
    tail.unshift((rest % 0x80) + 0x80);
  }
  return tail;
}
