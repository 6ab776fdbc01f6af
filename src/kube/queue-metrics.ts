// What operators see of a queue. The queue's name is a label, a key never is. Depth and errors also go by the names that every
// controller written in Go has, so that dashboards and alerts made for one go on working.

import type { Counter, Histogram, Metrics } from '../base/metrics.ts';

export type QueueMetrics = {
  readonly worked: Counter;
  readonly duration: Histogram;
  readonly errors: Counter;
};

export type QueueFigures = {
  readonly waiting: number;
  readonly working: number;
  readonly delayed: number;
  readonly longestWaitMs: number;
};

export function queueMetrics(metrics: Metrics, queue: string, figures: () => QueueFigures): QueueMetrics {
  const depth = metrics.gauge({
    name: 'muster_queue_depth',
    help: 'Keys that wait to be taken, are worked on, or wait for a time.',
    labels: ['queue', 'state'],
  });
  const formerDepth = metrics.gauge({
    name: 'workqueue_depth',
    help: 'Keys that wait to be taken, under the name of other controllers.',
    labels: ['name', 'controller'],
  });
  const longestWait = metrics.gauge({
    name: 'muster_queue_longest_wait_seconds',
    help: 'How long the oldest key that could be taken has been waiting.',
    labels: ['queue'],
  });
  metrics.beforeScrape(() => {
    const { longestWaitMs, ...states } = figures();
    for (const [state, count] of Object.entries(states)) depth.set(count, { queue, state });
    formerDepth.set(states.waiting, { name: queue, controller: queue });
    longestWait.set(longestWaitMs / 1000, { queue });
  });
  return {
    worked: metrics.counter({
      name: 'muster_work_total',
      help: 'Keys worked on, by result: done, retry, or threw.',
      labels: ['queue', 'result'],
    }),
    duration: metrics.histogram({
      name: 'muster_work_duration_seconds',
      help: 'How long one key was worked on.',
      labels: ['queue'],
      buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30],
    }),
    errors: metrics.counter({
      name: 'controller_runtime_reconcile_errors_total',
      help: 'Keys whose work failed, under the name of other controllers; what is merely decided anew is none.',
      labels: ['controller'],
    }),
  };
}
