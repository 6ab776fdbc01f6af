// The open watches of one server: initial events, resuming from history, bookmarks on a timer. Events are handed over while
// the write that caused them is still going on, so a listener must only take note.

import type { Cancel, Clock } from '../../base/clock.ts';
import type { RawObject } from '../../objects/raw.ts';
import type { ObjectStore, StoredChange } from './object-store.ts';

export type StoreEvent =
  | { readonly kind: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: RawObject }
  | { readonly kind: 'BOOKMARK'; readonly revision: number; readonly endsInitialEvents: boolean }
  /** The start is older than what is remembered; nothing follows. */
  | { readonly kind: 'EXPIRED'; readonly revision: number; readonly oldest: number };

export type StoreWatch = {
  readonly bucket: string;
  readonly start: StoreStart;
  readonly wantsBookmarks: boolean;
  selects(key: string, object: RawObject): boolean;
  event(event: StoreEvent): void;
};

export type StoreStart =
  /** What is there now, then what changes; marked: closed by a bookmark that says so. */
  | { readonly kind: 'initial'; readonly isMarked: boolean }
  | { readonly kind: 'after'; readonly revision: number };

/** As often as kube-apiserver sends them. */
const BOOKMARK_MS = 60_000;

export class Watches {
  readonly #byBucket = new Map<string, Set<StoreWatch>>();
  readonly #store: ObjectStore;
  readonly #clock: Clock;
  #cancelTimer: Cancel | null = null;

  constructor(store: ObjectStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    store.subscribe((change) => this.#publish(change));
  }

  get count(): number {
    return [...this.#byBucket.values()].reduce((sum, watches) => sum + watches.size, 0);
  }

  open(watch: StoreWatch): Cancel {
    if (!this.#begin(watch)) return () => {};
    const watches = this.#byBucket.get(watch.bucket) ?? new Set();
    this.#byBucket.set(watch.bucket, watches.add(watch));
    this.#cancelTimer ??= this.#clock.after(BOOKMARK_MS, () => this.#onTimer());
    return () => {
      watches.delete(watch);
      if (this.count === 0) this.#stopTimer();
    };
  }

  /** To every watch that asked for bookmarks, at the revision of now. */
  bookmark(): void {
    for (const watches of this.#byBucket.values()) {
      for (const watch of watches) if (watch.wantsBookmarks) watch.event(this.#bookmarkNow(false));
    }
  }

  /** False when there is nothing to go on with. */
  #begin(watch: StoreWatch): boolean {
    if (watch.start.kind === 'initial') {
      for (const { key, object } of this.#store.entries(watch.bucket)) {
        if (watch.selects(key, object)) watch.event({ kind: 'ADDED', object });
      }
      if (watch.start.isMarked) watch.event(this.#bookmarkNow(true));
      return true;
    }
    const { revision } = watch.start;
    const missed = this.#store.changesAfter(revision);
    if (missed.kind === 'error') {
      watch.event({ kind: 'EXPIRED', revision, oldest: missed.error.oldest });
      return false;
    }
    for (const change of missed.value) if (change.bucket === watch.bucket) tell(watch, change);
    return true;
  }

  #publish(change: StoredChange): void {
    for (const watch of this.#byBucket.get(change.bucket) ?? []) tell(watch, change);
  }

  #bookmarkNow(endsInitialEvents: boolean): StoreEvent {
    return { kind: 'BOOKMARK', revision: this.#store.revision, endsInitialEvents };
  }

  #onTimer(): void {
    this.bookmark();
    this.#cancelTimer = this.#clock.after(BOOKMARK_MS, () => this.#onTimer());
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }
}

/** An object that leaves the selection is deleted for the one who watches it, as it was, at the revision of now. */
function tell(watch: StoreWatch, { key, before, after, object }: StoredChange): void {
  const was = before !== null && watch.selects(key, before);
  const is = after !== null && watch.selects(key, after);
  if (is) watch.event({ kind: was ? 'MODIFIED' : 'ADDED', object });
  else if (was) watch.event({ kind: 'DELETED', object: lastSeen(before, object) });
}

function lastSeen(before: RawObject, object: RawObject): RawObject {
  const resourceVersion = object.metadata?.resourceVersion ?? '';
  return { ...before, metadata: { ...before.metadata, resourceVersion } };
}
