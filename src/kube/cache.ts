// One watched kind in memory: projected, frozen, indexed. Filled by a reflector and by the replies to our own writes, whichever is
// newer. Never goes backwards: an older state of an object than the one it holds is ignored.

import { assert } from '../base/assert.ts';
import type { Cancel } from '../base/clock.ts';
import type { Intern } from '../base/intern.ts';
import type { ObjectView, RawObject } from '../objects/raw.ts';
import { keyOf } from '../objects/ref.ts';
import { compareResourceVersions } from '../objects/resource-version.ts';
import type { Cache, CacheChange, OwnWrites, Rows, WatchEvent, WatchSpec } from '../runtime/ports.ts';
import { deepFreeze } from './deep-freeze.ts';
import { Listeners } from './listeners.ts';
import { type Sighting, sightingOf } from './sighting.ts';
import { type Incarnation, Tombstones } from './tombstones.ts';
import { type BriefChange, rowsFor, ViewTable } from './view-table.ts';

export type ObjectChange = Extract<WatchEvent, { kind: 'object' }>['change'];

/** The reflector's side of a cache. */
export interface ReflectorStore {
  /** One event of a watch that is in step with the cache. */
  apply(change: ObjectChange, raw: RawObject): void;
  /** Begins a full sync; what an unfinished one had staged is forgotten. */
  stage(): void;
  /** One object of the sync, as a list has it or as initial events report it. Nobody sees it before the commit. */
  stageObject(change: ObjectChange, raw: RawObject): void;
  /** All of it was staged, as of this resourceVersion: what is not among it is gone. */
  commit(resourceVersion: string): void;
  abandon(): void;
  /** The kind is not installed: synced, and empty. */
  markAbsent(): void;
}

export type CacheOptions = {
  readonly intern: Intern;
  /** The projection or an index threw: the view held before, if any, stays and is in doubt. */
  readonly onUnreadable: (key: string, cause: unknown) => void;
  /** A subscriber threw; the others were told all the same. */
  readonly onListenerFault: (cause: unknown) => void;
};

export type ObjectCache<V extends ObjectView = ObjectView> = Cache<V> &
  OwnWrites<V> &
  ReflectorStore & {
    subscribe(listener: (change: CacheChange<V>) => void): Cancel;
    /** A live list that nobody else hears of: as a full sync, but for whether the kind counts as synced. */
    observeAll(objects: readonly RawObject[], resourceVersion: string): void;
    /** Called when the cache becomes synced, after its subscribers know what is in it. */
    onSynced(listener: () => void): Cancel;
  };

export function createCache<V extends ObjectView>(spec: WatchSpec<V>, options: CacheOptions): ObjectCache<V> {
  return new ProjectedCache(spec, options);
}

class ProjectedCache<V extends ObjectView> implements ObjectCache<V> {
  readonly spec: WatchSpec<V>;
  readonly #options: CacheOptions;
  readonly #table: ViewTable<V>;
  readonly #gone = new Tombstones();
  readonly #doubts = new Set<string>();
  /** Whose version, as held, is the one that the last answer to us had. */
  readonly #own = new Set<string>();
  readonly #subscribers: Listeners<CacheChange<V>>;
  readonly #syncListeners: Listeners<void>;
  #staged: Rows<V> | null = null;
  /** The newest version as of which all that there is was read: what is older and not held was gone by then. */
  #wholeAsOf: string | null = null;
  #phase: 'unsynced' | 'served' | 'absent' = 'unsynced';

  constructor(spec: WatchSpec<V>, options: CacheOptions) {
    this.spec = spec;
    this.#options = options;
    this.#table = new ViewTable(spec);
    this.#subscribers = new Listeners(options.onListenerFault);
    this.#syncListeners = new Listeners(options.onListenerFault);
  }

  get size(): number {
    return this.#table.size;
  }

  get(key: string): V | undefined {
    return this.#table.get(key);
  }

