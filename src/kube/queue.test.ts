import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { recordedMetrics } from '../../test/support/recorded-metrics.ts';
import { silentLog } from '../base/log.ts';
import { seededRandom } from '../base/random.ts';
import { priorities, type WorkOutcome } from '../runtime/ports.ts';
import { createQueue } from './queue.ts';

const done: WorkOutcome = { kind: 'done', recheckInMs: null };
const failed: WorkOutcome = { kind: 'retry', soon: false, afterMs: null };

/** A queue whose work ends when the test says so; `begun` lists the keys in the order in which work on them began. */
function setUp({ concurrency = 1 } = {}) {
  const clock = manualClock();
  const metrics = recordedMetrics();
  const begun: string[] = [];
  const ends = new Map<string, { resolve(outcome: WorkOutcome): void; reject(cause: unknown): void }>();
  const queue = createQueue({
    name: 'nodes',
    concurrency,
    clock,
    random: seededRandom(1),
    log: silentLog,
    metrics,
    work(key) {
      begun.push(key);
      const { promise, resolve, reject } = Promise.withResolvers<WorkOutcome>();
      ends.set(key, { resolve, reject });
      return promise;
    },
  });
  const turn = async () => {
    await clock.nextTurn();
    await clock.advance(0);
  };
  const end = async (key: string, outcome: WorkOutcome = done) => {
    ends.get(key)?.resolve(outcome);
    await turn();
  };
  const endAll = async () => {
    const isBusy = () => queue.depth().working + queue.depth().waiting > 0;
    for (let round = 0; isBusy() && round < 100; round++) {
      for (const work of ends.values()) work.resolve(done);
      await turn();
    }
  };
  return { clock, metrics, queue, begun, ends, end, endAll };
}

it('asks for timers of whole milliseconds: one that fires a fraction early would find nothing due', () => {
  const delays: number[] = [];
  const clock = manualClock();
  const queue = createQueue({
    name: 'nodes',
    concurrency: 1,
    clock: { ...clock, after: (ms, run) => (delays.push(ms), clock.after(ms, run)) },
    random: seededRandom(1),
    log: silentLog,
    metrics: recordedMetrics(),
    work: () => Promise.resolve(done),
  });
  queue.addAfter('a', 4.2);
  queue.addAfter('b', 0.1);
  expect(delays).toEqual([5, 1]);
});

describe('a key', () => {
  it('that waits is not added twice', async () => {
    const { clock, queue, begun, endAll } = setUp();
    for (const key of ['a', 'b', 'a', 'b']) queue.add(key);
    expect(queue.depth()).toEqual({ waiting: 2, working: 0, delayed: 0 });
    await clock.advance(0);
    await endAll();
    expect(begun).toEqual(['a', 'b']);
  });

  it('that is added while it is worked on runs once more afterwards, and not before', async () => {
    const { clock, queue, begun, end } = setUp({ concurrency: 5 });
    queue.add('a');
    await clock.advance(0);
    queue.add('a');
    queue.add('a');
    await clock.advance(1_000);
    expect(begun).toEqual(['a']);
    await end('a');
    expect(begun).toEqual(['a', 'a']);
    await end('a');
    expect(begun).toEqual(['a', 'a']);
    expect(queue.depth()).toEqual({ waiting: 0, working: 0, delayed: 0 });
  });

  it('is rechecked after the time that its work asked for', async () => {
    const { clock, queue, begun, end } = setUp();
    queue.add('a');
    await clock.advance(0);
    await end('a', { kind: 'done', recheckInMs: 30_000 });
    await clock.advance(29_999);
    expect(begun).toEqual(['a']);
    await clock.advance(1);
    expect(begun).toEqual(['a', 'a']);
  });

  it('is worked on at the soonest of the times asked for', async () => {
    const { clock, queue, begun } = setUp();
    queue.addAfter('a', 5_000);
    queue.addAfter('a', 1_000);
    queue.addAfter('a', 9_000);
    expect(queue.depth().delayed).toBe(1);
    await clock.advance(999);
    expect(begun).toEqual([]);
    await clock.advance(1);
    expect(begun).toEqual(['a']);
  });

  it('can wait longer than a timer of the system can', async () => {
    const { clock, queue, begun } = setUp();
    const days = 86_400_000;
    queue.addAfter('a', 40 * days);
    await clock.advance(40 * days - 1);
    expect(begun).toEqual([]);
    await clock.advance(1);
    expect(begun).toEqual(['a']);
  });
});

describe('order', () => {
  it('follows the priorities', async () => {
    const { clock, queue, begun, endAll } = setUp();
    for (const priority of priorities.toReversed()) queue.add(priority, priority);
    await clock.advance(0);
    await endAll();
    expect(begun).toEqual(priorities);
  });

  it('moves a waiting key up when it is added with a higher priority, and never down', async () => {
    const { clock, queue, begun, endAll } = setUp();
    queue.add('first', 'change');
    queue.add('up', 'resync');
    queue.add('up', 'release');
    queue.add('up', 'resync');
    await clock.advance(0);
    await endAll();
    expect(begun).toEqual(['up', 'first']);
  });

  it('gives every tenth turn to the oldest key of the lowest priority', async () => {
    const { clock, queue, begun, end } = setUp();
    queue.add('low-1', 'resync');
    queue.add('low-2', 'resync');
    for (let i = 0; i < 30; i++) queue.add(`high-${i}`, 'release');
    await clock.advance(0);
    for (let i = 0; i < 32; i++) await end(begun.at(-1) ?? '');
    expect(begun.indexOf('low-1')).toBe(9);
    expect(begun.indexOf('low-2')).toBe(19);
    expect(begun).toHaveLength(32);
  });

  it('keeps no more keys in hand than its concurrency', async () => {
    const { clock, queue, begun, end } = setUp({ concurrency: 3 });
    for (let i = 0; i < 10; i++) queue.add(`k-${i}`);
    await clock.advance(0);
    expect(queue.depth()).toEqual({ waiting: 7, working: 3, delayed: 0 });
    await end('k-1');
    expect(begun.at(-1)).toBe('k-3');
  });
});

