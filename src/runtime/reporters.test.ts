import { noAnswers } from './asked.ts';
import { describe, expect, it } from 'vitest';
import { type ManualClock, manualClock, settle } from '../../test/support/manual-clock.ts';
import { recordedMetrics } from '../../test/support/recorded-metrics.ts';
import { silentLog } from '../base/log.ts';
import { seededRandom } from '../base/random.ts';
import { createNodeStateStore } from '../fleet/store.ts';
import { createQueue } from '../kube/queue.ts';
import { viewOf } from '../objects/raw.ts';
import { podType } from '../objects/ref.ts';
import type { ObjectReporter } from './capability.ts';
import type { Sources, WatchSpec } from './ports.ts';
import { runReporter } from './reporters.ts';

const watch: WatchSpec = { selection: { type: podType }, presence: 'required', project: viewOf };
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

function scene({ isBusy }: { isBusy: boolean }) {
  const clock = manualClock();
  const metrics = recordedMetrics();
  const looked: string[] = [];
  const state = { isBusy, asked: 0 };
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
      return null;
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
    act: nobody,
    answers: noAnswers,
    isBusy() {
      state.asked += 1;
      return state.isBusy;
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
    const { clock, looked, state, running } = scene({ isBusy: true });
    for (const key of keys) running.enqueue(key);
    await run(clock, 10);
    expect(looked).toEqual([]);
    expect(state.asked).toBeLessThan(keys.length * 2);
    state.isBusy = false;
    await run(clock, 4);
    expect(new Set(looked)).toEqual(new Set(keys));
  });

  it('go on slowly after a minute: a fleet that is never calm is told about all the same', async () => {
    const { clock, looked, running } = scene({ isBusy: true });
    for (const key of keys) running.enqueue(key);
    await run(clock, 60);
    expect(looked).toHaveLength(0);
    await run(clock, 11);
    expect(looked.length).toBeGreaterThanOrEqual(40);
    expect(looked.length).toBeLessThanOrEqual(50);
    await run(clock, 125);
    expect(new Set(looked)).toEqual(new Set(keys));
  });

  it('do not keep a reporter from stopping while they give way', async () => {
    const { clock, looked, running } = scene({ isBusy: true });
    for (const key of keys) running.enqueue(key);
    await clock.advance(1_000);
    await running.stop();
    await settle();
    expect([looked, clock.pendingTimers()]).toEqual([[], 0]);
  });
});
