import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { apiFailure } from '../../test/support/api-failure.ts';
import { isInitial, reflectorScene } from '../../test/support/reflector-scene.ts';
import type { ObjectView } from '../objects/raw.ts';
import { viewOf } from '../objects/raw.ts';
import { nodeType } from '../objects/ref.ts';
import { compareResourceVersions } from '../objects/resource-version.ts';

type Scene = ReturnType<typeof reflectorScene>;

type Deed = (scene: Scene, name: string, value: number) => void;

/** What the world does between two moments. */
const deeds: Readonly<Record<string, Deed>> = {
  put: (scene, name, value) => void scene.put(name, String(value)),
  remove: (scene, name) => scene.api.remove(nodeType, name),
  recreate: (scene, name, value) => {
    scene.api.remove(nodeType, name);
    scene.put(name, String(value));
  },
  writeOurselves: (scene, name, value) => scene.cache.observe(scene.put(name, String(value))),
  deleteOurselves: (scene, name) => {
    const uid = scene.api.objects(nodeType).find(({ metadata }) => metadata?.name === name)?.metadata?.uid;
    scene.api.remove(nodeType, name);
    if (uid) scene.cache.observeGone(name, uid);
  },
  close: (scene) => scene.api.closeWatches(),
  cut: (scene) => scene.api.closeWatches(apiFailure('Unreachable')),
  expire: (scene) => scene.api.closeWatches(apiFailure('Expired')),
  compact: (scene) => scene.api.compact(),
  garble: (scene) => scene.api.inject({ kind: 'garbled', text: '' }),
  bookmark: (scene) => scene.api.bookmark(),
  hold: (scene, _name, value) => scene.api.holdWatches(value - 1),
  release: (scene) => scene.api.releaseWatches(),
  refuseStreams: (scene) => {
    scene.world.before = (call) => (isInitial(call) ? apiFailure('Invalid') : null);
  },
  refuseAll: (scene) => {
    scene.world.before = () => apiFailure('ServerError', { code: 500 });
  },
  slowReplies: (scene) => {
    scene.world.after = () => new Promise((resolve) => scene.clock.after(700, () => resolve(null)));
  },
  allowAll: (scene) => {
    scene.world.before = () => null;
    scene.world.after = () => null;
  },
};

const deed = fc.record({
  happens: fc.constantFrom(...Object.keys(deeds)),
  name: fc.constantFrom('a', 'b', 'c'),
  value: fc.integer({ min: 1, max: 3 }),
  thenMs: fc.constantFrom(0, 0, 300, 1_000, 40_000),
});

const story = fc.array(deed, { maxLength: 40 });

/** What a subscriber knows who heard every change and nothing else; it fails when anything goes back in time. */
function replicaOf({ cache }: Scene): ReadonlyMap<string, ObjectView> {
  const replica = new Map<string, ObjectView>();
  const ended = new Set<string>();
  cache.subscribe((change) => {
    if (change.kind === 'deleted') {
      expect(replica.get(change.before.name)).toBe(change.before);
      replica.delete(change.before.name);
      ended.add(change.before.uid);
      return;
    }
    expect(ended).not.toContain(change.now.uid);
    const known = replica.get(change.now.name);
    expect(known).toBe(change.kind === 'updated' ? change.before : undefined);
    if (known) {
      expect(known.uid).toBe(change.now.uid);
      expect(compareResourceVersions(change.now.resourceVersion, known.resourceVersion)).toBe('newer');
    }
    replica.set(change.now.name, change.now);
  });
  return replica;
}

describe('relist equals watch', () => {
  it('holds for any writes, cuts, refusals and relists, and a subscriber never sees a step back', async () => {
    await fc.assert(
      fc.asyncProperty(story, fc.nat(10), async (deedsInTurn, startAt) => {
        const scene = reflectorScene();
        const replica = replicaOf(scene);
        for (const [i, { happens, name, value, thenMs }] of deedsInTurn.entries()) {
          if (i === startAt) scene.reflector.start();
          deeds[happens]?.(scene, name, value);
          await scene.clock.advance(thenMs);
        }
        scene.reflector.start();
        deeds['allowAll']?.(scene, '', 0);
        scene.api.releaseWatches();
        await scene.clock.advance(300_000);
        const truth = scene.api.objects(nodeType).map(viewOf);
        const sorted = [...scene.cache.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
        expect(sorted).toEqual(truth);
        expect([...replica.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(truth);
        expect(scene.faults).toEqual([]);
        expect(scene.cache.isSynced()).toBe(true);
        scene.reflector.stop();
      }),
      propertyRuns(600),
    );
  });
});
