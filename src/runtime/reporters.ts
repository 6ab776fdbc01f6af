// The reporters' loop: objects computed whole from the store, written by act when they differ from what the server last said.
// At once after a quiet time, then at most once per period; new changes never put a report off.

import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { StateChangeEvent } from '../fleet/change.ts';
import type { DownstreamController } from '../fleet/downstream.ts';
import type { NodeState } from '../fleet/node-state.ts';
import type { NodeStateStore } from '../fleet/store.ts';
import { mergePatch } from '../objects/patch.ts';
import type { ObjectView } from '../objects/raw.ts';
import { keyOf } from '../objects/ref.ts';
import type { Act } from './act.ts';
import type { Answers } from './asked.ts';
import type { ObjectWrite, Reporter, ReportView } from './capability.ts';
import { createDue } from './due.ts';
import { createFeed } from './feed.ts';
import { createPace, type Pace } from './pace.ts';
import type {
  CacheChange,
  EventRecorder,
  MakeQueue,
  ObjectEvent,
  Priority,
  Sources,
  WorkOutcome,
} from './ports.ts';
import { createPruned, type Pruned } from './pruned-status.ts';
import { watchAlso } from './reporter-causes.ts';
import { createYielding, isPatient, type YieldingPorts } from './yielding.ts';

export type ReporterPorts = YieldingPorts & {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly sources: Sources;
  readonly store: NodeStateStore;
  readonly makeQueue: MakeQueue;
  readonly events: EventRecorder;
  readonly act: Act;
  readonly answers: Answers;
};

/** A reporter's downstream side, its queue, and the moment from which it may speak. */
export type RunningReporter = DownstreamController & {
  open(): void;
  /** Looks at every object again: what a standby computed was never written, and nobody will mention it again. */
  refresh(): void;
  stop(): Promise<void>;
};

/** Enough to keep a core of an API server busy, and so few that a patch of a node hardly waits behind them. */
const WRITES_AT_ONCE = 4;
/** How long nothing is written of a kind that nobody serves: its watch asks about as often whether it is back. */
const UNSERVED_MS = 30_000;
/** A birth takes up to three writes, and the first change of what is told may follow at once. */
const WRITES_IN_A_ROW = 4;
/** While so many wait, a look at everything adds none. */
const WAITING_MAX = 1_000;
/** Objects of our own that somebody waits for. */
const URGENT_WRITES_AT_ONCE = 16;

export function runReporter(reporter: Reporter, ports: ReporterPorts): RunningReporter {
  const { clock, sources, store, answers } = ports;
  const view: ReportView = { store, caches: sources, answers };
  const due = createDue(clock, reporter.periodMs);
  let isOpen = false;
  const priorityOf = (key: string) =>
    reporter.kind === 'object' ? reporter.priorityOf?.(key, view) : undefined;
  const stopping = new AbortController();
  const inTurn = createYielding(reporter, ports);
  const contained = containment(reporter, ports);
  const pruned = createPruned(reporter.name, ports.log);
  const pace = createPace(clock, WRITES_IN_A_ROW);
  const parts = { ...ports, pruned, rest: createRest(reporter, ports), pace };
  const queue = ports.makeQueue({
    name: reporter.name,
    concurrency: reporter.kind === 'object' && !isPatient(reporter) ? URGENT_WRITES_AT_ONCE : WRITES_AT_ONCE,
    async work(key) {
      intake.more();
      return inTurn(stopping.signal, async () => {
        if (stopping.signal.aborted) return done;
        const recheckInMs = Math.max(parts.rest.leftMs(), parts.pace.waitMs(key));
        if (recheckInMs > 0) return { kind: 'done', recheckInMs };
        if (reporter.periodMs > 0) due.reports(key);
        const finding = contained<Finding>({ kind: 'equal' }, () => look(reporter, key, parts));
        if (finding.kind === 'gone') due.forget(key);
        return finding.kind === 'differs' ? write(reporter, { key, ...finding }, parts) : done;
      });
    },
  });
  const enqueue = (key: string, change?: StateChangeEvent) => {
    // What it may not yet say it says of everything when it is opened.
    if (!isOpen) return;
    const dueInMs = due.inMs(key, reporter.periodMsFor?.(key, change ?? null, view) ?? reporter.periodMs);
    const priority = priorityOf(key);
    if (dueInMs > 0) return queue.addAfter(key, dueInMs, priority);
    queue.add(key, priority);
  };
  const isFull = () => queue.depth().waiting >= WAITING_MAX;
  const intake = createIntake(reporter, view, { enqueue, isFull, priorityOf });
  const unsubscribe = sources.subscribe(reporter.watch, (change) => {
    if (change.kind === 'deleted') pruned.forget(change.before.uid);
    for (const key of keysTouched(reporter, change)) {
      due.wait(key, waitMsAfter(reporter, change));
      if (change.kind === 'deleted') due.forget(key);
      if (change.kind !== 'deleted' || reporter.kind === 'object') enqueue(key);
    }
  });
  const cancels = [unsubscribe, ...watchAlso(reporter, sources, { enqueue, ...intake })];
  const { filter } = reporter;
  return {
    name: reporter.name,
    type: reporter.type,
    ...(filter === undefined ? {} : { filter: (state) => contained(true, () => filter(state)) }),
    keysOf: (change) => contained([], () => intake.keysOf(change)),
    enqueue,
    open() {
      isOpen = true;
      intake.refresh();
    },
    refresh: intake.refresh,
    stop() {
      for (const cancel of cancels) cancel();
      stopping.abort();
      return queue.stop();
    },
  };
}

type IntakePorts = {
  readonly enqueue: (key: string) => void;
  readonly isFull: () => boolean;
  readonly priorityOf: (key: string) => Priority | undefined;
};

