import { describe, expect, it } from 'vitest';
import type { RawObject } from '../../src/objects/raw.ts';
import { leaseType, nodeType, type ObjectRef } from '../../src/objects/ref.ts';
import type { WatchEvent, WatchStart } from '../../src/runtime/ports.ts';
import { failureOf, valueOf } from '../contracts/kube-api-bench.ts';
import { apiFailure } from './api-failure.ts';
import { manualClock } from './manual-clock.ts';
import { createMemoryKubeApi, type MemoryKubeApi, type MemoryOptions } from './memory-kube-api.ts';

const ref: ObjectRef = { type: nodeType, namespace: '', name: 'a' };

async function setUp(options: Partial<MemoryOptions> = {}) {
  const clock = manualClock();
  const api = createMemoryKubeApi({ clock, statusSubresources: [nodeType, leaseType], ...options });
  const created = valueOf(await api.create(ref, { spec: { a: 1 }, status: { ready: true } }));
  return { clock, api, created };
}

function watch(api: MemoryKubeApi, start: WatchStart) {
  const heard: string[] = [];
  const wordsOf = (event: WatchEvent) =>
    event.kind === 'object' ? `${event.change} ${event.object.metadata?.name}` : event.kind;
  const close = api.watch({ type: nodeType }, start, {
    opened: () => heard.push('opened'),
    event: (event) => heard.push(wordsOf(event)),
    ended: (failure) => heard.push(`ended ${failure?.reason ?? ''}`.trim()),
  });
  return { heard, close };
}

const merge = (body: RawObject) => ({ kind: 'merge', body }) as const;

describe('a write to the API server in memory', () => {
  it('is guarded by the resourceVersion and by the uid', async () => {
    const { api, created } = await setUp();
    valueOf(await api.patch(ref, merge({ spec: { a: 2 } })));
    const { resourceVersion = '', uid = '' } = created.metadata ?? {};
    const reasons = [
      await api.replace(ref, created),
      await api.patch(ref, merge({ metadata: { resourceVersion } })),
      await api.patch(ref, merge({ metadata: { uid: 'other' } })),
      await api.create(ref, {}),
      await api.delete(ref, { resourceVersion }),
      await api.delete(ref, { uid: 'other' }),
    ].map((answer) => failureOf(answer).reason);
    expect(reasons).toEqual(['Conflict', 'Conflict', 'Invalid', 'AlreadyExists', 'Conflict', 'Conflict']);
    valueOf(await api.delete(ref, { uid }));
    expect(failureOf(await api.get(ref)).reason).toBe('NotFound');
  });

  it('that changes nothing leaves the resourceVersion alone; a change of the spec counts as a generation', async () => {
    const { api, created } = await setUp();
    expect(valueOf(await api.patch(ref, merge({ spec: { a: 1 } })))).toEqual(created);
    const changed = valueOf(await api.patch(ref, merge({ spec: { a: 2, b: null } })));
    expect(changed.metadata?.generation).toBe(2);
  });

  it('reaches the status through its subresource alone', async () => {
    const { api } = await setUp();
    valueOf(await api.patch(ref, merge({ status: { ready: false } })));
    expect(valueOf(await api.get(ref)).status).toEqual({ ready: true });
    valueOf(await api.patch(ref, merge({ spec: {}, status: { ready: false } }), { subresource: 'status' }));
    expect(valueOf(await api.get(ref))).toMatchObject({ spec: { a: 1 }, status: { ready: false } });
  });

  it('by JSON patch is refused when its test does not hold, and other kinds of patches are not known', async () => {
    const { api } = await setUp();
    const test = { op: 'test', path: '/spec/a', value: 7 };
    expect(failureOf(await api.patch(ref, { kind: 'json', body: [test] })).reason).toBe('Invalid');
    expect(failureOf(await api.patch(ref, { kind: 'apply', body: {} })).code).toBe(415);
    const remove = { op: 'remove', path: '/spec/a' };
    expect(valueOf(await api.patch(ref, { kind: 'json', body: [remove] })).spec).toEqual({});
  });

  it('is not seen by a dry run', async () => {
    const { api, created } = await setUp();
    valueOf(await api.patch(ref, merge({ spec: { a: 9 } }), { dryRun: true }));
    expect(valueOf(await api.get(ref))).toEqual(created);
  });

  it('hands out objects that nobody can change', async () => {
    const { created } = await setUp();
    expect(Object.isFrozen(created.metadata)).toBe(true);
  });
});

