import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { recordedLog } from '../../test/support/recorded-log.ts';
import { recordedMetrics } from '../../test/support/recorded-metrics.ts';
import { seededRandom } from '../base/random.ts';
import type { WorkOutcome } from '../runtime/ports.ts';
import { createQueue } from './queue.ts';

const done: WorkOutcome = { kind: 'done', recheckInMs: null };

type Given = { concurrency?: number; costMs?: number; work?: (key: string) => Promise<WorkOutcome> };

/** A queue whose clock tells which turns and timers it was asked for; each start of work takes `costMs`. */
function setUp({ concurrency = 1, costMs = 0, work = () => Promise.resolve(done) }: Given = {}) {
  const clock = manualClock();
  const log = recordedLog();
  const turns: string[][] = [];
  const timersMs: number[] = [];
  const seconds: number[] = [];
  let spentMs = 0;
  const queue = createQueue({
    name: 'nodes',
    concurrency,
    clock: {
      ...clock,
      monotonicMs: () => clock.monotonicMs() + spentMs,
      after(delayMs, run) {
        timersMs.push(delayMs);
        return clock.after(delayMs, run);
      },
      nextTurn() {
        turns.push([]);
        return Promise.resolve();
      },
    },
    random: seededRandom(1),
    log,
    metrics: {
      ...recordedMetrics(),
      histogram: ({ name }) => ({
        observe: (value, labels) =>
          void (labels && name === 'muster_work_duration_seconds' && seconds.push(value)),
        remove: () => undefined,
      }),
    },
    work(key) {
      turns.at(-1)?.push(key);
      spentMs += costMs;
      return work(key);
    },
  });
  return { clock, log, queue, turns, timersMs, seconds };
}

const keys = (count: number) => Array.from({ length: count }, (_, i) => `k-${i}`);
const hung = () => new Promise<WorkOutcome>(() => {});

describe('a turn of the event loop', () => {
  it('starts work for 5 ms and leaves the rest to the next', async () => {
    const { clock, queue, turns } = setUp({ concurrency: 20, costMs: 2, work: hung });
    for (const key of keys(7)) queue.add(key);
    await clock.advance(0);
    expect(turns).toEqual([['k-0', 'k-1', 'k-2'], ['k-3', 'k-4', 'k-5'], ['k-6']]);
  });

  it('that has used exactly 5 ms is over', async () => {
    const { clock, queue, turns } = setUp({ concurrency: 20, costMs: 5, work: hung });
    for (const key of keys(2)) queue.add(key);
    await clock.advance(0);
    expect(turns).toEqual([['k-0'], ['k-1']]);
  });

  it('is asked for once, however many keys are added', async () => {
    const { clock, queue, turns } = setUp({ concurrency: 20, work: hung });
    for (const key of keys(7)) queue.add(key);
    expect(turns).toHaveLength(1);
    await clock.advance(0);
    expect(turns).toEqual([keys(7)]);
  });

  it('is not asked for while nothing can be taken', async () => {
    const { clock, queue, turns } = setUp({ work: hung });
    queue.add('a');
    await clock.advance(0);
    queue.add('b');
    await clock.advance(1_000);
    expect(turns).toEqual([['a']]);
  });
});

describe('the timer of delayed keys', () => {
  it('is one, for the soonest of them', async () => {
    const { clock, queue, turns, timersMs } = setUp();
    queue.addAfter('later', 9_000);
    queue.addAfter('sooner', 5_000);
    queue.addAfter('latest', 12_000);
    expect(timersMs).toEqual([9_000, 5_000]);
    expect(clock.pendingTimers()).toBe(1);
    await clock.advance(20_000);
    expect(turns).toEqual([['sooner'], ['later'], ['latest']]);
    expect(timersMs).toEqual([9_000, 5_000, 4_000, 3_000]);
    expect(clock.pendingTimers()).toBe(0);
  });

  it('brings up together what is due together, by priority', async () => {
    const { clock, queue, turns } = setUp({ concurrency: 5 });
    queue.addAfter('low', 5_000, 'resync');
    queue.addAfter('usual', 5_000);
    queue.addAfter('high', 5_000, 'release');
    await clock.advance(5_000);
    expect(turns).toEqual([['high', 'usual', 'low']]);
  });

  it('is never set for more than a day nor for less than nothing', async () => {
    const { clock, queue, turns, timersMs } = setUp();
    queue.addAfter('a', 3 * 86_400_000);
    await clock.advance(3 * 86_400_000);
    expect(turns).toEqual([['a']]);
    expect(timersMs).toEqual([86_400_000, 86_400_000, 86_400_000]);
    queue.addAfter('b', -1_000);
    await clock.advance(0);
    expect(turns).toEqual([['a'], ['b']]);
    expect(timersMs.at(-1)).toBe(0);
  });

  it('is not set for a delay that is not a number', () => {
    const { queue, timersMs } = setUp();
    expect(() => queue.addAfter('a', Number.NaN)).toThrow('a delay is a number');
    expect(timersMs).toEqual([]);
  });
});

describe('a key that is added while it is worked on', () => {
  it('comes again at the priority that it was added with', async () => {
    const first = Promise.withResolvers<WorkOutcome>();
    const replies = [first.promise];
    const { clock, queue, turns } = setUp({ work: () => replies.shift() ?? Promise.resolve(done) });
    queue.add('a', 'release');
    await clock.advance(0);
    queue.add('a', 'resync');
    queue.add('b', 'change');
    first.resolve(done);
    await clock.advance(0);
    expect(turns.flat()).toEqual(['a', 'b', 'a']);
  });

  it('comes again at the highest priority that it was added with', async () => {
    const first = Promise.withResolvers<WorkOutcome>();
    const replies = [first.promise];
    const { clock, queue, turns } = setUp({ work: () => replies.shift() ?? Promise.resolve(done) });
    queue.add('a', 'change');
    await clock.advance(0);
    queue.add('a', 'resync');
    queue.add('a', 'release');
    queue.add('a', 'change');
    queue.add('b', 'gate');
    first.resolve(done);
    await clock.advance(0);
    expect(turns.flat()).toEqual(['a', 'a', 'b']);
  });
});

