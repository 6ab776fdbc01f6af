// One kind as the API server has it: listed once, then watched, by all parts of the simulated world together. Never goes
// backwards; what our own writes were answered with counts as seen.

import { type BackoffPolicy, backoffMs } from '../base/backoff.ts';
import type { Cancel, Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import { type RawObject, viewOf } from '../objects/raw.ts';
import { keyOf, resourceName } from '../objects/ref.ts';
import { compareResourceVersions } from '../objects/resource-version.ts';
import type { WorldApi, WorldEvent, WorldFailure, WorldSelection } from './world-api.ts';

export type MirrorChange = {
  readonly kind: 'added' | 'changed' | 'gone';
  readonly key: string;
  /** As it is now; for what is gone, as it was last seen. */
  readonly object: RawObject;
};

export type MirrorOptions = {
  readonly api: WorldApi;
  readonly selection: WorldSelection;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
};

const retry: BackoffPolicy = { firstMs: 500, factor: 2, delayMsMax: 30_000 };
const PAGE_LIMIT = 500;
/** Bookmarks come about every minute: a watch that says nothing for longer is dead, whatever its connection pretends. */
const SILENCE_MS_MAX = 90_000;

export class Mirror {
  readonly #options: MirrorOptions;
  readonly #objects = new Map<string, RawObject>();
  readonly #listeners: ((change: MirrorChange) => void)[] = [];
  readonly #synced = Promise.withResolvers<void>();
  #resourceVersion: string | null = null;
  #failures = 0;
  #close: Cancel | null = null;
  #cancelRetry: Cancel | null = null;
  #cancelSilence: Cancel | null = null;
  #heardAtMs = 0;
  #isStopped = false;

  constructor(options: MirrorOptions) {
    this.#options = options;
  }

  /** Resolves when everything has been seen once. */
  start(): Promise<void> {
    void this.#go();
    return this.#synced.promise;
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelRetry?.();
    this.#cancelSilence?.();
    this.#close?.();
  }

  get(key: string): RawObject | undefined {
    return this.#objects.get(key);
  }

  values(): Iterable<RawObject> {
    return this.#objects.values();
  }

  get size(): number {
    return this.#objects.size;
  }

  onChange(listener: (change: MirrorChange) => void): void {
    this.#listeners.push(listener);
  }

  /** What a write of ours was answered with. */
  observe(object: RawObject): void {
    const key = keyOf(viewOf(object));
    // What was deleted meanwhile must not come back through a late answer.
    if (this.#objects.get(key)?.metadata?.uid === object.metadata?.uid) this.#put(object);
  }

  async #go(): Promise<void> {
    if (this.#isStopped) return;
    if (this.#resourceVersion === null) {
      const failure = await this.#list();
      if (failure !== null) return this.#again(failure);
    }
    this.#watch(this.#resourceVersion ?? '0');
  }

  async #list(): Promise<WorldFailure | null> {
    const seen = new Set<string>();
    let continueToken = '';
    do {
      const page = await this.#options.api.list(this.#options.selection, {
        limit: PAGE_LIMIT,
        continueToken,
      });
      if (this.#isStopped) return null;
      if (page.kind === 'error') return page.error;
      for (const item of page.value.items) seen.add(this.#put(item));
      ({ continueToken } = page.value);
      this.#resourceVersion = page.value.resourceVersion;
    } while (continueToken !== '');
    for (const [key, object] of this.#objects) if (!seen.has(key)) this.#drop(key, object);
    this.#synced.resolve();
    return null;
  }

  #watch(resourceVersion: string): void {
    if (this.#isStopped) return;
    const { api, clock, selection } = this.#options;
    this.#heardAtMs = clock.monotonicMs();
    this.#close = api.watch(
      selection,
      { kind: 'after', resourceVersion },
      {
        opened: () => void (this.#failures = 0),
        event: (event) => this.#take(event),
        ended: (failure) => this.#again(failure),
      },
    );
    this.#listenForSilence(SILENCE_MS_MAX);
  }

  /** One timer, moved on only when it fires: events come by the hundred, silence is rare. */
  #listenForSilence(delayMs: number): void {
    const { clock } = this.#options;
    this.#cancelSilence?.();
    this.#cancelSilence = clock.after(delayMs, () => {
      const restMs = this.#heardAtMs + SILENCE_MS_MAX - clock.monotonicMs();
      if (restMs > 0) this.#listenForSilence(restMs);
      else this.#close?.();
    });
  }

  #take(event: WorldEvent): void {
    this.#heardAtMs = this.#options.clock.monotonicMs();
    if (event.kind === 'bookmark') this.#resourceVersion = event.resourceVersion;
    // Whatever is wrong with a watch, a full list puts it right.
    if (event.kind === 'error' || event.kind === 'garbled') this.#resourceVersion = null;
    if (event.kind !== 'object') return;
    this.#resourceVersion = event.object.metadata?.resourceVersion ?? this.#resourceVersion;
    if (event.change === 'DELETED') this.#drop(keyOf(viewOf(event.object)), event.object);
    else this.#put(event.object);
  }

  #again(failure: WorldFailure | null): void {
    this.#cancelSilence?.();
    if (this.#isStopped) return;
    if (failure !== null) {
      this.#resourceVersion = null;
      const isAbsent = failure.code === 404 || failure.code === 501;
      // A kind that this server does not have is a kind without objects, for now.
      if (isAbsent) this.#synced.resolve();
      this.#failures = isAbsent ? 99 : this.#failures + 1;
      const resource = resourceName(this.#options.selection.type);
      this.#options.log[isAbsent ? 'debug' : 'warn']('a watch of the simulated world ended', {
        resource,
        failure,
      });
    }
    const { clock, random } = this.#options;
    const delayMs = failure === null ? 0 : backoffMs(retry, this.#failures, random);
    this.#cancelRetry = clock.after(delayMs, () => void this.#go());
  }

  #put(object: RawObject): string {
    const key = keyOf(viewOf(object));
    const before = this.#objects.get(key);
    const isSame = before?.metadata?.uid === object.metadata?.uid;
    if (before !== undefined && !isSame) this.#drop(key, before);
    if (before !== undefined && isSame) {
      const order = compareResourceVersions(viewOf(object).resourceVersion, viewOf(before).resourceVersion);
      if (order === 'older' || order === 'equal') return key;
    }
    this.#objects.set(key, object);
    this.#tell({ kind: before !== undefined && isSame ? 'changed' : 'added', key, object });
    return key;
  }

  #drop(key: string, object: RawObject): void {
    if (this.#objects.get(key)?.metadata?.uid !== object.metadata?.uid) return;
    this.#objects.delete(key);
    this.#tell({ kind: 'gone', key, object });
  }

  #tell(change: MirrorChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
