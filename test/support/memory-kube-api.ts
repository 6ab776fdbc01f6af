// A tiny honest API server in memory, behind the KubeApi port: for tests of the client, the caches and the runtime.
// Answers come in a later microtask, as from a network; hooks delay them, refuse the request or lose the reply.

import { type Clock, deadline } from '../../src/base/clock.ts';
import { err } from '../../src/base/result.ts';
import { formatTime } from '../../src/base/timestamp.ts';
import type { RawObject } from '../../src/objects/raw.ts';
import { type ObjectRef, type ResourceType, resourceName } from '../../src/objects/ref.ts';
import type {
  Answer,
  ApiFailure,
  CallOptions,
  KubeApi,
  Selection,
  WatchEvent,
  WriteOptions,
} from '../../src/runtime/ports.ts';
import { apiFailure } from './api-failure.ts';
import { MemoryStore } from './memory-store.ts';
import { MemoryWatches } from './memory-watches.ts';

export type MemoryVerb = 'get' | 'list' | 'watch' | 'create' | 'replace' | 'patch' | 'delete';

export type MemoryCall = {
  readonly verb: MemoryVerb;
  /** The name is empty for list and watch. */
  readonly ref: ObjectRef;
  /** What was sent: the object, the Patch, the DeleteOptions, the PageRequest or the WatchStart. */
  readonly body: unknown;
  readonly subresource: string;
};

export type FaultHook = (call: MemoryCall) => ApiFailure | null | Promise<ApiFailure | null>;

export type MemoryOptions = {
  readonly clock: Clock;
  /** How many changes a watch can look back; an older start is answered with 410. */
  readonly historySize?: number;
  /** Types whose status is written through /status alone. */
  readonly statusSubresources?: readonly ResourceType[];
  /** False: the type answers 404, as a CRD that is not installed. */
  readonly isServed?: (type: ResourceType) => boolean;
  /** Before the server sees the request: a failure means that it never did. May wait. */
  readonly before?: FaultHook;
  /** After the server carried it out: a failure is a lost reply. May wait. Not called for watches. */
  readonly after?: FaultHook;
};

/** The port, and beside it what a test does as the rest of the world. */
export type MemoryKubeApi = KubeApi & {
  readonly calls: readonly MemoryCall[];
  /** Another client writes the whole object, status included, without a guard. */
  put(type: ResourceType, object: RawObject): RawObject;
  remove(type: ResourceType, key: string): void;
  objects(type: ResourceType): readonly RawObject[];
  resourceVersion(): string;
  /** Forgets history: a watch or page from before now is answered with 410. */
  compact(): void;
  bookmark(): void;
  /** Sends any event to every open watch, true or not. */
  inject(event: WatchEvent): void;
  closeWatches(failure?: ApiFailure | null): void;
  /** While held, watches deliver nothing, or this many more events; released, they deliver all of it in order. */
  holdWatches(afterEvents?: number): void;
  releaseWatches(): void;
  openWatches(): number;
};

export function createMemoryKubeApi(options: MemoryOptions): MemoryKubeApi {
  const calls: MemoryCall[] = [];
  const watches = new MemoryWatches();
  const statusOf = new Set(options.statusSubresources?.map(resourceName));
  const store = new MemoryStore({
    historySize: options.historySize ?? 1000,
    hasStatus: (type) => statusOf.has(resourceName(type)),
    now: () => formatTime(options.clock.now()),
    publish: (change) => watches.publish(change),
  });
  return { calls, ...port({ options, calls, watches, store }), ...world(store, watches) };
}

type Parts = {
  readonly options: MemoryOptions;
  readonly calls: MemoryCall[];
  readonly watches: MemoryWatches;
  readonly store: MemoryStore;
};

