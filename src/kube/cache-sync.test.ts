import { describe, expect, it } from 'vitest';
import { cacheScene, node } from '../../test/support/cache-scene.ts';

describe('a full sync', () => {
  it('shows nothing before it is complete', () => {
    const { cache, told } = cacheScene();
    cache.stage();
    cache.stageObject('ADDED', node('a', '1'));
    expect(cache.get('a')).toBeUndefined();
    expect(cache.isSynced()).toBe(false);
    cache.commit('1');
    expect(told()).toEqual(['added a 1']);
    expect(cache.isSynced()).toBe(true);
  });

  it('that is abandoned leaves no trace', () => {
    const { cache, sync, told } = cacheScene();
    cache.stage();
    cache.stageObject('ADDED', node('half', '1'));
    cache.abandon();
    cache.stageObject('ADDED', node('rest', '2'));
    expect(cache.isSynced()).toBe(false);
    cache.commit('2');
    expect(told()).toEqual([]);
    sync('5', node('a', '2'));
    expect(told()).toEqual(['added a 2']);
  });

  it('keeps the very view of what did not change, and deletes what is not in it', () => {
    const { cache, sync, told } = cacheScene();
    sync('5', node('a', '1'), node('b', '2'), node('c', '3'));
    const before = cache.get('a');
    told();
    sync('9', node('a', '1'), node('b', '7'));
    expect(cache.get('a')).toBe(before);
    expect(told()).toEqual(['deleted c 3', 'b 2 -> 7']);
  });

  it('older than our own write neither deletes nor reverts what we wrote', () => {
    const { cache, sync, told } = cacheScene();
    sync('5', node('a', '1'));
    cache.observe(node('a', '8', { pool: 'red' }));
    cache.observe(node('ours', '9'));
    told();
    sync('7', node('a', '1'));
    expect(told()).toEqual([]);
    expect([...cache.keys()]).toEqual(['a', 'ours']);
  });

  it('does not bring back what a live read found gone', () => {
    const { cache, sync, told } = cacheScene();
    sync('5', node('a', '1'));
    cache.stage();
    cache.stageObject('ADDED', node('a', '1'));
    cache.observeGone('a', 'uid-a');
    cache.commit('6');
    expect(told()).toEqual(['added a 1', 'deleted a 1']);
  });

  it('forgets what its own stream deletes before its end', () => {
    const { cache } = cacheScene();
    cache.stage();
    cache.stageObject('ADDED', node('a', '1'));
    cache.stageObject('DELETED', node('a', '2'));
    cache.commit('2');
    expect(cache.size).toBe(0);
  });

  it('does not read again what did not change', () => {
    const { sync, projected } = cacheScene();
    sync('5', node('a', '1'), node('b', '2'), node('c', '3'));
    projected.splice(0);
    sync('9', node('a', '1'), node('b', '7'), node('c', '3', { uid: 'another' }));
    expect(projected).toEqual(['b', 'c']);
  });

  it('forgets what an unfinished one had staged', () => {
    const { cache, sync, told } = cacheScene();
    cache.stage();
    cache.stageObject('ADDED', node('half', '1'));
    sync('5', node('a', '2'));
    expect(told()).toEqual(['added a 2']);
  });

  it('takes nothing in before it begins nor after its end', () => {
    const { cache, sync } = cacheScene();
    cache.stageObject('ADDED', node('early', '1'));
    cache.stageObject('DELETED', node('early', '1'));
    sync('5', node('a', '2'));
    cache.stageObject('ADDED', node('late', '6'));
    expect([...cache.keys()]).toEqual(['a']);
    cache.commit('9');
    expect([...cache.keys()]).toEqual([]);
  });

  it('that removes an object outlives a late reply from before it, and not one from after it', () => {
    const { cache, sync } = cacheScene();
    sync('5', node('a', '1'));
    sync('9');
    cache.observe(node('a', '8'));
    expect(cache.size).toBe(0);
    cache.observe(node('a', '10'));
    expect(cache.size).toBe(1);
  });

  it('without an order removes what is not in it, in doubt', () => {
    const { cache, sync } = cacheScene();
    sync('x5', node('a', 'x1'), node('b', 'x2'));
    sync('x9', node('a', 'x1'));
    expect([...cache.keys()]).toEqual(['a']);
    expect([cache.isDoubtful('a'), cache.isDoubtful('b')]).toEqual([false, true]);
  });

  it('as old as an object removes it when it is not in it, without a doubt', () => {
    const { cache, sync } = cacheScene();
    cache.apply('ADDED', node('a', '5'));
    sync('5');
    expect(cache.size).toBe(0);
    expect(cache.isDoubtful('a')).toBe(false);
  });

  it('keeps the view of an object that can no longer be read', () => {
    const { cache, sync } = cacheScene();
    sync('5', node('a', '1'));
    sync('9', node('a', '8', { pool: 'unreadable' }));
    expect(cache.get('a')?.resourceVersion).toBe('1');
    expect(cache.isDoubtful('a')).toBe(true);
  });

  it('is announced once, after its objects were told', () => {
    const { cache, sync, told } = cacheScene();
    const announced: (readonly string[])[] = [];
    cache.onSynced(() => announced.push(told()));
    sync('5', node('a', '1'));
    sync('6', node('a', '1'));
    expect(announced).toEqual([['added a 1']]);
  });

  it('is not announced to who no longer listens', () => {
    const { cache, sync } = cacheScene();
    const announced: string[] = [];
    cache.onSynced(() => announced.push('synced'))();
    sync('5');
    expect(announced).toEqual([]);
  });

  it('is not begun by a kind that turns out not to be installed', () => {
    const { cache } = cacheScene();
    cache.stage();
    cache.stageObject('ADDED', node('half', '1'));
    cache.markAbsent();
    cache.commit('9');
    expect(cache.size).toBe(0);
  });

  it('of a kind that is not installed is complete and empty', () => {
    const { cache, sync, told } = cacheScene();
    sync('5', node('a', '1'));
    told();
    cache.markAbsent();
    expect(told()).toEqual(['deleted a 1']);
    expect(cache.isSynced()).toBe(true);
  });
});

