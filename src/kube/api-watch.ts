// One watch from request to end: lines are parsed as they come, so that no turn of the event loop is long. Ends exactly
// once; after a close nothing is delivered but that end.

import type { Cancel } from '../base/clock.ts';
import type { ApiFailure, WatchListener } from '../runtime/ports.ts';
import { type CallWorld, heedPause, retryAfterOf } from './api-call.ts';
import { codeOf } from './api-metrics.ts';
import { type Asked, failureOfAnswer, failureOfEnd, malformed, noAnswerWithin } from './errors.ts';
import { LineSplitter } from './lines.ts';
import type { Receiver, ResponseHead, StreamEnd, TransportRequest } from './transport.ts';
import { readerWithoutLists } from './unread-lists.ts';
import { garbled, parseWatchLine } from './watch-line.ts';

export type ApiWatch = {
  /** For metrics. */
  readonly resource: string;
  readonly request: TransportRequest;
  readonly listener: WatchListener;
  readonly unread: readonly string[];
};

/** Larger than anything etcd stores. */
export const LINE_BYTES_MAX = 8 * 1024 * 1024;

const asked: Asked = { isWrite: false, isOfOneObject: false };

export function watchApi(watch: ApiWatch, world: CallWorld): Cancel {
  const run = new WatchRun(watch, world);
  void run.start();
  return () => run.close();
}

class WatchRun implements Receiver {
  readonly #watch: ApiWatch;
  readonly #world: CallWorld;
  readonly #closing = new AbortController();
  readonly #lines: LineSplitter;
  readonly #refusalBody: Buffer[] = [];
  #refusal: ResponseHead | null = null;
  #isOpen = false;
  #isLate = false;
  #cancelSent: Cancel = () => {};
  #cancelTimer: Cancel = () => {};

  constructor(watch: ApiWatch, world: CallWorld) {
    this.#watch = watch;
    this.#world = world;
    const deliver = (event: Parameters<WatchListener['event']>[0]) => {
      if (!this.#closing.signal.aborted) watch.listener.event(event);
    };
    const read = readerWithoutLists(watch.unread);
    this.#lines = new LineSplitter(
      {
        line: (bytes) => deliver(parseWatchLine(bytes, read)),
        tooLong: (start) => deliver(garbled(start)),
      },
      LINE_BYTES_MAX,
    );
  }

  async start(): Promise<void> {
    const { admission, transport, clock, timeoutMs } = this.#world;
    await admission.passPause(this.#closing.signal);
    if (this.#closing.signal.aborted) return this.#watch.listener.ended(null);
    this.#cancelSent = transport.send(this.#watch.request, this);
    this.#cancelTimer = clock.after(timeoutMs, () => {
      this.#isLate = true;
      this.#cancelSent();
    });
  }

  close(): void {
    this.#closing.abort();
    this.#cancelSent();
  }

  head(head: ResponseHead): void {
    this.#cancelTimer();
    if (head.status !== 200) {
      this.#refusal = head;
      return;
    }
    this.#isOpen = true;
    this.#world.metrics.answered({ verb: 'watch', resource: this.#watch.resource }, '200');
    this.#watch.listener.opened();
  }

  chunk(bytes: Buffer): void {
    if (this.#isOpen) this.#lines.push(bytes);
    else this.#refusalBody.push(bytes);
  }

  ended(end: StreamEnd): void {
    this.#cancelTimer();
    const failure = this.#closing.signal.aborted ? null : this.#failureOf(end);
    if (failure !== null) this.#note(failure);
    this.#watch.listener.ended(failure);
  }

  #failureOf(end: StreamEnd): ApiFailure | null {
    if (this.#isLate) return noAnswerWithin(this.#world.timeoutMs);
    if (end.kind !== 'complete') return failureOfEnd(end, asked);
    if (this.#refusal !== null) {
      const body = Buffer.concat(this.#refusalBody).toString('utf8');
      const answer = { status: this.#refusal.status, retryAfter: retryAfterOf(this.#refusal), body };
      return failureOfAnswer(answer, asked);
    }
    return this.#lines.isInsideLine() ? malformed('the watch ended in the middle of a line', asked) : null;
  }

  #note(failure: ApiFailure): void {
    heedPause(failure, this.#world);
    if (this.#isOpen) return;
    this.#world.metrics.answered({ verb: 'watch', resource: this.#watch.resource }, codeOf(failure));
  }
}
