import { describe, expect, it } from 'vitest';
import { applyJsonPatch } from './json-patch.ts';

const document = { a: 1, list: ['x', 'y'], deep: { b: 2 } };

describe('a JSON patch', () => {
  it.each([
    ['adds a key', { op: 'add', path: '/c', value: 3 }, { ...document, c: 3 }],
    ['adds null when it says no value', { op: 'add', path: '/c' }, { ...document, c: null }],
    [
      'adds at the end of a list',
      { op: 'add', path: '/list/-', value: 'z' },
      { ...document, list: ['x', 'y', 'z'] },
    ],
    [
      'adds before an index',
      { op: 'add', path: '/list/1', value: 'z' },
      { ...document, list: ['x', 'z', 'y'] },
    ],
    ['replaces a key that is missing', { op: 'replace', path: '/c', value: 3 }, { ...document, c: 3 }],
    [
      'counts from the end',
      { op: 'replace', path: '/list/-1', value: 'z' },
      { ...document, list: ['x', 'z'] },
    ],
    ['removes from the end', { op: 'remove', path: '/list/-2' }, { ...document, list: ['y'] }],
    ['copies null from a missing key', { op: 'copy', from: '/c', path: '/d' }, { ...document, d: null }],
    ['moves', { op: 'move', from: '/deep/b', path: '/a' }, { ...document, a: 2, deep: {} }],
    ['takes a missing key for null in a test', { op: 'test', path: '/c', value: null }, document],
    [
      'reads escaped slashes',
      { op: 'add', path: '/deep/x~1y', value: 1 },
      { ...document, deep: { b: 2, 'x/y': 1 } },
    ],
    [
      'ignores what stands before the first slash',
      { op: 'remove', path: 'deep/a' },
      { list: document.list, deep: document.deep },
    ],
  ])('%s', (_sentence, operation, expected) => {
    expect(applyJsonPatch(document, [operation])).toEqual({ kind: 'ok', value: expected });
  });

  it.each([
    ['of a missing key is no removal', { op: 'remove', path: '/c' }],
    ['cannot move what is missing', { op: 'move', from: '/c', path: '/d' }],
    ['adds nothing below what is missing', { op: 'add', path: '/c/d', value: 1 }],
    ['adds nothing behind the end of a list', { op: 'add', path: '/list/3', value: 1 }],
    ['replaces nothing behind the end of a list', { op: 'replace', path: '/list/2', value: 1 }],
    ['fails with its test', { op: 'test', path: '/a', value: 2 }],
    ['has no other operations', { op: 'swap', path: '/a' }],
    ['needs a path', { op: 'add', value: 1 }],
  ])('%s', (_sentence, operation) => {
    expect(applyJsonPatch(document, [operation])).toMatchObject({ kind: 'error' });
  });

  it('leaves the document as it was, whatever it does', () => {
    const before = structuredClone(document);
    applyJsonPatch(document, [
      { op: 'remove', path: '/deep/b' },
      { op: 'add', path: '/list/-', value: 1 },
    ]);
    expect(document).toEqual(before);
  });
});
