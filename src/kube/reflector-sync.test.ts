import { describe, expect, it } from 'vitest';
import { apiFailure } from '../../test/support/api-failure.ts';
import {
  added,
  asked,
  bookmark,
  endOfInitialEvents,
  isInitial,
  reflectorScene,
  scriptedStreams,
} from '../../test/support/reflector-scene.ts';
import { nodeType } from '../objects/ref.ts';

describe('the first sync', () => {
  it('streams the initial events and goes on with the same watch', async () => {
    const { clock, api, cache, reflector, put, told } = reflectorScene();
    put('a');
    put('b');
    reflector.start();
    expect(cache.isSynced()).toBe(false);
    await clock.advance(0);
    put('c');
    await clock.advance(0);
    expect(asked(api.calls)).toEqual(['watch initialEvents']);
    expect(told).toEqual(['added a', 'added b', 'added c']);
  });

  it('of an empty kind is complete', async () => {
    const { clock, cache, reflector } = reflectorScene();
    reflector.start();
    await clock.advance(0);
    expect(cache.isSynced()).toBe(true);
  });

  it.each(['BadRequest', 'Invalid', 'NotFound', 'Forbidden', 'Expired', 'ServerError'] as const)(
    'is made in pages at once when the stream is refused with %s',
    async (reason) => {
      const { clock, api, cache, reflector, put } = reflectorScene({
        before: (call) => (isInitial(call) ? apiFailure(reason) : null),
      });
      put('a');
      reflector.start();
      await clock.advance(0);
      expect(asked(api.calls)).toEqual(['watch initialEvents', 'list', 'watch after 2']);
      expect(cache.isSynced()).toBe(true);
    },
  );

  it('fetches page after page and shows nothing before the last', async () => {
    const { clock, api, cache, reflector, put } = reflectorScene({
      before: (call) => (isInitial(call) ? apiFailure('Invalid') : null),
    });
    for (let i = 0; i < 450; i++) put(`n-${i}`);
    const sizes: number[] = [];
    cache.subscribe(() => sizes.push(cache.size));
    reflector.start();
    await clock.advance(0);
    expect(asked(api.calls).filter((call) => call.startsWith('list'))).toHaveLength(3);
    expect(api.calls[1]?.body).toEqual({ limit: 200 });
    expect(new Set(sizes)).toEqual(new Set([450]));
  });

  it('starts from scratch when the continue token expires in the middle, and keeps nothing of the first try', async () => {
    let pages = 0;
    const scene = reflectorScene({
      before: (call) => {
        if (isInitial(call)) return apiFailure('Invalid');
        if (call.verb === 'list' && ++pages === 2) {
          scene.api.remove(nodeType, 'n-0');
          return apiFailure('Expired');
        }
        return null;
      },
    });
    for (let i = 0; i < 250; i++) scene.put(`n-${i}`);
    scene.reflector.start();
    await scene.clock.advance(1_000);
    expect(pages).toBe(4);
    expect(scene.cache.size).toBe(249);
    expect(scene.told).not.toContain('added n-0');
  });

  it('turns to pages after the stream has ended twice before its marked bookmark', async () => {
    const scene = reflectorScene();
    scene.put('a');
    scene.api.holdWatches();
    scene.reflector.start();
    await scene.clock.advance(0);
    scene.api.closeWatches();
    await scene.clock.advance(1_000);
    scene.api.closeWatches(apiFailure('Unreachable'));
    await scene.clock.advance(1_000);
    expect(asked(scene.api.calls)).toEqual([
      'watch initialEvents',
      'watch initialEvents',
      'list',
      'watch after 2',
    ]);
    expect(scene.names()).toEqual(['a']);
  });

  it('turns to pages when the marked bookmark does not come although events do', async () => {
    const { watch, say } = scriptedStreams();
    const scene = reflectorScene({ watch });
    scene.put('a');
    scene.reflector.start();
    for (let second = 0; second < 119; second++) {
      say(added('a', '2'));
      await scene.clock.advance(1_000);
    }
    expect(scene.cache.isSynced()).toBe(false);
    await scene.clock.advance(1_000);
    expect(scene.ended('Overdue')).toBe(1);
    expect(asked(scene.api.calls)).toEqual(['list']);
    expect(scene.cache.isSynced()).toBe(true);
  });

  it('resumes from its marked bookmark, not from any object or bookmark before it', async () => {
    const { watch, say, streams } = scriptedStreams();
    const scene = reflectorScene({ watch });
    scene.reflector.start();
    say(added('a', '90'));
    say(bookmark('95'));
    expect(scene.reflector.status().resumeFrom).toBeNull();
    say(endOfInitialEvents('70'));
    streams[0]?.listener.ended(null);
    await scene.clock.advance(1_000);
    expect(streams[1]?.start).toEqual({ kind: 'after', resourceVersion: '70' });
  });

  it('is tried again as a stream after pages have succeeded', async () => {
    const scene = reflectorScene({ before: (call) => (isInitial(call) ? apiFailure('Invalid') : null) });
    scene.reflector.start();
    await scene.clock.advance(0);
    scene.world.before = () => null;
    scene.api.compact();
    scene.api.closeWatches(apiFailure('Expired'));
    await scene.clock.advance(1_000);
    expect(asked(scene.api.calls).at(-1)).toBe('watch initialEvents');
  });
});
