import { describe, expect, it } from 'vitest';
import { nodeFields } from '../registry/shapes/node.ts';
import { podFields } from '../registry/shapes/pod.ts';
import { strategicMerge } from './strategic-merge.ts';

const conditions = (...types: readonly string[]) => ({
  status: { conditions: types.map((type) => ({ type })) },
});
const containers = (...list: readonly object[]) => ({ spec: { containers: list } });
const finalizers = (...list: readonly string[]) => ({ metadata: { finalizers: list } });

describe('a strategic merge', () => {
  it.each([
    ['puts what is new before what it does not name', conditions('A'), conditions('B'), conditions('B', 'A')],
    [
      'keeps the order of what it names and what was there',
      conditions('A', 'B', 'C'),
      conditions('C', 'A'),
      conditions('B', 'C', 'A'),
    ],
    [
      'replaces atomic lists',
      { spec: { taints: [{ key: 'a' }] } },
      { spec: { taints: [{ key: 'b' }] } },
      { spec: { taints: [{ key: 'b' }] } },
    ],
    [
      'removes a field by null',
      { spec: { providerID: 'a', unschedulable: true } },
      { spec: { providerID: null } },
      { spec: { unschedulable: true } },
    ],
    ['unites sets', finalizers('a'), finalizers('b', 'a'), finalizers('b', 'a')],
    [
      'takes items from a set',
      finalizers('a', 'b'),
      { metadata: { '$deleteFromPrimitiveList/finalizers': ['a'] } },
      finalizers('b'),
    ],
    [
      'deletes an item by its key',
      conditions('A', 'B'),
      { status: { conditions: [{ $patch: 'delete', type: 'A' }] } },
      conditions('B'),
    ],
    [
      'replaces a list when told to',
      conditions('A', 'B'),
      { status: { conditions: [{ type: 'C' }, { $patch: 'replace' }] } },
      conditions('C'),
    ],
    [
      'replaces a struct when told to',
      { spec: { providerID: 'a', podCIDR: 'b' } },
      { spec: { $patch: 'replace', podCIDR: 'c' } },
      { spec: { podCIDR: 'c' } },
    ],
    [
      'retains only the keys that it names',
      { spec: { providerID: 'a', podCIDR: 'b' } },
      { spec: { $retainKeys: ['podCIDR'], podCIDR: 'c' } },
      { spec: { podCIDR: 'c' } },
    ],
    [
      'follows the order that it is given and leaves no trace of it',
      conditions('A', 'B'),
      {
        status: {
          '$setElementOrder/conditions': [{ type: 'B' }, { type: 'A' }],
          conditions: [{ type: 'A' }],
        },
      },
      conditions('B', 'A'),
    ],
  ])('%s', (_sentence, target, patch, result) => {
    expect(strategicMerge(nodeFields, target, patch)).toEqual(result);
  });

  it('merges containers by name, deep inside of them too', () => {
    const target = containers({ name: 'a', image: 'x', env: [{ name: 'E', value: '1' }] }, { name: 'b' });
    const patch = containers({ name: 'a', env: [{ name: 'F', value: '2' }] });
    const env = [
      { name: 'F', value: '2' },
      { name: 'E', value: '1' },
    ];
    expect(strategicMerge(podFields, target, patch)).toEqual(
      containers({ name: 'a', image: 'x', env }, { name: 'b' }),
    );
  });
});
