// The reporters' loop: status objects computed whole from the store, written by act when they differ from what the server
// last said. At once after a quiet time, then at most once per period; new changes never put a report off.

import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { DownstreamController } from '../fleet/downstream.ts';
import type { NodeStateStore } from '../fleet/store.ts';
import { mergePatch } from '../objects/patch.ts';
import { keyOf } from '../objects/ref.ts';
import type { Act, Action } from './act.ts';
import type { Reporter } from './capability.ts';
import type { MakeQueue, Sources, WorkOutcome } from './ports.ts';

export type ReporterPorts = {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly sources: Sources;
  readonly store: NodeStateStore;
  readonly makeQueue: MakeQueue;
  readonly act: Act;
};

/** A reporter's downstream side, its queue, and the moment from which it may speak. */
export type RunningReporter = DownstreamController & {
  open(): void;
  /** Looks at every object again: what a standby computed was never written, and nobody will mention it again. */
  refresh(): void;
  stop(): Promise<void>;
};

const WRITES_AT_ONCE = 4;

export function runReporter(reporter: Reporter, ports: ReporterPorts): RunningReporter {
  const { clock, sources } = ports;
  const reportedAtMs = new Map<string, number>();
  const waiting = new Set<string>();
  let isOpen = false;

  const contained = containment(reporter, ports);
  const queue = ports.makeQueue({
    name: reporter.name,
    concurrency: WRITES_AT_ONCE,
    async work(key) {
      reportedAtMs.set(key, clock.monotonicMs());
      const finding = contained<Finding>({ kind: 'equal' }, () => look(reporter, key, ports));
      if (finding.kind === 'gone') reportedAtMs.delete(key);
      return finding.kind === 'differs' ? write(reporter, finding.action, ports) : done;
    },
  });
  const enqueue = (key: string) => {
    if (!isOpen) return void waiting.add(key);
    const dueInMs = (reportedAtMs.get(key) ?? -Infinity) + reporter.periodMs - clock.monotonicMs();
    if (dueInMs > 0) return queue.addAfter(key, dueInMs);
    queue.add(key);
  };
  const unsubscribe = sources.subscribe(reporter.watch, (change) => {
    if (change.kind === 'deleted') reportedAtMs.delete(keyOf(change.before));
    else enqueue(keyOf(change.now));
  });
  const { filter } = reporter;
  return {
    name: reporter.name,
    type: reporter.type,
    ...(filter === undefined ? {} : { filter: (state) => contained(true, () => filter(state)) }),
    keysOf: (change) => contained([], () => reporter.keysOf(change)),
    enqueue,
    open() {
      isOpen = true;
      for (const key of waiting) enqueue(key);
      waiting.clear();
    },
    refresh() {
      for (const key of sources.of(reporter.watch).keys()) enqueue(key);
    },
    stop() {
      unsubscribe();
      return queue.stop();
    },
  };
}

const done: WorkOutcome = { kind: 'done', recheckInMs: null };

type Contained = <T>(otherwise: T, run: () => T) => T;

/** A reporter that throws harms its own objects alone: neither the node that it was told of nor the other reporters. */
function containment({ name }: Reporter, { log, metrics }: ReporterPorts): Contained {
  const failures = metrics.counter({
    name: 'muster_reporter_failures_total',
    help: 'Throws inside a reporter',
    labels: ['reporter'],
  });
  return (otherwise, run) => {
    try {
      return run();
    } catch (thrown) {
      failures.add({ reporter: name });
      const error = thrown instanceof Error ? thrown.stack : String(thrown);
      log.error('reporter failed; its status stays as it is', { reporter: name, error });
      return otherwise;
    }
  };
}

type Finding =
  | { readonly kind: 'gone' }
  | { readonly kind: 'equal' }
  | { readonly kind: 'differs'; readonly action: Action };

function look(reporter: Reporter, key: string, { clock, sources, store }: ReporterPorts): Finding {
  const target = reporter.target(sources, key);
  if (target === null) return { kind: 'gone' };
  const status = reporter.report({ store, caches: sources }, key, clock.now());
  const patch = mergePatch(target.status, status);
  if (patch === undefined) return { kind: 'equal' };
  return { kind: 'differs', action: { kind: 'WriteStatus', target, patch, cause: reporter.name } };
}

async function write(
  reporter: Reporter,
  action: Action,
  { act, sources }: ReporterPorts,
): Promise<WorkOutcome> {
  const outcome = await act(action);
  switch (outcome.kind) {
    case 'done':
      sources.ownWrites(reporter.watch).observe(outcome.object);
      return done;
    case 'notLeading':
      return done;
    case 'conflict':
      return { kind: 'retry', soon: false, afterMs: null };
    case 'rejected':
    case 'unknown':
    case 'failed':
      return { kind: 'retry', soon: false, afterMs: outcome.failure.retryAfterMs };
  }
}
