import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeAnswer, encodeQuestion, type Question } from './dns-message.ts';

const question: Question = { id: 0x1234, name: 'a.example.', type: 'A' };

/** An answer to the question with these records, each already in bytes. */
function answer(records: readonly string[], flags = 0x8180, to = question): Buffer {
  const head = encodeQuestion(to);
  head.writeUInt16BE(flags, 2);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, ...records.map((record) => Buffer.from(record.replaceAll(' ', ''), 'hex'))]);
}

const aRecord = 'c00c 0001 0001 0000001e 0004 0a000001';
const cname = 'c00c 0005 0001 0000001e 0004 0162 c00e';
const behindCname = '0162 07 6578616d706c65 00 0001 0001 0000001e 0004 0a000002';

describe('a question', () => {
  it('is the name in labels between header and type', () => {
    expect(encodeQuestion(question).toString('hex')).toBe(
      '1234' +
        '0100' +
        '0001' +
        '0000' +
        '0000' +
        '0000' +
        '0161' +
        '076578616d706c65' +
        '00' +
        '0001' +
        '0001',
    );
  });
});

describe('an answer', () => {
  it.each([
    ['has its addresses read', answer([aRecord]), { rcode: 0, isTruncated: false, addresses: ['10.0.0.1'] }],
    ['is followed past aliases', answer([cname, behindCname]), { addresses: ['10.0.0.2'] }],
    ['may be empty', answer([]), { rcode: 0, addresses: [] }],
    ['may be an error', answer([], 0x8183), { rcode: 3 }],
    ['may be cut, and is not read further', answer([aRecord], 0x8380).subarray(0, 30), { isTruncated: true }],
  ])('%s', (_sentence, bytes, expected) => {
    expect(decodeAnswer(bytes, question)).toMatchObject({ kind: 'answer', ...expected });
  });

  it('may repeat the question in other case', () => {
    expect(decodeAnswer(answer([aRecord], 0x8180, { ...question, name: 'A.EXAMPLE.' }), question).kind).toBe(
      'answer',
    );
  });

  it.each([
    ['2001:db8::1', '20010db8000000000000000000000001'],
    ['fd00::a:0:0:1', 'fd0000000000000000' + '0a000000000001'.padStart(14, '0')],
    ['::', '0'.repeat(32)],
    ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
    ['0:1:2:3:4:5:6:7', '00000001000200030004000500060007'],
    ['fd00::', `fd00${'0'.repeat(28)}`],
  ])('writes %s as Kubernetes does', (text, hex) => {
    const six: Question = { ...question, type: 'AAAA' };
    const bytes = answer([`c00c 001c 0001 0000001e 0010 ${hex}`], 0x8180, six);
    expect(decodeAnswer(bytes, six)).toMatchObject({ addresses: [text] });
  });

  it.each([
    ['another id', answer([aRecord], 0x8180, { ...question, id: 1 })],
    ['no answer at all', answer([aRecord], 0x0100)],
  ])('is for somebody else with %s', (_sentence, bytes) => {
    expect(decodeAnswer(bytes, question)).toEqual({ kind: 'stranger' });
  });

  it.each([
    ['another question', answer([aRecord], 0x8180, { ...question, name: 'b.example.' })],
    ['a record that ends behind it', answer(['c00c 0001 0001 0000001e 00ff 0a000001'])],
    ['fewer records than it says', answer([aRecord]).subarray(0, -16)],
    ['a name without end', answer(['3f'])],
    ['nothing', Buffer.alloc(0)],
  ])('is malformed with %s', (_sentence, bytes) => {
    expect(decodeAnswer(bytes, question)).toEqual({ kind: 'malformed' });
  });

  it('never throws and never hangs, whatever the bytes', () => {
    const tail = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(tail, fc.nat({ max: 20 }), (bytes, records) => {
        const head = encodeQuestion(question);
        head.writeUInt16BE(0x8180, 2);
        head.writeUInt16BE(records, 6);
        const message = decodeAnswer(Buffer.concat([head, bytes]), question);
        expect(['answer', 'malformed']).toContain(message.kind);
      }),
    );
  });
});