/** What is looked at beyond single objects: nodes that changed, and everything. Comes to the queue as there is room for it. */
function createIntake(reporter: Reporter, view: ReportView, { enqueue, isFull, priorityOf }: IntakePorts) {
  const feed = createFeed({
    add: enqueue,
    isFull,
    keysOfNode: (name) => keysOfNode(reporter, view.store.get(name)),
  });
  return {
    more: () => feed.more(),
    /** Without those that wait under the name of the node. */
    keysOf(change: StateChangeEvent): readonly string[] {
      const later = new Set(keysOfNode(reporter, change.newState));
      const isChange = later.values().some((key) => priorityOf(key) === 'change');
      if (later.size > 0) feed.tell(change.nodeName, isChange ? 'soon' : 'later');
      return reporter.keysOf(change, view).filter((key) => !later.has(key));
    },
    refresh: () =>
      feed.begin(reporter.kind === 'object' ? reporter.allKeys(view) : view.caches.of(reporter.watch).keys()),
  };
}

/** None where the keys of a node need not wait as one. */
function keysOfNode(reporter: Reporter, state: NodeState | null | undefined): Iterable<string> {
  return reporter.kind === 'object' && state ? (reporter.keysOfNode?.(state) ?? []) : [];
}

function waitMsAfter(reporter: Reporter, change: CacheChange): number {
  return reporter.kind === 'object' ? 0 : (reporter.waitMsAfter?.(change) ?? 0);
}

/** What it was looked at under before is to be looked at without it. */
function keysTouched(reporter: Reporter, change: CacheChange): ReadonlySet<string> {
  const objects = [
    ...(change.kind === 'added' ? [] : [change.before]),
    ...(change.kind === 'deleted' ? [] : [change.now]),
  ];
  return new Set(objects.map((object) => keyOfObject(reporter, object)).filter((key) => key !== null));
}

function keyOfObject(reporter: Reporter, object: ObjectView): string | null {
  return reporter.kind === 'object' ? reporter.keyOfObject(object) : keyOf(object);
}

const done: WorkOutcome = { kind: 'done', recheckInMs: null };

type Rest = { begin(): void; leftMs(): number };

/** What one object was told, that nobody serves its kind, every other would be told too. */
function createRest({ name, watch }: Reporter, { clock, log }: ReporterPorts): Rest {
  let untilMs = -Infinity;
  const leftMs = () => Math.max(0, untilMs - clock.monotonicMs());
  return {
    leftMs,
    begin() {
      if (leftMs() > 0) return;
      untilMs = clock.monotonicMs() + UNSERVED_MS;
      const { kind } = watch.selection.type;
      log.warn('nobody serves this kind; none of its objects is written for a while', {
        reporter: name,
        kind,
      });
    },
  };
}

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
  | {
      readonly kind: 'differs';
      readonly action: ObjectWrite;
      readonly events: readonly ObjectEvent[];
      /** The whole of a status, as it should be read back. */
      readonly status: unknown;
    };

type LookPorts = ReporterPorts & { readonly pruned: Pruned };

function look(reporter: Reporter, key: string, ports: LookPorts): Finding {
  const { clock, sources, store, answers, pruned } = ports;
  const view = { store, caches: sources, answers };
  if (reporter.kind === 'object') {
    const action = reporter.next(view, key, clock.now());
    return action === null ? { kind: 'equal' } : { kind: 'differs', action, events: [], status: undefined };
  }
  const target = reporter.target(sources, key);
  if (target === null) return { kind: 'gone' };
  const status = reporter.report(view, key, clock.now());
  const patch = mergePatch(target.status, status);
  if (patch === undefined || !pruned.differs(target, status)) return { kind: 'equal' };
  const action = { kind: 'WriteStatus', target, patch, cause: reporter.name } as const;
  return { kind: 'differs', action, events: reporter.announce?.(target, status) ?? [], status };
}

async function write(
  reporter: Reporter,
  { key, action, events, status }: Extract<Finding, { kind: 'differs' }> & { readonly key: string },
  {
    act,
    sources,
    events: recorder,
    pruned,
    rest,
    pace,
  }: LookPorts & { readonly rest: Rest; readonly pace: Pace },
): Promise<WorkOutcome> {
  const outcome = await act(action);
  switch (outcome.kind) {
    case 'done':
      if (isPatient(reporter)) pace.wrote(key);
      // A deletion's reply does not say when the object is gone: the watch does.
      if (action.kind !== 'DeleteObject') sources.ownWrites(reporter.watch).observe(outcome.object);
      if (action.kind === 'WriteStatus' && reporter.kind !== 'object')
        pruned.note(reporter.target(sources, keyOf(action.target.ref)), status);
      if (reporter.kind === 'object') reporter.wrote?.(key, action, null);
      for (const event of events) recorder.record(event);
      return done;
    case 'notLeading':
      return done;
    case 'conflict':
      return { kind: 'retry', soon: false, afterMs: null };
    case 'rejected':
      if (reporter.kind === 'object' && reporter.wrote !== undefined) {
        const isNextDue = reporter.wrote(key, action, outcome.failure.message);
        return isNextDue ? { kind: 'done', recheckInMs: 0 } : done;
      }
      return { kind: 'retry', soon: false, afterMs: outcome.failure.retryAfterMs };
    case 'unknown':
    case 'failed':
      if (action.kind === 'WriteStatus' && reporter.kind !== 'object')
        reporter.failed?.(keyOf(action.target.ref));
      if (outcome.failure.reason !== 'NotServed')
        return { kind: 'retry', soon: false, afterMs: outcome.failure.retryAfterMs };
      rest.begin();
      return { kind: 'done', recheckInMs: rest.leftMs() };
  }
}
