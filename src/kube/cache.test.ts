import { describe, expect, it } from 'vitest';
import type { ObjectView, RawObject } from '../objects/raw.ts';
import { isRecord, textOf, viewOf } from '../objects/raw.ts';
import { nodeType } from '../objects/ref.ts';
import type { CacheChange, WatchSpec } from '../runtime/ports.ts';
import { createCache } from './cache.ts';
import { createIntern } from './intern.ts';

type PoolView = ObjectView & { readonly pool: string; readonly nested: { readonly list: readonly string[] } };

const poolSpec: WatchSpec<PoolView> = {
  selection: { type: nodeType },
  project: (raw, intern) => {
    const pool = isRecord(raw.spec) ? textOf(raw.spec['pool']) : '';
    if (pool === 'unreadable') throw new Error('no such pool');
    return { ...viewOf(raw), pool: intern.text(pool), nested: { list: [pool] } };
  },
  indexes: { pool: (view) => (view.pool === '' ? [] : [view.pool]) },
  presence: 'required',
};

const node = (
  name: string,
  resourceVersion: string,
  rest: { uid?: string; pool?: string } = {},
): RawObject => ({
  metadata: { name, uid: rest.uid ?? `uid-${name}`, resourceVersion },
  spec: { pool: rest.pool ?? 'blue' },
});

function setUp() {
  const changes: CacheChange<PoolView>[] = [];
  const unreadable: string[] = [];
  const faults: unknown[] = [];
  const cache = createCache(poolSpec, {
    intern: createIntern(),
    onUnreadable: (key) => unreadable.push(key),
    onListenerFault: (cause) => faults.push(cause),
  });
  cache.subscribe((change) => changes.push(change));
  const sync = (resourceVersion: string, ...objects: readonly RawObject[]) => {
    cache.stage();
    for (const object of objects) cache.stageObject('ADDED', object);
    cache.commit(resourceVersion);
  };
  const told = () => changes.splice(0).map((change) => describeChange(change));
  return { cache, sync, told, unreadable, faults };
}

function describeChange(change: CacheChange<PoolView>): string {
  if (change.kind === 'updated') {
    return `${change.now.name} ${change.before.resourceVersion} -> ${change.now.resourceVersion}`;
  }
  const view = change.kind === 'added' ? change.now : change.before;
  return `${change.kind} ${view.name} ${view.resourceVersion}`;
}

describe('an event of the watch', () => {
  it('adds, updates and deletes, and each is told with the views before and after', () => {
    const { cache, told } = setUp();
    cache.apply('ADDED', node('a', '1'));
    cache.apply('MODIFIED', node('a', '2'));
    cache.apply('DELETED', node('a', '3'));
    expect(told()).toEqual(['added a 1', 'a 1 -> 2', 'deleted a 2']);
    expect(cache.size).toBe(0);
  });

  it.each(['2', '1'])('is not told when the cache holds version 2 and it brings version %s', (version) => {
    const { cache, told } = setUp();
    cache.apply('ADDED', node('a', '2'));
    told();
    cache.apply('MODIFIED', node('a', version, { pool: 'red' }));
    expect(told()).toEqual([]);
    expect(cache.get('a')?.pool).toBe('blue');
  });

  it('compares versions by value and not as text', () => {
    const { cache } = setUp();
    cache.apply('ADDED', node('a', '9'));
    cache.apply('MODIFIED', node('a', '10', { pool: 'red' }));
    expect(cache.get('a')?.pool).toBe('red');
  });

  it('about a new object of the same name deletes the old one and adds the new one', () => {
    const { cache, told } = setUp();
    cache.apply('ADDED', node('a', '1', { uid: 'first' }));
    cache.apply('MODIFIED', node('a', '5', { uid: 'second' }));
    expect(told()).toEqual(['added a 1', 'deleted a 1', 'added a 5']);
  });

  it('about the end of an earlier object of the same name is ignored', () => {
    const { cache, told } = setUp();
    cache.apply('ADDED', node('a', '5', { uid: 'second' }));
    cache.apply('DELETED', node('a', '4', { uid: 'first' }));
    expect(told()).toEqual(['added a 5']);
  });

  it('about the end of a later object than the one held ends the one held as well', () => {
    const { cache, told } = setUp();
    cache.apply('ADDED', node('a', '5', { uid: 'first' }));
    cache.apply('DELETED', node('a', '9', { uid: 'second' }));
    expect(told()).toEqual(['added a 5', 'deleted a 5']);
  });

  it('from before the end of an object does not bring it back', () => {
    const { cache, told } = setUp();
    cache.apply('ADDED', node('a', '1'));
    cache.apply('DELETED', node('a', '3'));
    cache.apply('MODIFIED', node('a', '2'));
    expect(told()).toEqual(['added a 1', 'deleted a 1']);
  });

  it('brings back an object that had left the selection', () => {
    const { cache } = setUp();
    cache.apply('ADDED', node('a', '1'));
    cache.apply('DELETED', node('a', '2'));
    cache.apply('ADDED', node('a', '3'));
    expect(cache.get('a')?.resourceVersion).toBe('3');
  });

  it('without an order is believed and leaves a doubt', () => {
    const { cache } = setUp();
    cache.apply('ADDED', node('a', 'x7'));
    expect(cache.isDoubtful('a')).toBe(false);
    cache.apply('MODIFIED', node('a', 'x8', { pool: 'red' }));
    expect(cache.get('a')?.pool).toBe('red');
    expect(cache.isDoubtful('a')).toBe(true);
  });

  it('that cannot be read keeps the view held before, in doubt', () => {
    const { cache, told, unreadable } = setUp();
    cache.apply('ADDED', node('a', '1'));
    told();
    cache.apply('MODIFIED', node('a', '2', { pool: 'unreadable' }));
    expect(told()).toEqual([]);
    expect(cache.get('a')?.resourceVersion).toBe('1');
    expect(cache.isDoubtful('a')).toBe(true);
    expect(unreadable).toEqual(['a']);
  });

  it('about an object without a name is reported and not stored', () => {
    const { cache, unreadable } = setUp();
    cache.apply('ADDED', { spec: {} });
    expect(cache.size).toBe(0);
    expect(unreadable).toEqual(['']);
  });
});

