// One watch of one instance: events come in order, each after its own time, and can be hidden, doubled, held back or cut off on
// the way. What the server sent and the instance has not heard waits here.

import type { WatchEvent, WatchListener } from '../../apiserver/kube-stream.ts';
import type { CallFailure } from '../../apiserver/port-failure.ts';
import type { Cancel } from '../../base/clock.ts';
import { type ResourceType, resourceName } from '../../objects/ref.ts';
import { expired, refused, unreachable, unserved } from './failures.ts';
import type { Instance } from './instance.ts';
import { pastOf } from './past.ts';
import type { FaultAction, Phase } from './rule.ts';
import {
  type Item,
  nameOf,
  type ObjectEvent,
  revisionOf,
  startWords,
  watchCall,
  type WatchStart,
} from './stream-item.ts';
import type { World } from './world.ts';

export type StreamRequest = {
  readonly world: World;
  readonly instance: Instance;
  readonly selection: {
    readonly type: ResourceType;
    readonly namespace?: string;
    readonly labelSelector?: string;
    readonly fieldSelector?: string;
  };
  readonly start: WatchStart;
  readonly listener: WatchListener;
};

/** How long an API server that is behind stays so. */
const BEHIND_MS = 3_000;

export class SimulatedStream {
  readonly #request: StreamRequest;
  readonly #resource: string;
  readonly #queue: Item[] = [];
  readonly #hidden = new Map<string, ObjectEvent>();
  #isPumping = false;
  #isOver = false;
  #isSilent = false;
  #behindUntilMs = 0;
  #closeServer: Cancel = () => {};

  constructor(request: StreamRequest) {
    this.#request = request;
    this.#resource = resourceName(request.selection.type);
  }

  get resource(): string {
    return this.#resource;
  }

  /** Every object that the server sent was heard of, and those to come will be. */
  isUpToDate(): boolean {
    return (
      !this.#isSilent &&
      this.#hidden.size === 0 &&
      !this.#queue.some((item) => item.kind === 'event' && item.event.kind === 'object')
    );
  }

