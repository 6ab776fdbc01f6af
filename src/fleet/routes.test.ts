import { describe, expect, it } from 'vitest';
import { conclusion, occasion } from '../../test/support/builders.ts';
import type { Selector } from '../objects/selector.ts';
import { nodesUnderSelectors, nodesUsingConfig } from './routes.ts';
import { createNodeStateStore } from './store.ts';

const pool = (...values: readonly string[]): Selector => [{ kind: 'in', key: 'pool', values }];
const nodes = [
  { name: 'a', labels: { pool: 'x' } },
  { name: 'b', labels: { pool: 'y' } },
  { name: 'c', labels: {} },
];

describe('a change of a selector', () => {
  it.each<[string, Selector | null, Selector | null, readonly string[]]>([
    ['that is new touches the nodes it matches', null, pool('x'), ['a']],
    ['that is gone touches the nodes it matched', pool('x'), null, ['a']],
    ['touches the nodes it matched before or matches now', pool('x'), pool('y'), ['a', 'b']],
    ['touches a node once that it matched and matches', pool('x', 'y'), pool('y'), ['a', 'b']],
    ['that matches everything touches all of them', null, [], ['a', 'b', 'c']],
    ['that matches nothing touches none', pool('z'), pool('w'), []],
    ['that never was touches none', null, null, []],
  ])('%s', (_, before, now, names) => {
    expect([...nodesUnderSelectors({ before, now }, nodes)]).toEqual(names);
  });
});

describe('a change of a configuration', () => {
  const store = createNodeStateStore();
  store.set(conclusion({ name: 'runs', currentConfig: 'v1', desiredConfig: 'v1' }), occasion());
  store.set(conclusion({ name: 'awaits', currentConfig: 'v0', desiredConfig: 'v1' }), occasion());
  store.set(conclusion({ name: 'leaves', currentConfig: 'v1', desiredConfig: 'v2' }), occasion());
  store.set(conclusion({ name: 'other', currentConfig: 'v9', desiredConfig: 'v9' }), occasion());

  it('touches the nodes that run it or are to run it, and only those', () => {
    expect(nodesUsingConfig('v1', store)).toEqual(['runs', 'awaits', 'leaves']);
    expect(nodesUsingConfig('v3', store)).toEqual([]);
  });
});