describe('a full sync', () => {
  it('shows nothing before it is complete', () => {
    const { cache, told } = setUp();
    cache.stage();
    cache.stageObject('ADDED', node('a', '1'));
    expect(cache.get('a')).toBeUndefined();
    expect(cache.isSynced()).toBe(false);
    cache.commit('1');
    expect(told()).toEqual(['added a 1']);
    expect(cache.isSynced()).toBe(true);
  });

  it('that is abandoned leaves no trace', () => {
    const { cache, sync, told } = setUp();
    cache.stage();
    cache.stageObject('ADDED', node('half', '1'));
    cache.abandon();
    expect(cache.isSynced()).toBe(false);
    sync('5', node('a', '2'));
    expect(told()).toEqual(['added a 2']);
  });

  it('keeps the very view of what did not change, and deletes what is not in it', () => {
    const { cache, sync, told } = setUp();
    sync('5', node('a', '1'), node('b', '2'), node('c', '3'));
    const before = cache.get('a');
    told();
    sync('9', node('a', '1'), node('b', '7'));
    expect(cache.get('a')).toBe(before);
    expect(told()).toEqual(['deleted c 3', 'b 2 -> 7']);
  });

  it('older than our own write neither deletes nor reverts what we wrote', () => {
    const { cache, sync, told } = setUp();
    sync('5', node('a', '1'));
    cache.observe(node('a', '8', { pool: 'red' }));
    cache.observe(node('ours', '9'));
    told();
    sync('7', node('a', '1'));
    expect(told()).toEqual([]);
    expect([...cache.keys()]).toEqual(['a', 'ours']);
  });

  it('does not bring back what a live read found gone', () => {
    const { cache, sync, told } = setUp();
    sync('5', node('a', '1'));
    cache.stage();
    cache.stageObject('ADDED', node('a', '1'));
    cache.observeGone('a', 'uid-a');
    cache.commit('6');
    expect(told()).toEqual(['added a 1', 'deleted a 1']);
  });

  it('forgets what its own stream deletes before its end', () => {
    const { cache } = setUp();
    cache.stage();
    cache.stageObject('ADDED', node('a', '1'));
    cache.stageObject('DELETED', node('a', '2'));
    cache.commit('2');
    expect(cache.size).toBe(0);
  });

  it('keeps the view of an object that can no longer be read', () => {
    const { cache, sync } = setUp();
    sync('5', node('a', '1'));
    sync('9', node('a', '8', { pool: 'unreadable' }));
    expect(cache.get('a')?.resourceVersion).toBe('1');
    expect(cache.isDoubtful('a')).toBe(true);
  });

  it('is announced once, after its objects were told', () => {
    const { cache, sync, told } = setUp();
    const announced: (readonly string[])[] = [];
    cache.onSynced(() => announced.push(told()));
    sync('5', node('a', '1'));
    sync('6', node('a', '1'));
    expect(announced).toEqual([['added a 1']]);
  });

  it('of a kind that is not installed is complete and empty', () => {
    const { cache, sync, told } = setUp();
    sync('5', node('a', '1'));
    told();
    cache.markAbsent();
    expect(told()).toEqual(['deleted a 1']);
    expect(cache.isSynced()).toBe(true);
  });
});

