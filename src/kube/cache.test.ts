import { describe, expect, it } from 'vitest';
import { cacheScene, node } from '../../test/support/cache-scene.ts';

describe('an event of the watch', () => {
  it('adds, updates and deletes, and each is told with the views before and after', () => {
    const { cache, told } = cacheScene();
    cache.apply('ADDED', node('a', '1'));
    cache.apply('MODIFIED', node('a', '2'));
    cache.apply('DELETED', node('a', '3'));
    expect(told()).toEqual(['added a 1', 'a 1 -> 2', 'deleted a 2']);
    expect(cache.size).toBe(0);
  });

  it.each(['2', '1'])('is not told when the cache holds version 2 and it brings version %s', (version) => {
    const { cache, told } = cacheScene();
    cache.apply('ADDED', node('a', '2'));
    told();
    cache.apply('MODIFIED', node('a', version, { pool: 'red' }));
    expect(told()).toEqual([]);
    expect(cache.get('a')?.pool).toBe('blue');
  });

  it('compares versions by value and not as text', () => {
    const { cache } = cacheScene();
    cache.apply('ADDED', node('a', '9'));
    cache.apply('MODIFIED', node('a', '10', { pool: 'red' }));
    expect(cache.get('a')?.pool).toBe('red');
  });

  it('about a new object of the same name deletes the old one and adds the new one', () => {
    const { cache, told } = cacheScene();
    cache.apply('ADDED', node('a', '1', { uid: 'first' }));
    cache.apply('MODIFIED', node('a', '5', { uid: 'second' }));
    expect(told()).toEqual(['added a 1', 'deleted a 1', 'added a 5']);
  });

  it('about the end of an earlier object of the same name is ignored', () => {
    const { cache, told } = cacheScene();
    cache.apply('ADDED', node('a', '5', { uid: 'second' }));
    cache.apply('DELETED', node('a', '4', { uid: 'first' }));
    expect(told()).toEqual(['added a 5']);
  });

  it('about the end of a later object than the one held ends the one held as well', () => {
    const { cache, told } = cacheScene();
    cache.apply('ADDED', node('a', '5', { uid: 'first' }));
    cache.apply('DELETED', node('a', '9', { uid: 'second' }));
    expect(told()).toEqual(['added a 5', 'deleted a 5']);
  });

  it('from before the end of an object does not bring it back', () => {
    const { cache, told } = cacheScene();
    cache.apply('ADDED', node('a', '1'));
    cache.apply('DELETED', node('a', '3'));
    cache.apply('MODIFIED', node('a', '2'));
    expect(told()).toEqual(['added a 1', 'deleted a 1']);
  });

  it('brings back an object that had left the selection', () => {
    const { cache } = cacheScene();
    cache.apply('ADDED', node('a', '1'));
    cache.apply('DELETED', node('a', '2'));
    cache.apply('ADDED', node('a', '3'));
    expect(cache.get('a')?.resourceVersion).toBe('3');
  });

  it('without an order is believed and leaves a doubt', () => {
    const { cache } = cacheScene();
    cache.apply('ADDED', node('a', 'x7'));
    expect(cache.isDoubtful('a')).toBe(false);
    cache.apply('MODIFIED', node('a', 'x8', { pool: 'red' }));
    expect(cache.get('a')?.pool).toBe('red');
    expect(cache.isDoubtful('a')).toBe(true);
  });

  it('that cannot be read keeps the view held before, in doubt', () => {
    const { cache, told, unreadable } = cacheScene();
    cache.apply('ADDED', node('a', '1'));
    told();
    cache.apply('MODIFIED', node('a', '2', { pool: 'unreadable' }));
    expect(told()).toEqual([]);
    expect(cache.get('a')?.resourceVersion).toBe('1');
    expect(cache.isDoubtful('a')).toBe(true);
    expect(unreadable).toEqual(['a']);
  });

  it('that cannot be read is reported with what was thrown', () => {
    const { cache, causes } = cacheScene();
    cache.apply('ADDED', node('a', '2', { pool: 'unreadable' }));
    expect(causes).toEqual([new Error('no such pool')]);
    expect(cache.get('a')).toBeUndefined();
  });

  it('that cannot be filed keeps the view held before, in doubt', () => {
    const { cache, told, causes } = cacheScene();
    cache.apply('ADDED', node('a', '1'));
    told();
    cache.apply('MODIFIED', node('a', '2', { pool: 'unfiled' }));
    expect(told()).toEqual([]);
    expect(causes).toEqual([new Error('no place for it')]);
    expect(cache.byIndex('pool', 'blue').map(({ name }) => name)).toEqual(['a']);
    expect(cache.isDoubtful('a')).toBe(true);
  });

  it('about an object without a name is reported and not stored', () => {
    const { cache, unreadable, causes } = cacheScene();
    cache.apply('ADDED', { spec: {} });
    expect(cache.size).toBe(0);
    expect(unreadable).toEqual(['']);
    expect(String(causes[0])).toContain('an object has a name');
  });
});

