import { describe, expect, it } from 'vitest';
import { conclusion, noon, occasion } from '../../test/support/builders.ts';
import { createNodeStateStore, type NodeStateStore } from './store.ts';

const inPool = (name: string, pool: string) => conclusion({ name, poolRef: { kind: 'Label', name: pool } });
const namesIn = (store: NodeStateStore, pool: string) => store.getByPool(pool).map(({ name }) => name);

describe('the store of node states', () => {
  it('tells that a state is created, with what triggered it', () => {
    const store = createNodeStateStore();
    const changes = store.set(conclusion(), occasion({ triggerSource: 'Startup', resourceVersion: '7' }));
    expect(changes).toEqual([
      {
        changeType: 'Created',
        nodeName: 'a',
        timestamp: noon,
        triggerSource: 'Startup',
        oldState: null,
        newState: store.get('a'),
      },
    ]);
    expect(store.get('a')).toMatchObject({ evaluationCount: 1, lastEvaluated: noon, resourceVersion: '7' });
  });

  it('tells that a state is updated, from what to what', () => {
    const store = createNodeStateStore();
    store.set(conclusion(), occasion());
    const before = store.get('a');
    const changes = store.set(conclusion({ phase: 'Draining' }), occasion({ at: noon + 1 }));
    expect(changes).toMatchObject([{ changeType: 'Updated', timestamp: noon + 1 }]);
    expect(changes[0]?.oldState).toBe(before);
    expect(changes[0]?.newState).toBe(store.get('a'));
    expect(store.get('a')).toMatchObject({ phase: 'Draining', evaluationCount: 2 });
  });

  it('stores nothing when the hash is equal, and counts the evaluation', () => {
    const store = createNodeStateStore();
    store.set(conclusion(), occasion());
    const before = store.get('a');
    expect(store.set(conclusion(), occasion({ at: noon + 1, resourceVersion: '11' }))).toEqual([]);
    expect(store.get('a')).toBe(before);
    expect(store.evaluationsOf('a')).toBe(2);
  });

  it('tells that a state is deleted, once', () => {
    const store = createNodeStateStore();
    store.set(conclusion(), occasion());
    const before = store.get('a');
    expect(store.delete('a', occasion({ at: noon + 1 }))).toEqual({
      changeType: 'Deleted',
      nodeName: 'a',
      timestamp: noon + 1,
      triggerSource: 'Node',
      oldState: before,
      newState: null,
    });
    expect(store.delete('a', occasion())).toBeNull();
    expect([store.get('a'), store.count(), store.pools(), store.evaluationsOf('a')]).toEqual([
      undefined,
      0,
      [],
      0,
    ]);
  });

  it('takes a node that is re-created for a deletion and a creation', () => {
    const store = createNodeStateStore();
    store.set(inPool('a', 'x'), occasion());
    store.set(inPool('a', 'x'), occasion());
    const changes = store.set({ ...inPool('a', 'y'), uid: 'uid-2' }, occasion());
    expect(changes).toMatchObject([
      { changeType: 'Deleted', oldState: { uid: 'uid-1' }, newState: null },
      { changeType: 'Created', oldState: null, newState: { uid: 'uid-2', evaluationCount: 1 } },
    ]);
    expect([store.count(), store.pools()]).toEqual([1, ['y']]);
  });

  it('hands out states that cannot be changed', () => {
    const store = createNodeStateStore();
    store.set(conclusion(), occasion());
    expect(Object.isFrozen(store.get('a'))).toBe(true);
  });
});

describe('the pools of the store', () => {
  it('know their members', () => {
    const store = createNodeStateStore();
    for (const name of ['a', 'b']) store.set(inPool(name, 'x'), occasion());
    store.set(inPool('c', 'y'), occasion());
    expect([namesIn(store, 'x'), namesIn(store, 'y'), namesIn(store, 'z')]).toEqual([['a', 'b'], ['c'], []]);
  });

  it('lose a node that moves and gain it where it went', () => {
    const store = createNodeStateStore();
    for (const name of ['a', 'b']) store.set(inPool(name, 'x'), occasion());
    const [change] = store.set(inPool('a', 'y'), occasion());
    expect([namesIn(store, 'x'), namesIn(store, 'y')]).toEqual([['b'], ['a']]);
    expect(change).toMatchObject({
      oldState: { poolRef: { name: 'x' } },
      newState: { poolRef: { name: 'y' } },
    });
  });

  it('are gone with their last node', () => {
    const store = createNodeStateStore();
    store.set(inPool('a', 'x'), occasion());
    store.set(inPool('a', 'y'), occasion());
    expect(store.pools()).toEqual(['y']);
  });

  it('show a member as it is now', () => {
    const store = createNodeStateStore();
    store.set(inPool('a', 'x'), occasion());
    store.set({ ...inPool('a', 'x'), phase: 'Draining' }, occasion());
    expect(store.getByPool('x')).toEqual([store.get('a')]);
  });

  it('have names that every object inherits, like any other', () => {
    const store = createNodeStateStore();
    store.set(inPool('__proto__', 'constructor'), occasion());
    expect([namesIn(store, 'constructor'), namesIn(store, 'toString')]).toEqual([['__proto__'], []]);
  });
});

describe('a walk through the store', () => {
  const filled = () => {
    const store = createNodeStateStore();
    for (const name of ['a', 'b', 'c']) store.set(inPool(name, 'x'), occasion());
    return store;
  };

  it('visits every state, until the visitor has seen enough', () => {
    const seen: string[] = [];
    const visit = (enough: string) => {
      filled().range(({ name }) => seen.push(name) > 0 && name !== enough);
    };
    visit('none');
    visit('b');
    expect(seen).toEqual(['a', 'b', 'c', 'a', 'b']);
  });

  it('visits a state once although the visitor updates it', () => {
    const store = filled();
    let visits = 0;
    store.range(({ name }) => {
      visits += 1;
      store.set({ ...inPool(name, 'x'), message: `visit ${visits}` }, occasion());
      return visits < 10;
    });
    expect(visits).toBe(3);
  });

  it('keeps its order when states change', () => {
    const store = filled();
    store.set({ ...inPool('a', 'x'), phase: 'Draining' }, occasion());
    expect(store.getAll().map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(namesIn(store, 'x')).toEqual(['a', 'b', 'c']);
  });

  it('hands out a list that later changes leave alone', () => {
    const store = filled();
    const all = store.getAll();
    store.delete('a', occasion());
    expect([all.length, store.count()]).toEqual([3, 2]);
  });
});
