import { describe, expect, it } from 'vitest';
import { change, nodeState } from '../../test/support/builders.ts';
import { ownTriggers, poolsOf } from './change.ts';

const inPool = (name: string) => nodeState({ poolRef: { kind: 'Label', name } });

describe('the pools that a change touches', () => {
  it.each([
    ['is the pool of a node that is created', change(null, inPool('new')), ['new']],
    ['is the pool of a node that is deleted', change(inPool('old'), null), ['old']],
    ['is named once when the node stays in it', change(inPool('same'), inPool('same')), ['same']],
    ['are the old and the new one on a move', change(inPool('old'), inPool('new')), ['old', 'new']],
  ])('%s', (_, event, pools) => {
    expect(poolsOf(event)).toEqual(pools);
  });
});

it('every cause of our own has its own name', () => {
  const names = Object.values(ownTriggers);
  expect(new Set(names).size).toBe(names.length);
});
