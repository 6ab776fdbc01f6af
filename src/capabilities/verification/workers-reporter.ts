// Keeps worker pods as the records say: one while an attempt is under way, none besides it. One write at a time, each decided
// from what is there; the name of a pod is the lock that keeps two operators from making two. Where it is asked for, a pod
// carries its report before it goes.

import { workerAnnotations } from '../../api/keys.ts';
import type { Instant } from '../../base/clock.ts';
import { reportBytesMax } from '../../base/worker-report.ts';
import { cut } from '../../fleet/bounds.ts';
import {
  isRunning,
  type LifecycleView,
  verificationOf,
  type VerificationRecord,
} from '../../fleet/lifecycle.ts';
import type { NodeView } from '../../objects/node.ts';
import { podType } from '../../objects/ref.ts';
import type { AlsoWatched, ObjectReporter, ObjectWrite, ReportView } from '../../runtime/capability.ts';
import { questionsOf, unansweredIn } from './addresses.ts';
import { arePeersAwaited, asksForPeers, peersFor } from './controls.ts';
import { controlFacts, type ControlFactsPorts, hasFollowed, policyFor } from './gather.ts';
import type { VerificationMetrics } from './metrics.ts';
import { capabilityName, type Policy } from './policy.ts';
import type { Refusals } from './refusals.ts';
import { deletionOf, targetOf } from './worker-deletion.ts';
import { ownEndOf } from './worker-end.ts';
import { workerPod, type WorkerTemplate } from './worker-pod.ts';
import { hasEnded, type WorkerView } from './worker-view.ts';

export type WorkersPorts = ControlFactsPorts & {
  readonly fallback: Policy | null;
  readonly template: WorkerTemplate;
  readonly refusals: Refusals;
  /** Pods, by UID, whose report the API server would not take. */
  readonly unreported: Refusals;
  readonly metrics: VerificationMetrics;
};

export function workersReporter(ports: WorkersPorts): ObjectReporter<WorkerView> {
  const { specs, refusals, unreported, metrics } = ports;
  const records: AlsoWatched<LifecycleView> = {
    watch: specs.lifecycles,
    keyOfObject: ({ name, verificationState }) => (verificationState === '' ? null : name),
  };
  return {
    kind: 'object',
    name: 'verification-workers',
    type: 'node_verification',
    isUrgent: true,
    watch: specs.workers,
    periodMs: 0,
    // Most fleets have nodes that nobody verifies: nothing is to be looked at for them.
    filter: ({ verdicts }) => verdicts.some(({ capability }) => capability === capabilityName),
    keysOf: ({ oldState, newState }) => [newState?.name ?? oldState?.name ?? ''].filter(Boolean),
    keyOfObject: ({ isControl, targetNode }) => (isControl || targetNode === '' ? null : targetNode),
    also: [records],
    *allKeys({ caches }) {
      for (const { name, verificationState } of caches.of(specs.lifecycles).values())
        if (isRunning({ state: verificationState })) yield name;
      for (const { isControl, targetNode } of caches.of(specs.workers).values())
        if (!isControl && targetNode !== '') yield targetNode;
    },
    next: (view, key, now) => nextWrite(view, { nodeName: key, now }, ports),
    wrote(nodeName, write, refusal) {
      if (write.kind === 'PatchObject') {
        if (refusal !== null) unreported.note(write.target.uid, refusal);
        // Nobody's report is worth a pod that stays.
        return refusal !== null;
      }
      if (write.kind === 'DeleteObject') unreported.forget(write.target.uid);
      if (write.kind !== 'CreateObject') return false;
      metrics.created(nodeName, refusal === null ? 'success' : 'failure');
      if (refusal !== null) refusals.note(write.ref.name, refusal);
      return false;
    },
  };
}

type Moment = { readonly nodeName: string; readonly now: Instant };

