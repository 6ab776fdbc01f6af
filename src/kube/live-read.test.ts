import { describe, expect, it } from 'vitest';
import { apiFailure } from '../../test/support/api-failure.ts';
import { manualClock } from '../../test/support/manual-clock.ts';
import { cacheScene, node } from '../../test/support/cache-scene.ts';
import { silentLog } from '../base/log.ts';
import { seededRandom } from '../base/random.ts';
import { err, ok } from '../base/result.ts';
import type { Answer, KubeApi, Page } from '../runtime/ports.ts';
import { readLive } from './live-read.ts';

function reading(answers: readonly Answer<Page>[]) {
  const { cache, sync, told } = cacheScene();
  const clock = manualClock();
  const asked: unknown[] = [];
  const list: KubeApi['list'] = (_selection, page) => {
    asked.push(page);
    return Promise.resolve(answers[asked.length - 1] ?? err(apiFailure('Unreachable')));
  };
  const stopping = new AbortController();
  sync('5', node('old', '1'));
  told();
  let isDone = false;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else is asked for
  const api = { list } as Partial<KubeApi> as KubeApi;
  const ports = { api, clock, random: seededRandom(1), log: silentLog };
  const done = readLive(cache, ports, stopping.signal).finally(() => {
    isDone = true;
  });
  return { cache, clock, told, asked, stopping, done, isDone: () => isDone };
}

const page = (names: readonly string[], continueToken = ''): Answer<Page> =>
  ok({ items: names.map((name) => node(name, '8')), resourceVersion: '9', continueToken });

describe('a live read', () => {
  it('takes all pages, and shows nothing before the last', async () => {
    const { done, told, asked } = reading([page(['a'], 'more'), page(['b'])]);
    await done;
    expect(told()).toEqual(['deleted old 1', 'added a 8', 'added b 8']);
    expect(asked).toEqual([{ limit: 500 }, { limit: 500, continueToken: 'more' }]);
  });

  it('is tried again until it succeeds, from the first page on', async () => {
    const expired = err(apiFailure('Expired'));
    const { clock, done, told, asked } = reading([page(['a'], 'more'), expired, page(['b'])]);
    await clock.advance(10_000);
    await done;
    expect(told()).toEqual(['deleted old 1', 'added b 8']);
    expect(asked.at(-1)).toEqual({ limit: 500 });
  });

  it('ends where the kind is known not to be served, and waits for word of one that was', async () => {
    const unserved = err(apiFailure('NotFound'));
    const { cache, clock, done, told, isDone } = reading([unserved, unserved, unserved, unserved]);
    await clock.advance(250);
    expect([isDone(), told()]).toEqual([false, []]);
    cache.markAbsent();
    await clock.advance(5_000);
    await done;
    expect(cache.isServed()).toBe(false);
  });

  it('ends when it is told to stop', async () => {
    const { clock, done, stopping, asked, isDone } = reading([]);
    await clock.advance(1_000);
    expect(isDone()).toBe(false);
    stopping.abort();
    await clock.advance(0);
    await done;
    const tries = asked.length;
    await clock.advance(60_000);
    expect(asked).toHaveLength(tries);
  });
});
