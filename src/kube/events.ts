// Tells people what was done, as Events of events.k8s.io/v1. Best effort: recording returns at once and never throws; what
// repeats is counted, what is too much is dropped and counted, and one request at a time leaves the API server to the work.

import { type Cancel, type Clock, type Instant, sleep } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Counter, Metrics } from '../base/metrics.ts';
import { formatMicroTime } from '../base/timestamp.ts';
import type { ObjectRef } from '../objects/ref.ts';
import type { ApiFailure, KubeApi } from '../runtime/ports.ts';
import { BoundedMap } from './bounded-map.ts';
import { textOfCause } from './cause.ts';
import { eventBodyOf, eventRefOf, type RecordedEvent, seriesKeyOf, seriesMs } from './event-body.ts';

export type EventRecorderOptions = {
  readonly api: KubeApi;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Of this replica. */
  readonly identity: string;
  /** Many nodes are being written: what is merely told of them makes way. */
  readonly isBusy?: () => boolean;
};

export type KubeEventRecorder = {
  record(event: RecordedEvent): void;
  /** Drops what was not sent; resolves when nothing is under way. */
  stop(): Promise<void>;
};

export function createEventRecorder(options: EventRecorderOptions): KubeEventRecorder {
  return new Recorder(options);
}

/** A node that fails its verification, is given up and passes after all makes more than five in a row; what makes more than ten is flapping. */
const burst = 10;
const refillMs = 60_000;
/** Counts of repeated events are written together, at most this often. */
const countEveryMs = 60_000;
const pendingMax = 1_000;
const knownMax = 4_096;
const triesMax = 3;
const retryMs = 1_000;
const callTimeoutMs = 10_000;
/** Between two requests while others are busy: seldom enough to be no burden, and never none. */
const busyPauseMs = 250;

/** Equal events, told as one object. */
type Series = {
  readonly key: string;
  readonly ref: ObjectRef;
  count: number;
  lastMs: number;
  lastAt: Instant;
};
type Bucket = { tokens: number; atMs: number };
type Drop = 'RateLimited' | 'QueueFull' | 'Refused' | 'Stopped' | 'Internal';
type Send = { readonly series: Series; readonly call: () => Promise<ApiFailure | null> };

class Recorder implements KubeEventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #dropped: Counter;
  readonly #series = new BoundedMap<Series>(knownMax);
  readonly #buckets = new BoundedMap<Bucket>(knownMax);
  readonly #repeated = new Set<Series>();
  readonly #stopping = new AbortController();
  readonly #pending: Send[] = [];
  #sending: Promise<void> | null = null;
  #cancelCounts: Cancel | null = null;

  constructor(options: EventRecorderOptions) {
    this.#options = options;
    this.#dropped = options.metrics.counter({
      name: 'muster_events_dropped_total',
      help: 'Events that were not told, by reason.',
      labels: ['reason'],
    });
  }

  record(event: RecordedEvent): void {
    try {
      this.#record(event);
    } catch (cause) {
      this.#drop('Internal', textOfCause(cause));
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancelCounts?.();
    while (this.#pending.pop()) this.#drop('Stopped');
    await this.#sending;
  }

  #record(event: RecordedEvent): void {
    if (this.#stopping.signal.aborted) return this.#drop('Stopped');
    const { clock, identity } = this.#options;
    const nowMs = clock.monotonicMs();
    const key = seriesKeyOf(event);
    const known = this.#series.get(key);
    if (known && nowMs - known.lastMs < seriesMs) return this.#repeat(known, nowMs);
    // Before anything is made of it: in a burst most of what there is to tell is too much.
    if (this.#isFull()) return this.#drop('QueueFull');
    if (!this.#takeToken(event.regarding.uid, nowMs)) return this.#drop('RateLimited');
    const now = clock.now();
    const ref = eventRefOf(event, now);
    const series = { key, ref, count: 1, lastMs: nowMs, lastAt: now };
    this.#series.set(key, series);
    const body = eventBodyOf(event, { ref, now, instance: identity });
    this.#enqueue({
      series,
      call: () => this.#failureOf((call) => this.#options.api.create(ref, body, call)),
    });
  }

  #repeat(series: Series, nowMs: number): void {
    series.count++;
    series.lastMs = nowMs;
    series.lastAt = this.#options.clock.now();
    if (this.#repeated.size < knownMax) this.#repeated.add(series);
    this.#cancelCounts ??= this.#options.clock.after(countEveryMs, () => this.#sendCounts());
  }

  #sendCounts(): void {
    this.#cancelCounts = null;
    for (const series of this.#repeated) this.#enqueue({ series, call: () => this.#patchCount(series) });
    this.#repeated.clear();
  }

  #patchCount({ ref, count, lastAt }: Series): Promise<ApiFailure | null> {
    const body = { series: { count, lastObservedTime: formatMicroTime(lastAt) } };
    return this.#failureOf((call) => this.#options.api.patch(ref, { kind: 'merge', body }, call));
  }

  #isFull(): boolean {
    return this.#pending.length >= pendingMax;
  }

  #takeToken(uid: string, nowMs: number): boolean {
    const bucket = this.#buckets.get(uid) ?? { tokens: burst, atMs: nowMs };
    const tokens = Math.min(burst, bucket.tokens + (nowMs - bucket.atMs) / refillMs);
    this.#buckets.set(uid, { tokens: tokens >= 1 ? tokens - 1 : tokens, atMs: nowMs });
    return tokens >= 1;
  }

  #enqueue(send: Send): void {
    if (this.#isFull()) {
      this.#forget(send.series);
      return this.#drop('QueueFull');
    }
    this.#pending.push(send);
    this.#sending ??= this.#sendAll();
  }

  /** There is no object to count on: the next time it is told anew. */
  #forget(series: Series): void {
    this.#series.delete(series.key);
    this.#repeated.delete(series);
  }

  async #sendAll(): Promise<void> {
    // The caller of `record` is not kept: nothing is sent in its turn.
    await this.#options.clock.nextTurn();
    const { clock, isBusy } = this.#options;
    for (let next = this.#pending.shift(); next; next = this.#pending.shift()) {
      if (isBusy?.()) await sleep(clock, busyPauseMs, this.#stopping.signal);
      await this.#send(next);
    }
    this.#sending = null;
  }

  async #send({ series, call }: Send): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stopping;
    for (let tries = 1; ; tries++) {
      const failure = await call();
      // The name follows from the content: what exists already says the same.
      if (failure === null || failure.reason === 'AlreadyExists') return;
      const mayHelp = failure.retry === 'backoff' || failure.effect === 'unknown';
      if (!mayHelp || tries >= triesMax || signal.aborted) {
        this.#forget(series);
        return this.#drop('Refused', failure.message);
      }
      await sleep(clock, Math.max(retryMs * tries, failure.retryAfterMs ?? 0), signal);
    }
  }

  async #failureOf(ask: (call: { timeoutMs: number; signal: AbortSignal }) => ReturnType<KubeApi['get']>) {
    const answer = await ask({ timeoutMs: callTimeoutMs, signal: this.#stopping.signal });
    return answer.kind === 'error' ? answer.error : null;
  }

  #drop(reason: Drop, message = ''): void {
    this.#dropped.add({ reason });
    this.#options.log.debug('an event was dropped', { reason, message });
  }
}
