// What is counted of readiness as it happens: the names that dashboards of kubernetes-sigs' controller know today, and those that it
// announced. Never a node's name as a label.

import type { Instant } from '../../base/clock.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { Front } from '../../fleet/readiness-rule.ts';

export type Operation = 'add' | 'remove';
export type Enforced = { readonly operation: Operation; readonly latencyMs: number };
export type Held = { readonly durationMs: number; readonly origin: 'controller' | 'adopted' };

/** What failed: the change of a taint, the mark of a node that is done, the report of a rule, or the evaluation of a node. */
export type Failing = Operation | 'mark' | 'status' | 'evaluation';

export type ReadinessMetrics = {
  taintChanged(rule: string, operation: Operation): void;
  enforced(rule: string, enforced: Enforced): void;
  /** Null: the node was there before the rule, so the time says nothing. */
  bootstrapCompleted(rule: string, durationMs: number | null): void;
  /** A node that waited for its bootstrap behind the taint of a rule is let go. */
  bootstrapHeld(rule: string, held: Held): void;
  evaluated(rule: string, tookMs: number, now: Instant): void;
  /** A condition is not as required on a node on which it was, or was not looked for. */
  conditionFailed(rule: string, condition: string): void;
  conflicted(rule: string, operation: Operation): void;
  failed(rule: string, what: Failing): void;
  peerSeen(front: Front, holder: string): void;
  /** When each rule was last evaluated on any node. */
  readonly evaluatedAt: ReadonlyMap<string, Instant>;
  /** Forgets what was counted of all other rules: those that are gone would be shown, and kept, for ever. */
  keepOnly(rules: ReadonlySet<string>): void;
};

