// The nodes that are due for a visit, what made each due, and the visits under way. Keys, never events: a node that is
// touched a hundred times before its turn is visited once.

import type { Clock } from '../base/clock.ts';
import { ownTriggers, type TriggerSource } from '../fleet/change.ts';
import type { MakeQueue, Priority, WorkOutcome } from './ports.ts';

export interface Visits {
  touch(names: Iterable<string>, trigger: TriggerSource, priority: Priority): void;
  /** More are due than can be visited at once. */
  isBusy(): boolean;
  /** How long the longest visit under way has lasted; 0 when there is none. */
  oldestMs(): number;
  /** Finishes the visits under way and takes no more. */
  stop(): Promise<void>;
}

export type Visit = (name: string, trigger: TriggerSource) => Promise<WorkOutcome>;

export type VisitsPorts = {
  readonly clock: Clock;
  readonly makeQueue: MakeQueue;
  readonly visit: Visit;
};

const VISITS_AT_ONCE = 32;

export function createVisits({ clock, makeQueue, visit }: VisitsPorts): Visits {
  const triggers = new Map<string, TriggerSource>();
  const startedMs = new Map<string, number>();
  const queue = makeQueue({
    name: 'nodes',
    concurrency: VISITS_AT_ONCE,
    work(name) {
      const trigger = triggers.get(name) ?? ownTriggers.timer;
      triggers.delete(name);
      startedMs.set(name, clock.monotonicMs());
      return visit(name, trigger).finally(() => startedMs.delete(name));
    },
  });
  return {
    touch(names, trigger, priority) {
      for (const name of names) {
        triggers.set(name, trigger);
        queue.add(name, priority);
      }
    },
    isBusy: () => queue.depth().waiting > VISITS_AT_ONCE,
    oldestMs: () => Math.max(0, ...startedMs.values().map((sinceMs) => clock.monotonicMs() - sinceMs)),
    stop: () => queue.stop(),
  };
}
