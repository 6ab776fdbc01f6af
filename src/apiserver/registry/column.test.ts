import { describe, expect, it } from 'vitest';
import { formatAge } from './column.ts';
import { valuesAt } from './json-path.ts';

const now = Date.UTC(2026, 0, 1);
const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString();

describe('an age', () => {
  it.each([
    [0, '0s'],
    [119, '119s'],
    [120, '2m'],
    [125, '2m5s'],
    [600, '10m'],
    [3 * 3600, '3h'],
    [3 * 3600 + 60, '3h1m'],
    [47 * 3600, '47h'],
    [50 * 3600, '2d2h'],
    [319 * 86_400, '319d'],
    [800 * 86_400, '2y70d'],
  ])('of %i seconds is written %s', (seconds, text) => {
    expect(formatAge(ago(seconds), now)).toBe(text);
  });

  it('of nothing is unknown', () => {
    expect(formatAge(undefined, now)).toBe('<unknown>');
  });
});

describe('a JSON path', () => {
  const object = {
    spec: {
      'a.b': 1,
      list: [
        { type: 'A', x: 1 },
        { type: 'B', x: 2 },
      ],
    },
  };

  it.each([
    ['.spec.list[0].x', [1]],
    ['.spec.list[?(@.type=="B")].x', [2]],
    ['.spec.list[*].x', [1, 2]],
    ['.spec.a\\.b', [1]],
    ["$.spec['a.b']", [1]],
    ['.spec.nothing', []],
    ['.spec..x', []],
  ])('%s finds %j', (path, values) => {
    expect(valuesAt(object, path)).toEqual(values);
  });
});
