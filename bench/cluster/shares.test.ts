import { describe, expect, it } from 'vitest';
import { sharesIn } from './shares.ts';

describe('the shares of the processor time', () => {
  it('are what each has spent between two looks, the largest first', () => {
    const before = new Map([
      ['etcd', 100],
      ['bench', 50],
    ]);
    const after = new Map([
      ['etcd', 110],
      ['sim', 30],
      ['bench', 90],
    ]);
    expect([...sharesIn(before, after)]).toEqual([
      ['bench', 40],
      ['sim', 30],
      ['etcd', 10],
    ]);
  });
});
