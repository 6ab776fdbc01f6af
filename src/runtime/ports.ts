// What the runtime needs of the world, as types. `kube` implements these over HTTP, tests and the simulator in memory.
// All of an operator's reads and writes pass through KubeApi: the narrow waist where faults can be injected.

import type { Cancel } from '../base/clock.ts';
import type { Intern } from '../base/intern.ts';
import type { Reason } from '../api/reasons.ts';
import type { Result } from '../base/result.ts';
import type { ObjectView, RawObject } from '../objects/raw.ts';
import type { ObjectRef, ResourceType } from '../objects/ref.ts';

export type FailureReason =
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  /** Nobody answers under this path: it says nothing about the object, and most likely that its kind is not there. */
  | 'NotServed'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Expired'
  | 'Invalid'
  | 'TooLarge'
  | 'TooManyRequests'
  | 'ServerError'
  | 'Timeout'
  | 'Unreachable'
  | 'Aborted'
  | 'Malformed';

/** Why a call did not succeed, classified once, where the answer was read. */
export type ApiFailure = {
  readonly reason: FailureReason;
  /** HTTP status; null when no answer came. */
  readonly code: number | null;
  readonly message: string;
  /** soon: decide again at once on fresh data. backoff: the world is ill. never: the same request cannot succeed. */
  readonly retry: 'soon' | 'backoff' | 'never';
  readonly retryAfterMs: number | null;
  /** unknown: a write may have been carried out; read before deciding again, never assume. */
  readonly effect: 'none' | 'unknown';
};

export type Answer<T> = Result<T, ApiFailure>;

export type CallOptions = {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Sent at once, neither queued behind other calls nor held back by a pause the server asked for: lease renewals. */
  readonly isUrgent?: boolean;
};

export type Selection = {
  readonly type: ResourceType;
  /** Empty for all namespaces and for cluster-scoped types. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Names of lists of objects that the reader never looks at: a watch may leave them out to save their parsing. */
  readonly unread?: readonly string[];
};

export type Page = {
  readonly items: readonly RawObject[];
  readonly resourceVersion: string;
  /** Empty on the last page. */
  readonly continueToken: string;
};

export type PageRequest = { readonly limit?: number; readonly continueToken?: string };

export type WatchStart =
  /** Everything first, as ADDED events closed by a marked bookmark. */
  { readonly kind: 'initialEvents' } | { readonly kind: 'after'; readonly resourceVersion: string };

export type WatchEvent =
  | { readonly kind: 'object'; readonly change: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: RawObject }
  | { readonly kind: 'bookmark'; readonly resourceVersion: string; readonly endsInitialEvents: boolean }
  | { readonly kind: 'error'; readonly failure: ApiFailure }
  /** A line that is not a watch event: something between us and the server is broken. */
  | { readonly kind: 'garbled'; readonly text: string };

export interface WatchListener {
  /** The server accepted the watch; events follow. */
  opened(): void;
  event(event: WatchEvent): void;
  /** Called exactly once, last; null when the stream ended without an error. */
  ended(failure: ApiFailure | null): void;
}

export type Patch =
  | { readonly kind: 'merge'; readonly body: unknown }
  | { readonly kind: 'json'; readonly body: readonly unknown[] }
  | { readonly kind: 'strategic'; readonly body: unknown }
  | { readonly kind: 'apply'; readonly body: unknown; readonly force?: boolean };

export type WriteOptions = CallOptions & { readonly subresource?: string; readonly dryRun?: boolean };

export type DeleteOptions = CallOptions & {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
};

export interface KubeApi {
  get(ref: ObjectRef, options?: CallOptions): Promise<Answer<RawObject>>;
  list(selection: Selection, page?: PageRequest, options?: CallOptions): Promise<Answer<Page>>;
  /** Bookmarks are always asked for. Closing ends the stream without a further call to the listener but `ended`. */
  watch(selection: Selection, start: WatchStart, listener: WatchListener): Cancel;
  create(ref: ObjectRef, body: RawObject, options?: WriteOptions): Promise<Answer<RawObject>>;
  /** PUT; the body's resourceVersion is the guard. */
  replace(ref: ObjectRef, body: RawObject, options?: WriteOptions): Promise<Answer<RawObject>>;
  patch(ref: ObjectRef, patch: Patch, options?: WriteOptions): Promise<Answer<RawObject>>;
  delete(ref: ObjectRef, options?: DeleteOptions): Promise<Answer<RawObject>>;
}

/** A kind that is watched. The projection is mandatory: a cache holds what is needed of an object, not the object. */
export type WatchSpec<V extends ObjectView = ObjectView> = {
  readonly selection: Selection;
  project(raw: RawObject, intern: Intern): V;
  /** Named lookups: the keys under which a view is found. */
  readonly indexes?: Readonly<Record<string, IndexBy<V>>>;
  /** As an index, where nobody asks for more than how many there are. */
  readonly counts?: Readonly<Record<string, IndexBy<V>>>;
  /** Where there are very many: what holds the views, to make each anew when somebody looks at it. */
  readonly makeRows?: () => Rows<V>;
  /** absent: the kind may not be installed; then the cache counts as synced and empty until it appears. */
  readonly presence: 'required' | 'optional';
  /** Our own writes are to be told from those of others. */
  readonly isEchoed?: true;
  /** What is done to nodes rests on these objects: a replica that begins to lead reads them live before its first write. */
  readonly isDeciding?: true;
};