  values(): Iterable<V> {
    return this.#table.values();
  }

  keys(): Iterable<string> {
    return this.#table.keys();
  }

  byIndex(index: string, value: string): readonly V[] {
    return this.#table.byIndex(index, value);
  }

  countOf(count: string, value: string): number {
    return this.#table.countOf(count, value);
  }

  isSynced(): boolean {
    return this.#phase !== 'unsynced';
  }

  isServed(): boolean {
    return this.#phase !== 'absent';
  }

  subscribe(listener: (change: CacheChange<V>) => void): Cancel {
    return this.#subscribers.add(listener);
  }

  onSynced(listener: () => void): Cancel {
    return this.#syncListeners.add(listener);
  }

  observe(raw: RawObject): void {
    const seen = sightingOf(raw);
    const isReadable = this.#accept(raw, seen);
    const isHeld = this.#table.get(seen.key)?.resourceVersion === seen.resourceVersion;
    if (isHeld && this.spec.isEchoed) this.#own.add(seen.key);
    else this.#own.delete(seen.key);
    // After accepting, because a state without an order raises a doubt that this very read settles.
    if (isReadable) this.#doubts.delete(seen.key);
  }

  observeGone(key: string, uid: string): void {
    this.#gone.bury(uid, null);
    this.#doubts.delete(key);
    const before = this.#table.get(key);
    if (before?.uid === uid) this.#notify(this.#take(key));
  }

  doubt(key: string): void {
    this.#doubts.add(key);
  }

  /** Only a live read settles a doubt: an event that arrives later may still be older than the unknown write. */
  isDoubtful(key: string): boolean {
    return this.#doubts.has(key);
  }

  isOwn(key: string): boolean {
    return this.#own.has(key);
  }

  apply(change: ObjectChange, raw: RawObject): void {
    const seen = sightingOf(raw);
    if (change === 'DELETED') this.#delete(seen);
    else this.#accept(raw, seen);
  }

  stage(): void {
    this.#staged = rowsFor(this.spec);
  }

