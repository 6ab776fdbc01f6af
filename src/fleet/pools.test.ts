import { describe, expect, it } from 'vitest';
import type { Selector } from '../objects/selector.ts';
import { createPoolResolver, createPoolSelectorCache, defaultPool } from './pools.ts';

const has = (key: string): Selector => [{ kind: 'exists', key }];
const cacheOf = (pools: Readonly<Record<string, Selector>>) => {
  const cache = createPoolSelectorCache();
  for (const [pool, selector] of Object.entries(pools)) cache.ingest(pool, selector);
  return cache;
};

describe('the selectors of pools', () => {
  it('say on every change whether something was modified, and why', () => {
    const cache = createPoolSelectorCache();
    expect(cache.ingest('gpu', has('gpu'))).toEqual({ isModified: true, reason: 'pool gpu is new' });
    expect(cache.ingest('gpu', has('gpu'))).toEqual({
      isModified: false,
      reason: 'selector of pool gpu is the same',
    });
    expect(cache.ingest('gpu', has('accelerator'))).toEqual({
      isModified: true,
      reason: 'selector of pool gpu changed',
    });
    expect(cache.whichPool({ gpu: '' })).toBeNull();
    expect(cache.whichPool({ accelerator: '' })).toBe('gpu');
  });

  it('give the same pool on every pass where several match', () => {
    expect(cacheOf({ b: [], a: [] }).whichPool({})).toBe('a');
    expect(cacheOf({ a: [], b: [] }).whichPool({})).toBe('a');
  });

  it('forget a pool once', () => {
    const cache = cacheOf({ gpu: has('gpu') });
    expect([cache.forget('gpu'), cache.forget('gpu')]).toEqual([true, false]);
    expect(cache.whichPool({ gpu: '' })).toBeNull();
  });

  it('hand out all of them as they are now', () => {
    const cache = cacheOf({ gpu: has('gpu') });
    const all = cache.getAll();
    cache.forget('gpu');
    expect([...all.keys()]).toEqual(['gpu']);
  });
});

describe('the pool of a node', () => {
  const labels = ['karpenter.sh/nodepool', 'node.kubernetes.io/pool', 'constructor'];
  const resolver = createPoolResolver(cacheOf({ gpu: has('gpu') }), labels);

  it.each([
    ['is the one whose selector matches', { gpu: '' }, { kind: 'Selector', name: 'gpu' }],
    [
      'is the one of a selector before that of a label',
      { gpu: '', [labels[0]!]: 'x' },
      { kind: 'Selector', name: 'gpu' },
    ],
    ['is named by its label', { [labels[1]!]: 'x' }, { kind: 'Label', name: 'x' }],
    [
      'is named by the first label in the list',
      { [labels[1]!]: 'x', [labels[0]!]: 'y' },
      { kind: 'Label', name: 'y' },
    ],
    ['is not named by an empty label', { [labels[0]!]: '', [labels[1]!]: 'x' }, { kind: 'Label', name: 'x' }],
    ['is not named by what every object inherits', {}, defaultPool],
    ['is the default one otherwise', { zone: 'a' }, defaultPool],
  ])('%s', (_, nodeLabels, pool) => {
    expect(resolver.poolOf(nodeLabels)).toEqual(pool);
  });
});