describe('a list of the API server in memory', () => {
  it('gives later pages from the moment of the first, or says that they have expired', async () => {
    const { api } = await setUp();
    api.put(nodeType, { metadata: { name: 'b', labels: { pool: 'x' } } });
    const first = valueOf(await api.list({ type: nodeType }, { limit: 1 }));
    api.remove(nodeType, 'b');
    const { continueToken, resourceVersion } = first;
    const second = valueOf(await api.list({ type: nodeType }, { limit: 1, continueToken }));
    expect(second).toMatchObject({
      continueToken: '',
      resourceVersion,
      items: [{ metadata: { name: 'b' } }],
    });
    api.compact();
    expect(failureOf(await api.list({ type: nodeType }, { continueToken })).reason).toBe('Expired');
  });

  it.each([
    ['pool=x', ['b']],
    ['pool!=x', ['a', 'c']],
    ['pool', ['b', 'c']],
    ['!pool', ['a']],
    ['pool in (x,y)', ['b', 'c']],
    ['pool in (y,z),pool!=x', ['c']],
  ])('selects by %s', async (labelSelector, names) => {
    const { api } = await setUp();
    api.put(nodeType, { metadata: { name: 'b', labels: { pool: 'x' } } });
    api.put(nodeType, { metadata: { name: 'c', labels: { pool: 'y' } } });
    const page = valueOf(await api.list({ type: nodeType, labelSelector }));
    expect(page.items.map(({ metadata }) => metadata?.name)).toEqual(names);
  });
});

describe('a watch of the API server in memory', () => {
  it('starts with everything, or after a version, and tells who left', async () => {
    const { clock, api, created } = await setUp();
    const whole = watch(api, { kind: 'initialEvents' });
    const resumed = watch(api, { kind: 'after', resourceVersion: created.metadata?.resourceVersion ?? '' });
    await clock.advance(0);
    api.put(nodeType, { metadata: { name: 'b' } });
    api.remove(nodeType, 'a');
    await clock.advance(0);
    whole.close();
    expect(whole.heard).toEqual(['opened', 'ADDED a', 'bookmark', 'ADDED b', 'DELETED a', 'ended']);
    expect(resumed.heard).toEqual(['opened', 'ADDED b', 'DELETED a']);
  });

  it('from before the history is accepted and then refused by an event', async () => {
    const { clock, api } = await setUp({ historySize: 2 });
    for (const name of ['b', 'c', 'd']) api.put(nodeType, { metadata: { name } });
    const { heard } = watch(api, { kind: 'after', resourceVersion: '2' });
    await clock.advance(0);
    expect(heard).toEqual(['opened', 'error', 'ended']);
  });

  it('can be held, cut, bookmarked and lied to', async () => {
    const { clock, api } = await setUp();
    const { heard } = watch(api, { kind: 'initialEvents' });
    api.holdWatches(1);
    await clock.advance(0);
    expect(heard).toEqual(['opened', 'ADDED a']);
    api.releaseWatches();
    api.bookmark();
    api.inject({ kind: 'garbled', text: '' });
    await clock.advance(0);
    api.closeWatches(apiFailure('Unreachable'));
    expect(heard.slice(2)).toEqual(['bookmark', 'bookmark', 'garbled', 'ended Unreachable']);
    expect(api.openWatches()).toBe(0);
  });
});

describe('a fault of the API server in memory', () => {
  it('before the request prevents it, and after it loses the reply', async () => {
    const { api } = await setUp({
      before: ({ verb }) => (verb === 'patch' ? apiFailure('ServerError') : null),
      after: ({ verb }) => (verb === 'delete' ? apiFailure('Timeout', { effect: 'unknown' }) : null),
    });
    expect(failureOf(await api.patch(ref, merge({ spec: { a: 2 } }))).reason).toBe('ServerError');
    expect(valueOf(await api.get(ref)).spec).toEqual({ a: 1 });
    expect(failureOf(await api.delete(ref)).effect).toBe('unknown');
    expect(api.objects(nodeType)).toEqual([]);
    expect(api.calls.map(({ verb }) => verb)).toEqual(['create', 'patch', 'get', 'delete']);
  });

  it('that delays a write past its timeout does not keep it from landing later', async () => {
    const scene = await setUp({
      before: ({ verb }) =>
        verb === 'patch' ? new Promise((resolve) => scene.clock.after(5_000, () => resolve(null))) : null,
    });
    const answer = scene.api.patch(ref, merge({ spec: { a: 2 } }), { timeoutMs: 1_000 });
    await scene.clock.advance(1_000);
    expect(failureOf(await answer)).toMatchObject({ reason: 'Timeout', effect: 'unknown' });
    await scene.clock.advance(5_000);
    expect(valueOf(await scene.api.get(ref)).spec).toEqual({ a: 2 });
  });

  it('of a missing kind is that it is not found, and of its objects nothing', async () => {
    const { clock, api } = await setUp({ isServed: ({ kind }) => kind === 'Node' });
    expect(failureOf(await api.list({ type: leaseType })).reason).toBe('NotFound');
    const lease = { type: leaseType, namespace: 'n', name: 'a' };
    expect(failureOf(await api.get(lease)).reason).toBe('NotServed');
    expect(failureOf(await api.create(lease, {})).reason).toBe('NotServed');
    await clock.advance(0);
    expect(api.openWatches()).toBe(0);
  });
});