/** What is asked of a Map of views by their keys. A row may be taken away while they are walked through. */
export interface Rows<V> {
  readonly size: number;
  get(key: string): V | undefined;
  has(key: string): boolean;
  set(key: string, view: V): unknown;
  delete(key: string): boolean;
  keys(): Iterable<string>;
  values(): Iterable<V>;
  entries(): Iterable<[string, V]>;
}

/** As a method type, so that specs of different views share one list. */
export type IndexBy<V> = { keysOf(view: V): readonly string[] }['keysOf'];

export type CacheChange<V extends ObjectView = ObjectView> =
  | { readonly kind: 'added'; readonly now: V }
  | { readonly kind: 'updated'; readonly before: V; readonly now: V }
  | { readonly kind: 'deleted'; readonly before: V };

/** Read side of a cache: frozen views, never the API server. */
export interface Cache<V extends ObjectView = ObjectView> {
  get(key: string): V | undefined;
  values(): Iterable<V>;
  byIndex(index: string, value: string): readonly V[];
  countOf(count: string, value: string): number;
  keys(): Iterable<string>;
  readonly size: number;
  /** True from the first complete list on. */
  isSynced(): boolean;
  /** False while the server does not know the kind: what is in the cache then says nothing about what there is. */
  isServed(): boolean;
}

/** The writer's side: what it learned from its own writes, so that it never decides on less than it knows. */
export interface OwnWrites<V extends ObjectView = ObjectView> {
  /** The server's reply to a write or a live read: seen at once unless the cache already holds something newer. */
  observe(raw: RawObject): void;
  /** A live read found nothing; `uid` is the incarnation that was cached before the read, so that a newer one stays. */
  observeGone(key: string, uid: string): void;
  /** The result of a write is unknown: a live read must come before the next decision. */
  doubt(key: string): void;
  isDoubtful(key: string): boolean;
  /** What is held is what an answer to us said: nobody else has changed it since. */
  isOwn(key: string): boolean;
  readonly spec: WatchSpec<V>;
}

export interface Caches {
  of<V extends ObjectView>(spec: WatchSpec<V>): Cache<V>;
}

/** Order in which waiting keys are taken: letting a node work comes before holding one back, people before resync. */
export const priorities = ['release', 'gate', 'change', 'resync'] as const;
export type Priority = (typeof priorities)[number];

export type WorkOutcome =
  | { readonly kind: 'done'; readonly recheckInMs: number | null }
  /** soon: again at once, behind what waits. Otherwise per-key backoff, never before `afterMs`. */
  | {
      readonly kind: 'retry';
      readonly soon: boolean;
      readonly afterMs: number | null;
      readonly priority?: Priority;
    };

/** Keys, never events: adding a key that waits changes nothing, adding one that is worked on runs it again after. */
export interface WorkQueue {
  add(key: string, priority?: Priority): void;
  addAfter(key: string, delayMs: number, priority?: Priority): void;
  /** Keys waiting, keys being worked on and keys waiting for a time. */
  depth(): { readonly waiting: number; readonly working: number; readonly delayed: number };
  /** Takes no more keys and resolves when the ones being worked on are done. */
  stop(): Promise<void>;
}

export type QueueSpec = {
  readonly name: string;
  readonly concurrency: number;
  work(key: string): Promise<WorkOutcome>;
};

export type MakeQueue = (spec: QueueSpec) => WorkQueue;

/** Everything that is watched: one cache per spec, filled in the background. */
export interface Sources extends Caches {
  ownWrites<V extends ObjectView>(spec: WatchSpec<V>): Cache<V> & OwnWrites<V>;
  subscribe<V extends ObjectView>(spec: WatchSpec<V>, listener: (change: CacheChange<V>) => void): Cancel;
  /** Called each time a cache has become synced: for the first time, and when a kind that was not served is served again. */
  onSynced(listener: () => void): Cancel;
  /** Reads the deciding kinds live. Resolves when the caches hold nothing older than this call; tries until then. */
  readDeciding(signal: AbortSignal): Promise<void>;
  start(): void;
  stop(): void;
}

/** Whether this replica may write, asked again before every write. */
export interface Leadership {
  /** The epoch in which this replica leads, or null. */
  epoch(): number | null;
}

export type NodeEvent = {
  readonly node: { readonly name: string; readonly uid: string };
  readonly type: 'Normal' | 'Warning';
  readonly reason: Reason;
  readonly action: string;
  readonly note: string;
};

/** About an object that is no node. */
export type ObjectEvent = Omit<NodeEvent, 'node'> & {
  readonly regarding: ObjectRef & { readonly uid: string };
};

/** Best effort: a lost Event is not a lost fact. */
export interface EventRecorder {
  record(event: NodeEvent | ObjectEvent): void;
}
