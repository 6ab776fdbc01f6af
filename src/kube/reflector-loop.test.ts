import { describe, expect, it } from 'vitest';
import { apiFailure } from '../../test/support/api-failure.ts';
import {
  added,
  endOfInitialEvents,
  isInitial,
  reflectorScene,
  scriptedStreams,
} from '../../test/support/reflector-scene.ts';
import type { CallOptions, KubeApi, WatchEvent } from '../runtime/ports.ts';

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
});

describe('what people read', () => {
  it('is a clean end, as something ordinary', async () => {
    const { clock, api, reflector, log } = reflectorScene();
    reflector.start();
    await clock.advance(2_000);
    api.closeWatches();
    await clock.advance(0);
    expect(log.lines).toEqual([
      {
        level: 'debug',
        message: 'a watch ended',
        fields: { resource: 'nodes', reason: 'Closed', message: 'the server closed it in good order' },
      },
    ]);
  });

  it('is a failure, as a warning', async () => {
    const { clock, api, reflector, log } = reflectorScene();
    reflector.start();
    await clock.advance(0);
    api.closeWatches(apiFailure('Unreachable'));
    expect(log.lines).toEqual([
      {
        level: 'warn',
        message: 'a watch ended',
        fields: { resource: 'nodes', reason: 'Unreachable', message: 'injected Unreachable' },
      },
    ]);
  });

  it('is the beginning of a line that was not understood', async () => {
    const { clock, api, reflector, log } = reflectorScene();
    reflector.start();
    await clock.advance(0);
    api.inject({ kind: 'garbled', text: `${'x'.repeat(200)}y` });
    await clock.advance(0);
    expect(log.lines[0]).toEqual({
      level: 'warn',
      message: 'a line of a watch was not understood',
      fields: { resource: 'nodes', text: 'x'.repeat(200) },
    });
  });

  it('is an event of an unknown kind', async () => {
    const { clock, api, reflector, log } = reflectorScene();
    const event: WatchEvent = JSON.parse('{"kind":"weather"}');
    reflector.start();
    await clock.advance(0);
    api.inject(event);
    await clock.advance(0);
    expect(log.lines).toEqual([
      {
        level: 'warn',
        message: 'an event of an unknown kind was ignored',
        fields: { resource: 'nodes', event },
      },
    ]);
  });

  it('is a hint at missing CRDs when a required kind is not served, and at nothing for an optional one', async () => {
    const required = reflectorScene();
    const optional = reflectorScene({ presence: 'optional' });
    for (const { world, reflector, clock } of [required, optional]) {
      world.isServed = false;
      reflector.start();
      await clock.advance(0);
    }
    const hint = 'the API server does not serve this kind: are its CRDs installed?';
    expect(required.log.lines.map(({ level, fields }) => [level, fields['hint']])).toEqual([
      ['warn', hint],
      ['warn', hint],
    ]);
    expect(optional.log.lines.map(({ level, fields }) => [level, 'hint' in fields])).toEqual([
      ['debug', false],
      ['debug', false],
    ]);
  });

  it('is a warning when an optional kind that was there is not found any more', async () => {
    const { clock, world, api, reflector, log } = reflectorScene({ presence: 'optional' });
    reflector.start();
    await clock.advance(2_000);
    world.isServed = false;
    api.closeWatches();
    await clock.advance(0);
    expect(log.lines.at(-1)).toMatchObject({ level: 'warn', fields: { reason: 'NotFound' } });
    expect(log.lines.at(-1)?.fields).not.toHaveProperty('hint');
  });

  it('is no hint when a required kind fails for another reason', async () => {
    const { clock, reflector, log } = reflectorScene({ before: () => apiFailure('Forbidden') });
    reflector.start();
    await clock.advance(0);
    expect(log.lines.length).toBeGreaterThan(0);
    for (const { fields } of log.lines) expect(fields).not.toHaveProperty('hint');
  });
});
