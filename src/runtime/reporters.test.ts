import { noAnswers } from './asked.ts';
import { describe, expect, it } from 'vitest';
import { type ManualClock, manualClock, settle } from '../../test/support/manual-clock.ts';
import { recordedMetrics } from '../../test/support/recorded-metrics.ts';
import { sleep } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { seededRandom } from '../base/random.ts';
import { createNodeStateStore } from '../fleet/store.ts';
import { createQueue } from '../kube/queue.ts';
import { viewOf } from '../objects/raw.ts';
import { podType } from '../objects/ref.ts';
import type { ObjectReporter } from './capability.ts';
import type { Sources, WatchSpec } from './ports.ts';
import { runReporter } from './reporters.ts';
import type { Unrest } from './yielding.ts';

const watch: WatchSpec = { selection: { type: podType }, presence: 'required', project: viewOf };
const target = { ref: { type: podType, namespace: '', name: 'told' }, uid: '', resourceVersion: '' };
const nobody = () => {
  throw new Error('nobody asks');
};
const sources: Sources = {
  of: nobody,
  ownWrites: nobody,
  readDeciding: nobody,
  subscribe: () => () => undefined,
  onSynced: () => () => undefined,
  start: () => undefined,
  stop: () => undefined,
};

/** Nothing is to be written unless it is said how long a write takes. */
type Sketch = { readonly unrest: Unrest; readonly writeMs?: number | null };

function scene({ unrest, writeMs = null }: Sketch) {
  const clock = manualClock();
  const metrics = recordedMetrics();
  const looked: string[] = [];
  const state = { unrest, asked: 0 };
  const reporter: ObjectReporter = {
    kind: 'object',
    name: 'told',
    type: 'rule_evaluation',
    watch,
    periodMs: 0,
    keysOf: () => [],
    keyOfObject: ({ name }) => name,
    allKeys: () => [],
    next(_, key) {
      looked.push(key);
      return writeMs === null ? null : { kind: 'DeleteObject', target, cause: 'told' };
    },
  };
  const running = runReporter(reporter, {
    clock,
    log: silentLog,
    metrics,
    sources,
    store: createNodeStateStore(),
    makeQueue: (options) =>
      createQueue({ ...options, clock, random: seededRandom(1), log: silentLog, metrics }),
    events: { record: () => undefined },
    async act() {
      await sleep(clock, writeMs ?? 0, new AbortController().signal);
      return { kind: 'notLeading' };
    },
    answers: noAnswers,
    unrest() {
      state.asked += 1;
      return state.unrest;
    },
  });
  running.open();
  return { clock, looked, state, running };
}

/** In small steps: the queue takes a few keys a turn. */
async function run(clock: ManualClock, seconds: number): Promise<void> {
  for (let step = 0; step < seconds * 40; step += 1) await clock.advance(25);
}

const keys = Array.from({ length: 500 }, (_, index) => `object-${index}`);

describe('objects of our own', () => {
  it('give way to a burst without asking all the time, each, whether it is over', async () => {
    const { clock, looked, state, running } = scene({ unrest: 'much' });
    for (const key of keys) running.enqueue(key);
    await run(clock, 10);
    expect(looked).toEqual([]);
    expect(state.asked).toBeLessThan(keys.length * 2);
    state.unrest = 'none';
    await run(clock, 4);
    expect(new Set(looked)).toEqual(new Set(keys));
  });

  it('go on slowly after a minute: a fleet that is never calm is told about all the same', async () => {
    const { clock, looked, running } = scene({ unrest: 'much' });
    for (const key of keys) running.enqueue(key);
    await run(clock, 60);
    expect(looked).toHaveLength(0);
    await run(clock, 11);
    expect(looked.length).toBeGreaterThanOrEqual(40);
    expect(looked.length).toBeLessThanOrEqual(50);
    await run(clock, 125);
    expect(new Set(looked)).toEqual(new Set(keys));
  });

  it('keep to four writes at a time, and stay away from an API server that takes long to answer', async () => {
    const prompt = scene({ unrest: 'none', writeMs: 50 });
    for (const key of keys) prompt.running.enqueue(key);
    await run(prompt.clock, 2);
    expect(prompt.looked.length).toBeGreaterThan(150);
    expect(prompt.looked.length).toBeLessThanOrEqual(164);
    const slow = scene({ unrest: 'none', writeMs: 100 });
    for (const key of keys) slow.running.enqueue(key);
    await run(slow.clock, 2);
    expect(slow.looked.length).toBeGreaterThanOrEqual(36);
    expect(slow.looked.length).toBeLessThanOrEqual(44);
    const sick = scene({ unrest: 'none', writeMs: 30_000 });
    for (const key of keys.slice(0, 8)) sick.running.enqueue(key);
    await run(sick.clock, 32);
    expect(sick.looked).toHaveLength(8);
  });

  it('are written one at a time, and with rests, while some nodes change each second, and four at a time when they no longer do', async () => {
    const { clock, looked, running, state } = scene({ unrest: 'some', writeMs: 50 });
    for (const key of keys) running.enqueue(key);
    await run(clock, 2);
    expect(looked.length).toBeGreaterThanOrEqual(12);
    expect(looked.length).toBeLessThanOrEqual(14);
    state.unrest = 'none';
    await run(clock, 2);
    expect(looked.length).toBeGreaterThan(140);
  });

  it('are written four at a time again after a minute of nodes that change all the time', async () => {
    const { clock, looked, running } = scene({ unrest: 'some', writeMs: 50 });
    const many = Array.from({ length: 4_000 }, (_, index) => `object-${index}`);
    for (const key of many) running.enqueue(key);
    await run(clock, 60);
    const before = looked.length;
    expect(before).toBeLessThan(420);
    await run(clock, 2);
    expect(looked.length - before).toBeGreaterThan(120);
  });

  it('are written one at a time again when nodes change after a pause, however long they had changed before', async () => {
    const { clock, looked, running } = scene({ unrest: 'some', writeMs: 50 });
    for (const key of keys.slice(0, 420)) running.enqueue(key);
    await run(clock, 70);
    expect(looked).toHaveLength(420);
    await run(clock, 10);
    for (const key of keys.slice(0, 100)) running.enqueue(key);
    await run(clock, 2);
    expect(looked.length - 420).toBeLessThanOrEqual(16);
  });

  it('are some fifty a second at most while some nodes change, however prompt the API server is', async () => {
    const { clock, looked, running } = scene({ unrest: 'some', writeMs: 2 });
    for (const key of keys) running.enqueue(key);
    await run(clock, 2);
    expect(looked.length).toBeGreaterThan(100);
    expect(looked.length).toBeLessThanOrEqual(120);
  });

  it('do not keep a reporter from stopping while they give way', async () => {
    const { clock, looked, running } = scene({ unrest: 'much' });
    for (const key of keys) running.enqueue(key);
    await clock.advance(1_000);
    await running.stop();
    await settle();
    expect([looked, clock.pendingTimers()]).toEqual([[], 0]);
  });
});