describe('the reply to our own write', () => {
  it('is seen at once, and its event later tells nothing new', () => {
    const { cache, told } = setUp();
    cache.observe(node('a', '4'));
    cache.apply('ADDED', node('a', '4'));
    expect(told()).toEqual(['added a 4']);
  });

  it('is ignored when the watch was faster and knows more', () => {
    const { cache, told } = setUp();
    cache.apply('ADDED', node('a', '6'));
    cache.observe(node('a', '4'));
    expect(told()).toEqual(['added a 6']);
  });

  it('settles the doubt about its object, which an event does not', () => {
    const { cache } = setUp();
    cache.apply('ADDED', node('a', '1'));
    cache.doubt('a');
    cache.apply('MODIFIED', node('a', '2'));
    expect(cache.isDoubtful('a')).toBe(true);
    cache.observe(node('a', '2'));
    expect(cache.isDoubtful('a')).toBe(false);
  });

  it('without an order is believed and leaves no doubt', () => {
    const { cache } = setUp();
    cache.apply('ADDED', node('a', 'x7'));
    cache.observe(node('a', 'x8', { pool: 'red' }));
    expect(cache.get('a')?.pool).toBe('red');
    expect(cache.isDoubtful('a')).toBe(false);
  });

  it('that it is gone deletes that object and no later one of the same name', () => {
    const { cache, told } = setUp();
    cache.apply('ADDED', node('a', '5', { uid: 'second' }));
    cache.doubt('a');
    cache.observeGone('a', 'first');
    expect(cache.isDoubtful('a')).toBe(false);
    expect(cache.get('a')?.uid).toBe('second');
    cache.observeGone('a', 'second');
    expect(told()).toEqual(['added a 5', 'deleted a 5']);
  });
});

describe('what a cache hands out', () => {
  it('is frozen to the bottom', () => {
    const { cache, sync } = setUp();
    sync('5', node('a', '1'));
    const view = cache.get('a');
    expect(Object.isFrozen(view)).toBe(true);
    expect(Object.isFrozen(view?.nested.list)).toBe(true);
  });

  it('is found by index, before and after each change', () => {
    const { cache, sync } = setUp();
    const names = (pool: string) => cache.byIndex('pool', pool).map(({ name }) => name);
    sync('5', node('a', '1'), node('b', '2'), node('c', '3', { pool: '' }));
    expect(names('blue')).toEqual(['a', 'b']);
    cache.apply('MODIFIED', node('a', '6', { pool: 'red' }));
    cache.apply('DELETED', node('b', '7'));
    expect([names('blue'), names('red'), names('')]).toEqual([[], ['a'], []]);
  });

  it('refuses an index that nobody declared', () => {
    expect(() => setUp().cache.byIndex('zone', 'a')).toThrow('the cache has no index zone');
  });
});

describe('a subscriber', () => {
  it('that throws is reported and does not keep the others from hearing', () => {
    const { cache, faults } = setUp();
    const heard: string[] = [];
    cache.subscribe(() => {
      throw new Error('mine');
    });
    cache.subscribe(({ kind }) => heard.push(kind));
    cache.apply('ADDED', node('a', '1'));
    expect(heard).toEqual(['added']);
    expect(faults).toEqual([new Error('mine')]);
  });

  it('hears nothing after it was cancelled', () => {
    const { cache } = setUp();
    const heard: string[] = [];
    cache.subscribe(({ kind }) => heard.push(kind))();
    cache.apply('ADDED', node('a', '1'));
    expect(heard).toEqual([]);
  });
});
