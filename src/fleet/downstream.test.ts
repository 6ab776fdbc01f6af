import { describe, expect, it } from 'vitest';
import { change, nodeState } from '../../test/support/builders.ts';
import { poolsOf, type StateChangeEvent } from './change.ts';
import { type DownstreamController, notify } from './downstream.ts';
import type { NodeState } from './node-state.ts';

const gpu = (name = 'a') => nodeState({ name, poolRef: { kind: 'Label', name: 'gpu' } });
const cpu = (name = 'a') => nodeState({ name, poolRef: { kind: 'Label', name: 'cpu' } });

type Keys = DownstreamController['keysOf'];
const byNode: Keys = ({ nodeName }) => [nodeName];

function told(event: StateChangeEvent, given: { filter?: (state: NodeState) => boolean; keysOf?: Keys }) {
  const keys: string[] = [];
  const enqueue = (key: string) => void keys.push(key);
  notify([{ name: 'pools', type: 'pool_insight', keysOf: byNode, enqueue, ...given }], event);
  return keys;
}

describe('a downstream controller', () => {
  it.each([
    ['a creation', change(null, gpu())],
    ['an update', change(cpu(), gpu())],
    ['a deletion', change(gpu(), null)],
  ])('is told of %s when it cares about every state', (_, event) => {
    expect(told(event, {})).toEqual(['a']);
  });

  const filter = (state: NodeState) => state.poolRef.name === 'gpu';

  it.each<[string, StateChangeEvent, boolean]>([
    ['a state it cares about is created', change(null, gpu()), true],
    ['one it does not care about is created', change(null, cpu()), false],
    ['a state becomes one it cares about', change(cpu(), gpu()), true],
    ['a state ceases to be one it cares about', change(gpu(), cpu()), true],
    ['a state is and stays one it does not care about', change(cpu(), cpu()), false],
    ['a state it cared about is deleted', change(gpu(), null), true],
    ['one it did not care about is deleted', change(cpu(), null), false],
  ])('with a filter is told or not when %s', (_, event, isTold) => {
    expect(told(event, { filter })).toEqual(isTold ? ['a'] : []);
  });

  it('of pools is told of both when a node moves from one to the other', () => {
    expect(told(change(cpu(), gpu()), { keysOf: poolsOf })).toEqual(['cpu', 'gpu']);
  });

  it('is told once for every key of its own that a change touches', () => {
    expect(told(change(null, gpu()), { keysOf: () => ['x', 'y'] })).toEqual(['x', 'y']);
    expect(told(change(null, gpu()), { keysOf: () => [] })).toEqual([]);
  });
});

it('every downstream controller that is concerned is told', () => {
  const keys: string[] = [];
  const controller = (name: string, filter: () => boolean): DownstreamController => ({
    name,
    type: 'node_insight',
    filter,
    keysOf: byNode,
    enqueue: (key) => void keys.push(`${name} ${key}`),
  });
  notify(
    [controller('p', () => true), controller('q', () => false), controller('r', () => true)],
    change(null, gpu()),
  );
  expect(keys).toEqual(['p a', 'r a']);
});
