import { describe, expect, it } from 'vitest';
import { apiFailure } from '../../test/support/api-failure.ts';
import {
  added,
  asked,
  bookmark,
  endOfInitialEvents,
  isInitial,
  reflectorScene,
  type SceneOptions,
  scriptedStreams,
} from '../../test/support/reflector-scene.ts';
import { nodeType } from '../objects/ref.ts';
import type { WatchEvent } from '../runtime/ports.ts';

const unavailable = apiFailure('ServerError', { code: 503, retryAfterMs: 12_000 });

async function watching(given: SceneOptions = {}) {
  const scene = reflectorScene(given);
  scene.put('a');
  scene.put('b');
  scene.reflector.start();
  await scene.clock.advance(0);
  expect(scene.reflector.status().state).toBe('watching');
  scene.told.splice(0);
  return scene;
}

describe('a watch in step', () => {
  it('resumes at once after a clean end, from the last event', async () => {
    const { clock, api, reflector, put, told } = await watching();
    put('c');
    await clock.advance(5_000);
    api.closeWatches();
    put('d');
    await clock.advance(0);
    expect(asked(api.calls).slice(1)).toEqual(['watch after 4']);
    expect(told).toEqual(['added c', 'added d']);
    expect(reflector.status().failures).toBe(0);
  });

  it('resumes from a bookmark', async () => {
    const { clock, api, put } = await watching();
    put('c');
    api.remove(nodeType, 'c');
    api.bookmark();
    await clock.advance(2_000);
    api.closeWatches();
    await clock.advance(0);
    expect(asked(api.calls).at(-1)).toBe('watch after 5');
  });

  it('never moves its resume point back for an old event or bookmark', async () => {
    const { watch, say } = scriptedStreams();
    const { reflector } = reflectorScene({ watch });
    reflector.start();
    say(endOfInitialEvents('70'));
    say(added('a', '80'));
    say(added('b', '75'));
    say(bookmark('79'));
    expect(reflector.status().resumeFrom).toBe('80');
  });

  it('is opened no more than once a second by a server that closes at once', async () => {
    const { clock, api, world } = await watching();
    world.before = ({ verb }) => {
      if (verb === 'watch') void clock.nextTurn().then(() => api.closeWatches());
      return null;
    };
    api.closeWatches();
    await clock.advance(10_000);
    expect(api.calls.length).toBeLessThanOrEqual(12);
    expect(api.calls.length).toBeGreaterThanOrEqual(9);
  });

  it('is opened sooner, and no more than ten times a second, by a server that sends something and closes', async () => {
    const { clock, api, world, put } = await watching();
    world.before = ({ verb }) => {
      if (verb !== 'watch') return null;
      clock.after(1, () => put(`node-${api.calls.length}`));
      clock.after(2, () => api.closeWatches());
      return null;
    };
    api.closeWatches();
    await clock.advance(10_000);
    expect(api.calls.length).toBeLessThanOrEqual(102);
    expect(api.calls.length).toBeGreaterThanOrEqual(80);
  });

  it('waits twice as long after each failure, at most 30 s, and starts over after the next event', async () => {
    const { clock, api, world, reflector, put } = await watching();
    const at: number[] = [];
    world.before = () => {
      at.push(clock.monotonicMs());
      return apiFailure('Unreachable');
    };
    api.closeWatches(apiFailure('Unreachable'));
    await clock.advance(180_000);
    const waits = at.map((ms, i) => ms - (at[i - 1] ?? 0));
    const steps = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000];
    for (const [i, step] of steps.entries()) {
      expect(waits[i]).toBeGreaterThanOrEqual(step / 2);
      expect(waits[i]).toBeLessThanOrEqual(step);
    }
    world.before = () => null;
    await clock.advance(30_000);
    expect(reflector.status()).toMatchObject({ state: 'watching', failures: at.length + 1 });
    put('c');
    await clock.advance(0);
    expect(reflector.status().failures).toBe(0);
  });

  it.each([unavailable, apiFailure('TooManyRequests', { retryAfterMs: 12_000 })])(
    'asks nothing before the time that an overloaded server named',
    async (failure) => {
      const { clock, api, relists } = await watching();
      api.inject({ kind: 'error', failure });
      await clock.advance(11_999);
      expect(api.calls).toHaveLength(1);
      await clock.advance(1);
      expect(asked(api.calls).slice(1)).toEqual(['watch after 3']);
      expect(relists()).toBe(0);
    },
  );

  it.each(['event', 'status'] as const)(
    'fetches everything again when its resume point has expired, told by %s',
    async (form) => {
      const { clock, api, world, put, names, told, relists, ended } = await watching();
      await clock.advance(2_000);
      api.holdWatches();
      put('c');
      api.remove(nodeType, 'a');
      api.compact();
      if (form === 'status') {
        world.before = (call) => (call.verb === 'watch' && !isInitial(call) ? apiFailure('Expired') : null);
      }
      api.closeWatches();
      api.releaseWatches();
      await clock.advance(1_000);
      expect(names()).toEqual(['b', 'c']);
      expect(told).toEqual(['deleted a', 'added c']);
      expect(relists()).toBe(1);
      expect(ended('Expired')).toBe(1);
    },
  );

  it('fetches everything ever more rarely when every resume point is answered with expired', async () => {
    const { clock, api, relists } = await watching();
    const expireAll = async () => {
      api.closeWatches(apiFailure('Expired'));
      await clock.advance(1_000);
    };
    for (let second = 0; second < 60; second++) await expireAll();
    expect(relists()).toBeLessThan(10);
  });

  it('is closed and resumed after 90 s of silence', async () => {
    const { clock, api, put, names, ended, reflector } = await watching();
    await clock.advance(60_000);
    api.bookmark();
    await clock.advance(0);
    api.holdWatches();
    put('c');
    await clock.advance(89_000);
    expect(ended('Silent')).toBe(0);
    expect(reflector.status().silentForMs).toBe(89_000);
    api.releaseWatches();
    await clock.advance(0);
    await clock.advance(89_999);
    expect(ended('Silent')).toBe(0);
    await clock.advance(1);
    expect(ended('Silent')).toBe(1);
    expect(api.openWatches()).toBe(1);
    expect(names()).toEqual(['a', 'b', 'c']);
  });

  it('is closed and resumed from the last event after a garbled line', async () => {
    const { clock, api, put, names, ended, relists } = await watching();
    api.inject({ kind: 'garbled', text: '<html>' });
    put('c');
    await clock.advance(1_000);
    expect(ended('Garbled')).toBe(1);
    expect(asked(api.calls).at(-1)).toBe('watch after 3');
    expect(names()).toEqual(['a', 'b', 'c']);
    expect(relists()).toBe(0);
  });

  it('survives an event of a kind that nobody knows', async () => {
    const { clock, api, put, names } = await watching();
    const unheardOf: WatchEvent = JSON.parse('{"kind":"weather"}');
    api.inject(unheardOf);
    put('c');
    await clock.advance(0);
    expect(names()).toEqual(['a', 'b', 'c']);
  });

  it('hears nothing from a stream that it has given up', async () => {
    const { watch, say, streams } = scriptedStreams();
    const { clock, reflector, names } = reflectorScene({ watch });
    reflector.start();
    say(endOfInitialEvents('70'));
    say({ kind: 'garbled', text: '' });
    await clock.advance(1_000);
    expect(streams.map(({ isClosed }) => isClosed)).toEqual([true, false]);
    streams[0]?.listener.event(added('ghost', '71'));
    streams[0]?.listener.ended(apiFailure('Unreachable'));
    expect(names()).toEqual([]);
    expect(reflector.status().state).toBe('watching');
  });
});

