// The objects of one server, in memory: one revision counter, buckets of frozen objects, a bounded window of past changes
// from which watches resume and earlier states are rebuilt. Knows nothing of kinds; never hands out what can be changed.

import type { Cancel } from '../../base/clock.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { RawObject } from '../../objects/raw.ts';
import { Bucket, type Entry } from './bucket.ts';
import { frozen, withVersion } from './stored-object.ts';

/** One write. `object` carries the new resourceVersion even when it was deleted. */
export type StoredChange = {
  readonly revision: number;
  readonly bucket: string;
  readonly key: string;
  readonly before: RawObject | null;
  readonly after: RawObject | null;
  readonly object: RawObject;
};

export type StoreSnapshot = {
  readonly revision: number;
  readonly buckets: Readonly<Record<string, readonly RawObject[]>>;
};

export type TooOld = { readonly oldest: number };

export type Place = { readonly bucket: string; readonly key: string };

/** As etcd does it: what is read as 0 means "any", so the first object has revision 2. */
const FIRST_REVISION = 1;

export class ObjectStore {
  #revision = FIRST_REVISION;
  /** Changes up to this revision are forgotten. */
  #forgotten = 0;
  #history: StoredChange[] = [];
  /** Where the window begins in the list: shifting thousands of entries for every write would cost more than the write. */
  #historyStart = 0;
  readonly #buckets = new Map<string, Bucket>();
  readonly #listeners = new Set<(change: StoredChange) => void>();
  readonly #untold: StoredChange[] = [];
  readonly #historySize: number;

  constructor(options: { readonly historySize: number }) {
    this.#historySize = options.historySize;
  }

  get revision(): number {
    return this.#revision;
  }

  /** The oldest revision from which a watch can still go on. */
  get oldestRevision(): number {
    return this.#forgotten;
  }

  get({ bucket, key }: Place): RawObject | undefined {
    return this.#buckets.get(bucket)?.get(key);
  }

  count(bucket: string): number {
    return this.#buckets.get(bucket)?.size ?? 0;
  }

  /** In the order of keys. */
  entries(bucket: string): readonly Entry[] {
    return this.#buckets.get(bucket)?.entries() ?? [];
  }

  buckets(): Iterable<string> {
    return this.#buckets.keys();
  }

  /** The bucket as it was, rebuilt by taking back what changed since. */
  entriesAt(bucket: string, revision: number): Result<readonly Entry[], TooOld> {
    if (revision === this.#revision) return ok(this.entries(bucket));
    if (revision < this.#forgotten) return err({ oldest: this.#forgotten });
    const past = new Map(this.entries(bucket).map(({ key, object }) => [key, object]));
    for (const change of this.#after(revision).toReversed()) {
      if (change.bucket !== bucket) continue;
      if (change.before === null) past.delete(change.key);
      else past.set(change.key, change.before);
    }
    const entries = [...past].map(([key, object]) => ({ key, object }));
    return ok(entries.sort((a, b) => (a.key < b.key ? -1 : 1)));
  }

  changesAfter(revision: number): Result<readonly StoredChange[], TooOld> {
    return revision < this.#forgotten ? err({ oldest: this.#forgotten }) : ok(this.#after(revision));
  }

  put(place: Place, object: RawObject): RawObject {
    const bucket = this.#bucket(place.bucket);
    const before = bucket.get(place.key) ?? null;
    const after = this.#stamp(object);
    bucket.set(place.key, after);
    this.#commit({ ...place, before, after, object: after });
    return after;
  }

  /** What the watchers of a deletion see: the object as it was stored, with the revision of its end. */
  remove(place: Place): RawObject | null {
    const bucket = this.#buckets.get(place.bucket);
    const before = bucket?.get(place.key);
    if (bucket === undefined || before === undefined) return null;
    const object = this.#stamp(before);
    bucket.delete(place.key);
    this.#commit({ ...place, before, after: null, object });
    return object;
  }

  /** Called for every change, in order, before the write returns. A listener may write: its change is told after this one. */
  subscribe(listener: (change: StoredChange) => void): Cancel {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Forgets history: who asks for something older is told to start over. */
  compact(): void {
    this.#forgotten = this.#revision;
    this.#history = [];
    this.#historyStart = 0;
  }

  snapshot(): StoreSnapshot {
    const buckets = [...this.#buckets].map(([name, bucket]) => [
      name,
      bucket.entries().map(({ object }) => object),
    ]);
    return { revision: this.#revision, buckets: Object.fromEntries(buckets) };
  }

  /** Only into an empty store. Watches cannot look back before a restore. */
  restore(snapshot: StoreSnapshot, keyOf: (bucket: string, object: RawObject) => string): void {
    for (const [name, objects] of Object.entries(snapshot.buckets)) {
      const bucket = this.#bucket(name);
      for (const object of objects) bucket.set(keyOf(name, object), frozen(object));
    }
    this.#revision = snapshot.revision;
    this.compact();
  }

  #stamp(object: RawObject): RawObject {
    this.#revision++;
    return frozen(withVersion(object, this.#revision));
  }

  #commit(change: Omit<StoredChange, 'revision'>): void {
    const made = { revision: this.#revision, ...change };
    this.#history.push(made);
    this.#trim();
    this.#untold.push(made);
    if (this.#untold.length > 1) return;
    while (this.#untold[0] !== undefined) {
      for (const listener of this.#listeners) listener(this.#untold[0]);
      this.#untold.shift();
    }
  }

  #trim(): void {
    if (this.#history.length - this.#historyStart > this.#historySize) {
      this.#forgotten = this.#history[this.#historyStart]?.revision ?? this.#forgotten;
      this.#historyStart++;
    }
    if (this.#historyStart <= this.#historySize) return;
    this.#history = this.#history.slice(this.#historyStart);
    this.#historyStart = 0;
  }

  #after(revision: number): readonly StoredChange[] {
    let low = this.#historyStart;
    let high = this.#history.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#history[middle]?.revision ?? 0) > revision) high = middle;
      else low = middle + 1;
    }
    return this.#history.slice(low);
  }

  #bucket(name: string): Bucket {
    const bucket = this.#buckets.get(name) ?? new Bucket();
    this.#buckets.set(name, bucket);
    return bucket;
  }
}