describe('the answer to a call of our own', () => {
  it('is known as such, whether it comes before the event of the watch or after it', () => {
    const { cache } = cacheScene();
    cache.observe(node('a', '1'));
    cache.apply('MODIFIED', node('a', '1'));
    expect(cache.isOwn('a')).toBe(true);
    cache.apply('MODIFIED', node('a', '2'));
    expect(cache.isOwn('a')).toBe(false);
    cache.observe(node('a', '2'));
    expect(cache.isOwn('a')).toBe(true);
  });

  it('is nothing of ours any more once somebody else has written, or the object is gone', () => {
    const { cache, sync } = cacheScene();
    cache.observe(node('a', '2'));
    sync('5', node('a', '4'));
    expect(cache.isOwn('a')).toBe(false);
    cache.observe(node('a', '6'));
    cache.apply('DELETED', node('a', '7'));
    expect([cache.isOwn('a'), cache.isOwn('b')]).toEqual([false, false]);
  });

  it('that is older than what is held does not make it ours', () => {
    const { cache } = cacheScene();
    cache.apply('ADDED', node('a', '5'));
    cache.observe(node('a', '4'));
    expect(cache.isOwn('a')).toBe(false);
  });
});

describe('the end of an object', () => {
  it('that nobody knew of is remembered: an earlier event does not bring it in', () => {
    const { cache, told } = cacheScene();
    cache.apply('DELETED', node('a', '5'));
    cache.apply('ADDED', node('a', '4'));
    expect(told()).toEqual([]);
    expect(cache.isDoubtful('a')).toBe(false);
  });

  it('that is older than what is held is ignored: it left the selection and is back', () => {
    const { cache, told } = cacheScene();
    cache.observe(node('a', '5'));
    cache.apply('DELETED', node('a', '4'));
    expect(told()).toEqual(['added a 5']);
  });

  it('at the very version that is held deletes it', () => {
    const { cache, told } = cacheScene();
    cache.apply('ADDED', node('a', '5'));
    cache.apply('DELETED', node('a', '5'));
    expect(told()).toEqual(['added a 5', 'deleted a 5']);
  });

  it('at the version of another incarnation deletes nothing', () => {
    const { cache } = cacheScene();
    cache.apply('ADDED', node('a', '5', { uid: 'second' }));
    cache.apply('DELETED', node('a', '5', { uid: 'first' }));
    expect(cache.get('a')?.uid).toBe('second');
    expect(cache.isDoubtful('a')).toBe(false);
  });

  it('without an order deletes its own incarnation, in doubt', () => {
    const { cache } = cacheScene();
    cache.apply('ADDED', node('a', 'x5'));
    cache.apply('DELETED', node('a', 'x6'));
    expect(cache.size).toBe(0);
    expect(cache.isDoubtful('a')).toBe(true);
  });

  it('without an order leaves another incarnation, in doubt', () => {
    const { cache } = cacheScene();
    cache.apply('ADDED', node('a', 'x5', { uid: 'second' }));
    cache.apply('DELETED', node('a', 'x6', { uid: 'first' }));
    expect(cache.get('a')?.uid).toBe('second');
    expect(cache.isDoubtful('a')).toBe(true);
  });

  it('of a later incarnation is the end of the one that was held too, for good', () => {
    const { cache } = cacheScene();
    cache.apply('ADDED', node('a', '5', { uid: 'first' }));
    cache.apply('DELETED', node('a', '9', { uid: 'second' }));
    cache.apply('MODIFIED', node('a', '8', { uid: 'first' }));
    expect(cache.size).toBe(0);
  });

  it('is known by its successor: what is older than that one does not come back after it', () => {
    const { cache } = cacheScene();
    cache.apply('ADDED', node('a', '1', { uid: 'first' }));
    cache.apply('ADDED', node('a', '5', { uid: 'second' }));
    cache.apply('DELETED', node('a', '6', { uid: 'second' }));
    cache.apply('MODIFIED', node('a', '4', { uid: 'first' }));
    expect(cache.size).toBe(0);
  });
});

describe('what a cache hands out', () => {
  it('is frozen to the bottom', () => {
    const { cache, sync } = cacheScene();
    sync('5', node('a', '1'));
    const view = cache.get('a');
    expect(Object.isFrozen(view)).toBe(true);
    expect(Object.isFrozen(view?.nested)).toBe(true);
    expect(Object.isFrozen(view?.nested.list)).toBe(true);
  });

  it('is found by index, before and after each change', () => {
    const { cache, sync } = cacheScene();
    const names = (pool: string) => cache.byIndex('pool', pool).map(({ name }) => name);
    sync('5', node('a', '1'), node('b', '2'), node('c', '3', { pool: '' }));
    expect(names('blue')).toEqual(['a', 'b']);
    cache.apply('MODIFIED', node('a', '6', { pool: 'red' }));
    cache.apply('DELETED', node('b', '7'));
    expect([names('blue'), names('red'), names('')]).toEqual([[], ['a'], []]);
  });

  it('is counted and listed by key', () => {
    const { cache, sync } = cacheScene();
    sync('5', node('a', '1'), node('b', '2'));
    expect(cache.size).toBe(2);
    expect([...cache.keys()]).toEqual(['a', 'b']);
    expect([...cache.values()].map(({ name }) => name)).toEqual(['a', 'b']);
    expect(cache.get('c')).toBeUndefined();
  });

  it('refuses an index that nobody declared', () => {
    expect(() => cacheScene().cache.byIndex('zone', 'a')).toThrow('the cache has no index zone');
  });
});

describe('a subscriber', () => {
  it('that throws is reported and does not keep the others from hearing', () => {
    const { cache, faults } = cacheScene();
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
    const { cache } = cacheScene();
    const heard: string[] = [];
    cache.subscribe(({ kind }) => heard.push(kind))();
    cache.apply('ADDED', node('a', '1'));
    expect(heard).toEqual([]);
  });
});
