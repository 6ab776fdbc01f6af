// Virtual time and the order of everything: replies, events and timers are completions that wait here, and one of them happens
// at a time. The next one waits until all that the last one set off has come to rest. Never looks at the real clock.

import { type Cancel, systemClock } from '../../base/clock.ts';
import { type Random, seededRandom } from '../../base/random.ts';
import { CompletionHeap } from './completion-heap.ts';

/** Who a completion belongs to: what is paused keeps its completions for later, what is dead never hears of them. */
export type Actor = { readonly name: string; state: 'running' | 'paused' | 'dead' };

export type Completion = {
  readonly dueMs: number;
  /** Among those that are due at once: in the order of asking when calm, in any order otherwise. */
  readonly order: number;
  readonly actor: Actor | null;
  readonly run: () => void;
  isCancelled: boolean;
};

export type ScheduleOptions = {
  /** 0: calm, everything takes the same short time. Any other seed is one order of events among many. */
  readonly seed: number;
  /** Something that happened threw: nobody else will catch it. */
  readonly onThrow: (cause: unknown) => void;
};

/** A wait of the world: how long a request, a reply or an event is under way, and how late the server's controllers are. */
export type Leg = 'request' | 'reply' | 'event' | 'controller';

const calmMs: Readonly<Record<Leg, number>> = { request: 2, reply: 2, event: 1, controller: 300 };

export class Schedule {
  readonly #heap = new CompletionHeap();
  readonly #parked = new Map<Actor, Completion[]>();
  readonly #random: Random;
  readonly #options: ScheduleOptions;
  #nowMs = 0;
  #sequence = 0;
  #steps = 0;

  constructor(options: ScheduleOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed);
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  get steps(): number {
    return this.#steps;
  }

  get nextDueMs(): number {
    return this.#heap.first()?.dueMs ?? Infinity;
  }

  after(delayMs: number, run: () => void, actor: Actor | null = null): Cancel {
    const order = this.#isCalm() ? this.#sequence++ : this.#random.next();
    const dueMs = this.#nowMs + Math.max(0, delayMs);
    const completion: Completion = { dueMs, order, actor, run, isCancelled: false };
    this.#heap.push(completion);
    return () => void (completion.isCancelled = true);
  }

  /** Mostly some milliseconds, now and then long enough for others to come first. */
  legMs(leg: Leg): number {
    if (this.#isCalm()) return calmMs[leg];
    const share = this.#random.next();
    if (leg === 'controller') return share * 3_000;
    if (share < 0.8) return 1 + share * 10;
    return share < 0.97 ? 20 + this.#random.next() * 200 : this.#random.next() * 2_000;
  }

  /** Lets the next completion happen and all that follows from it; false when nothing waits. */
  async step(): Promise<boolean> {
    const next = this.#heap.pop();
    if (next === undefined) return false;
    this.#nowMs = Math.max(this.#nowMs, next.dueMs);
    if (next.actor?.state === 'dead') return true;
    if (next.actor?.state === 'paused') {
      this.#park(next.actor, next);
      return true;
    }
    this.#steps++;
    try {
      next.run();
    } catch (cause) {
      this.#options.onThrow(cause);
    }
    // A turn of the real loop begins when no promise is left that could go on: only then is the world at rest.
    await systemClock.nextTurn();
    return true;
  }

  /** What came while it was paused happens now, in its order. */
  resume(actor: Actor): void {
    if (actor.state !== 'paused') return;
    actor.state = 'running';
    const parked = this.#parked.get(actor) ?? [];
    this.#parked.delete(actor);
    for (const completion of parked) {
      if (!completion.isCancelled) this.#heap.push(completion);
    }
  }

  #park(actor: Actor, completion: Completion): void {
    const parked = this.#parked.get(actor) ?? [];
    parked.push(completion);
    this.#parked.set(actor, parked);
  }

  #isCalm(): boolean {
    return this.#options.seed === 0;
  }
}
