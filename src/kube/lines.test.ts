import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter } from './lines.ts';

function splitter(bytesMax = 1000) {
  const lines: string[] = [];
  const tooLong: string[] = [];
  const listener = {
    line: (bytes: Buffer) => lines.push(bytes.toString()),
    tooLong: (start: string) => tooLong.push(start),
  };
  return { lines, tooLong, splitter: new LineSplitter(listener, bytesMax) };
}

function cut(bytes: Buffer, at: readonly number[]): readonly Buffer[] {
  const places = [0, ...at.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((place, index) => bytes.subarray(places[index], place));
}

describe('LineSplitter', () => {
  it('gives the same lines however the bytes are cut', () => {
    const line = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', ' '));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (texts, cuts) => {
        const { lines, splitter: target } = splitter(1_000_000);
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
        for (const chunk of cut(bytes, cuts)) target.push(chunk);
        const sent = bytes
          .toString()
          .split('\n')
          .filter((text) => text !== '');
        expect(lines).toEqual(sent);
        expect(target.isInsideLine()).toBe(false);
      }),
    );
  });

  it('keeps a character whole that a chunk cuts in two', () => {
    const { lines, splitter: target } = splitter();
    const bytes = Buffer.from('{"name":"größe €"}\n');
    for (const byte of bytes) target.push(Buffer.from([byte]));
    expect(lines).toEqual(['{"name":"größe €"}']);
  });

  it('skips empty lines', () => {
    const { lines, splitter: target } = splitter();
    target.push(Buffer.from('\n\na\n\n'));
    expect(lines).toEqual(['a']);
  });

  it('knows that it stopped inside a line', () => {
    const { lines, splitter: target } = splitter();
    target.push(Buffer.from('a\nb'));
    expect(lines).toEqual(['a']);
    expect(target.isInsideLine()).toBe(true);
  });

  it.each([
    ['in one chunk', ['0123456789abc\nnext\n']],
    ['in many chunks', ['01234', '56789', 'abc', '\nnext\n']],
    ['that never ends', ['01234', '56789', 'abc', 'def']],
  ])('reports a line beyond the bound once and goes on after it: %s', (_name, chunks) => {
    const { lines, tooLong, splitter: target } = splitter(10);
    for (const chunk of chunks) target.push(Buffer.from(chunk));
    expect(tooLong).toEqual(['0123456789abc']);
    expect(lines).toEqual(chunks.at(-1) === 'def' ? [] : ['next']);
  });

  it('accepts a line of exactly the bound', () => {
    const { lines, tooLong, splitter: target } = splitter(10);
    target.push(Buffer.from('0123456789\n'));
    expect({ lines, tooLong }).toEqual({ lines: ['0123456789'], tooLong: [] });
  });
});
