// The API server as one instance reaches it: every call is under way for a while, can be struck in three phases, times out and is
// given up as over a network. Takes no decision: the rules say what happens, the server says what is true.

import type { createInProcessKubeApi } from '../../apiserver/kube-api.ts';
import type { CallFailure } from '../../apiserver/port-failure.ts';
import { err, type Result } from '../../base/result.ts';
import type { RawObject } from '../../objects/raw.ts';
import { type ObjectRef, type ResourceType, resourceName } from '../../objects/ref.ts';
import { givenUp, refused, timedOut, unreachable, unserved } from './failures.ts';
import type { Instance } from './instance.ts';
import { pageAt } from './past.ts';
import type { CallRecord } from './records.ts';
import type { Phase } from './rule.ts';
import { isWriteVerb } from './rule-book.ts';
import { SimulatedStream } from './simulated-stream.ts';
import type { World } from './world.ts';

type InProcess = ReturnType<typeof createInProcessKubeApi>;
type Answer<T> = Result<T, CallFailure>;
export type CallOptions = {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly subresource?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly fieldSelector?: string;
};

/** What the client over HTTP waits when nobody says otherwise. */
const TIMEOUT_MS = 30_000;

export function simulatedPort(world: World, instance: Instance): InProcess {
  const { api } = world;
  const call = (asked: Asked, forward: () => Promise<Answer<RawObject>>) =>
    new Call<RawObject>(world, instance, asked).ask(forward);
  const read = (verb: CallRecord['verb'], ref: ObjectRef, options: CallOptions = {}): Asked => ({
    verb,
    ref,
    body: undefined,
    options,
  });
  return {
    get: (ref, options) => call(read('get', ref, options), () => api.get(ref)),
    list: (selection, page, options) => {
      const { fieldSelector } = selection;
      const narrowed = fieldSelector === undefined ? {} : { fieldSelector };
      const asked = read('list', wholeOf(selection.type, selection.namespace), { ...options, ...narrowed });
      return new Call<Page>(world, instance, asked).ask((back) =>
        back === 0 ? api.list(selection, page) : pageAt(world.server, selection, back),
      );
    },
    watch: (selection, start, listener) => {
      const stream = new SimulatedStream({ world, instance, selection, start, listener });
      stream.open();
      return () => stream.close();
    },
    create: (ref, body, options = {}) =>
      call({ verb: 'create', ref, body, options }, () => api.create(ref, body, sent(options))),
    replace: (ref, body, options = {}) =>
      call({ verb: 'replace', ref, body, options }, () => api.replace(ref, body, sent(options))),
    patch: (ref, patch, options = {}) =>
      call({ verb: 'patch', ref, body: patch.body, options }, () => api.patch(ref, patch, sent(options))),
    delete: (ref, options = {}) =>
      call({ verb: 'delete', ref, body: undefined, options }, () => api.delete(ref, sent(options))),
  };
}

/** What has left arrives, whether or not anybody still waits for the reply. */
function sent<O extends CallOptions>({ signal: _signal, ...options }: O): Omit<O, 'signal'> {
  return options;
}

type Page = {
  readonly items: readonly RawObject[];
  readonly resourceVersion: string;
  readonly continueToken: string;
};
type Asked = Pick<CallRecord, 'verb' | 'ref' | 'body'> & { readonly options: CallOptions };

function wholeOf(type: ResourceType, namespace = ''): ObjectRef {
  return { type, namespace, name: '' };
}

class Call<T> {
  readonly #world: World;
  readonly #instance: Instance;
  readonly #record: CallRecord;
  readonly #isWrite: boolean;
  readonly #options: CallOptions;
  #forward: (revisionsBack: number) => Promise<Answer<T>> = () => new Promise(() => {});
  #settle: (answer: Answer<T>) => void = () => {};

