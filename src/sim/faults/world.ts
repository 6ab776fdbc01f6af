// One simulated cluster: the embedded API server, the virtual time, the lives of the operators and the faults that strike them.
// Keeps the record of all that was written and by whom. Knows no operator: whoever runs one is called when a life begins.

import { type ApiServer, createApiServer } from '../../apiserver/api-server.ts';
import { createInProcessKubeApi } from '../../apiserver/kube-api.ts';
import type { SchemaCompiler } from '../../apiserver/schema-port.ts';
import type { StoredChange, StoreSnapshot } from '../../apiserver/store/object-store.ts';
import type { Clock } from '../../base/clock.ts';
import { canonical } from '../../base/hash.ts';
import { seededRandom } from '../../base/random.ts';
import { isRecord, textOf } from '../../objects/raw.ts';
import {
  customResourceDefinitionType,
  leaseType,
  type ObjectRef,
  type ResourceType,
  resourceName,
} from '../../objects/ref.ts';
import { createInstance, type Instance } from './instance.ts';
import { instanceClock } from './instance-clock.ts';
import type { CallRecord, EventRecord, StrikeRecord, WriteRecord } from './records.ts';
import type { FaultAction, FaultPlan } from './rule.ts';
import { type Happening, RuleBook } from './rule-book.ts';
import { Schedule } from './schedule.ts';
import { Trace } from './trace.ts';

export type WorldOptions = {
  readonly seed: number;
  readonly plan: FaultPlan;
  readonly snapshot: StoreSnapshot;
  readonly schemas: SchemaCompiler;
  /** A life begins: start an operator on this instance. */
  readonly boot: (instance: Instance, world: World) => void;
};

export class World {
  readonly schedule: Schedule;
  readonly server: ApiServer;
  readonly api: ReturnType<typeof createInProcessKubeApi>;
  readonly trace: Trace;
  readonly calls: CallRecord[] = [];
  readonly writes: WriteRecord[] = [];
  readonly heard: EventRecord[] = [];
  readonly strikes: StrikeRecord[] = [];
  /** What was thrown where nobody catches: a process of the real world would have ended. */
  readonly bugs: unknown[] = [];
  readonly instances: Instance[] = [];
  /** Calls whose sender still waits, or which are still on their way to the server. */
  readonly flying = new Set<CallRecord>();
  readonly #options: WorldOptions;
  readonly #book: RuleBook;
  readonly #lives = new Map<string, number>();
  readonly #unserved = new Map<string, number>();
  #unservedUntilMs = 0;
  #by = 'server';
  #call: CallRecord | null = null;
  #pendingBoots = 0;
  #leaseHolder = '';

