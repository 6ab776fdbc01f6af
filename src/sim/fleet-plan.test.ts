import { describe, expect, it } from 'vitest';
import { defaultPools, parsePools, plannedNodes } from './fleet-plan.ts';

const sizes = (nodes: number) => defaultPools(nodes).map(({ name, size }) => `${name}=${size}`);

describe('a fleet', () => {
  it('has three pools unless it is too small for that', () => {
    expect(sizes(24)).toEqual(['general=12', 'spot=8', 'gpu=4']);
    expect(sizes(500)).toEqual(['general=250', 'spot=167', 'gpu=83']);
    expect(sizes(2)).toEqual(['general=1', 'spot=1']);
    expect(sizes(0)).toEqual([]);
  });

  it('has pools of the given names and sizes', () => {
    expect(parsePools('a=8, b-2=100')).toMatchObject({
      kind: 'ok',
      value: [
        { name: 'a', size: 8 },
        { name: 'b-2', size: 100 },
      ],
    });
  });

  it.each([
    ['a', 'must be pools such as general=16,gpu=8, and "a" is none'],
    ['a=1,', 'must be pools such as general=16,gpu=8, and "" is none'],
    ['A=1', 'must be pools such as general=16,gpu=8, and "A=1" is none'],
    ['a=1,a=2', 'names the pool a twice'],
    ['a=9999,b=2', 'asks for 10001 nodes of at most 10000'],
  ])('is refused as %s', (text, sentence) =>
    expect(parsePools(text)).toEqual({ kind: 'error', error: sentence }),
  );

  it('numbers the nodes of each pool with as many digits as the largest needs', () => {
    const pools = parsePools('a=2,b=100');
    const names = pools.kind === 'ok' ? plannedNodes(pools.value).map(({ name }) => name) : [];
    expect(names.slice(0, 3)).toEqual(['a-01', 'a-02', 'b-001']);
    expect(names.at(-1)).toBe('b-100');
  });
});