  stageObject(change: ObjectChange, raw: RawObject): void {
    const seen = sightingOf(raw);
    if (change === 'DELETED') return void this.#staged?.delete(seen.key);
    if (this.#staged !== null) this.#stageInto(this.#staged, raw, seen);
  }

  commit(resourceVersion: string): void {
    const staged = this.#staged ?? rowsFor(this.spec);
    this.#staged = null;
    this.#becomeSynced('served', this.#replaceAll(staged, resourceVersion));
  }

  observeAll(objects: readonly RawObject[], resourceVersion: string): void {
    const found = rowsFor(this.spec);
    for (const raw of objects) this.#stageInto(found, raw, sightingOf(raw));
    this.#notify(this.#replaceAll(found, resourceVersion));
  }

  abandon(): void {
    this.#staged = null;
  }

  markAbsent(): void {
    this.#staged = null;
    this.#wholeAsOf = null;
    const gone = [...this.#table.keys()].flatMap((key) => this.#take(key));
    this.#becomeSynced('absent', gone);
  }

  #stageInto(staged: Rows<V>, raw: RawObject, seen: Sighting): void {
    const cached = this.#table.get(seen.key);
    // A relist is mostly of objects that did not change: to hold them once keeps its memory flat.
    const isKnown = cached?.uid === seen.uid && cached.resourceVersion === seen.resourceVersion;
    const view = isKnown ? cached : (this.#project(raw, seen) ?? cached);
    if (view) staged.set(seen.key, view);
  }

  /** All that there is, as of this resourceVersion: what is not among it is gone. */
  #replaceAll(all: Rows<V>, resourceVersion: string): readonly BriefChange<V>[] {
    const changes: BriefChange<V>[] = [];
    const isNewest = !this.#isBeforeWhole(resourceVersion);
    // What the newest list has is there, whatever an older one said.
    if (isNewest) this.#wholeAsOf = null;
    for (const [key, view] of this.#table.entries()) {
      if (all.has(key) || !this.#isGoneAsOf(resourceVersion, view)) continue;
      changes.push(...this.#remove(key, view, resourceVersion));
    }
    for (const [key, view] of all.entries()) {
      if (this.#isNews(key, view)) changes.push(...this.#table.brief(key, this.#put(key, view)));
    }
    if (isNewest) this.#wholeAsOf = resourceVersion;
    return changes;
  }

  /** False when the object cannot be read. */
  #accept(raw: RawObject, seen: Sighting): boolean {
    if (!this.#isNews(seen.key, seen)) return true;
    const view = this.#project(raw, seen);
    if (view) this.#notify(this.#put(seen.key, view));
    return view !== null;
  }

  #delete(seen: Sighting): void {
    this.#gone.bury(seen.uid, seen.resourceVersion);
    const before = this.#table.get(seen.key);
    if (before === undefined) return;
    const order = compareResourceVersions(seen.resourceVersion, before.resourceVersion);
    // It ended before what we hold began: an earlier incarnation, or it left the selection and we know it to be back.
    if (order === 'older') return;
    if (order === 'unknown') this.#doubts.add(seen.key);
    if (order === 'newer' || before.uid === seen.uid)
      this.#notify(this.#remove(seen.key, before, seen.resourceVersion));
  }

  #put(key: string, view: V): readonly CacheChange<V>[] {
    const before = this.#table.get(key);
    if (before !== undefined && before.uid !== view.uid) this.#gone.bury(before.uid, view.resourceVersion);
    this.#own.delete(key);
    return this.#table.put(key, view);
  }

  /** The reply to an earlier write of ours may still be under way, and no event would take back what it brings. */
  #remove(key: string, before: V, resourceVersion: string): readonly CacheChange<V>[] {
    this.#gone.bury(before.uid, resourceVersion);
    return this.#take(key);
  }

  #take(key: string): readonly CacheChange<V>[] {
    this.#own.delete(key);
    return this.#table.remove(key);
  }

  #isNews(key: string, seen: Incarnation): boolean {
    if (this.#gone.covers(seen)) return false;
    const before = this.#table.get(key);
    if (before === undefined) return !this.#isBeforeWhole(seen.resourceVersion);
    const order = compareResourceVersions(seen.resourceVersion, before.resourceVersion);
    // Without an order the later word is believed, and a live read must confirm it before it is acted upon.
    if (order === 'unknown') this.#doubts.add(key);
    return order === 'newer' || order === 'unknown';
  }

  #isBeforeWhole(resourceVersion: string): boolean {
    if (this.#wholeAsOf === null) return false;
    const order = compareResourceVersions(resourceVersion, this.#wholeAsOf);
    return order === 'older' || order === 'equal';
  }

  /** A full sync says nothing about what was written after it: our own writes since then stay. */
  #isGoneAsOf(resourceVersion: string, view: V): boolean {
    const order = compareResourceVersions(view.resourceVersion, resourceVersion);
    if (order === 'unknown') this.#doubts.add(keyOf(view));
    return order !== 'newer';
  }

  #project(raw: RawObject, { key }: Sighting): V | null {
    try {
      assert(key !== '', 'an object has a name');
      const view = deepFreeze(this.spec.project(raw, this.#options.intern));
      this.#table.check(view);
      return view;
    } catch (cause) {
      this.#doubts.add(key);
      this.#options.onUnreadable(key, cause);
      return null;
    }
  }

  #becomeSynced(phase: 'served' | 'absent', changes: readonly BriefChange<V>[]): void {
    const before = this.#phase;
    this.#phase = phase;
    this.#notify(changes);
    if (before === 'unsynced' || (before === 'absent' && phase === 'served')) this.#syncListeners.tell();
  }

  #notify(changes: readonly BriefChange<V>[]): void {
    for (const brief of changes)
      for (const change of this.#table.whole(brief)) this.#subscribers.tell(change);
  }
}