  constructor(options: WorldOptions) {
    this.#options = options;
    this.schedule = new Schedule({ seed: options.seed, onThrow: (cause) => this.bugs.push(cause) });
    this.trace = new Trace(() => this.schedule.nowMs);
    this.server = createApiServer({
      clock: this.#serverClock(),
      random: seededRandom(7),
      schemas: options.schemas,
      snapshot: options.snapshot,
    });
    this.api = createInProcessKubeApi(this.server);
    this.server.store.subscribe((change) => this.#onWrite(change));
    this.#book = new RuleBook(options.plan.rules, (rule, happening) => {
      this.strikes.push({ rule, atMs: this.schedule.nowMs, instance: happening.instance });
      const { verb, resource, name, phase, instance } = happening;
      this.trace.strike(instance, `${JSON.stringify(rule.action)} ${phase} ${verb} ${resource}/${name}`);
    });
  }

  /** A new life of a replica, at once. */
  boot(slot: string): Instance {
    const life = (this.#lives.get(slot) ?? 0) + 1;
    this.#lives.set(slot, life);
    const instance = createInstance(this.schedule, { slot, life, seed: this.#options.seed });
    this.instances.push(instance);
    this.trace.note(instance.actor.name, 'starts');
    this.#options.boot(instance, this);
    return instance;
  }

  /** The process ends as it stands, and the next life of its replica begins after a while: one, however often it is ended. */
  crash(instance: Instance, restartAfterMs: number): void {
    if (instance.actor.state === 'dead') return;
    instance.actor.state = 'dead';
    this.trace.note(instance.actor.name, 'is dead');
    for (const stream of instance.streams) stream.abandon();
    for (const call of this.flying)
      if (call.instance === instance.actor.name && call.result !== null) this.flying.delete(call);
    this.#bootAfter(instance.slot, restartAfterMs);
  }

  living(slot: string): Instance | undefined {
    return this.instances.findLast((each) => each.slot === slot && each.actor.state !== 'dead');
  }

  /** Nothing that was set off is still to come: no process to start or go on, no reply, no event, no resource to return. */
  isWhole(): boolean {
    if (this.#pendingBoots > 0 || this.#unservedUntilMs > this.schedule.nowMs) return false;
    for (const call of this.flying) if (call.resource !== leaseBucket) return false;
    return this.instances.every(
      ({ actor, streams }) =>
        actor.state === 'dead' ||
        (actor.state === 'running' && [...streams].every((stream) => stream.isUpToDate())),
    );
  }

  strike(happening: Happening): readonly FaultAction[] {
    return this.#book.strike(happening);
  }

  /** What a fault does beside the call or event that it struck; answers for how long that one is held. */
  afflict(instance: Instance, action: FaultAction, at: { readonly resource: string }): number {
    switch (action.kind) {
      case 'crash':
        this.crash(instance, action.restartAfterMs);
        return 0;
      case 'pause':
        this.#pause(instance, action.ms);
        return action.ms;
      case 'delay':
        return action.ms;
      case 'clock':
        instance.clock.step(action.byMs);
        return 0;
      case 'skew':
        instance.clock.skew(action.byMs);
        return 0;
      case 'rate':
        instance.clock.runAt(action.percent);
        return 0;
      case 'lag':
        instance.lag = action;
        return 0;
      case 'unserved':
        this.#withdraw(at.resource.split('/')[0] ?? '', action.ms);
        return 0;
      default:
        this.bugs.push(new Error(`${action.kind} does nothing here`));
        return 0;
    }
  }

  isUnserved(type: ResourceType): boolean {
    const untilMs = this.#unserved.get(resourceName(type)) ?? 0;
    return untilMs > this.schedule.nowMs || this.server.registry.find(type) === undefined;
  }

  /** Somebody writes the object and takes it back: its resourceVersion is another, and nothing else. */
  touch({ type, namespace, name }: ObjectRef): void {
    const definition = this.server.registry.find(type);
    if (definition === undefined) return;
    const target = { definition, namespace, name };
    this.as('stranger', () => {
      for (const value of ['1', null]) {
        const body = { metadata: { annotations: { touched: value } } };
        const options = { isDryRun: false, fieldValidation: 'Ignore' } as const;
        this.server.resources.patch(target, { patch: { kind: 'merge', body }, options, part: 'main' });
      }
    });
  }

  /** Whatever is written while this runs was written by them. */
  as(by: string, run: () => void): void {
    const [before, call] = [this.#by, this.#call];
    [this.#by, this.#call] = [by, null];
    run();
    [this.#by, this.#call] = [before, call];
  }

  /** The same for a call of an instance, whose write comes before anything else can happen. */
  async during<T>(call: CallRecord, run: () => Promise<T>): Promise<T> {
    [this.#by, this.#call] = [call.instance, call];
    try {
      return await run();
    } finally {
      [this.#by, this.#call] = ['server', null];
    }
  }

  leaseHolder(): string {
    return this.#leaseHolder;
  }

  #bootAfter(slot: string, ms: number): void {
    this.#pendingBoots++;
    this.schedule.after(ms, () => {
      this.#pendingBoots--;
      this.boot(slot);
    });
  }

  #pause(instance: Instance, ms: number): void {
    if (instance.actor.state !== 'running') return;
    instance.actor.state = 'paused';
    this.schedule.after(ms, () => {
      this.trace.note(instance.actor.name, 'goes on');
      this.schedule.resume(instance.actor);
    });
  }

  #withdraw(resource: string, ms: number): void {
    this.#unservedUntilMs = this.schedule.nowMs + ms;
    this.#unserved.set(resource, this.#unservedUntilMs);
    this.#endWatches(resource);
  }

  #endWatches(resource: string): void {
    for (const { streams } of this.instances) {
      for (const stream of streams) if (stream.resource === resource) stream.end(null);
    }
  }

  #onWrite({ revision, bucket, key, before, after }: StoredChange): void {
    const call = this.#call;
    const atMs = this.schedule.nowMs;
    this.writes.push({ revision, atMs, by: this.#by, call, resource: bucket, key, before, after });
    if (bucket === leaseBucket) {
      const spec = isRecord(after?.spec) ? after.spec : {};
      this.#leaseHolder = textOf(spec['holderIdentity']);
    }
    // An API server that serves a kind by another definition from now on ends all watches of it.
    if (bucket === definitionBucket && canonical(before?.spec) !== canonical(after?.spec))
      this.schedule.after(this.schedule.legMs('event'), () => this.#endWatches(key));
    if (call === null)
      this.trace.note(this.#by, `${after === null ? 'deletes' : 'writes'} ${bucket}/${key} @${revision}`);
  }

  #serverClock(): Clock {
    const clock = instanceClock(this.schedule, null);
    const lateMs = (delayMs: number) => (delayMs > 0 ? delayMs : this.schedule.legMs('controller'));
    return { ...clock, after: (delayMs, run) => clock.after(lateMs(delayMs), () => this.as('server', run)) };
  }
}

const leaseBucket = resourceName(leaseType);
const definitionBucket = resourceName(customResourceDefinitionType);
