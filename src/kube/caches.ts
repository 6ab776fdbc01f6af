// Everything that is watched: one cache and one reflector per spec, and what people see of them. Two capabilities that name
// the same spec share one watch. Knows no capability and decides nothing.

import { assert } from '../base/assert.ts';
import type { Cancel, Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Random } from '../base/random.ts';
import type { ObjectView } from '../objects/raw.ts';
import { resourceName } from '../objects/ref.ts';
import type { Cache, CacheChange, KubeApi, OwnWrites, Sources, WatchSpec } from '../runtime/ports.ts';
import { reportCaches, type WatchedKind } from './cache-metrics.ts';
import { createCache, type ObjectCache } from './cache.ts';
import { textOfCause } from './cause.ts';
import { createIntern } from './intern.ts';
import { readLive } from './live-read.ts';
import { createReflector } from './reflector.ts';
import { reflectorMetrics } from './reflector-metrics.ts';

export type CachesOptions = {
  readonly api: KubeApi;
  readonly specs: readonly WatchSpec[];
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
};

export type WatchedCaches = Sources & {
  /** The kinds that have not been read to the end yet, for people. */
  unsynced(): readonly string[];
};

export function createCaches(options: CachesOptions): WatchedCaches {
  const caches = new CacheRegistry(options);
  reportCaches(options.metrics, caches.kinds);
  return caches;
}

class CacheRegistry implements WatchedCaches {
  readonly kinds: readonly WatchedKind[];
  readonly #options: CachesOptions;
  readonly #caches: ReadonlyMap<WatchSpec, ObjectCache>;

  constructor(options: CachesOptions) {
    const { log, metrics } = options;
    this.#options = options;
    const intern = createIntern();
    const counters = reflectorMetrics(metrics);
    const unreadable = metrics.counter({
      name: 'muster_unreadable_objects_total',
      help: 'Objects that were sent and could not be read; what was known of them before is kept.',
      labels: ['resource'],
    });
    this.kinds = [...new Set(options.specs)].map((spec) => {
      const resource = resourceName(spec.selection.type);
      const cache = createCache(spec, {
        intern,
        onUnreadable(key, cause) {
          unreadable.add({ resource });
          log.error('an object cannot be read', { resource, key, error: textOfCause(cause) });
        },
        onListenerFault: (cause) =>
          log.error('a subscriber of a cache threw', { resource, error: textOfCause(cause) }),
      });
      const reflector = createReflector({ ...options, spec, store: cache, metrics: counters });
      return { resource, cache, reflector };
    });
    this.#caches = new Map(this.kinds.map(({ cache }) => [cache.spec, cache]));
  }

  of<V extends ObjectView>(spec: WatchSpec<V>): Cache<V> {
    return this.#cacheOf(spec);
  }

  ownWrites<V extends ObjectView>(spec: WatchSpec<V>): Cache<V> & OwnWrites<V> {
    return this.#cacheOf(spec);
  }

  subscribe<V extends ObjectView>(spec: WatchSpec<V>, listener: (change: CacheChange<V>) => void): Cancel {
    return this.#cacheOf(spec).subscribe(listener);
  }

  onSynced(listener: () => void): Cancel {
    const cancels = this.kinds.map(({ cache }) => cache.onSynced(listener));
    return () => {
      for (const cancel of cancels) cancel();
    };
  }

  async readDeciding(signal: AbortSignal): Promise<void> {
    const deciding = this.kinds.filter(({ cache }) => cache.spec.isDeciding);
    await Promise.all(deciding.map(({ cache }) => readLive(cache, this.#options, signal)));
  }

  unsynced(): readonly string[] {
    return this.kinds.flatMap(({ resource, cache }) => (cache.isSynced() ? [] : [resource]));
  }

  start(): void {
    for (const { reflector } of this.kinds) reflector.start();
  }

  stop(): void {
    for (const { reflector } of this.kinds) reflector.stop();
  }

  #cacheOf<V extends ObjectView>(spec: WatchSpec<V>): ObjectCache<V> {
    const cache = this.#caches.get(spec);
    assert(
      cache !== undefined && isOf(cache, spec),
      `${resourceName(spec.selection.type)} are watched by this spec`,
    );
    return cache;
  }
}

/** A spec is the identity of its cache: whoever holds it knows the type of the views. */
function isOf<V extends ObjectView>(cache: ObjectCache, spec: WatchSpec<V>): cache is ObjectCache<V> {
  return cache.spec === spec;
}
