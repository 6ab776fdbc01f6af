// The work queue: keys, never events. A key is never worked on twice at once and never lost: whatever fails is tried again,
// later each time. Work is started in turns of the event loop, so that a whole fleet of keys does not block it.

import { assert } from '../base/assert.ts';
import { type BackoffPolicy, backoffMs } from '../base/backoff.ts';
import type { Cancel, Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Random } from '../base/random.ts';
import type { Priority, QueueSpec, WorkOutcome, WorkQueue } from '../runtime/ports.ts';
import { textOfCause } from './cause.ts';
import { DelayedKeys } from './delayed-keys.ts';
import { type QueueMetrics, queueMetrics } from './queue-metrics.ts';
import { type WaitingKey, WaitingKeys } from './waiting-keys.ts';

export type QueueOptions = QueueSpec & {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
};

export function createQueue(options: QueueOptions): WorkQueue {
  assert(options.concurrency >= 1, `concurrency must be at least 1, not ${options.concurrency}`);
  return new KeyQueue(options);
}

/** The order of `Priority`, highest first. */
const levelOf: Readonly<Record<Priority, number>> = { release: 0, gate: 1, change: 2, resync: 3 };
const levels = Object.keys(levelOf).length;

const backoff: BackoffPolicy = { firstMs: 5, factor: 2, delayMsMax: 60_000 };
/** A conflict that fresh data does not settle in this many tries is a fight, and waits like any failure. */
const soonMax = 3;
/** Work is started for at most this long before the loop gets its turn: half of what one turn may take. */
const turnMs = 5;
/** The system's timers overflow after 24 days. */
const timerMsMax = 86_400_000;

type Worked = { readonly level: number; againLevel: number | null };

