import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readerWithoutLists } from './unread-lists.ts';

const read = readerWithoutLists(['managedFields', 'images']);
const parse = (value: unknown) => read(Buffer.from(JSON.stringify(value)));

describe('a text without the lists that nobody reads', () => {
  it('is parsed with those lists empty and everything else as it is', () => {
    const node = {
      metadata: { name: 'größe', managedFields: [{ manager: 'kubelet', fieldsV1: { 'f:x': {} } }] },
      status: { images: [{ names: ['a', 'b'], sizeBytes: 1 }, { names: [] }], phase: 'Running' },
    };
    expect(parse(node)).toEqual({
      metadata: { name: 'größe', managedFields: [] },
      status: { images: [], phase: 'Running' },
    });
  });

  it.each([
    ['a list inside the list', { images: [{ layers: [{ a: 1 }], b: 2 }, { c: 3 }], after: 1 }],
    ['the end of a list inside a string', { images: [{ a: 'x}]y' }, { b: 2 }], after: 1 }],
    ['a quote and the end of a list inside a string', { images: [{ a: '"}]' }, { b: '\\' }], after: 1 }],
  ])('is parsed whole where the cut cannot be right: %s', (_name, value) => {
    expect(parse(value)).toEqual(value);
  });

  it.each([
    ['no such list', { a: [{ b: 1 }] }],
    ['an empty one', { images: [] }],
    ['a list of texts', { images: ['x'] }],
    ['the key inside a string', { note: '"images":[{' }],
  ])('is parsed as it is with %s', (_name, value) => {
    expect(parse(value)).toEqual(value);
  });

  it('is read after a longer one as if it had been the first', () => {
    const long = { images: [{ a: 1 }], after: 'x'.repeat(40_000) };
    expect(parse(long)).toEqual({ ...long, images: [] });
    expect(parse({ images: [{ a: 1 }], after: 1 })).toEqual({ images: [], after: 1 });
  });

  it('is refused when it is no JSON', () => {
    expect(() => read(Buffer.from('{"images":[{]'))).toThrow(SyntaxError);
    expect(() => read(Buffer.from('{"images":[{"a":1}]'))).toThrow(SyntaxError);
  });

  it('never loses anything outside the first list of each name, whatever the lists hold', () => {
    const inner = fc.jsonValue();
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), inner)), inner, inner, (images, before, after) => {
        const value = JSON.parse(JSON.stringify({ before: [before], images, after: [after] }));
        fc.pre(!/"(images|managedFields)":/.test(JSON.stringify([before, after])));
        const parsed = parse(value);
        const { images: _whole, ...rest } = value;
        expect(parsed).toMatchObject(rest);
      }),
    );
  });
});