function port(parts: Parts): KubeApi {
  const { store } = parts;
  const ask = <T>(call: MemoryCall, given: CallOptions | undefined, run: () => Answer<T>) =>
    answered(parts, { call, given: given ?? {}, run });
  return {
    get: (ref, given) => ask(callOf('get', ref, null), given, () => store.get(ref)),
    list: (selection, page = {}, given) =>
      ask(callOf('list', selected(selection), page), given, () => store.list(selection, page)),
    watch: (selection, start, listener) => watch(parts, { selection, start, listener }),
    create: (ref, body, given = {}) =>
      ask(writeOf(callOf('create', ref, body), given), given, () => store.create(ref, body, given)),
    replace: (ref, body, given = {}) =>
      ask(writeOf(callOf('replace', ref, body), given), given, () => store.replace(ref, body, given)),
    patch: (ref, patch, given = {}) =>
      ask(writeOf(callOf('patch', ref, patch), given), given, () => store.patch(ref, patch, given)),
    delete: (ref, given = {}) => ask(callOf('delete', ref, given), given, () => store.delete(ref, given)),
  };
}

function world(store: MemoryStore, watches: MemoryWatches): Omit<MemoryKubeApi, keyof KubeApi | 'calls'> {
  return {
    put: (type, object) =>
      store.put(
        { type, namespace: object.metadata?.namespace ?? '', name: object.metadata?.name ?? '' },
        object,
      ),
    remove(type, key) {
      const [name = '', namespace = ''] = key.split('/').toReversed();
      store.delete({ type, namespace, name }, {});
    },
    objects: (type) => store.select({ type }),
    resourceVersion: () => String(store.version),
    compact: () => store.forgetUpTo(store.version),
    bookmark: () =>
      watches.inject({ kind: 'bookmark', resourceVersion: String(store.version), endsInitialEvents: false }),
    inject: (event) => watches.inject(event),
    closeWatches: (failure = null) => watches.closeAll(failure),
    holdWatches: (afterEvents = 0) => watches.hold(afterEvents),
    releaseWatches: () => watches.release(),
    openWatches: () => watches.count,
  };
}

type Request<T> = { readonly call: MemoryCall; readonly given: CallOptions; readonly run: () => Answer<T> };

/** The server goes on when the caller gives up: a write may land after its timeout was reported. */
async function answered<T>({ options, calls }: Parts, request: Request<T>): Promise<Answer<T>> {
  const { call, given, run } = request;
  calls.push(call);
  const serve = async (): Promise<Answer<T>> => {
    const refusal = await options.before?.(call);
    if (refusal) return err(refusal);
    const isServed = options.isServed?.(call.ref.type) !== false;
    const answer = isServed ? run() : err(apiFailure(call.verb === 'list' ? 'NotFound' : 'NotServed'));
    const loss = await options.after?.(call);
    return loss ? err(loss) : answer;
  };
  const limit = deadline(options.clock, given.timeoutMs ?? 60_000, given.signal);
  const givenUp = new Promise<Answer<T>>((resolve) => {
    const isRead = call.verb === 'get' || call.verb === 'list';
    const giveUp = () =>
      resolve(
        err(
          apiFailure(given.signal?.aborted ? 'Aborted' : 'Timeout', { effect: isRead ? 'none' : 'unknown' }),
        ),
      );
    if (limit.signal.aborted) giveUp();
    else limit.signal.addEventListener('abort', giveUp);
  });
  const answer = await Promise.race([givenUp, serve()]);
  limit.done();
  return answer;
}

function watch({ options, calls, watches, store }: Parts, request: Parameters<MemoryWatches['open']>[1]) {
  const call = callOf('watch', selected(request.selection), request.start);
  calls.push(call);
  let isClosed = false;
  let close = () => request.listener.ended(null);
  const end = (failure: ApiFailure) => {
    isClosed = true;
    request.listener.ended(failure);
  };
  const open = async () => {
    const refusal = await options.before?.(call);
    if (isClosed) return;
    if (refusal) return end(refusal);
    if (options.isServed?.(call.ref.type) === false) return end(apiFailure('NotFound'));
    close = watches.open(store, request);
  };
  void open();
  return () => {
    if (!isClosed) close();
    isClosed = true;
  };
}

function callOf(verb: MemoryVerb, ref: ObjectRef, body: unknown): MemoryCall {
  return { verb, ref, body, subresource: '' };
}

function writeOf(call: MemoryCall, { subresource = '' }: WriteOptions): MemoryCall {
  return { ...call, subresource };
}

function selected({ type, namespace = '' }: Selection): ObjectRef {
  return { type, namespace, name: '' };
}