describe('a kind that is not installed', () => {
  it('is empty and synced when it is optional, and becomes live when it appears', async () => {
    const { clock, world, cache, reflector, put, names } = reflectorScene({ presence: 'optional' });
    world.isServed = false;
    put('a');
    reflector.start();
    await clock.advance(0);
    expect(reflector.status().state).toBe('absent');
    expect(cache.isSynced()).toBe(true);
    expect(names()).toEqual([]);
    world.isServed = true;
    await clock.advance(36_000);
    expect(reflector.status().state).toBe('watching');
    expect(names()).toEqual(['a']);
  });

  it('is asked for about every 30 s', async () => {
    const { clock, world, api, reflector } = reflectorScene({ presence: 'optional' });
    world.isServed = false;
    reflector.start();
    await clock.advance(300_000);
    const attempts = api.calls.filter(isInitial).length;
    expect(attempts).toBeGreaterThanOrEqual(9);
    expect(attempts).toBeLessThanOrEqual(13);
  });

  it('is retried with backoff when it is required', async () => {
    const { clock, world, cache, reflector } = reflectorScene();
    world.isServed = false;
    reflector.start();
    await clock.advance(2_000);
    expect(reflector.status().state).toBe('waiting');
    expect(cache.isSynced()).toBe(false);
    world.isServed = true;
    await clock.advance(4_000);
    expect(cache.isSynced()).toBe(true);
  });

  it('keeps its objects when a starting server does not know it for a moment', async () => {
    const { clock, world, api, names, told } = await watching({ presence: 'optional' });
    world.isServed = false;
    api.closeWatches();
    await clock.advance(5_000);
    expect(names()).toEqual(['a', 'b']);
    world.isServed = true;
    await clock.advance(10_000);
    expect(told).toEqual([]);
  });

  it('loses its objects when it stays unknown', async () => {
    const { clock, world, api, names, reflector } = await watching({ presence: 'optional' });
    world.isServed = false;
    api.closeWatches();
    await clock.advance(60_000);
    expect(reflector.status().state).toBe('absent');
    expect(names()).toEqual([]);
  });
});

describe('stopping', () => {
  it('closes the watch and leaves no timer behind', async () => {
    const { clock, api, reflector } = await watching();
    reflector.stop();
    expect(api.openWatches()).toBe(0);
    expect(clock.pendingTimers()).toBe(0);
    await clock.advance(200_000);
    expect(api.calls).toHaveLength(1);
    expect(reflector.status().state).toBe('stopped');
  });

  it('ends a wait and a list in flight', async () => {
    const scene = reflectorScene({
      before: (call) =>
        isInitial(call)
          ? apiFailure('Invalid')
          : new Promise((resolve) => scene.clock.after(5_000, () => resolve(null))),
    });
    scene.reflector.start();
    await scene.clock.advance(0);
    scene.reflector.stop();
    await scene.clock.advance(60_000);
    expect(scene.cache.isSynced()).toBe(false);
    expect(scene.api.calls).toHaveLength(2);
  });
});
