// What people see of verification in numbers, under the names that they know. A node's name is a label only where somebody
// asked for it, and goes with the node.

import type { VerificationRecord } from '../../fleet/lifecycle.ts';
import { verificationStates } from '../../api/lifecycle-vocabulary.ts';
import type { Metrics } from '../../base/metrics.ts';
import { parseTime } from '../../base/timestamp.ts';
import type { ReportView, VerificationWritten } from '../../runtime/capability.ts';
import { capabilityName } from './policy.ts';

export interface VerificationMetrics {
  created(workerName: string, status: 'success' | 'failure'): void;
  recorded(written: VerificationWritten): void;
}

const durationBuckets = [5, 10, 30, 60, 120, 300, 600];
const attemptBuckets = [1, 2, 3, 4, 5, 10];

export function createVerificationMetrics(metrics: Metrics): VerificationMetrics {
  const creations = metrics.counter({
    name: 'kube_node_ready_worker_pod_creation_total',
    help: 'Worker pods that were created, or refused by the API server',
    labels: ['status'],
  });
  const durations = metrics.histogram({
    name: 'kube_node_ready_worker_pod_duration_seconds',
    help: 'From the beginning of an attempt to its end',
    labels: ['result'],
    buckets: durationBuckets,
  });
  const verifications = metrics.counter({
    name: 'kube_node_ready_node_verification_total',
    help: 'Attempts that passed, failed, or found nothing out',
    labels: ['result'],
  });
  const attempts = metrics.histogram({
    name: 'kube_node_ready_node_verification_attempts',
    help: 'Attempts until a node was verified or given up',
    labels: [],
    buckets: attemptBuckets,
  });
  return {
    created: (_, status) => creations.add({ status }),
    recorded({ before, after, now }) {
      if (!hasEnded(before, after)) return;
      const result = resultOf(after);
      verifications.add({ result });
      const begunAt = parseTime(after.lastAttemptAt);
      if (begunAt !== null)
        durations.observe((now - begunAt) / 1000, {
          result: after.reason === 'WorkerTimedOut' ? 'timeout' : result,
        });
      if (after.state === 'verified') attempts.observe(after.attempt ?? 1, {});
    },
  };
}

function hasEnded(before: VerificationRecord | undefined, after: VerificationRecord): boolean {
  return (
    after.attemptEndedAt !== undefined &&
    after.attemptEndedAt !== before?.attemptEndedAt &&
    after.verdict !== undefined
  );
}

function resultOf({ verdict }: VerificationRecord): 'success' | 'failure' | 'inconclusive' {
  if (verdict === 'pass') return 'success';
  return verdict === 'fail' ? 'failure' : 'inconclusive';
}

export function measureStates(metrics: Metrics, { store }: ReportView): void {
  const states = metrics.gauge({
    name: 'kube_node_ready_nodes_in_state',
    help: 'Nodes by the state of their verification',
    labels: ['state'],
  });
  metrics.beforeScrape(() => {
    const counts = new Map<string, number>(verificationStates.map((state) => [state, 0]));
    for (const { verdicts } of store.getAll()) {
      const state =
        verdicts.find(({ capability, detail }) => capability === capabilityName && detail !== undefined)
          ?.detail ?? '';
      if (counts.has(state)) counts.set(state, (counts.get(state) ?? 0) + 1);
    }
    for (const [state, count] of counts) states.set(count, { state });
  });
}
