import { describe, expect, it } from 'vitest';
import { nodesWithin, parseNodeLimit } from './node-limit.ts';

describe('a limit of nodes', () => {
  it.each<[unknown, unknown]>([
    [10, { kind: 'nodes', max: 10 }],
    ['10', { kind: 'nodes', max: 10 }],
    ['25%', { kind: 'percent', max: 25 }],
    ['101%', null],
    [-1, null],
    [1.5, null],
    ['many', null],
    [undefined, null],
  ])('%j is read as %j', (raw, limit) => expect(parseNodeLimit(raw)).toEqual(limit));

  it('as a share is rounded down', () => {
    expect(nodesWithin({ kind: 'percent', max: 25 }, 3)).toBe(0);
    expect(nodesWithin({ kind: 'percent', max: 25 }, 9)).toBe(2);
    expect(nodesWithin({ kind: 'nodes', max: 10 }, 3)).toBe(10);
  });
});
