// A reflector with its cache before an API server in memory, and words to read what it asked for.

import { seededRandom } from '../../src/base/random.ts';
import { createCache } from '../../src/kube/cache.ts';
import { createIntern } from '../../src/kube/intern.ts';
import { reflectorMetrics } from '../../src/kube/reflector-metrics.ts';
import { createReflector } from '../../src/kube/reflector.ts';
import { isRecord, textOf, viewOf } from '../../src/objects/raw.ts';
import { nodeType } from '../../src/objects/ref.ts';
import type { KubeApi, WatchEvent, WatchListener, WatchSpec, WatchStart } from '../../src/runtime/ports.ts';
import { manualClock } from './manual-clock.ts';
import { createMemoryKubeApi, type FaultHook, type MemoryCall } from './memory-kube-api.ts';
import { recordedLog } from './recorded-log.ts';
import { recordedMetrics } from './recorded-metrics.ts';

export type SceneOptions = {
  presence?: WatchSpec['presence'];
  before?: FaultHook;
  watch?: KubeApi['watch'];
  list?: KubeApi['list'];
};

export function reflectorScene(given: SceneOptions = {}) {
  const clock = manualClock();
  const nothing: FaultHook = () => null;
  const world = { isServed: true, before: given.before ?? nothing, after: nothing };
  const api = createMemoryKubeApi({
    clock,
    isServed: () => world.isServed,
    before: (call) => world.before(call),
    after: (call) => world.after(call),
  });
  const spec: WatchSpec = {
    selection: { type: nodeType },
    project: viewOf,
    presence: given.presence ?? 'required',
  };
  const faults: unknown[] = [];
  const fail = (cause: unknown) => void faults.push(cause);
  const cache = createCache(spec, { intern: createIntern(), onUnreadable: fail, onListenerFault: fail });
  const told: string[] = [];
  cache.subscribe((change) =>
    told.push(`${change.kind} ${change.kind === 'deleted' ? change.before.name : change.now.name}`),
  );
  const log = recordedLog();
  const metrics = recordedMetrics();
  const reflector = createReflector({
    api: { ...api, watch: given.watch ?? api.watch, list: given.list ?? api.list },
    spec,
    store: cache,
    clock,
    random: seededRandom(1),
    log,
    metrics: reflectorMetrics(metrics),
  });
  const put = (name: string, version = '1') => api.put(nodeType, { metadata: { name }, spec: { version } });
  const names = () => [...cache.keys()].sort();
  const ended = (reason: string) => metrics.value('muster_watch_ended_total', { resource: 'nodes', reason });
  const relists = () => metrics.value('muster_relists_total', { resource: 'nodes' });
  return { clock, world, api, cache, faults, told, log, reflector, put, names, ended, relists };
}

/** The calls as words: how each watch and list began. */
export function asked(calls: readonly MemoryCall[]): readonly string[] {
  return calls.map(({ verb, body }) => {
    const sent = isRecord(body) ? body : {};
    const words = [verb, sent['kind'], sent['resourceVersion'], sent['continueToken']].map(textOf);
    return words.filter((word) => word !== '').join(' ');
  });
}

export function isInitial({ verb, body }: MemoryCall): boolean {
  return verb === 'watch' && isRecord(body) && body['kind'] === 'initialEvents';
}

/** Watches that say what the test tells them to say. */
export function scriptedStreams() {
  const streams: { readonly start: WatchStart; readonly listener: WatchListener; isClosed: boolean }[] = [];
  const watch: KubeApi['watch'] = (_selection, start, listener) => {
    const stream = { start, listener, isClosed: false };
    streams.push(stream);
    return () => {
      stream.isClosed = true;
      listener.ended(null);
    };
  };
  const say = (event: WatchEvent) => streams.at(-1)?.listener.event(event);
  return { watch, streams, say };
}

export function added(name: string, resourceVersion: string): WatchEvent {
  return { kind: 'object', change: 'ADDED', object: { metadata: { name, uid: name, resourceVersion } } };
}

export function bookmark(resourceVersion: string): WatchEvent {
  return { kind: 'bookmark', resourceVersion, endsInitialEvents: false };
}

export function endOfInitialEvents(resourceVersion: string): WatchEvent {
  return { kind: 'bookmark', resourceVersion, endsInitialEvents: true };
}
