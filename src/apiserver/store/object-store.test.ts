import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RawObject } from '../../objects/raw.ts';
import { ObjectStore } from './object-store.ts';

const bucket = 'things';
const place = (key: string) => ({ bucket, key });
const thing = (name: string, more: object = {}): RawObject => ({ metadata: { name }, ...more });

type Step = { readonly kind: 'put' | 'remove'; readonly key: string; readonly value: number };

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('put' as const, 'remove' as const),
    key: fc.constantFrom('a', 'b', 'c'),
    value: fc.nat(3),
  }),
  { maxLength: 30 },
);

const apply = (store: ObjectStore, { kind, key, value }: Step) =>
  kind === 'put' ? store.put(place(key), thing(key, { value })) : store.remove(place(key));

describe('the store', () => {
  it('gives every write a revision of its own and freezes what it holds', () => {
    const store = new ObjectStore({ historySize: 10 });
    const [a, b] = [
      store.put(place('a'), thing('a', { deep: { list: [{}] } })),
      store.put(place('b'), thing('b')),
    ];
    expect(Number(b.metadata?.resourceVersion)).toBe(Number(a.metadata?.resourceVersion) + 1);
    expect(Object.isFrozen((a['deep'] as { list: object[] }).list[0])).toBe(true);
  });

  it('lists in the order of keys', () => {
    const store = new ObjectStore({ historySize: 10 });
    for (const key of ['b', 'c', 'a']) store.put(place(key), thing(key));
    store.remove(place('c'));
    expect(store.entries(bucket).map(({ key }) => key)).toEqual(['a', 'b']);
  });

  it('remembers every moment that its window holds', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const store = new ObjectStore({ historySize: 1000 });
        const moments = all.map((step) => {
          apply(store, step);
          return { revision: store.revision, entries: store.entries(bucket) };
        });
        for (const { revision, entries } of moments) {
          expect(store.entriesAt(bucket, revision)).toEqual({ kind: 'ok', value: entries });
        }
      }),
    );
  });

  it('tells a listener that comes late the same as one that was there', () => {
    fc.assert(
      fc.property(steps, fc.nat(20), (all, historySize) => {
        const store = new ObjectStore({ historySize });
        const heard: unknown[] = [];
        store.subscribe((change) => heard.push(change));
        for (const step of all) apply(store, step);
        const late = store.changesAfter(store.oldestRevision);
        expect(late).toEqual({ kind: 'ok', value: heard.slice(Math.max(0, heard.length - historySize)) });
        if (store.oldestRevision > 1) expect(store.changesAfter(store.oldestRevision - 1).kind).toBe('error');
      }),
    );
  });

  it('tells changes in order even when a listener writes', () => {
    const store = new ObjectStore({ historySize: 10 });
    const heard: string[] = [];
    store.subscribe(({ key }) => void (key === 'a' && store.put(place('b'), thing('b'))));
    store.subscribe(({ key }) => heard.push(key));
    store.put(place('a'), thing('a'));
    expect(heard).toEqual(['a', 'b']);
  });

  it('comes back from a snapshot, and looks back no further', () => {
    const store = new ObjectStore({ historySize: 10 });
    store.put(place('a'), thing('a'));
    const copy = new ObjectStore({ historySize: 10 });
    copy.restore(JSON.parse(JSON.stringify(store.snapshot())), (_, { metadata }) => metadata?.name ?? '');
    expect(copy.entries(bucket)).toEqual(store.entries(bucket));
    expect(copy.revision).toBe(store.revision);
    expect(copy.changesAfter(copy.revision - 1).kind).toBe('error');
  });
});