  constructor(world: World, instance: Instance, { verb, ref, body, options }: Asked) {
    this.#world = world;
    this.#instance = instance;
    this.#options = options;
    this.#isWrite = isWriteVerb(verb);
    const { uid, resourceVersion, subresource, fieldSelector } = options;
    const resource = resourceName(ref.type) + (subresource === undefined ? '' : `/${subresource}`);
    this.#record = {
      instance: instance.actor.name,
      slot: instance.slot,
      verb,
      resource,
      ref,
      body,
      options: {
        ...(uid === undefined ? {} : { uid }),
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
        ...(fieldSelector === undefined ? {} : { fieldSelector }),
      },
      sentAtMs: world.schedule.nowMs,
      leaseHolder: world.leaseHolder(),
      arrivedAtMs: null,
      result: null,
      isHeard: false,
    };
  }

  ask(forward: (revisionsBack: number) => Promise<Answer<T>>): Promise<Answer<T>> {
    const { schedule } = this.#world;
    const { actor } = this.#instance;
    const { signal, timeoutMs = TIMEOUT_MS } = this.#options;
    if (actor.state === 'dead') return new Promise(() => {});
    this.#forward = forward;
    this.#world.calls.push(this.#record);
    this.#world.flying.add(this.#record);
    return new Promise((resolve) => {
      const onAbort = () => this.#settle(err(givenUp(this.#isWrite)));
      const cancelTimeout = schedule.after(
        timeoutMs,
        () => this.#settle(err(timedOut(this.#isWrite))),
        actor,
      );
      this.#settle = (answer) => {
        cancelTimeout();
        this.#record.isHeard = true;
        this.#world.flying.delete(this.#record);
        signal?.removeEventListener('abort', onAbort);
        resolve(answer);
        this.#settle = () => {};
      };
      if (signal?.aborted) return this.#settle(err(givenUp(false)));
      signal?.addEventListener('abort', onAbort);
      // Belongs to nobody: what has left arrives, even if its sender is stopped or dead by then.
      schedule.after(schedule.legMs('request'), () => this.#arrive());
    });
  }

  #arrive(): void {
    const { actor } = this.#instance;
    const wasDead = actor.state === 'dead';
    let heldMs = 0;
    let back = 0;
    let instead: CallFailure | null = null;
    for (const action of this.#strike('beforeForward')) {
      if (action.kind === 'status')
        instead = refused(action, { isWrite: this.#isWrite, isCreate: this.#record.verb === 'create' });
      else if (action.kind === 'reset') instead = unreachable(this.#isWrite);
      else if (action.kind === 'serveAt') back = action.revisionsBack;
      else if (action.kind === 'touch') this.#world.touch(this.#record.ref);
      else heldMs += this.#world.afflict(this.#instance, action, this.#record);
    }
    if (!wasDead && actor.state === 'dead') {
      this.#world.flying.delete(this.#record);
      return this.#note('is never sent');
    }
    const carryOn = () => (instead === null ? this.#carryOut(back) : this.#reply(err(instead)));
    if (heldMs === 0) carryOn();
    else this.#world.schedule.after(heldMs, carryOn);
  }

  #carryOut(back: number): void {
    const { ref } = this.#record;
    this.#record.arrivedAtMs = this.#world.schedule.nowMs;
    if (this.#world.isUnserved(ref.type)) return this.#reply(err(unserved(ref.name !== '')));
    this.#world
      .during(this.#record, () => this.#forward(back))
      .then(
        (answer) => this.#onCarriedOut(answer),
        (cause: unknown) => this.#world.bugs.push(cause),
      );
  }

  #onCarriedOut(answer: Answer<T>): void {
    let heldMs = 0;
    let reply = answer;
    for (const action of this.#strike('afterForward')) {
      if (action.kind === 'reset') reply = err(unreachable(this.#isWrite));
      else heldMs += this.#world.afflict(this.#instance, action, this.#record);
    }
    this.#note(`${wordOf(answer)}${reply === answer ? '' : ', reply lost'}`);
    this.#record.result = wordOf(answer);
    this.#reply(reply, heldMs);
  }

  #reply(answer: Answer<T>, heldMs = 0): void {
    const { schedule } = this.#world;
    if (this.#record.result === null) {
      this.#record.result = wordOf(answer);
      this.#note(wordOf(answer));
    }
    if (this.#instance.actor.state === 'dead') return void this.#world.flying.delete(this.#record);
    const deliver = () => {
      this.#settle(answer);
      for (const action of this.#strike('afterReply'))
        this.#world.afflict(this.#instance, action, this.#record);
    };
    schedule.after(schedule.legMs('reply') + heldMs, deliver, this.#instance.actor);
  }

  #strike(phase: Phase) {
    const { verb, resource, ref, instance } = this.#record;
    return this.#world.strike({ verb, phase, resource, name: ref.name, instance });
  }

  #note(what: string): void {
    const { instance, verb, resource, ref } = this.#record;
    this.#world.trace.note(
      instance,
      `${verb} ${resource}${ref.name === '' ? '' : `/${ref.name}`}: ${what} @${this.#world.server.store.revision}`,
    );
  }
}

function wordOf(answer: Answer<unknown>): string {
  return answer.kind === 'ok' ? 'ok' : answer.error.reason;
}