describe('the reply to our own write', () => {
  it('is seen at once, and its event later tells nothing new', () => {
    const { cache, told } = cacheScene();
    cache.observe(node('a', '4'));
    cache.apply('ADDED', node('a', '4'));
    expect(told()).toEqual(['added a 4']);
  });

  it('is ignored when the watch was faster and knows more', () => {
    const { cache, told } = cacheScene();
    cache.apply('ADDED', node('a', '6'));
    cache.observe(node('a', '4'));
    expect(told()).toEqual(['added a 6']);
  });

  it('settles the doubt about its object, which an event does not', () => {
    const { cache } = cacheScene();
    cache.apply('ADDED', node('a', '1'));
    cache.doubt('a');
    cache.apply('MODIFIED', node('a', '2'));
    expect(cache.isDoubtful('a')).toBe(true);
    cache.observe(node('a', '2'));
    expect(cache.isDoubtful('a')).toBe(false);
  });

  it('that cannot be read settles no doubt', () => {
    const { cache } = cacheScene();
    cache.observe(node('a', '4', { pool: 'unreadable' }));
    expect(cache.isDoubtful('a')).toBe(true);
  });

  it('without an order is believed and leaves no doubt', () => {
    const { cache } = cacheScene();
    cache.apply('ADDED', node('a', 'x7'));
    cache.observe(node('a', 'x8', { pool: 'red' }));
    expect(cache.get('a')?.pool).toBe('red');
    expect(cache.isDoubtful('a')).toBe(false);
  });

  it('that an object is gone is believed for ever, whatever is heard later', () => {
    const { cache, told } = cacheScene();
    cache.observeGone('a', 'uid-a');
    cache.apply('ADDED', node('a', '99'));
    expect(told()).toEqual([]);
  });

  it('that it is gone deletes that object and no later one of the same name', () => {
    const { cache, told } = cacheScene();
    cache.apply('ADDED', node('a', '5', { uid: 'second' }));
    cache.doubt('a');
    cache.observeGone('a', 'first');
    expect(cache.isDoubtful('a')).toBe(false);
    expect(cache.get('a')?.uid).toBe('second');
    cache.observeGone('a', 'second');
    expect(told()).toEqual(['added a 5', 'deleted a 5']);
  });
});

describe('a live list beside the watch', () => {
  it('brings what is newer, and takes away what is gone', () => {
    const { cache, sync, told } = cacheScene();
    sync('5', node('a', '1'), node('b', '2'));
    told();
    cache.observeAll([node('a', '7'), node('c', '8')], '9');
    expect(told()).toEqual(['deleted b 2', 'a 1 -> 7', 'added c 8']);
  });

  it('is not undone by events that were under way before it', () => {
    const { cache, sync, told } = cacheScene();
    sync('5', node('a', '1'), node('b', '2'));
    cache.observeAll([node('a', '7')], '9');
    told();
    cache.apply('MODIFIED', node('a', '6'));
    cache.apply('MODIFIED', node('b', '6'));
    expect(told()).toEqual([]);
    cache.apply('MODIFIED', node('a', '10'));
    expect(told()).toEqual(['a 7 -> 10']);
  });

  it('is not undone by an older full sync either, nor by what that brings', () => {
    const { cache, sync, told } = cacheScene();
    cache.observeAll([node('a', '7')], '9');
    told();
    sync('5', node('a', '1'), node('gone', '2'));
    expect(told()).toEqual([]);
    cache.apply('MODIFIED', node('gone', '8'));
    cache.apply('ADDED', node('new', '10'));
    expect(told()).toEqual(['added new 10']);
  });

  it('does not make the kind synced, nor ends a full sync that is under way', () => {
    const { cache } = cacheScene();
    cache.stage();
    cache.stageObject('ADDED', node('a', '1'));
    cache.observeAll([node('a', '7')], '9');
    expect(cache.isSynced()).toBe(false);
    cache.commit('5');
    expect(cache.get('a')?.resourceVersion).toBe('7');
  });
});

describe('a kind that is not served', () => {
  it('says so until it is, and tells that it is back', () => {
    const { cache, sync } = cacheScene();
    let synced = 0;
    cache.onSynced(() => synced++);
    sync('5', node('a', '1'));
    expect([cache.isServed(), synced]).toEqual([true, 1]);
    cache.markAbsent();
    expect([cache.isServed(), cache.isSynced(), cache.size, synced]).toEqual([false, true, 0, 1]);
    sync('9', node('a', '1'));
    expect([cache.isServed(), cache.size, synced]).toEqual([true, 1, 2]);
  });
});
