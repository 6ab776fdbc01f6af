// The nodes that are due for a visit, what made each due, and the visits under way. Keys, never events: a node that is
// touched a hundred times before its turn is visited once.

import type { Clock } from '../base/clock.ts';
import type { Metrics } from '../base/metrics.ts';
import { ownTriggers, type TriggerSource } from '../fleet/change.ts';
import type { MakeQueue, Priority, WorkOutcome } from './ports.ts';

export interface Visits {
  touch(names: Iterable<string>, trigger: TriggerSource, priority: Priority): void;
  isUnderWay(name: string): boolean;
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
  readonly metrics: Metrics;
  readonly makeQueue: MakeQueue;
  readonly visit: Visit;
  /** Whether a node comes before others that were touched like it. */
  readonly urgencyOf: (name: string, priority: Priority) => Priority;
};

const VISITS_AT_ONCE = 32;

export function createVisits({ clock, metrics, makeQueue, visit, urgencyOf }: VisitsPorts): Visits {
  const counted = countVisits(metrics);
  const triggers = new Map<string, TriggerSource>();
  const startedMs = new Map<string, number>();
  const queue = makeQueue({
    name: 'nodes',
    concurrency: VISITS_AT_ONCE,
    work(name) {
      const trigger = triggers.get(name) ?? ownTriggers.timer;
      triggers.delete(name);
      const sinceMs = clock.monotonicMs();
      startedMs.set(name, sinceMs);
      return counted(visit(name, trigger), () => {
        startedMs.delete(name);
        return clock.monotonicMs() - sinceMs;
      });
    },
  });
  return {
    touch(names, trigger, priority) {
      for (const name of names) {
        triggers.set(name, trigger);
        queue.add(name, urgencyOf(name, priority));
      }
    },
    isUnderWay: (name) => startedMs.has(name),
    isBusy: () => queue.depth().waiting > VISITS_AT_ONCE,
    oldestMs: () => Math.max(0, ...startedMs.values().map((sinceMs) => clock.monotonicMs() - sinceMs)),
    stop: () => queue.stop(),
  };
}

const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Under the names by which people know the visits of a controller of nodes. */
function countVisits(metrics: Metrics) {
  const total = metrics.counter({
    name: 'kube_node_ready_controller_reconciliation_total',
    help: 'Visits of nodes, by whether all that was to be done was done',
    labels: ['result'],
  });
  const durations = metrics.histogram({
    name: 'kube_node_ready_controller_reconciliation_duration_seconds',
    help: 'How long one visit of one node took, its writes included',
    buckets: durationBuckets,
  });
  return async (visiting: Promise<WorkOutcome>, ended: () => number): Promise<WorkOutcome> => {
    let result = 'error';
    try {
      const outcome = await visiting;
      if (outcome.kind === 'done') result = 'success';
      return outcome;
    } finally {
      durations.observe(ended() / 1000);
      total.add({ result });
    }
  };
}
