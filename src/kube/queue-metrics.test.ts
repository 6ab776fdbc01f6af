import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { recordedMetrics } from '../../test/support/recorded-metrics.ts';
import { silentLog } from '../base/log.ts';
import { seededRandom } from '../base/random.ts';
import type { WorkOutcome } from '../runtime/ports.ts';
import { createQueue } from './queue.ts';

const done: WorkOutcome = { kind: 'done', recheckInMs: null };
const rechecked: WorkOutcome = { kind: 'done', recheckInMs: 60_000 };
const failed: WorkOutcome = { kind: 'retry', soon: false, afterMs: 60_000 };
const decidedAnew: WorkOutcome = { kind: 'retry', soon: true, afterMs: 60_000 };

/** A queue that works on each key for two seconds, with the outcome that is given for it; work on any other key throws. */
function setUp(name: string, outcomes: Readonly<Record<string, WorkOutcome>> = {}) {
  const clock = manualClock();
  const metrics = recordedMetrics();
  const queue = createQueue({
    name,
    concurrency: 1,
    clock,
    random: seededRandom(1),
    log: silentLog,
    metrics,
    work: (key) =>
      new Promise((resolve, reject) => {
        const outcome = outcomes[key];
        clock.after(2_000, () => (outcome === undefined ? reject(new Error('a bug')) : resolve(outcome)));
      }),
  });
  const run = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed++) await clock.advance(1_000);
  };
  const worksOff = async () => {
    for (const key of Object.keys(outcomes)) queue.add(key);
    await run(11);
  };
  return { metrics, queue, run, worksOff };
}

describe('under the names of controllers written in Go', () => {
  it.each([
    ['of nodes is node', 'nodes', 'node'],
    [
      'of NodeReadinessRules is nodereadiness-controller',
      'readiness-status-NodeReadinessRule',
      'nodereadiness-controller',
    ],
    ['that they do not have keeps its name', 'readiness-evaluations', 'readiness-evaluations'],
  ])('a queue %s', async (_sentence, name, controller) => {
    const { metrics, worksOff } = setUp(name, { a: done });
    await worksOff();
    const series = metrics.series().filter((each) => !each.startsWith('muster_'));
    expect(series.toSorted()).toEqual(
      [
        ...['depth', 'adds_total', 'retries_total', 'queue_duration_seconds', 'work_duration_seconds'].map(
          (each) => `workqueue_${each}{controller=${controller},name=${controller}}`,
        ),
        ...['errors_total', 'time_seconds'].map(
          (each) => `controller_runtime_reconcile_${each}{controller=${controller}}`,
        ),
        ...['success', 'error', 'requeue', 'requeue_after'].map(
          (result) => `controller_runtime_reconcile_total{controller=${controller},result=${result}}`,
        ),
      ].toSorted(),
    );
    expect(metrics.value('muster_work_total', { queue: name, result: 'done' })).toBe(1);
  });

  it('work that is done is a success or comes again after a time, what fails or throws an error, and what is decided anew a requeue', async () => {
    const outcomes = { a: done, b: rechecked, c: failed, d: decidedAnew };
    const { metrics, queue, worksOff } = setUp('nodes', outcomes);
    const worked = worksOff();
    queue.add('throws');
    await worked;
    const results = () =>
      ['success', 'requeue_after', 'error', 'requeue'].map((result) =>
        metrics.value('controller_runtime_reconcile_total', { controller: 'node', result }),
      );
    expect(results()).toEqual([1, 1, 2, 1]);
    expect(results()).toEqual([1, 1, 2, 1]);
    expect(metrics.value('controller_runtime_reconcile_errors_total', { controller: 'node' })).toBe(2);
    expect(metrics.value('workqueue_retries_total', { name: 'node', controller: 'node' })).toBe(4);
  });

  it('keys are counted when they come to wait, once however often they are asked for, and again when they come back', async () => {
    const { metrics, queue, run } = setUp('nodes', { a: failed, b: done });
    const of = (name: string) => metrics.value(`workqueue_${name}`, { name: 'node', controller: 'node' });
    const counts = () => ['depth', 'adds_total', 'retries_total'].map(of);
    for (const key of ['a', 'b', 'b']) queue.add(key);
    expect(counts()).toEqual([2, 2, 0]);
    await run(1);
    expect(counts()).toEqual([1, 2, 0]);
    await run(10);
    expect(counts()).toEqual([0, 2, 1]);
    await run(60);
    expect(counts()).toEqual([0, 3, 2]);
  });

  it('the time that a key was worked on has both of its names', async () => {
    const { metrics, worksOff } = setUp('nodes', { a: done });
    await worksOff();
    for (const name of ['workqueue_work_duration_seconds', 'controller_runtime_reconcile_time_seconds'])
      expect([name, metrics.observed(name)]).toEqual([name, [2]]);
  });

  it('the time that a key waited is from when it was first asked for to when it is taken', async () => {
    const { metrics, queue, run } = setUp('nodes', { a: done, b: done });
    for (const key of ['a', 'b']) queue.add(key);
    await run(1);
    queue.add('b');
    await run(4);
    expect(metrics.observed('workqueue_queue_duration_seconds')).toEqual([0, 2]);
  });
});
