// The reporters' loop: status objects computed whole from the store, written by act when they differ from what the server
// last said. At once after a quiet time, then at most once per period; new changes never put a report off.

import type { Clock } from '../base/clock.ts';
import type { DownstreamController } from '../fleet/downstream.ts';
import type { NodeStateStore } from '../fleet/store.ts';
import { mergePatch } from '../objects/patch.ts';
import { keyOf } from '../objects/ref.ts';
import type { Act } from './act.ts';
import type { Reporter } from './capability.ts';
import type { MakeQueue, Sources, WorkOutcome, WorkQueue } from './ports.ts';

export type ReporterPorts = {
  readonly clock: Clock;
  readonly sources: Sources;
  readonly store: NodeStateStore;
  readonly makeQueue: MakeQueue;
  readonly act: Act;
};

/** A reporter's downstream side, its queue, and the moment from which it may speak. */
export type RunningReporter = DownstreamController & { open(): void; stop(): Promise<void> };

const WRITES_AT_ONCE = 4;

export function runReporter(reporter: Reporter, ports: ReporterPorts): RunningReporter {
  const { clock, sources, makeQueue } = ports;
  const reportedAtMs = new Map<string, number>();
  const waiting = new Set<string>();
  let isOpen = false;

  const queue: WorkQueue = makeQueue({
    name: reporter.name,
    concurrency: WRITES_AT_ONCE,
    work: (key) => {
      reportedAtMs.set(key, clock.monotonicMs());
      return report(reporter, key, ports);
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
  return {
    name: reporter.name,
    type: reporter.type,
    ...(reporter.filter === undefined ? {} : { filter: reporter.filter }),
    keysOf: (change) => reporter.keysOf(change),
    enqueue,
    open() {
      isOpen = true;
      for (const key of waiting) enqueue(key);
      waiting.clear();
    },
    stop() {
      unsubscribe();
      return queue.stop();
    },
  };
}

async function report(
  reporter: Reporter,
  key: string,
  { clock, sources, store, act }: ReporterPorts,
): Promise<WorkOutcome> {
  const target = reporter.target(sources, key);
  if (target === null) return { kind: 'done', recheckInMs: null };
  const status = reporter.report({ store, caches: sources }, key, clock.now());
  const patch = mergePatch(target.status, status);
  if (patch === undefined) return { kind: 'done', recheckInMs: null };
  const outcome = await act({ kind: 'WriteStatus', target, patch, cause: reporter.name });
  switch (outcome.kind) {
    case 'done':
      sources.ownWrites(reporter.watch).observe(outcome.object);
      return { kind: 'done', recheckInMs: null };
    case 'notLeading':
      return { kind: 'done', recheckInMs: null };
    case 'conflict':
      return { kind: 'retry', soon: false, afterMs: null };
    case 'rejected':
    case 'unknown':
    case 'failed':
      return { kind: 'retry', soon: false, afterMs: outcome.failure.retryAfterMs };
  }
}
