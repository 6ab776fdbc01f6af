import { describe, expect, it } from 'vitest';
import { isRecord, ownValue, recordsIn, textOf, viewOf } from './raw.ts';

describe('untrusted data', () => {
  it.each<[string, unknown, boolean]>([
    ['an object is a record', {}, true],
    ['an object without a prototype is a record', Object.create(null), true],
    ['a list is not', [], false],
    ['null is not', null, false],
    ['a text is not', 'a', false],
    ['nothing is not', undefined, false],
  ])('%s', (_, value, expected) => {
    expect(isRecord(value)).toBe(expected);
  });

  it.each<[string, unknown, readonly unknown[]]>([
    ['a list has its records', [{ a: 1 }, null, 'x', [], {}], [{ a: 1 }, {}]],
    ['an object has none', { 0: {} }, []],
    ['nothing has none', undefined, []],
  ])('%s', (_, value, records) => {
    expect(recordsIn(value)).toEqual(records);
  });

  it.each<[unknown, string]>([
    ['a', 'a'],
    ['', ''],
    [1, ''],
    [null, ''],
    [undefined, ''],
    [['a'], ''],
  ])('%j has the text %j', (value, text) => {
    expect(textOf(value)).toBe(text);
  });
});

describe('the value of a map', () => {
  it.each<[string, Record<string, string>, string, string | undefined]>([
    ['is found by its key', { a: '1' }, 'a', '1'],
    ['is found when it is empty', { a: '' }, 'a', ''],
    ['is found under a name that every object inherits', { constructor: 'us' }, 'constructor', 'us'],
    ['is never an inherited one', {}, 'constructor', undefined],
    ['is never the prototype', {}, '__proto__', undefined],
  ])('%s', (_, map, key, value) => {
    expect(ownValue(map, key)).toBe(value);
  });
});

describe('the view of an object', () => {
  it('has its name, namespace, uid and resourceVersion', () => {
    const metadata = { name: 'a', namespace: 'n', uid: 'u', resourceVersion: '7', generation: 3 };
    expect(viewOf({ metadata })).toEqual({ name: 'a', namespace: 'n', uid: 'u', resourceVersion: '7' });
  });

  it.each([
    ['without metadata', '{}'],
    ['with null as its metadata', '{"metadata":null}'],
    ['with fields of other types', '{"metadata":{"name":1,"namespace":[],"uid":{},"resourceVersion":7}}'],
  ])('is empty, never missing, %s', (_, text) => {
    expect(viewOf(JSON.parse(text))).toEqual({ name: '', namespace: '', uid: '', resourceVersion: '' });
  });
});
