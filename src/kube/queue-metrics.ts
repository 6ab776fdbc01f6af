// What operators see of a queue. The queue's name is a label, a key never is. The same is shown under the names that every
// controller written in Go has, so that dashboards and alerts made for one go on working.

import type { Counter, Histogram, Labels, Metrics } from '../base/metrics.ts';

export type QueueMetrics = {
  readonly waited: Pick<Histogram, 'observe'>;
  readonly worked: Pick<Counter, 'add'>;
  readonly rechecks: Pick<Counter, 'add'>;
  readonly duration: Pick<Histogram, 'observe'>;
  readonly errors: Pick<Counter, 'add'>;
};

export type QueueFigures = {
  readonly waiting: number;
  readonly working: number;
  readonly delayed: number;
  readonly longestWaitMs: number;
};

export function queueMetrics(metrics: Metrics, queue: string, figures: () => QueueFigures): QueueMetrics {
  const ended: Ended = { done: 0, rechecked: 0, undone: 0, failed: 0 };
  const names = namesAsInGo(queue);
  const showOwn = ownFigures(metrics, queue);
  const showAsInGo = figuresAsInGo(metrics, names);
  metrics.beforeScrape(() => {
    const now = figures();
    showOwn(now);
    showAsInGo(now, ended);
  });
  const worked = metrics.counter({
    name: 'muster_work_total',
    help: 'Keys worked on, by result: done, retry, or threw.',
    labels: ['queue', 'result'],
  });
  return {
    waited: waits(metrics, names),
    rechecks: { add: () => void ended.rechecked++ },
    worked: {
      add(labels) {
        worked.add(labels);
        ended[labels?.['result'] === 'done' ? 'done' : 'undone']++;
      },
    },
    errors: { add: () => void ended.failed++ },
    duration: durations(metrics, queue, names),
  };
}

/** Keys that were worked on. Only added up here and brought to the counters at a scrape: a key costs no more than that. */
type Ended = {
  done: number;
  /** Of these, the ones that are to be looked at again after a time. */
  rechecked: number;
  /** To be worked on again, whatever the cause. */
  undone: number;
  /** Of these, the ones that failed: others are decided anew on fresh data. */
  failed: number;
};

/** What kubernetes-sigs' controller calls its two controllers, where a queue of ours does the same. */
const controllersOfOthers: Readonly<Record<string, string>> = {
  nodes: 'node',
  'readiness-status-NodeReadinessRule': 'nodereadiness-controller',
};

type Names = { readonly controller: Labels; readonly queue: Labels };

function namesAsInGo(queue: string): Names {
  const controller = controllersOfOthers[queue] ?? queue;
  return { controller: { controller }, queue: { name: controller, controller } };
}

function ownFigures(metrics: Metrics, queue: string): (figures: QueueFigures) => void {
  const depth = metrics.gauge({
    name: 'muster_queue_depth',
    help: 'Keys that wait to be taken, are worked on, or wait for a time.',
    labels: ['queue', 'state'],
  });
  const longestWait = metrics.gauge({
    name: 'muster_queue_longest_wait_seconds',
    help: 'How long the oldest key that could be taken has been waiting.',
    labels: ['queue'],
  });
  return ({ longestWaitMs, ...states }) => {
    for (const [state, count] of Object.entries(states)) depth.set(count, { queue, state });
    longestWait.set(longestWaitMs / 1000, { queue });
  };
}

function figuresAsInGo(metrics: Metrics, names: Names): (figures: QueueFigures, ended: Ended) => void {
  const depth = metrics.gauge({
    name: 'workqueue_depth',
    help: 'Keys that wait to be taken, under the name of other controllers.',
    labels: ['name', 'controller'],
  });
  const { adds, retries, reconciles, errors } = countersAsInGo(metrics);
  const ofResult = (result: string) => upTo(reconciles, { ...names.controller, result });
  const show = {
    adds: upTo(adds, names.queue),
    retries: upTo(retries, names.queue),
    errors: upTo(errors, names.controller),
    success: ofResult('success'),
    error: ofResult('error'),
    requeue: ofResult('requeue'),
    requeueAfter: ofResult('requeue_after'),
  };
  return ({ waiting, working }, { done, rechecked, undone, failed }) => {
    depth.set(waiting, names.queue);
    // No key leaves the queue but by being worked on.
    show.adds(waiting + working + done + undone);
    show.retries(undone + rechecked);
    show.errors(failed);
    show.success(done - rechecked);
    show.error(failed);
    show.requeue(undone - failed);
    show.requeueAfter(rechecked);
  };
}

/** Brings one series of a counter to a total that is kept elsewhere. */
function upTo(counter: Counter, labels: Labels): (total: number) => void {
  let shown = 0;
  return (total) => {
    counter.add(labels, total - shown);
    shown = total;
  };
}

function countersAsInGo(metrics: Metrics) {
  return {
    adds: metrics.counter({
      name: 'workqueue_adds_total',
      help: 'Keys that came to wait, under the name of other controllers.',
      labels: ['name', 'controller'],
    }),
    retries: metrics.counter({
      name: 'workqueue_retries_total',
      help: 'Keys that come back without a change of anything, under the name of other controllers.',
      labels: ['name', 'controller'],
    }),
    reconciles: metrics.counter({
      name: 'controller_runtime_reconcile_total',
      help: 'Keys worked on, by result, under the name of other controllers.',
      labels: ['controller', 'result'],
    }),
    errors: metrics.counter({
      name: 'controller_runtime_reconcile_errors_total',
      help: 'Keys whose work failed, under the name of other controllers; what is merely decided anew is none.',
      labels: ['controller'],
    }),
  };
}

const durationBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30];

function waits(metrics: Metrics, { queue }: Names): Pick<Histogram, 'observe'> {
  const waited = metrics.histogram({
    name: 'workqueue_queue_duration_seconds',
    help: 'How long a key waited to be taken, under the name of other controllers.',
    labels: ['name', 'controller'],
    buckets: [...durationBuckets, 60, 300],
  });
  return { observe: (seconds) => waited.observe(seconds, queue) };
}

/** One duration under all of its names. The labels are made once, not for each key. */
function durations(metrics: Metrics, queue: string, names: Names): Pick<Histogram, 'observe'> {
  const own = metrics.histogram({
    name: 'muster_work_duration_seconds',
    help: 'How long one key was worked on.',
    labels: ['queue'],
    buckets: durationBuckets,
  });
  const work = metrics.histogram({
    name: 'workqueue_work_duration_seconds',
    help: 'How long one key was worked on, under the name of other controllers.',
    labels: ['name', 'controller'],
    buckets: durationBuckets,
  });
  const reconcile = metrics.histogram({
    name: 'controller_runtime_reconcile_time_seconds',
    help: 'How long one key was worked on, under another name of other controllers.',
    labels: ['controller'],
    buckets: durationBuckets,
  });
  const labels = { queue };
  return {
    observe(seconds) {
      own.observe(seconds, labels);
      work.observe(seconds, names.queue);
      reconcile.observe(seconds, names.controller);
    },
  };
}
