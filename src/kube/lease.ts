// Leader election on a Lease: the loop that carries out lease-step.ts. Writes by PUT, never by PATCH, because the API
// server's priority level for leader election covers get, create and update alone. Once lost, it never leads again.

import { assert, unreachable } from '../base/assert.ts';
import { type Cancel, type Clock, sleep } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import { formatMicroTime } from '../base/timestamp.ts';
import type { ObjectRef } from '../objects/ref.ts';
import type { Answer, KubeApi, Leadership } from '../runtime/ports.ts';
import { newLease, withRecord } from './lease-record.ts';
import {
  initialLeaseState,
  isLeading,
  type LeaseEffect,
  type LeaseHappening,
  type LeaseState,
  type LeaseTimings,
  usualTimings,
} from './lease-state.ts';
import { stepLease } from './lease-step.ts';

export type LeaseOptions = {
  readonly api: KubeApi;
  readonly ref: ObjectRef;
  /** Of this process alone: a process that starts anew needs a new one. */
  readonly identity: string;
  /** 15, 10 and 2 s when left out. */
  readonly timings?: LeaseTimings;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly onLeading: (epoch: number) => void;
  /** For good: nothing may be written any more, and the process has to end. */
  readonly onLost: (reason: string) => void;
};

export type Lease = Leadership & {
  start(): void;
  /** Gives the lease back if it is still held, so that another replica need not wait for it to run out. */
  stop(): Promise<void>;
  isLeader(): boolean;
};

export function createLease(options: LeaseOptions): Lease {
  assert(options.identity !== '', 'a candidate has an identity');
  return new Candidate(options);
}

/** Of the time until the deadline: two attempts with slow answers fit between it and a renewal. */
const CALL_SHARE = 0.3;

class Candidate implements Lease {
  readonly #options: LeaseOptions;
  readonly #timings: LeaseTimings;
  readonly #stopping = new AbortController();
  #state: LeaseState;
  #campaign: Promise<void> = Promise.resolve();
  #notedHolder = '';
  #cancelDeadline: Cancel = () => {};

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#timings = options.timings ?? usualTimings;
    this.#state = initialLeaseState(options.identity, this.#timings);
  }

  start(): void {
    this.#campaign = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#campaign;
    this.#cancelDeadline();
    await this.#perform(this.#take({ kind: 'release' }));
  }

  isLeader(): boolean {
    return isLeading(this.#state, this.#options.clock.monotonicMs());
  }

  epoch(): number | null {
    return this.isLeader() ? (this.#state.seen?.record.transitions ?? null) : null;
  }

  async #run(): Promise<void> {
    const { clock, random } = this.#options;
    while (!this.#stopping.signal.aborted && this.#state.phase !== 'lost') {
      await this.#attempt();
      // Candidates that start together spread out.
      await sleep(clock, this.#timings.retryMs * (1 + 0.2 * random.next()), this.#stopping.signal);
    }
  }

  async #attempt(): Promise<void> {
    for (let next: LeaseHappening | null = { kind: 'due' }; next !== null; ) {
      next = await this.#perform(this.#take(next));
    }
  }

  #take(happening: LeaseHappening): LeaseEffect {
    const { clock } = this.#options;
    const moment = { nowMs: clock.monotonicMs(), stamp: formatMicroTime(clock.now()) };
    const before = this.#state;
    const { state, effect } = stepLease(before, { ...happening, ...moment });
    this.#state = state;
    if (state.renewedAtMs !== before.renewedAtMs) this.#armDeadline();
    if (state.phase !== before.phase) this.#announce();
    if (state.phase === 'standby') this.#noteHolder();
    return effect;
  }

  async #perform(effect: LeaseEffect): Promise<LeaseHappening | null> {
    const { api, ref, clock } = this.#options;
    // A renewal that waits its turn behind other calls is a lease that is lost.
    const call = { timeoutMs: CALL_SHARE * this.#timings.renewDeadlineMs, isUrgent: true };
    const sentAtMs = clock.monotonicMs();
    switch (effect.kind) {
      case 'rest':
        return null;
      case 'read':
        return { kind: 'read', answer: this.#noted(await api.get(ref, call)) };
      case 'create': {
        const answer = await api.create(ref, withRecord(newLease(ref), effect.record), call);
        if (answer.kind === 'error' && answer.error.reason === 'NotFound') this.#noteNamespace();
        return { kind: 'wrote', answer: this.#noted(answer), sentAtMs };
      }
      case 'replace': {
        const answer = await api.replace(ref, withRecord(effect.lease, effect.record), call);
        return { kind: 'wrote', answer: this.#noted(answer), sentAtMs };
      }
      default:
        return unreachable(effect);
    }
  }

  /** The loop may hang in a call for longer than the deadline; this timer does not. */
  #armDeadline(): void {
    const { clock } = this.#options;
    this.#cancelDeadline();
    const leftMs = this.#state.renewedAtMs + this.#timings.renewDeadlineMs - clock.monotonicMs();
    this.#cancelDeadline = clock.after(Math.max(0, leftMs), () => {
      this.#take({ kind: 'deadline' });
      if (this.#state.phase === 'leading') this.#armDeadline();
    });
  }

  #announce(): void {
    const { log, onLeading, onLost } = this.#options;
    const { phase, seen, lostBecause } = this.#state;
    const epoch = seen?.record.transitions ?? 0;
    if (phase === 'leading' && !this.#stopping.signal.aborted) {
      log.info('this replica leads', { epoch });
      onLeading(epoch);
    }
    if (phase === 'lost') {
      this.#cancelDeadline();
      log.error('the lease is lost', { epoch, reason: lostBecause, holder: seen?.record.holder });
      onLost(lostBecause ?? 'Unknown');
    }
  }

  #noteNamespace(): void {
    const { log, ref } = this.#options;
    log.warn('the lease cannot be created: its namespace does not exist', { namespace: ref.namespace });
  }

  /** Who leads in our place, said once for each of them. */
  #noteHolder(): void {
    const { log, identity } = this.#options;
    const holder = this.#state.seen?.record.holder ?? '';
    if (holder === this.#notedHolder || holder === '' || holder === identity) return;
    this.#notedHolder = holder;
    log.info('another replica leads', { holder });
  }

  #noted<T>(answer: Answer<T>): Answer<T> {
    if (answer.kind === 'error' && answer.error.reason !== 'NotFound') {
      this.#options.log.warn('a call for the lease failed', { ...answer.error });
    }
    return answer;
  }
}
