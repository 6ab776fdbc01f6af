import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { manualClock } from '../../test/support/manual-clock.ts';
import { silentLog } from '../base/log.ts';
import { silentMetrics } from '../base/metrics.ts';
import { seededRandom } from '../base/random.ts';
import type { Priority, WorkOutcome } from '../runtime/ports.ts';
import { createQueue } from './queue.ts';
import { DelayedKeys } from './delayed-keys.ts';

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const priority = fc.constantFrom<Priority>('release', 'gate', 'change', 'resync');
const delayMs = fc.constantFrom(0, 3, 500, 70_000);

const outcome = fc.oneof(
  fc.record({ kind: fc.constant('done' as const), recheckInMs: fc.option(delayMs, { nil: null }) }),
  fc.record({
    kind: fc.constant('retry' as const),
    soon: fc.boolean(),
    afterMs: fc.option(delayMs, { nil: null }),
  }),
  fc.constant({ kind: 'throws' as const }),
);

const move = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), key, priority }),
  fc.record({ kind: fc.constant('addAfter' as const), key, priority, delayMs }),
  fc.record({ kind: fc.constant('end' as const), nth: fc.nat(4), outcome }),
  fc.record({ kind: fc.constant('pass' as const), ms: delayMs }),
);

type Work = { readonly key: string; end(outcome: WorkOutcome): void; fail(cause: unknown): void };

function setUp(concurrency: number) {
  const clock = manualClock();
  const inHand: Work[] = [];
  const broken: string[] = [];
  /** Keys that somebody asked for and that no work has begun on since. */
  const owed = new Set<string>();
  const queue = createQueue({
    name: 'any',
    concurrency,
    clock,
    random: seededRandom(7),
    log: silentLog,
    metrics: silentMetrics,
    work(taken) {
      // Not by `expect`: what it throws in here would only be tried again.
      if (inHand.some((work) => work.key === taken)) broken.push(`${taken} twice at once`);
      if (inHand.length >= concurrency) broken.push(`${taken} beyond the concurrency`);
      owed.delete(taken);
      const { promise, resolve, reject } = Promise.withResolvers<WorkOutcome>();
      inHand.push({ key: taken, end: resolve, fail: reject });
      return promise;
    },
  });
  return { clock, queue, inHand, owed, broken };
}

describe('a queue under any order of adding, ending and failing', () => {
  it('works on no key twice at once, on no more keys than it may, and loses none', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(move, { maxLength: 60 }),
        fc.integer({ min: 1, max: 3 }),
        async (moves, concurrency) => {
          const { clock, queue, inHand, owed, broken } = setUp(concurrency);
          for (const next of moves) {
            if (next.kind === 'pass') await clock.advance(next.ms);
            else if (next.kind === 'end') {
              const [work] = inHand.splice(next.nth, 1);
              if (work && (next.outcome.kind !== 'done' || next.outcome.recheckInMs !== null))
                owed.add(work.key);
              if (next.outcome.kind === 'throws') work?.fail(new Error('thrown on purpose'));
              else work?.end(next.outcome);
            } else {
              owed.add(next.key);
              if (next.kind === 'add') queue.add(next.key, next.priority);
              else queue.addAfter(next.key, next.delayMs, next.priority);
            }
            await clock.advance(0);
          }
          const isBusy = () => inHand.length > 0 || queue.depth().waiting + queue.depth().delayed > 0;
          for (let round = 0; isBusy() && round < 100; round++) {
            for (const work of inHand.splice(0)) work.end({ kind: 'done', recheckInMs: null });
            await clock.advance(70_000);
          }
          expect(broken).toEqual([]);
          expect([...owed]).toEqual([]);
          expect(queue.depth()).toEqual({ waiting: 0, working: 0, delayed: 0 });
          expect(clock.pendingTimers()).toBe(0);
        },
      ),
      propertyRuns(300),
    );
  });
});

describe('the keys that wait for a time', () => {
  it('come up in the order of their soonest times, each once', () => {
    const asked = fc.array(
      fc.record({ key: fc.nat(30).map(String), level: fc.nat(3), dueMs: fc.nat(1_000) }),
    );
    fc.assert(
      fc.property(asked, (entries) => {
        const delayed = new DelayedKeys();
        const soonest = new Map<string, number>();
        for (const entry of entries) {
          delayed.add(entry);
          soonest.set(entry.key, Math.min(entry.dueMs, soonest.get(entry.key) ?? Infinity));
        }
        const taken: number[] = [];
        for (let next = delayed.takeDue(1_000); next; next = delayed.takeDue(1_000)) {
          expect(next.dueMs).toBe(soonest.get(next.key));
          soonest.delete(next.key);
          taken.push(next.dueMs);
        }
        expect(soonest.size).toBe(0);
        expect(taken).toEqual(taken.toSorted((a, b) => a - b));
      }),
    );
  });
});
