// One watch of the in-process port: events wait for their microtask, in order, and after the end nothing more is said.

import type { RawObject } from '../objects/raw.ts';
import { type CallFailure, failureOf } from './port-failure.ts';
import type { ResourceDefinition } from './registry/definition.ts';
import type { StoreEvent } from './store/watches.ts';

export type WatchEvent =
  | { readonly kind: 'object'; readonly change: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: RawObject }
  | { readonly kind: 'bookmark'; readonly resourceVersion: string; readonly endsInitialEvents: boolean }
  | { readonly kind: 'error'; readonly failure: CallFailure };

export interface WatchListener {
  opened(): void;
  event(event: WatchEvent): void;
  ended(failure: CallFailure | null): void;
}

type Encoder = Pick<ResourceDefinition, 'encode'>;

export class KubeStream {
  readonly #listener: WatchListener;
  readonly #waiting: WatchEvent[] = [];
  #isOpened = false;
  #isTold = false;
  #isEnded = false;
  #isScheduled = false;

  constructor(listener: WatchListener) {
    this.#listener = listener;
  }

  /** The server took the watch; events may be waiting already. */
  open(): void {
    this.#isOpened = true;
    this.#schedule();
  }

  push(event: StoreEvent, definition: Encoder): void {
    this.#waiting.push(eventOf(event, definition));
    this.#schedule();
  }

  end(failure: CallFailure | null): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#listener.ended(failure);
  }

  #schedule(): void {
    if (this.#isScheduled || !this.#isOpened) return;
    this.#isScheduled = true;
    queueMicrotask(() => this.#deliver());
  }

  #deliver(): void {
    this.#isScheduled = false;
    if (this.#isEnded) return;
    if (!this.#isTold) this.#listener.opened();
    this.#isTold = true;
    for (
      let event = this.#waiting.shift();
      event !== undefined && !this.#isEnded;
      event = this.#waiting.shift()
    ) {
      this.#listener.event(event);
      if (event.kind === 'error') return this.end(null);
    }
  }
}

function eventOf(event: StoreEvent, definition: Encoder): WatchEvent {
  if (event.kind === 'BOOKMARK')
    return {
      kind: 'bookmark',
      resourceVersion: String(event.revision),
      endsInitialEvents: event.endsInitialEvents,
    };
  if (event.kind !== 'EXPIRED')
    return { kind: 'object', change: event.kind, object: definition.encode(event.object) };
  const message = `too old resource version: ${event.revision} (${event.oldest})`;
  return { kind: 'error', failure: failureOf({ code: 410, reason: 'Expired', message }) };
}
