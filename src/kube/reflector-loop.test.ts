import { describe, expect, it } from 'vitest';
import { apiFailure } from '../../test/support/api-failure.ts';
import {
  added,
  endOfInitialEvents,
  isInitial,
  reflectorScene,
  scriptedStreams,
} from '../../test/support/reflector-scene.ts';
import type { CallOptions, KubeApi } from '../runtime/ports.ts';

const refuseStreams = (call: Parameters<typeof isInitial>[0]) =>
  isInitial(call) ? apiFailure('Invalid') : null;

describe('starting', () => {
  it('a second time changes nothing', () => {
    const { watch, streams } = scriptedStreams();
    const { reflector } = reflectorScene({ watch });
    reflector.start();
    reflector.start();
    expect(streams).toHaveLength(1);
  });

  it('after the end changes nothing', () => {
    const { watch, streams } = scriptedStreams();
    const { reflector } = reflectorScene({ watch });
    reflector.stop();
    reflector.start();
    expect(streams).toEqual([]);
    expect(reflector.status().state).toBe('stopped');
  });
});

describe('what a reflector says of itself', () => {
  it('is its state, since when, and how long the server has been silent', async () => {
    const { watch, say } = scriptedStreams();
    const { clock, reflector } = reflectorScene({ watch });
    await clock.advance(1_000);
    expect(reflector.status()).toEqual({
      state: 'idle',
      sinceMs: 1_000,
      silentForMs: 1_000,
      resumeFrom: null,
      failures: 0,
    });
    reflector.start();
    await clock.advance(2_000);
    say(added('a', '2'));
    await clock.advance(500);
    expect(reflector.status()).toMatchObject({ state: 'syncing', sinceMs: 2_500, silentForMs: 500 });
    say(endOfInitialEvents('7'));
    await clock.advance(300);
    say(added('b', '8'));
    await clock.advance(200);
    expect(reflector.status()).toEqual({
      state: 'watching',
      sinceMs: 500,
      silentForMs: 200,
      resumeFrom: '8',
      failures: 0,
    });
  });

  it('counts a page and the word that a kind does not exist as signs of the server', async () => {
    const listed = reflectorScene({ before: refuseStreams });
    await listed.clock.advance(1_000);
    listed.reflector.start();
    await listed.clock.advance(0);
    expect(listed.reflector.status()).toMatchObject({ state: 'watching', silentForMs: 0 });
    const missing = reflectorScene({ presence: 'optional' });
    missing.world.isServed = false;
    await missing.clock.advance(1_000);
    missing.reflector.start();
    await missing.clock.advance(0);
    expect(missing.reflector.status()).toMatchObject({ state: 'absent', silentForMs: 0 });
  });
});

describe('the timers of a watch', () => {
  it('are one for silence, once the initial events have ended', async () => {
    const { watch, say } = scriptedStreams();
    const { clock, reflector, ended } = reflectorScene({ watch });
    reflector.start();
    expect(clock.pendingTimers()).toBe(2);
    say(endOfInitialEvents('7'));
    expect(clock.pendingTimers()).toBe(1);
    await clock.advance(89_999);
    say(added('a', '8'));
    await clock.advance(89_999);
    expect(ended('Overdue') + ended('Silent')).toBe(0);
    await clock.advance(1);
    expect(ended('Silent')).toBe(1);
  });

  it('are one from the start when it resumes', async () => {
    const { watch, say, streams } = scriptedStreams();
    const { clock, reflector } = reflectorScene({ watch });
    reflector.start();
    say(endOfInitialEvents('7'));
    streams[0]?.listener.ended(null);
    await clock.advance(1_000);
    expect(streams).toHaveLength(2);
    expect(clock.pendingTimers()).toBe(1);
  });

  it.each([
    ['before its initial events have ended', []],
    ['in step', [endOfInitialEvents('7')]],
  ])('end with a watch that ends %s', (_when, events) => {
    const { watch, say, streams } = scriptedStreams();
    const { clock, reflector } = reflectorScene({ watch });
    reflector.start();
    for (const event of events) say(event);
    streams[0]?.listener.ended(apiFailure('Unreachable'));
    expect(streams[0]?.isClosed).toBe(true);
    expect(clock.pendingTimers()).toBe(1);
    reflector.stop();
    expect(clock.pendingTimers()).toBe(0);
  });
});

describe('a list', () => {
  it('is asked for in pages of 200 with a minute for each, and ends with the reflector', async () => {
    const given: { page: unknown; call: CallOptions | undefined }[] = [];
    const list: KubeApi['list'] = (selection, page, call) => {
      given.push({ page, call });
      return scene.api.list(selection, page, call);
    };
    const scene = reflectorScene({ before: refuseStreams, list });
    for (let i = 0; i < 201; i++) scene.put(`n-${i}`);
    scene.reflector.start();
    await scene.clock.advance(0);
    expect(given.map(({ page }) => page)).toEqual([
      { limit: 200 },
      { limit: 200, continueToken: expect.stringMatching(/./) },
    ]);
    for (const { call } of given) {
      expect(call?.timeoutMs).toBe(60_000);
      expect(call?.signal?.aborted).toBe(false);
    }
    scene.reflector.stop();
    expect(given[0]?.call?.signal?.aborted).toBe(true);
  });

  it('that expires in the middle begins again one second after its first page was asked for', async () => {
    const at: number[] = [];
    const scene = reflectorScene({
      before: async (call) => {
        const takesMs = call.verb === 'watch' ? 5_000 : 300;
        if (call.verb === 'list') at.push(scene.clock.monotonicMs());
        await new Promise<void>((resolve) => scene.clock.after(takesMs, resolve));
        if (at.length === 2) return apiFailure('Expired');
        return refuseStreams(call);
      },
    });
    for (let i = 0; i < 201; i++) scene.put(`n-${i}`);
    scene.reflector.start();
    await scene.clock.advance(8_000);
    expect(at).toEqual([5_000, 5_300, 6_000, 6_300]);
    expect(scene.cache.size).toBe(201);
  });

  it('that fails is no watch that ended', async () => {
    const scene = reflectorScene({
      before: (call) => refuseStreams(call) ?? (call.verb === 'list' ? apiFailure('ServerError') : null),
    });
    scene.reflector.start();
    await scene.clock.advance(0);
    expect([scene.ended('Invalid'), scene.ended('ServerError')]).toEqual([1, 0]);
    expect(scene.log.said('a list failed')).toEqual([
      {
        level: 'warn',
        message: 'a list failed',
        fields: { resource: 'nodes', reason: 'ServerError', message: 'injected ServerError' },
      },
    ]);
  });
});

describe('a subscriber that stops the reflector in the middle of a change', () => {
  it('ends it after that change is complete', async () => {
    const { clock, api, cache, reflector, put, told } = reflectorScene();
    put('a');
    put('b');
    cache.subscribe(() => reflector.stop());
    reflector.start();
    await clock.advance(0);
    expect(told).toEqual(['added a', 'added b']);
    expect(cache.isSynced()).toBe(true);
    expect([api.openWatches(), clock.pendingTimers()]).toEqual([0, 0]);
    expect(reflector.status().state).toBe('stopped');
  });

  it('leaves no watch behind that would have followed the change', async () => {
    const { clock, api, cache, reflector, put } = reflectorScene({ before: refuseStreams });
    put('a');
    cache.subscribe(() => reflector.stop());
    reflector.start();
    await clock.advance(0);
    expect(cache.isSynced()).toBe(true);
    expect([api.openWatches(), clock.pendingTimers()]).toEqual([0, 0]);
  });
});
