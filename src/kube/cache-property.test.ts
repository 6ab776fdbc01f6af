import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { cacheScene, node, type PoolView } from '../../test/support/cache-scene.ts';
import type { RawObject } from '../objects/raw.ts';
import { compareResourceVersions } from '../objects/resource-version.ts';

type Version = { readonly object: RawObject; readonly isEnd: boolean };

/** One step of the world, and what the cache hears of it, now or later. */
const step = fc.record({
  name: fc.constantFrom('a', 'b', 'c'),
  does: fc.constantFrom('write', 'write', 'write', 'delete', 'recreate'),
  pool: fc.constantFrom('blue', 'green'),
});

const hearing = fc.record({
  /** Which version of the history is heard of; the same again, an old one or a new one. */
  nth: fc.nat(60),
  by: fc.constantFrom('event', 'event', 'event', 'reply', 'relist', 'liveReadOfNothing'),
});

function historyOf(steps: readonly { name: string; does: string; pool: string }[]): readonly Version[] {
  const incarnations = new Map<string, number>();
  const living = new Set<string>();
  let revision = 10;
  return steps.flatMap(({ name, does, pool }): Version[] => {
    const uid = () => `uid-${name}-${incarnations.get(name) ?? 0}`;
    const version = (isEnd: boolean): Version => ({
      object: node(name, String(++revision), { uid: uid(), pool }),
      isEnd,
    });
    const ends = does !== 'write' && living.delete(name) ? [version(true)] : [];
    if (ends.length > 0 || !living.has(name)) incarnations.set(name, (incarnations.get(name) ?? 0) + 1);
    if (does === 'delete') return ends;
    living.add(name);
    return [...ends, version(false)];
  });
}

/** The cluster after so many versions. */
function stateAfter(history: readonly Version[], count: number): ReadonlyMap<string, RawObject> {
  const state = new Map<string, RawObject>();
  for (const { object, isEnd } of history.slice(0, count)) {
    if (isEnd) state.delete(object.metadata?.name ?? '');
    else state.set(object.metadata?.name ?? '', object);
  }
  return state;
}

type Scene = ReturnType<typeof cacheScene>;

function hear(
  { cache, sync }: Scene,
  history: readonly Version[],
  { nth, by }: { nth: number; by: string },
): void {
  const at = nth % Math.max(1, history.length);
  const version = history[at];
  if (version === undefined) return;
  const { metadata = {} } = version.object;
  if (by === 'relist') sync(metadata.resourceVersion ?? '', ...stateAfter(history, at + 1).values());
  else if (by === 'liveReadOfNothing') {
    if (version.isEnd) cache.observeGone(metadata.name ?? '', metadata.uid ?? '');
  } else if (by === 'reply') {
    if (!version.isEnd) cache.observe(version.object);
  } else cache.apply(version.isEnd ? 'DELETED' : 'MODIFIED', version.object);
}

describe('a cache that hears of a history in any order', () => {
  it('never shows an object older than before nor one that has ended, and a last relist makes it equal to the world', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 30 }),
        fc.array(hearing, { maxLength: 60 }),
        (steps, hearings) => {
          const scene = cacheScene();
          const history = historyOf(steps);
          const shown = new Map<string, PoolView>();
          const ended = new Set<string>();
          scene.cache.subscribe((change) => {
            if (change.kind === 'deleted') {
              expect(shown.get(change.before.name)).toBe(change.before);
              shown.delete(change.before.name);
              ended.add(change.before.uid);
              return;
            }
            const before = shown.get(change.now.name);
            expect(ended).not.toContain(change.now.uid);
            if (before !== undefined)
              expect(compareResourceVersions(change.now.resourceVersion, before.resourceVersion)).toBe(
                'newer',
              );
            shown.set(change.now.name, change.now);
          });
          for (const each of hearings) hear(scene, history, each);
          const last = history.at(-1)?.object.metadata?.resourceVersion ?? '10';
          const world = stateAfter(history, history.length);
          scene.sync(last, ...world.values());
          const names = [...scene.cache.keys()].toSorted();
          expect(names).toEqual([...world.keys()].toSorted());
          expect([...shown.keys()].toSorted()).toEqual(names);
          for (const pool of ['blue', 'green']) {
            const found = scene.cache.byIndex('pool', pool).map(({ name }) => name);
            const wanted = [...scene.cache.values()]
              .filter((view) => view.pool === pool)
              .map(({ name }) => name);
            expect(found.toSorted()).toEqual(wanted.toSorted());
          }
          expect(scene.faults).toEqual([]);
        },
      ),
      propertyRuns(1000),
    );
  });
});
