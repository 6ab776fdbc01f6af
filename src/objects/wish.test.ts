import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { absent, present } from '../../test/support/wish-builder.ts';
import { type KeyWish, mergeWishes, type NodeWish, type RankedWish, type TaintWish } from './wish.ts';

const anyKeyWish: fc.Arbitrary<KeyWish> = fc.oneof(
  fc.constantFrom('', 'x', 'y').map((value) => present(value)),
  fc.constantFrom('named' as const, 'recorded' as const).map((basis) => absent(basis)),
);
const anyKeys = fc.dictionary(fc.constantFrom('a', 'b', 'constructor', '__proto__'), anyKeyWish);
const anyWish: fc.Arbitrary<NodeWish> = fc.record(
  { labels: anyKeys, annotations: anyKeys, taints: anyKeys },
  { requiredKeys: [] },
);
const anyRanked = fc.uniqueArray(
  fc.record({ capability: fc.constantFrom('p', 'q', 'r', 's'), rank: fc.nat(2), wish: anyWish }),
  { selector: ({ capability }) => capability },
);
const anyTwoOrders = anyRanked.chain((wishes) =>
  fc.tuple(
    fc.constant(wishes),
    fc.shuffledSubarray(wishes, { minLength: wishes.length, maxLength: wishes.length }),
  ),
);

const ranked = (capability: string, rank: number, wish: NodeWish): RankedWish => ({ capability, rank, wish });

describe('merged wishes', () => {
  it('do not depend on the order in which they were given', () => {
    fc.assert(
      fc.property(anyTwoOrders, ([one, other]) => {
        expect(mergeWishes(other)).toEqual(mergeWishes(one));
      }),
    );
  });

  it('name every key that is wished for once, won by the highest rank that wishes for it, or for the gate', () => {
    fc.assert(
      fc.property(anyRanked, (wishes) => {
        const { keys } = mergeWishes(wishes);
        const asked = wishes.flatMap(({ wish }) =>
          Object.entries(wish).flatMap(([kind, map]) => Object.keys(map).map((key) => `${kind} ${key}`)),
        );
        expect(keys.map(({ kind, key }) => `${kind} ${key}`).toSorted()).toEqual(
          [...new Set(asked)].toSorted(),
        );
        for (const { kind, key, capability, wish: won } of keys) {
          const suitors = wishes.filter(({ wish }) => Object.hasOwn(wish[kind] ?? {}, key));
          const isGate = kind === 'taints' && won.kind === 'present';
          const rivals = suitors.filter(({ wish }) => !isGate || wish[kind]?.[key]?.kind === 'present');
          const winner = wishes.find((wish) => wish.capability === capability);
          expect(winner?.rank).toBe(Math.max(...rivals.map(({ rank }) => rank)));
        }
      }),
    );
  });

  const low = (wish: KeyWish) => ranked('nodeconfig', 1, { labels: { team: wish } });
  const high = (wish: KeyWish) => ranked('readiness', 3, { labels: { team: wish } });

  it.each<[string, KeyWish, KeyWish, number]>([
    ['the values differ', present('x'), present('y'), 1],
    ['one wants the key and the other does not', present('x'), absent(), 1],
    ['one wants it gone that the other wants', absent('named'), present('x'), 1],
    ['both want the same value', present('x'), present('x', { owner: 'another' }), 0],
    ['both want the key gone', absent('named'), absent('recorded'), 0],
  ])('are in conflict or not when %s', (_, winning, losing, count) => {
    const { keys, conflicts } = mergeWishes([low(losing), high(winning)]);
    expect(keys).toEqual([{ kind: 'labels', key: 'team', capability: 'readiness', wish: winning }]);
    expect(conflicts).toHaveLength(count);
  });

  it('leave a taint on the node while anybody wishes it to be there', () => {
    fc.assert(
      fc.property(anyRanked, (wishes) => {
        const { keys } = mergeWishes(wishes);
        const isWanted = (key: string) =>
          wishes.some(
            ({ wish: { taints = {} } }) => Object.hasOwn(taints, key) && taints[key]?.kind === 'present',
          );
        const gone = keys.filter(({ kind, wish }) => kind === 'taints' && wish.kind === 'absent');
        expect(gone.filter(({ key }) => isWanted(key))).toEqual([]);
      }),
    );
  });

  const ofGate = (capability: string, rank: number, wish: TaintWish) =>
    ranked(capability, rank, { taints: { 'gate:NoSchedule': wish } });
  const keep: TaintWish = { kind: 'keep', owner: 'stamp' };

  it.each<[string, TaintWish, TaintWish, string | null, number]>([
    ['is there when the lesser wants it and the other does not', present('x'), absent('named'), 'low', 1],
    ['has the value of the more important where both want it', present('x'), present('y'), 'high', 1],
    ['is left alone when the lesser keeps it and the other wants it gone', keep, absent('named'), null, 1],
    ['is left alone when the more important keeps it', absent('named'), keep, null, 1],
    ['is there when one keeps it and the other wants it', keep, present('x'), 'high', 0],
    ['is there when one wants it and the other keeps it', present('x'), keep, 'low', 0],
    ['is left alone when both keep it', keep, keep, null, 0],
  ])('say of a taint that it %s', (_, lesser, higher, winner, count) => {
    const { keys, conflicts } = mergeWishes([ofGate('low', 1, lesser), ofGate('high', 2, higher)]);
    expect(keys.map(({ capability }) => capability)).toEqual(winner === null ? [] : [winner]);
    expect(conflicts).toHaveLength(count);
  });

  it('tell who lost a conflict to whom', () => {
    const { conflicts } = mergeWishes([high(present('x')), low(present('y'))]);
    expect(conflicts).toEqual([
      {
        kind: 'labels',
        key: 'team',
        winner: { kind: 'labels', key: 'team', capability: 'readiness', wish: present('x') },
        loser: { kind: 'labels', key: 'team', capability: 'nodeconfig', wish: present('y') },
      },
    ]);
  });

  it('show every loser of a key', () => {
    const middle = ranked('verification', 2, { labels: { team: absent() } });
    const { conflicts } = mergeWishes([low(present('y')), middle, high(present('x'))]);
    expect(conflicts.map(({ loser }) => loser.capability)).toEqual(['verification', 'nodeconfig']);
  });

  it('are decided by name between equal ranks', () => {
    const wishes = [
      ranked('b', 1, { labels: { a: present('b') } }),
      ranked('a', 1, { labels: { a: present('a') } }),
    ];
    expect(mergeWishes(wishes).keys[0]?.capability).toBe('a');
  });

  it('keep a key of one kind apart from the same key of another', () => {
    const { keys, conflicts } = mergeWishes([
      ranked('a', 1, { labels: { x: present('1') }, annotations: { x: present('2') } }),
    ]);
    expect([keys.length, conflicts.length]).toEqual([2, 0]);
  });

  it('are empty when nobody wishes for anything', () => {
    expect(mergeWishes([ranked('a', 1, {}), ranked('b', 2, { labels: {} })])).toEqual({
      keys: [],
      conflicts: [],
    });
  });
});
