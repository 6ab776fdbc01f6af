import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical, hashFields, hashOf } from './hash.ts';

const texts = fc.array(fc.string({ unit: 'binary' }));

/** FNV-1a as it is written down, in arithmetic that cannot overflow. */
function reference(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

describe('the reference', () => {
  it.each([
    ['', 'cbf29ce484222325'],
    ['a', 'af63dc4c8601ec8c'],
    ['foobar', '85944171f73967e8'],
  ])('hashes %j as published', (text, hash) => {
    expect(reference(text)).toBe(hash);
  });
});

describe('a hash of fields', () => {
  it('is FNV-1a over the fields, each behind its length', () => {
    fc.assert(
      fc.property(texts, (fields) => {
        expect(hashFields(fields)).toBe(
          reference(fields.map((field) => `${field.length}:${field}`).join('')),
        );
      }),
    );
  });

  it('is always sixteen digits', () => {
    fc.assert(
      fc.property(texts, (fields) => {
        expect(hashFields(fields)).toMatch(/^[0-9a-f]{16}$/);
      }),
    );
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['the same text is cut elsewhere', ['ab', 'c'], ['a', 'bc']],
    ['a field is empty', ['a'], ['a', '']],
    ['fields change places', ['a', 'b'], ['b', 'a']],
    ['a field looks like a delimiter', ['1:a'], ['1', 'a']],
  ])('differs when %s', (_, a, b) => {
    expect(hashFields(a)).not.toBe(hashFields(b));
  });

  it('differs for different fields', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        expect(hashFields(a) === hashFields(b)).toBe(canonical(a) === canonical(b));
      }),
    );
  });
});

describe('a hash of data', () => {
  it('does not depend on the order of keys, at any depth', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(hashOf(reversed(value))).toBe(hashOf(value));
      }),
    );
  });

  it('takes a key without a value for a missing one', () => {
    expect(hashOf({ a: 1, b: undefined })).toBe(hashOf({ a: 1 }));
  });

  it('depends on the order of lists', () => {
    expect(hashOf([1, 2])).not.toBe(hashOf([2, 1]));
  });
});

describe('the canonical form', () => {
  it('is JSON of the same data', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonical(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it.each<[string, unknown, string]>([
    ['sorts keys', { b: 1, a: { d: 2, c: 3 } }, '{"a":{"c":3,"d":2},"b":1}'],
    ['keeps an own key that every object inherits', JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
    ['writes nothing at all as null', undefined, 'null'],
    ['writes a gap in a list as null', [undefined], '[null]'],
    ['tells null from a missing key', { a: null }, '{"a":null}'],
    ['tells a number from its text', [1, '1'], '[1,"1"]'],
  ])('%s', (_, value, text) => {
    expect(canonical(value)).toBe(text);
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, entry]) => [key, reversed(entry)]),
  );
}