describe('work that fails', () => {
  it('soon is tried again at once, behind what waits', async () => {
    const { clock, queue, begun, end } = setUp();
    queue.add('a');
    queue.add('b');
    await clock.advance(0);
    await end('a', { kind: 'retry', soon: true, afterMs: null });
    await end('b');
    expect(begun).toEqual(['a', 'b', 'a']);
    expect(clock.monotonicMs()).toBe(0);
  });

  it('soon for ever does not spin', async () => {
    const { clock, queue, begun, end } = setUp();
    queue.add('a');
    await clock.advance(0);
    for (let i = 0; i < 100; i++) await end('a', { kind: 'retry', soon: true, afterMs: null });
    expect(begun).toHaveLength(4);
    expect(queue.depth().delayed).toBe(1);
  });

  it('is not touched before the time that the server named, though it is added meanwhile', async () => {
    const { clock, queue, begun, end } = setUp();
    queue.add('a');
    await clock.advance(0);
    await end('a', { kind: 'retry', soon: false, afterMs: 20_000 });
    queue.add('a', 'release');
    await clock.advance(19_999);
    expect(begun).toEqual(['a']);
    await clock.advance(1);
    expect(begun).toEqual(['a', 'a']);
  });

  it('keeps its priority unless the outcome names another', async () => {
    const { clock, queue, begun, end, endAll } = setUp();
    queue.add('a', 'release');
    queue.add('b', 'release');
    await clock.advance(0);
    await end('a', { kind: 'retry', soon: true, afterMs: null });
    queue.add('c', 'gate');
    await end('b', { kind: 'retry', soon: true, afterMs: null, priority: 'resync' });
    await endAll();
    expect(begun).toEqual(['a', 'b', 'a', 'c', 'b']);
  });

  it.each([
    ['throws', (ends: ReturnType<typeof setUp>['ends']) => ends.get('a')?.reject(new Error('mine'))],
    [
      'asks for a recheck that is not a number',
      (ends: ReturnType<typeof setUp>['ends']) =>
        ends.get('a')?.resolve({ kind: 'done', recheckInMs: Number.NaN }),
    ],
  ])('because it %s is counted and tried again', async (_sentence, fail) => {
    const { clock, queue, metrics, begun, ends } = setUp();
    queue.add('a');
    await clock.advance(0);
    fail(ends);
    await clock.advance(10);
    expect(begun).toEqual(['a', 'a']);
    expect(metrics.value('muster_work_total', { queue: 'nodes', result: 'threw' })).toBe(1);
  });
});

describe('stopping', () => {
  it('takes no more keys and is over when the work in hand is done', async () => {
    const { clock, queue, begun, end } = setUp();
    queue.add('a');
    queue.add('b');
    queue.addAfter('c', 10);
    await clock.advance(0);
    let isOver = false;
    const over = queue.stop().then(() => (isOver = true));
    queue.add('d');
    await clock.advance(1_000);
    expect(isOver).toBe(false);
    await end('a', failed);
    await over;
    await clock.advance(1_000);
    expect(begun).toEqual(['a']);
    expect(clock.pendingTimers()).toBe(0);
  });

  it('is over at once when nothing is worked on', async () => {
    await expect(setUp().queue.stop()).resolves.toBeUndefined();
  });
});

describe('what people see', () => {
  it('is the depth by state, the longest wait, the results and the durations', async () => {
    const { clock, queue, metrics, end } = setUp();
    await clock.advance(1_000);
    queue.add('a');
    queue.add('b');
    queue.addAfter('c', 60_000);
    await clock.advance(4_000);
    const depth = (state: string) => metrics.value('muster_queue_depth', { queue: 'nodes', state });
    expect([depth('waiting'), depth('working'), depth('delayed')]).toEqual([1, 1, 1]);
    expect(metrics.value('muster_queue_longest_wait_seconds', { queue: 'nodes' })).toBe(4);
    await end('a');
    expect(metrics.value('muster_work_total', { queue: 'nodes', result: 'done' })).toBe(1);
    expect(metrics.value('muster_work_duration_seconds', { queue: 'nodes' })).toBe(1);
    expect(metrics.value('muster_queue_longest_wait_seconds', { queue: 'nodes' })).toBe(0);
  });

  it('is the depth and the errors under the names of controllers written in Go', async () => {
    const { clock, queue, metrics, end } = setUp();
    for (const key of ['a', 'b', 'c']) queue.add(key);
    await clock.advance(0);
    expect(metrics.value('workqueue_depth', { name: 'node', controller: 'node' })).toBe(2);
    await end('a', failed);
    await end('b', { ...failed, soon: true });
    await end('c');
    expect(metrics.value('controller_runtime_reconcile_errors_total', { controller: 'node' })).toBe(1);
  });
});