describe('a time that the server named', () => {
  it('no longer counts once work has begun again', async () => {
    const replies: WorkOutcome[] = [{ kind: 'retry', soon: true, afterMs: 20_000 }];
    const { clock, queue, turns } = setUp({ work: () => Promise.resolve(replies.shift() ?? done) });
    queue.add('a');
    await clock.advance(19_999);
    expect(turns.flat()).toEqual(['a']);
    await clock.advance(1);
    queue.add('a');
    await clock.advance(0);
    expect(turns.flat()).toEqual(['a', 'a', 'a']);
    expect(clock.monotonicMs()).toBe(20_000);
  });

  it('is kept for the priority of a later word', async () => {
    const replies: WorkOutcome[] = [{ kind: 'retry', soon: true, afterMs: 1_000 }];
    const { clock, queue, turns } = setUp({ work: () => Promise.resolve(replies.shift() ?? done) });
    queue.add('a', 'resync');
    await clock.advance(0);
    queue.add('a', 'release');
    queue.addAfter('b', 1_000, 'gate');
    await clock.advance(1_000);
    expect(turns.flat()).toEqual(['a', 'a', 'b']);
  });
});

describe('work that fails', () => {
  it('is tried again after 5 ms, then ever later up to a minute, until it is done', async () => {
    const failed: WorkOutcome = { kind: 'retry', soon: false, afterMs: null };
    const replies = [...Array.from({ length: 16 }, () => failed), done, failed];
    const { clock, queue, turns, timersMs } = setUp({
      work: () => Promise.resolve(replies.shift() ?? done),
    });
    queue.add('a');
    await clock.advance(0);
    for (let failures = 1; failures <= 16; failures++) {
      expect(timersMs).toHaveLength(failures);
      const waitMs = timersMs.at(-1) ?? 0;
      const step = Math.min(5 * 2 ** (failures - 1), 60_000);
      expect(waitMs).toBeGreaterThanOrEqual(step / 2);
      expect(waitMs).toBeLessThanOrEqual(step);
      await clock.advance(waitMs);
      expect(turns.flat()).toHaveLength(failures + 1);
    }
    queue.add('a');
    await clock.advance(0);
    expect(timersMs).toHaveLength(17);
    expect(timersMs.at(-1)).toBeLessThanOrEqual(5);
  });
});

describe('a queue that was stopped', () => {
  it('takes nothing in, and is stopped only once', async () => {
    const { clock, queue, turns } = setUp();
    queue.addAfter('a', 1_000);
    const stopped = queue.stop();
    expect(queue.stop()).toBe(stopped);
    expect(clock.pendingTimers()).toBe(0);
    queue.add('b');
    queue.addAfter('c', 1_000);
    await clock.advance(5_000);
    expect(turns).toEqual([]);
    expect(queue.depth()).toEqual({ waiting: 0, working: 0, delayed: 1 });
  });

  it('is over only when the last of several keys in hand is done', async () => {
    const ends = new Map(keys(2).map((key) => [key, Promise.withResolvers<WorkOutcome>()]));
    const { clock, queue } = setUp({ concurrency: 2, work: (key) => ends.get(key)?.promise ?? hung() });
    for (const key of keys(2)) queue.add(key);
    await clock.advance(0);
    let isOver = false;
    void queue.stop().then(() => (isOver = true));
    ends.get('k-0')?.resolve({ kind: 'done', recheckInMs: 10 });
    await clock.advance(1_000);
    expect(isOver).toBe(false);
    ends.get('k-1')?.resolve(done);
    await clock.advance(0);
    expect(isOver).toBe(true);
    expect(clock.pendingTimers()).toBe(0);
  });

  it('starts nothing in a turn that was asked for before', async () => {
    const { clock, queue, turns } = setUp();
    queue.add('a');
    void queue.stop();
    await clock.advance(0);
    expect(turns).toEqual([[]]);
  });
});

describe('what people read', () => {
  it('is each piece of work that threw, with its key and its cause', async () => {
    const { clock, queue, log } = setUp({ work: () => Promise.reject(new Error('mine')) });
    queue.add('a');
    await clock.advance(0);
    expect(log.lines).toEqual([
      {
        level: 'error',
        message: 'work on a key threw; it is tried again',
        fields: { queue: 'nodes', key: 'a', error: expect.stringContaining('mine') },
      },
    ]);
  });

  it('is that a time to recheck was no number', async () => {
    const odd: WorkOutcome = { kind: 'done', recheckInMs: Number.NaN };
    const { clock, queue, log } = setUp({ work: () => Promise.resolve(odd) });
    queue.add('a');
    await clock.advance(0);
    expect(log.lines[0]?.fields['error']).toContain('recheckInMs is a number');
  });

  it('is how long work took, in seconds', async () => {
    const end = Promise.withResolvers<WorkOutcome>();
    const { clock, queue, seconds } = setUp({ work: () => end.promise });
    await clock.advance(7_000);
    queue.add('a');
    await clock.advance(2_500);
    end.resolve(done);
    await clock.advance(0);
    expect(seconds).toEqual([2.5]);
  });
});

describe('a queue', () => {
  it('needs a concurrency of at least 1', () => {
    expect(() => setUp({ concurrency: 0 })).toThrow('concurrency must be at least 1, not 0');
  });
});
