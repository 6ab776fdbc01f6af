// Drives one reflector: carries out what reflector-step.ts wants done and tells it what came of it. Owns the stream, the
// timers and the counting of delays. Takes no decision of its own, and nothing that a server sends makes it throw.

import { unreachable } from '../base/assert.ts';
import { type BackoffPolicy, backoffMs } from '../base/backoff.ts';
import type { Cancel, Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { jittered, type Random } from '../base/random.ts';
import { resourceName } from '../objects/ref.ts';
import type { KubeApi, WatchEvent, WatchListener, WatchSpec, WatchStart } from '../runtime/ports.ts';
import type { ReflectorStore } from './cache.ts';
import type { ReflectorMetrics } from './reflector-metrics.ts';
import {
  type Delay,
  initialState,
  type Phase,
  type ReflectorEffect,
  type ReflectorInput,
  type ReflectorState,
} from './reflector-state.ts';
import { step } from './reflector-step.ts';

export type ReflectorOptions = {
  readonly api: KubeApi;
  readonly spec: Pick<WatchSpec, 'selection' | 'presence'>;
  readonly store: ReflectorStore;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: ReflectorMetrics;
};

export type ReflectorStatus = {
  readonly state: Phase;
  /** How long it has been in this state. */
  readonly sinceMs: number;
  /** Since the server last said anything about this kind: an event, a bookmark, a page, or that it does not exist. */
  readonly silentForMs: number;
  readonly resumeFrom: string | null;
  readonly failures: number;
};

export type Reflector = { start(): void; stop(): void; status(): ReflectorStatus };

export function createReflector(options: ReflectorOptions): Reflector {
  return new ReflectorLoop(options);
}

/** Bookmarks come about every 60 s, so this long without anything means a dead stream. */
const silenceMsMax = 90_000;
/** A thousand nodes stream in a fifth of a second; a server that needs longer than this will not finish. */
const initialEventsMsMax = 120_000;
/** A server that closes each watch at once is asked once a second and no more. */
const paceMs = 1_000;
/**
 * An API server without a free core closes watches that it cannot serve fast enough. The longer we stay away, the more it has to send
 * before we are in step again, and the sooner it closes the next one.
 */
const resumePaceMs = 100;
const backoff: BackoffPolicy = { firstMs: 1_000, factor: 2, delayMsMax: 30_000 };
const absenceMs = 30_000;
/** 200 nodes are 2.5 MB of JSON, parsed in some 20 ms: within what one turn of the event loop may take. */
const pageLimit = 200;
const pageTimeoutMs = 60_000;

/** One watch. What it says after it was given up is not heard: it is no longer the reflector's stream. */
type Stream = { heardAtMs: number; close: Cancel; cancelSilence: Cancel; cancelOverdue: Cancel };

class ReflectorLoop implements Reflector {
  readonly #options: ReflectorOptions;
  readonly #log: Log;
  readonly #resource: string;
  readonly #stopped = new AbortController();
  readonly #inbox: ReflectorInput[] = [];
  #isStepping = false;
  #state: ReflectorState;
  #enteredAtMs: number;
  #heardAtMs: number;
  #attemptedAtMs = 0;
  /** Something came on the watch that is open, or was the last one. */
  #hasHeard = false;
  #stream: Stream | null = null;
  #cancelWait: Cancel = ignore;

  constructor(options: ReflectorOptions) {
    this.#options = options;
    this.#resource = resourceName(options.spec.selection.type);
    this.#log = options.log.with({ resource: this.#resource });
    this.#state = initialState(options.spec.presence);
    this.#enteredAtMs = options.clock.monotonicMs();
    this.#heardAtMs = this.#enteredAtMs;
  }

  start(): void {
    if (this.#state.phase === 'idle') this.#take({ kind: 'start' });
  }

  stop(): void {
    this.#cancelWait();
    this.#stopped.abort();
    this.#take({ kind: 'stop' });
  }

  status(): ReflectorStatus {
    const nowMs = this.#options.clock.monotonicMs();
    const { phase, resumeFrom, failures } = this.#state;
    const sinceMs = nowMs - this.#enteredAtMs;
    return { state: phase, sinceMs, silentForMs: nowMs - this.#heardAtMs, resumeFrom, failures };
  }

  /** Inputs that arise while an effect is carried out wait for their turn: a state is always complete before the next. */
  #take(input: ReflectorInput): void {
    this.#inbox.push(input);
    if (this.#isStepping) return;
    this.#isStepping = true;
    try {
      for (let next = this.#inbox.shift(); next !== undefined; next = this.#inbox.shift()) this.#step(next);
    } finally {
      this.#isStepping = false;
    }
  }

  #step(input: ReflectorInput): void {
    const { state, effects } = step(this.#state, input);
    if (state.phase !== this.#state.phase) this.#enteredAtMs = this.#options.clock.monotonicMs();
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: ReflectorEffect): void {
    const { store } = this.#options;
    switch (effect.kind) {
      case 'openWatch':
        return this.#openWatch(effect.start);
      case 'closeWatch':
        return this.#closeWatch();
      case 'fetchPage':
        return void this.#fetchPage(effect.continueToken);
      case 'wait':
        return this.#wait(effect.delay);
      case 'apply':
        return store.apply(effect.change, effect.object);
      case 'stage':
        return store.stage();
      case 'stageObject':
        return store.stageObject(effect.change, effect.object);
      case 'stagePage':
        for (const object of effect.objects) store.stageObject('ADDED', object);
        return;
      case 'commit':
        this.#stream?.cancelOverdue();
        return store.commit(effect.resourceVersion);
      case 'abandon':
        return store.abandon();
      case 'markAbsent':
        this.#heardAtMs = this.#options.clock.monotonicMs();
        return store.markAbsent();
      case 'noteFailure':
        return this.#noteFailure(effect);
      case 'noteRelist':
        return this.#options.metrics.relists.add({ resource: this.#resource });
      default:
        return unreachable(effect);
    }
  }

  #openWatch(start: WatchStart): void {
    const { api, spec, clock } = this.#options;
    const nowMs = clock.monotonicMs();
    const stream: Stream = { heardAtMs: nowMs, close: ignore, cancelSilence: ignore, cancelOverdue: ignore };
    this.#attemptedAtMs = nowMs;
    this.#hasHeard = false;
    this.#stream = stream;
    this.#guardSilence(stream);
    if (start.kind === 'initialEvents') {
      stream.cancelOverdue = clock.after(initialEventsMsMax, () => this.#take({ kind: 'overdue' }));
    }
    stream.close = api.watch(spec.selection, start, this.#listenerOf(stream));
  }

  #closeWatch(): void {
    const stream = this.#stream;
    this.#stream = null;
    stream?.cancelSilence();
    stream?.cancelOverdue();
    stream?.close();
  }

  #listenerOf(stream: Stream): WatchListener {
    const isCurrent = () => this.#stream === stream;
    return {
      opened: ignore,
      event: (event) => {
        if (!isCurrent()) return;
        stream.heardAtMs = this.#options.clock.monotonicMs();
        this.#heardAtMs = stream.heardAtMs;
        this.#hasHeard = true;
        this.#takeEvent(event);
      },
      ended: (failure) => {
        if (isCurrent()) this.#take({ kind: 'ended', failure });
      },
    };
  }

  #takeEvent(event: WatchEvent): void {
    switch (event.kind) {
      case 'object':
      case 'bookmark':
        return this.#take(event);
      case 'error':
        return this.#take({ kind: 'ended', failure: event.failure });
      case 'garbled':
        this.#log.warn('a line of a watch was not understood', { text: event.text.slice(0, 200) });
        return this.#take({ kind: 'garbled' });
      default:
        // A newer server may send what this version does not know.
        this.#log.warn('an event of an unknown kind was ignored', { event });
    }
  }

  /** One timer per stream, moved on only when it fires: events come by the hundred, silence is rare. */
  #guardSilence(stream: Stream): void {
    const { clock } = this.#options;
    const leftMs = stream.heardAtMs + silenceMsMax - clock.monotonicMs();
    if (leftMs <= 0) this.#take({ kind: 'silent' });
    else stream.cancelSilence = clock.after(leftMs, () => this.#guardSilence(stream));
  }

  async #fetchPage(continueToken: string): Promise<void> {
    const { api, spec, clock } = this.#options;
    const isFirst = continueToken === '';
    if (isFirst) this.#attemptedAtMs = clock.monotonicMs();
    const page = isFirst ? { limit: pageLimit } : { limit: pageLimit, continueToken };
    const call = { signal: this.#stopped.signal, timeoutMs: pageTimeoutMs };
    const answer = await api.list(spec.selection, page, call);
    if (answer.kind === 'error') return this.#take({ kind: 'pageFailed', failure: answer.error, isFirst });
    this.#heardAtMs = clock.monotonicMs();
    this.#take({ kind: 'page', page: answer.value });
  }

  #wait(delay: Delay): void {
    this.#cancelWait = this.#options.clock.after(this.#msOf(delay), () => this.#take({ kind: 'elapsed' }));
  }

  #leftMsOf(sinceAttemptMs: number): number {
    return Math.max(0, this.#attemptedAtMs + sinceAttemptMs - this.#options.clock.monotonicMs());
  }

  #msOf(delay: Delay): number {
    const { random } = this.#options;
    switch (delay.kind) {
      case 'pace':
        return this.#leftMsOf(paceMs);
      case 'resume':
        return this.#leftMsOf(this.#hasHeard ? resumePaceMs : paceMs);
      case 'backoff':
        return Math.max(backoffMs(backoff, delay.failures, random), delay.atLeastMs);
      case 'absence':
        return jittered(random, absenceMs, 0.2);
      default:
        return unreachable(delay);
    }
  }

  #noteFailure({ of, reason, message }: Extract<ReflectorEffect, { kind: 'noteFailure' }>): void {
    if (of === 'watch') this.#options.metrics.watchEnded.add({ resource: this.#resource, reason });
    const { presence, hasSynced } = this.#state;
    const isOrdinary =
      reason === 'Closed' || (reason === 'NotFound' && presence === 'optional' && !hasSynced);
    const isMissing = reason === 'NotFound' && presence === 'required';
    this.#log[isOrdinary ? 'debug' : 'warn'](of === 'watch' ? 'a watch ended' : 'a list failed', {
      reason,
      message,
      ...(isMissing ? { hint: 'the API server does not serve this kind: are its CRDs installed?' } : {}),
    });
  }
}

const ignore = () => {};