class KeyQueue implements WorkQueue {
  readonly #options: QueueOptions;
  readonly #metrics: QueueMetrics;
  readonly #waiting = new WaitingKeys(levels);
  readonly #delayed = new DelayedKeys();
  readonly #working = new Map<string, Worked>();
  readonly #failures = new Map<string, number>();
  /** Until when a key must not be touched because a server said so. */
  readonly #notBeforeMs = new Map<string, number>();
  #isTurnAsked = false;
  #timer: { readonly dueMs: number; readonly cancel: Cancel } | null = null;
  #stopped: { readonly promise: Promise<void>; readonly resolve: () => void } | null = null;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#metrics = queueMetrics(options.metrics, options.name, () => ({
      ...this.depth(),
      longestWaitMs: this.#longestWaitMs(),
    }));
  }

  add(key: string, priority: Priority = 'change'): void {
    this.#add(key, levelOf[priority]);
  }

  addAfter(key: string, delayMs: number, priority: Priority = 'change'): void {
    assert(!Number.isNaN(delayMs), 'a delay is a number');
    this.#delay(key, levelOf[priority], this.#nowMs() + delayMs);
  }

  depth() {
    return { waiting: this.#waiting.size, working: this.#working.size, delayed: this.#delayed.size };
  }

  stop(): Promise<void> {
    this.#stopped ??= Promise.withResolvers<void>();
    this.#timer?.cancel();
    if (this.#working.size === 0) this.#stopped.resolve();
    return this.#stopped.promise;
  }

  #add(key: string, level: number): void {
    if (this.#stopped) return;
    const worked = this.#working.get(key);
    if (worked) {
      worked.againLevel = Math.min(level, worked.againLevel ?? level);
      return;
    }
    const notBeforeMs = this.#notBeforeMs.get(key) ?? 0;
    if (notBeforeMs > this.#nowMs()) return this.#delay(key, level, notBeforeMs);
    // Whole milliseconds: a fraction would be a number of its own on the heap, for every key that waits.
    this.#waiting.add({ key, level, sinceMs: Math.trunc(this.#nowMs()) });
    this.#askForTurn();
  }

  #delay(key: string, level: number, dueMs: number): void {
    if (this.#stopped) return;
    this.#delayed.add({ key, level, dueMs });
    this.#armTimer();
  }

  #armTimer(): void {
    const dueMs = this.#delayed.nextDueMs();
    if (dueMs === null || this.#stopped || (this.#timer && this.#timer.dueMs <= dueMs)) return;
    this.#timer?.cancel();
    // Whole milliseconds: a timer that fires a fraction too early finds nothing due, and would be set again for next to no time.
    const delayMs = Math.min(Math.ceil(Math.max(0, dueMs - this.#nowMs())), timerMsMax);
    this.#timer = { dueMs, cancel: this.#options.clock.after(delayMs, () => this.#onTimer()) };
  }

  #onTimer(): void {
    this.#timer = null;
    const nowMs = this.#nowMs();
    for (let due = this.#delayed.takeDue(nowMs); due; due = this.#delayed.takeDue(nowMs)) {
      this.#add(due.key, due.level);
    }
    this.#armTimer();
  }

  #askForTurn(): void {
    if (this.#isTurnAsked || !this.#canTake()) return;
    this.#isTurnAsked = true;
    void this.#options.clock.nextTurn().then(() => this.#takeTurn());
  }

  #takeTurn(): void {
    this.#isTurnAsked = false;
    const untilMs = this.#nowMs() + turnMs;
    do {
      const next = this.#canTake() ? this.#waiting.take() : undefined;
      if (next === undefined) return;
      void this.#work(next);
    } while (this.#nowMs() < untilMs);
    this.#askForTurn();
  }

  #canTake(): boolean {
    const hasRoom = this.#working.size < this.#options.concurrency;
    return hasRoom && this.#waiting.size > 0 && this.#stopped === null;
  }

  async #work({ key, level, sinceMs }: WaitingKey): Promise<void> {
    const { name } = this.#options;
    const worked: Worked = { level, againLevel: null };
    this.#working.set(key, worked);
    this.#notBeforeMs.delete(key);
    const startedMs = this.#nowMs();
    this.#metrics.waited.observe((startedMs - sinceMs) / 1000);
    const { outcome, result } = await this.#outcomeOf(key);
    this.#metrics.worked.add({ queue: name, result });
    const isDecidedAnew = outcome.kind === 'retry' && outcome.soon;
    if (result !== 'done' && !isDecidedAnew) this.#metrics.errors.add({ controller: name });
    this.#metrics.duration.observe((this.#nowMs() - startedMs) / 1000, { queue: name });
    this.#working.delete(key);
    if (outcome.kind === 'done') this.#onDone(key, outcome);
    else this.#onRetry(key, worked, outcome);
    if (worked.againLevel !== null) this.#add(key, worked.againLevel);
    this.#askForTurn();
    if (this.#stopped && this.#working.size === 0) this.#stopped.resolve();
  }

  async #outcomeOf(key: string) {
    try {
      const outcome = await this.#options.work(key);
      assert(outcome.kind === 'retry' || !Number.isNaN(outcome.recheckInMs), 'recheckInMs is a number');
      return { outcome, result: outcome.kind };
    } catch (cause) {
      const { log, name } = this.#options;
      log.error('work on a key threw; it is tried again', { queue: name, key, error: textOfCause(cause) });
      const outcome: WorkOutcome = { kind: 'retry', soon: false, afterMs: null };
      return { outcome, result: 'threw' };
    }
  }

  #onDone(key: string, { recheckInMs }: Extract<WorkOutcome, { kind: 'done' }>): void {
    this.#failures.delete(key);
    if (recheckInMs === null) return;
    this.#metrics.rechecks.add();
    this.addAfter(key, recheckInMs);
  }

  #onRetry(key: string, worked: Worked, retry: Extract<WorkOutcome, { kind: 'retry' }>): void {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    const level = retry.priority === undefined ? worked.level : levelOf[retry.priority];
    const afterMs = retry.afterMs ?? 0;
    if (afterMs > 0) this.#notBeforeMs.set(key, this.#nowMs() + afterMs);
    const waitMs = retry.soon && failures <= soonMax ? 0 : backoffMs(backoff, failures, this.#options.random);
    if (Math.max(waitMs, afterMs) === 0) this.#add(key, level);
    else this.#delay(key, level, this.#nowMs() + Math.max(waitMs, afterMs));
  }

  #longestWaitMs(): number {
    const nowMs = this.#nowMs();
    return nowMs - (this.#waiting.oldestSinceMs() ?? nowMs);
  }

  #nowMs(): number {
    return this.#options.clock.monotonicMs();
  }
}