  open(): void {
    const { world, instance } = this.#request;
    if (instance.actor.state === 'dead') return;
    instance.streams.add(this);
    world.calls.push(watchCall(this.#request));
    world.schedule.after(world.schedule.legMs('request'), () => this.#arrive(), instance.actor);
  }

  /** By who watches. */
  close(): void {
    if (this.#isOver) return;
    this.#leave();
    this.#request.listener.ended(null);
  }

  /** By the world: what was hidden comes out first, for no server loses an event. */
  end(failure: CallFailure | null): void {
    if (this.#isOver) return;
    for (const event of this.#hidden.values()) this.#hear(event);
    this.#hidden.clear();
    if (this.#isOver) return;
    this.#leave();
    this.#request.world.trace.note(this.#who, `watch ${this.#resource} ends: ${failure?.reason ?? 'closed'}`);
    this.#request.listener.ended(failure);
  }

  /** Its instance is dead: nobody is told anything. */
  abandon(): void {
    if (!this.#isOver) this.#leave();
  }

  #leave(): void {
    this.#isOver = true;
    this.#request.instance.streams.delete(this);
    this.#closeServer();
  }

  get #who(): string {
    return this.#request.instance.actor.name;
  }

  #arrive(): void {
    const { world, instance, start } = this.#request;
    if (this.#isOver) return;
    let heldMs = 0;
    let back = 0;
    let instead: CallFailure | null = null;
    for (const action of this.#strike('watch', 'beforeForward', '')) {
      if (action.kind === 'status') instead = refused(action, { isWrite: false, isCreate: false });
      else if (action.kind === 'reset') instead = unreachable(false);
      else if (action.kind === 'serveAt') back = action.revisionsBack;
      else heldMs += world.afflict(instance, action, { resource: this.#resource });
    }
    if (instance.actor.state === 'dead') return;
    if (world.isUnserved(this.#request.selection.type)) instead = unserved(false);
    const expiry = this.#expiry();
    if (expiry === 'status') instead = expired();
    world.trace.note(
      this.#who,
      `watch ${this.#resource} ${startWords(start)}${instead ? `: ${instead.reason}` : ''}`,
    );
    const begin = () => {
      if (instead !== null) this.#push({ kind: 'ended', failure: instead });
      else if (expiry === 'event') this.#sendExpiry();
      else this.#begin(back);
    };
    if (heldMs === 0) begin();
    else world.schedule.after(heldMs, begin, instance.actor);
  }

  #expiry(): 'status' | 'event' | null {
    const { instance, start } = this.#request;
    const known = instance.expired.get(this.#resource);
    if (known === undefined || start.kind !== 'after') return null;
    return Number(start.resourceVersion) <= known.upTo ? known.form : null;
  }

  /** As the real server does it: 200, then the refusal as an event. */
  #sendExpiry(): void {
    this.#push({ kind: 'opened' });
    this.#send({ kind: 'error', failure: expired() });
    this.#push({ kind: 'ended', failure: null });
  }

  #begin(back: number): void {
    const { world, instance, selection, start } = this.#request;
    if (this.#isOver) return;
    // What is brought anew can be gone on from, whatever was thrown away before.
    if (start.kind === 'initialEvents') instance.expired.delete(this.#resource);
    const past = back > 0 && start.kind === 'initialEvents' ? pastOf(world.server, selection, back) : null;
    if (past !== null) {
      this.#push({ kind: 'opened' });
      for (const object of past.items) this.#send({ kind: 'object', change: 'ADDED', object });
      this.#send({ kind: 'bookmark', resourceVersion: String(past.revision), endsInitialEvents: true });
      this.#behindUntilMs = world.schedule.nowMs + BEHIND_MS;
    }
    const from: WatchStart =
      past === null ? start : { kind: 'after', resourceVersion: String(past.revision) };
    this.#closeServer = world.api.watch(selection, from, {
      opened: () => past ?? this.#push({ kind: 'opened' }),
      event: (event) => this.#send(event),
      ended: (failure) => this.#push({ kind: 'ended', failure }),
    });
  }

  #send(event: WatchEvent): void {
    const sinceMs = this.#request.world.schedule.nowMs;
    this.#push({ kind: 'event', event, sinceMs, notBeforeMs: this.#behindUntilMs });
  }

  #push(item: Item): void {
    if (this.#isOver) return;
    this.#queue.push(item);
    this.pump();
  }

  /** Sends the next item on its way, unless it has to wait for the lag that afflicts the instance. */
  pump(): void {
    const { world, instance } = this.#request;
    const next = this.#queue[0];
    if (this.#isPumping || this.#isOver || this.#isSilent || next === undefined) return;
    this.#isPumping = true;
    const waitMs = next.kind === 'event' ? this.#lagMs(next) : 0;
    if (waitMs > 0) {
      const again = () => {
        this.#isPumping = false;
        this.pump();
      };
      world.schedule.after(Math.min(waitMs, LAG_LOOK_MS), again, instance.actor);
      return;
    }
    const deliver = () => {
      this.#isPumping = false;
      if (this.#isOver) return;
      this.#queue.shift();
      this.#deliver(next);
      this.pump();
    };
    world.schedule.after(world.schedule.legMs('event'), deliver, instance.actor);
  }

  #lagMs({ event, sinceMs, notBeforeMs }: Extract<Item, { kind: 'event' }>): number {
    const { world, instance } = this.#request;
    const { nowMs } = world.schedule;
    if (notBeforeMs > nowMs) return notBeforeMs - nowMs;
    const { lag } = instance;
    if (lag === null) return 0;
    const isFar = world.server.store.revision - revisionOf(event) >= lag.revisions;
    return isFar ? 0 : Math.max(0, sinceMs + lag.msMax - nowMs);
  }

  #deliver(item: Item): void {
    const { listener } = this.#request;
    if (item.kind === 'opened') return listener.opened();
    if (item.kind === 'ended') return this.end(item.failure);
    const { event } = item;
    if (event.kind === 'object') return this.#deliverObject(event);
    for (const hidden of this.#hidden.values()) this.#hear(hidden);
    this.#hidden.clear();
    listener.event(event);
  }

  #deliverObject(event: ObjectEvent): void {
    const { world, instance } = this.#request;
    const key = nameOf(event);
    let times = 1;
    for (const action of this.#strike('event', 'beforeForward', key)) {
      if (action.kind === 'hide') return this.#hide(key, event, action.msMax);
      if (action.kind === 'duplicate') times = 2;
      else world.afflict(instance, action, { resource: this.#resource });
    }
    if (instance.actor.state === 'dead') return;
    this.#hidden.delete(key);
    for (let time = 0; time < times; time++) this.#hear(event);
    for (const action of this.#strike('event', 'afterReply', key)) this.#onHeard(action);
  }

  #onHeard(action: FaultAction): void {
    const { world, instance } = this.#request;
    if (action.kind === 'silence') return void (this.#isSilent = true);
    if (action.kind !== 'cut') return void world.afflict(instance, action, { resource: this.#resource });
    const upTo = world.server.store.revision;
    if (action.ending === 'expiredStatus') instance.expired.set(this.#resource, { upTo, form: 'status' });
    if (action.ending === 'expiredEvent') instance.expired.set(this.#resource, { upTo, form: 'event' });
    this.end(action.ending === 'closed' ? null : unreachable(false));
  }

  #hide(key: string, event: ObjectEvent, msMax: number): void {
    const { world, instance } = this.#request;
    this.#hidden.set(key, event);
    const show = () => {
      if (this.#isOver || this.#hidden.get(key) !== event) return;
      this.#hidden.delete(key);
      this.#hear(event);
    };
    world.schedule.after(msMax, show, instance.actor);
  }

  #hear(event: ObjectEvent): void {
    const { world, listener } = this.#request;
    if (this.#isOver) return;
    const { change } = event;
    const name = nameOf(event);
    world.trace.note(this.#who, `hears ${change} ${this.#resource}/${name} @${revisionOf(event)}`);
    world.heard.push({
      instance: this.#who,
      resource: this.#resource,
      name,
      change,
      revision: revisionOf(event),
      atMs: world.schedule.nowMs,
    });
    listener.event(event);
  }

  #strike(verb: 'watch' | 'event', phase: Phase, name: string): readonly FaultAction[] {
    return this.#request.world.strike({ verb, phase, resource: this.#resource, name, instance: this.#who });
  }
}

/** A lag is looked at again this often: the server may have moved on. */
const LAG_LOOK_MS = 500;