function nextWrite(
  { caches, answers }: ReportView,
  { nodeName, now }: Moment,
  ports: WorkersPorts,
): ObjectWrite | null {
  const { specs, template } = ports;
  const node = caches.of(specs.nodes).get(nodeName);
  const lifecycle = caches.of(specs.lifecycles).get(nodeName);
  const workers = caches.of(specs.workers).byIndex('node', nodeName);
  const isOneDue = lifecycle?.verificationState === 'pending';
  // Most looks end here, before the record is unpacked.
  if (workers.length === 0 && !isOneDue) return null;
  const record = node === undefined ? undefined : verificationOf(lifecycle, node.uid);
  const surplus = workers.filter(
    (worker) => worker.deletionTimestamp === '' && isSurplus(worker, { record, nodeUID: node?.uid }),
  );
  const removal = { namespace: template.namespace, node, cause: 'attempt ended' };
  const deletion = (worker: WorkerView | undefined) =>
    worker === undefined ? null : (reportingOf(worker, ports) ?? deletionOf(worker, removal));
  // One that still checks the node goes before the next is made. One that has ended may stay for as long as its deletion fails.
  return (
    deletion(surplus.find((worker) => !hasEnded(worker))) ??
    (isOneDue ? creationOf({ caches, answers, node, lifecycle, record, now, workers }, ports) : null) ??
    deletion(surplus[0])
  );
}

type Staff = Pick<Moment, 'now'> &
  Pick<ReportView, 'caches' | 'answers'> & {
    readonly node: NodeView | undefined;
    readonly lifecycle: LifecycleView | undefined;
    readonly record: VerificationRecord | undefined;
    readonly workers: readonly WorkerView[];
  };

function creationOf(
  { caches, answers, node, lifecycle, record, now, workers }: Staff,
  ports: WorkersPorts,
): ObjectWrite | null {
  const { specs, fallback, template, refusals } = ports;
  if (node === undefined || lifecycle === undefined || record === undefined) return null;
  const nodeName = node.name;
  const name = record.workerPod ?? '';
  if (workers.some((worker) => worker.name === name) || refusals.of(name) !== '') return null;
  const policies = caches.of(specs.policies);
  const isUnknown = !policies.isServed() && hasFollowed(record);
  const policy = isUnknown ? null : (policyFor(node, policies.values()) ?? fallback);
  if (policy === null || policy.refusal !== '') return null;
  const services = answers.of(nodeName)?.services ?? new Map();
  const questions = questionsOf(policy, template.dnsService);
  // The node is asked about again, and whoever waits for its worker is told when that is known.
  if (unansweredIn(questions, services).length > 0) return null;
  const controls = { nodeName, now, policy, ...controlFacts(caches, policy, ports) };
  // It waits for one as well, and is told when one answers.
  if (arePeersAwaited(controls)) return null;
  const peers = asksForPeers(policy) ? peersFor(controls) : undefined;
  const body = workerPod({ node, policy, record, lifecycle, template, now, services, peers });
  const ref = { type: podType, namespace: template.namespace, name };
  return { kind: 'CreateObject', ref, body, cause: `attempt ${record.attempt ?? 1}` };
}

type Judged = { readonly record: VerificationRecord | undefined; readonly nodeUID: string | undefined };

/** Of a node that is gone, or of an attempt that has ended. One that the record does not know of yet is newer than what we know. */
function isSurplus(worker: WorkerView, { record, nodeUID }: Judged): boolean {
  if (worker.nodeUID !== nodeUID) return true;
  if (record === undefined || isBehind(record, worker)) return false;
  return !isRunning(record) || worker.name !== record.workerPod;
}

function isBehind({ round = 1, attempt = 0 }: VerificationRecord, worker: WorkerView): boolean {
  return worker.round > round || (worker.round === round && worker.attempt > attempt);
}

/** Once: a pod that says it already, or that ended without a word, goes as it is. */
function reportingOf(worker: WorkerView, { template, unreported }: WorkersPorts): ObjectWrite | null {
  const report = ownEndOf(worker)?.message ?? '';
  if (!template.isReportingToApi || worker.isReported || report === '') return null;
  if (unreported.of(worker.uid) !== '') return null;
  const annotations = { [workerAnnotations.report]: cut(report, reportBytesMax) };
  return {
    kind: 'PatchObject',
    target: targetOf(worker, template.namespace),
    patch: { metadata: { annotations } },
    cause: 'report',
  };
}