const latencyBuckets = [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
const bootstrapBuckets = [1, 5, 10, 30, 60, 120, 300, 600, 1200];
const evaluationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const ofEvaluation = ['EvaluationError', 'evaluation_error'];
/**
 * As they are spelled today, and as they were announced: who reads either finds it. An error of a write to a node is one of its
 * evaluation too. Announced as well are reasons that end in `conflict_exhausted`: here conflicts are decided anew for as long as
 * there are any, so that nothing could count as one.
 */
const failureReasons: Readonly<Record<Failing, readonly string[]>> = {
  add: ['AddTaintError', 'add_taint_error', ...ofEvaluation],
  remove: ['RemoveTaintError', 'remove_taint_error', ...ofEvaluation],
  mark: ['bootstrap_completion_mark_error', ...ofEvaluation],
  status: ['status_patch_error'],
  evaluation: ofEvaluation,
};

export function createReadinessMetrics(metrics: Metrics): ReadinessMetrics {
  const counts = createCounters(metrics);
  const times = createTimes(metrics);
  const evaluatedAt = new Map<string, Instant>();
  /** The conditions of each rule of which there is anything to forget. */
  const conditionsOf = new Map<string, Set<string>>();
  const conditionsSeen = (rule: string) => {
    const seen = conditionsOf.get(rule) ?? new Set<string>();
    conditionsOf.set(rule, seen);
    return seen;
  };
  return {
    evaluatedAt,
    taintChanged(rule, operation) {
      conditionsSeen(rule);
      counts.operations.add({ rule, operation });
    },
    enforced(rule, { operation, latencyMs }) {
      times.latency.observe(latencyMs / 1000, { rule, operation });
      times.formerLatency.observe(latencyMs / 1000, { rule, operation: `${operation}_taint` });
    },
    bootstrapCompleted(rule, durationMs) {
      conditionsSeen(rule);
      counts.completed.add({ rule });
      if (durationMs !== null) times.bootstrap.observe(durationMs / 1000, { rule });
    },
    bootstrapHeld: (rule, { durationMs, origin }) =>
      times.hold.observe(durationMs / 1000, { rule, taint_origin: origin }),
    evaluated(rule, tookMs, now) {
      conditionsSeen(rule);
      times.evaluation.observe(tookMs / 1000, { rule });
      evaluatedAt.set(rule, now);
    },
    conditionFailed(rule, condition) {
      conditionsSeen(rule).add(condition);
      counts.conditions.add({ rule, condition });
    },
    conflicted(rule, operation) {
      conditionsSeen(rule);
      counts.conflicts.add({ rule, operation });
    },
    failed(rule, what) {
      conditionsSeen(rule);
      for (const reason of failureReasons[what]) counts.failures.add({ rule, reason });
    },
    peerSeen: (kind, holder) => counts.peer.set(holder === '' ? 0 : 1, { kind }),
    keepOnly(rules) {
      for (const [rule, conditions] of conditionsOf) {
        if (rules.has(rule)) continue;
        forget({ ...counts, ...times }, rule, conditions);
        evaluatedAt.delete(rule);
        conditionsOf.delete(rule);
      }
    },
  };
}

type Declared = ReturnType<typeof createCounters> & ReturnType<typeof createTimes>;

function forget(declared: Declared, rule: string, conditions: Iterable<string>): void {
  for (const operation of ['add', 'remove'] as const) {
    for (const metric of [declared.operations, declared.conflicts, declared.latency])
      metric.remove({ rule, operation });
    declared.formerLatency.remove({ rule, operation: `${operation}_taint` });
  }
  for (const metric of [declared.completed, declared.bootstrap, declared.evaluation]) metric.remove({ rule });
  for (const origin of ['controller', 'adopted'] satisfies Held['origin'][])
    declared.hold.remove({ rule, taint_origin: origin });
  for (const reason of new Set(Object.values(failureReasons).flat()))
    declared.failures.remove({ rule, reason });
  for (const condition of conditions) declared.conditions.remove({ rule, condition });
}

function createCounters(metrics: Metrics) {
  return {
    operations: metrics.counter({
      name: 'node_readiness_taint_operations_total',
      help: 'Taints that rules set and took away',
      labels: ['rule', 'operation'],
    }),
    completed: metrics.counter({
      name: 'node_readiness_bootstrap_completed_total',
      help: 'Nodes that a rule of mode bootstrap-only is done with',
      labels: ['rule'],
    }),
    conditions: metrics.counter({
      name: 'node_readiness_condition_failures_total',
      help: 'Times that a condition began not to be as required on a node',
      labels: ['rule', 'condition'],
    }),
    conflicts: metrics.counter({
      name: 'node_readiness_api_conflicts_total',
      help: 'Changes of a taint that were decided anew because somebody else wrote the node first',
      labels: ['rule', 'operation'],
    }),
    failures: metrics.counter({
      name: 'node_readiness_failures_total',
      help: 'Evaluations of nodes and writes for a rule that failed and are tried again, by reason',
      labels: ['rule', 'reason'],
    }),
    peer: metrics.gauge({
      name: 'node_readiness_peer_present',
      help: '1 while another controller serves rules of this kind and Muster leaves them to it',
      labels: ['kind'],
    }),
  };
}

function createTimes(metrics: Metrics) {
  return {
    latency: metrics.histogram({
      name: 'node_readiness_enforcement_latency_seconds',
      help: 'From the newest change of a required condition to the change of the taint',
      labels: ['rule', 'operation'],
      buckets: latencyBuckets,
    }),
    formerLatency: metrics.histogram({
      name: 'node_readiness_reconciliation_latency_seconds',
      help: 'The same as the enforcement latency, under its former name and operations',
      labels: ['rule', 'operation'],
      buckets: latencyBuckets,
    }),
    bootstrap: metrics.histogram({
      name: 'node_readiness_bootstrap_duration_seconds',
      help: 'From the creation of a node to the last change of a required condition',
      labels: ['rule'],
      buckets: bootstrapBuckets,
    }),
    hold: metrics.histogram({
      name: 'node_readiness_bootstrap_hold_duration_seconds',
      help: 'How long a node waited for its bootstrap behind the taint of a rule',
      labels: ['rule', 'taint_origin'],
      buckets: bootstrapBuckets,
    }),
    evaluation: metrics.histogram({
      name: 'node_readiness_evaluation_duration_seconds',
      help: 'How long a visit of a node took that the rule selects, its writes included',
      labels: ['rule'],
      buckets: evaluationBuckets,
    }),
  };
}
