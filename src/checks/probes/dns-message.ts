// The few bytes of DNS that a check needs: one question, and the addresses in its answer. Pure. An answer comes from the
// network: whatever does not parse is malformed, never an exception.

export type RecordType = 'A' | 'AAAA';

export type Question = { readonly id: number; readonly name: string; readonly type: RecordType };

export type Message =
  | {
      readonly kind: 'answer';
      readonly rcode: number;
      readonly isTruncated: boolean;
      readonly addresses: readonly string[];
    }
  | { readonly kind: 'stranger' }
  | { readonly kind: 'malformed' };

const HEADER_BYTES = 12;
const CLASS_IN = 1;
const FLAG_RECURSION = 0x0100;
const FLAG_RESPONSE = 0x8000;
const FLAG_TRUNCATED = 0x0200;
const typeCodes = { A: 1, AAAA: 28 } as const;

export function encodeQuestion({ id, name, type }: Question): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(FLAG_RECURSION, 2);
  header.writeUInt16BE(1, 4);
  const tail = Buffer.alloc(4);
  tail.writeUInt16BE(typeCodes[type], 0);
  tail.writeUInt16BE(CLASS_IN, 2);
  return Buffer.concat([header, encodeName(name), tail]);
}

function encodeName(name: string): Buffer {
  const labels = name.replace(/\.$/, '').split('.');
  return Buffer.concat([
    ...labels.map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, 'latin1')])),
    Buffer.from([0]),
  ]);
}

/** What a datagram says about our question; a stranger is an answer to somebody else's. */
export function decodeAnswer(bytes: Buffer, question: Question): Message {
  try {
    return decode(bytes, question);
  } catch (error) {
    if (error instanceof RangeError) return { kind: 'malformed' };
    throw error;
  }
}

function decode(bytes: Buffer, question: Question): Message {
  const flags = bytes.readUInt16BE(2);
  if (bytes.readUInt16BE(0) !== question.id || (flags & FLAG_RESPONSE) === 0) return { kind: 'stranger' };
  const [questions, answers] = [bytes.readUInt16BE(4), bytes.readUInt16BE(6)];
  const asked = encodeQuestion(question).subarray(HEADER_BYTES);
  const repeated = bytes.subarray(HEADER_BYTES, HEADER_BYTES + asked.length);
  if (questions !== 1 || !isSameQuestion(asked, repeated)) return { kind: 'malformed' };
  const isTruncated = (flags & FLAG_TRUNCATED) !== 0;
  const rcode = flags & 0x000f;
  // A truncated answer is asked for again by TCP, so what it holds does not matter.
  const records = isTruncated ? [] : readRecords(bytes, HEADER_BYTES + asked.length, answers);
  const addresses = records.flatMap(({ type, body }) =>
    type === typeCodes[question.type] ? addressOf(body, question.type) : [],
  );
  return { kind: 'answer', rcode, isTruncated, addresses };
}

/** Names are compared without case; the four bytes behind them hold no letters. */
function isSameQuestion(asked: Buffer, repeated: Buffer): boolean {
  return asked.toString('latin1').toLowerCase() === repeated.toString('latin1').toLowerCase();
}

type Resource = { readonly type: number; readonly body: Buffer };

function readRecords(bytes: Buffer, start: number, count: number): readonly Resource[] {
  const records: Resource[] = [];
  let offset = start;
  for (let index = 0; index < count; index++) {
    offset = endOfName(bytes, offset);
    const type = bytes.readUInt16BE(offset);
    const length = bytes.readUInt16BE(offset + 8);
    const bodyStart = offset + 10;
    if (bodyStart + length > bytes.length) throw new RangeError('a record ends behind the message');
    records.push({ type, body: bytes.subarray(bodyStart, bodyStart + length) });
    offset = bodyStart + length;
  }
  return records;
}

/** A pointer ends a name, so names are passed over and never followed: no loop can be built. */
function endOfName(bytes: Buffer, start: number): number {
  let offset = start;
  for (let length = bytes.readUInt8(offset); length !== 0; length = bytes.readUInt8(offset)) {
    if (length >= 0xc0) return offset + 2;
    offset += length + 1;
  }
  return offset + 1;
}

function addressOf(body: Buffer, type: RecordType): readonly string[] {
  if (type === 'A') return body.length === 4 ? [[...body].join('.')] : [];
  if (body.length !== 16) return [];
  const groups = Array.from({ length: 8 }, (_, index) => body.readUInt16BE(index * 2).toString(16));
  return [shortestIPv6(groups)];
}

/** As Go writes it, so that it can be compared with what the API says: the longest run of zeros becomes `::`. */
function shortestIPv6(groups: readonly string[]): string {
  const text = groups.join(':');
  const runs = [...text.matchAll(/\b0(?::0)+\b/g)];
  const [longest] = runs.toSorted((a, b) => b[0].length - a[0].length || a.index - b.index);
  if (longest === undefined) return text;
  const [before, after] = [text.slice(0, longest.index), text.slice(longest.index + longest[0].length)];
  return `${before.replace(/:$/, '')}::${after.replace(/^:/, '')}`;
}
