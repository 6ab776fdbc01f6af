// The open watches of the in-memory API server: initial events, resuming from history, 410, delivery in a later microtask.

import type { Cancel } from '../../src/base/clock.ts';
import { resourceName } from '../../src/objects/ref.ts';
import type {
  ApiFailure,
  Selection,
  WatchEvent,
  WatchListener,
  WatchStart,
} from '../../src/runtime/ports.ts';
import { apiFailure } from './api-failure.ts';
import { type MemoryChange, type MemoryStore, selects } from './memory-store.ts';

type Stream = {
  readonly selection: Selection;
  readonly listener: WatchListener;
  readonly pending: WatchEvent[];
  isScheduled: boolean;
  isEnded: boolean;
};

export class MemoryWatches {
  readonly #streams = new Set<Stream>();
  /** Events that may still be delivered. */
  #allowance = Number.POSITIVE_INFINITY;

  get count(): number {
    return this.#streams.size;
  }

  open(
    store: MemoryStore,
    request: { selection: Selection; start: WatchStart; listener: WatchListener },
  ): Cancel {
    const { selection, start, listener } = request;
    const stream: Stream = { selection, listener, pending: [], isScheduled: false, isEnded: false };
    this.#streams.add(stream);
    listener.opened();
    const isTooOld = start.kind === 'after' && Number(start.resourceVersion) < store.forgottenUpTo;
    if (isTooOld) {
      // As the real server does it: 200, then the refusal as an event.
      listener.event({ kind: 'error', failure: apiFailure('Expired') });
      this.#end(stream, null);
    } else {
      this.#send(
        stream,
        start.kind === 'after' ? missed(store, selection, start) : initial(store, selection),
      );
    }
    return () => this.#end(stream, null);
  }

  publish(change: MemoryChange): void {
    for (const stream of this.#streams) this.#send(stream, seenBy(stream.selection, change));
  }

  inject(event: WatchEvent): void {
    for (const stream of this.#streams) this.#send(stream, [event]);
  }

  closeAll(failure: ApiFailure | null): void {
    for (const stream of this.#streams) this.#end(stream, failure);
  }

  hold(afterEvents: number): void {
    this.#allowance = afterEvents;
  }

  release(): void {
    this.#allowance = Number.POSITIVE_INFINITY;
    for (const stream of this.#streams) this.#send(stream, []);
  }

  #send(stream: Stream, events: readonly WatchEvent[]): void {
    stream.pending.push(...events);
    if (stream.isScheduled) return;
    stream.isScheduled = true;
    queueMicrotask(() => this.#deliver(stream));
  }

  #deliver(stream: Stream): void {
    stream.isScheduled = false;
    while (this.#allowance > 0 && !stream.isEnded) {
      const event = stream.pending.shift();
      if (event === undefined) return;
      this.#allowance--;
      stream.listener.event(event);
    }
  }

  #end(stream: Stream, failure: ApiFailure | null): void {
    if (stream.isEnded) return;
    stream.isEnded = true;
    this.#streams.delete(stream);
    stream.listener.ended(failure);
  }
}

function initial(store: MemoryStore, selection: Selection): readonly WatchEvent[] {
  const added = store
    .select(selection)
    .map((object) => ({ kind: 'object', change: 'ADDED', object }) as const);
  return [...added, { kind: 'bookmark', resourceVersion: String(store.version), endsInitialEvents: true }];
}

function missed(
  store: MemoryStore,
  selection: Selection,
  start: { resourceVersion: string },
): readonly WatchEvent[] {
  const later = store.history.filter((change) => change.version > Number(start.resourceVersion));
  return later.flatMap((change) => seenBy(selection, change));
}

/** An object that leaves the selection is deleted for the one who watches it. */
function seenBy(selection: Selection, change: MemoryChange): readonly WatchEvent[] {
  if (resourceName(selection.type) !== resourceName(change.type)) return [];
  const { object } = change;
  const was = change.before !== null && selects(selection, change.before);
  const is = !change.isDeleted && selects(selection, object);
  if (is) return [{ kind: 'object', change: was ? 'MODIFIED' : 'ADDED', object }];
  return was ? [{ kind: 'object', change: 'DELETED', object }] : [];
}
