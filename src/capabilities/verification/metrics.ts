// What people see of verification in numbers, under the names that they know. A node's name is a label only where somebody
// asked for it, and goes with the node.

import type { VerificationRecord } from '../../fleet/lifecycle.ts';
import { verificationStates } from '../../api/lifecycle-vocabulary.ts';
import type { Labels, Metrics } from '../../base/metrics.ts';
import { parseTime } from '../../base/timestamp.ts';
import type { ReportView, VerificationWritten } from '../../runtime/capability.ts';
import { isEchoing } from './controls.ts';
import { capabilityName } from './policy.ts';
import type { VerificationSpecs } from './specs.ts';
import { hasEnded } from './worker-view.ts';

export interface VerificationMetrics {
  created(nodeName: string, status: CreationStatus): void;
  recorded(written: VerificationWritten): void;
  /** From now on the series of nodes that are not known go. */
  keepOnly(isKnown: (nodeName: string) => boolean): void;
}

type CreationStatus = 'success' | 'failure';
const creationStatuses: readonly CreationStatus[] = ['success', 'failure'];
const results = ['success', 'failure', 'inconclusive', 'timeout'] as const;
type Result = (typeof results)[number];

const durationBuckets = [5, 10, 30, 60, 120, 300, 600];
const attemptBuckets = [1, 2, 3, 4, 5, 10];

export type MetricOptions = { readonly isPerNode: boolean };

export function createVerificationMetrics(
  metrics: Metrics,
  { isPerNode }: MetricOptions,
): VerificationMetrics {
  const declared = declare(metrics, isPerNode ? ['node'] : []);
  const series = createNodeSeries(metrics, (node) => {
    for (const status of creationStatuses) declared.creations.remove({ node, status });
    for (const result of results) {
      declared.durations.remove({ node, result });
      declared.verifications.remove({ node, result });
    }
    declared.attempts.remove({ node });
  });
  const labelled = (node: string): Labels => {
    if (!isPerNode) return {};
    series.add(node);
    return { node };
  };
  return {
    created: (node, status) => declared.creations.add({ ...labelled(node), status }),
    recorded({ node, before, after, now }) {
      if (!isEnd(before, after)) return;
      const own = labelled(node.name);
      const result = resultOf(after);
      declared.verifications.add({ ...own, result });
      const begunAt = parseTime(after.lastAttemptAt);
      const lasting: Result = after.reason === 'WorkerTimedOut' ? 'timeout' : result;
      if (begunAt !== null) declared.durations.observe((now - begunAt) / 1000, { ...own, result: lasting });
      if (after.state === 'verified' || after.reason === 'VerificationGivenUp')
        declared.attempts.observe(after.attempt ?? 1, own);
    },
    keepOnly: (isKnown) => series.keepOnly(isKnown),
  };
}

function declare(metrics: Metrics, own: readonly string[]) {
  const deletions = metrics.counter({
    name: 'kube_node_ready_node_deletion_total',
    help: 'Nodes that were deleted because they failed; none is deleted yet',
    labels: ['status'],
  });
  for (const status of creationStatuses) deletions.add({ status }, 0);
  return {
    creations: metrics.counter({
      name: 'kube_node_ready_worker_pod_creation_total',
      help: 'Worker pods that were created, or refused by the API server',
      labels: [...own, 'status'],
    }),
    durations: metrics.histogram({
      name: 'kube_node_ready_worker_pod_duration_seconds',
      help: 'From the beginning of an attempt to its end',
      labels: [...own, 'result'],
      buckets: durationBuckets,
    }),
    verifications: metrics.counter({
      name: 'kube_node_ready_node_verification_total',
      help: 'Attempts that passed, failed, or found nothing out',
      labels: [...own, 'result'],
    }),
    attempts: metrics.histogram({
      name: 'kube_node_ready_node_verification_attempts',
      help: 'Attempts until a node was verified or given up',
      labels: [...own],
      buckets: attemptBuckets,
    }),
  };
}

/** Nodes that have series. A worker may be counted after its node has gone: so they are swept, not merely removed. */
function createNodeSeries(metrics: Metrics, remove: (node: string) => void) {
  const nodes = new Set<string>();
  let isKnown: (node: string) => boolean = () => true;
  let sweepAt = SWEEP_MIN;
  const sweep = () => {
    for (const node of nodes) {
      if (isKnown(node)) continue;
      remove(node);
      nodes.delete(node);
    }
  };
  metrics.beforeScrape(sweep);
  return {
    add(node: string) {
      nodes.add(node);
      // Nobody may ever scrape.
      if (nodes.size < sweepAt) return;
      sweep();
      sweepAt = 2 * nodes.size + SWEEP_MIN;
    },
    keepOnly: (known: (node: string) => boolean) => void (isKnown = known),
  };
}

const SWEEP_MIN = 100;

function isEnd(before: VerificationRecord | undefined, after: VerificationRecord): boolean {
  return (
    after.attemptEndedAt !== undefined &&
    after.attemptEndedAt !== before?.attemptEndedAt &&
    after.verdict !== undefined
  );
}

function resultOf({ verdict }: VerificationRecord): Exclude<Result, 'timeout'> {
  if (verdict === 'pass') return 'success';
  return verdict === 'fail' ? 'failure' : 'inconclusive';
}

export function measureStates(metrics: Metrics, { store }: Pick<ReportView, 'store'>): void {
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

/** While they start nodes may wait for them; one that has ended or is being deleted is of no use to anybody. */
export function measureControls(
  metrics: Metrics,
  { caches }: Pick<ReportView, 'caches'>,
  { workers }: Pick<VerificationSpecs, 'workers'>,
): void {
  const controls = metrics.gauge({
    name: 'muster_control_workers',
    help: 'Control workers that answer the workers on other nodes, and those that do not yet',
    labels: ['state'],
  });
  metrics.beforeScrape(() => {
    const all = [...caches.of(workers).values()].filter(({ isControl }) => isControl);
    const ready = all.filter(isEchoing).length;
    const starting = all.filter((each) => each.deletionTimestamp === '' && !hasEnded(each)).length - ready;
    controls.set(ready, { state: 'ready' });
    controls.set(starting, { state: 'starting' });
  });
}
