// Workers in the simulated cluster: what they are made from, and how a kubelet gets on with them.

import { noCustomChecks } from '../../src/api/custom-check.ts';
import {
  systemNamespace,
  workerAnnotations,
  workerLabels,
  workerLabelValues,
  workerServiceAccount,
} from '../../src/api/keys.ts';
import type { Instant } from '../../src/base/clock.ts';
import { formatTime, parseTime } from '../../src/base/timestamp.ts';
import { formatReport } from '../../src/base/worker-report.ts';
import { workerContainer } from '../../src/api/custom-check.ts';
import type { WorkerTemplate } from '../../src/capabilities/verification/worker-pod.ts';
import { type RawObject, recordsIn, textOf } from '../../src/objects/raw.ts';
import { at } from './oracles/oracle.ts';

export const workerTemplate: WorkerTemplate = {
  namespace: systemNamespace,
  image: 'muster',
  pullPolicy: 'IfNotPresent',
  serviceAccountName: workerServiceAccount,
  resources: {},
  config: {},
  checks: [{ name: 'dns' }],
  custom: noCustomChecks,
  dnsService: { namespace: 'kube-system', name: 'kube-dns' },
  isReportingToApi: false,
};

/** How a worker ends; `unpullable` never starts, `hung` never ends by itself. */
export type WorkerOutcome = 'pass' | 'fail' | 'evicted' | 'unpullable' | 'hung';

/** By node: how the workers of its first attempts end, where those after them pass; or how every one of them ends. */
export type WorkerOutcomes = Readonly<Record<string, WorkerOutcome | readonly WorkerOutcome[]>>;

export type KubeletStep =
  | { readonly kind: 'bind'; readonly node: string }
  /** It has had its time. */
  | { readonly kind: 'remove' }
  | { readonly kind: 'say'; readonly status: object };

/** What the scheduler and the kubelet do next about a worker; null when there is nothing left to do. */
export function nextStep(pod: RawObject, outcomes: WorkerOutcomes, now: Instant): KubeletStep | null {
  if (pod.metadata?.deletionTimestamp !== undefined) return { kind: 'remove' };
  const phase = textOf(at(pod, 'status', 'phase'));
  if (phase === 'Succeeded' || phase === 'Failed') return null;
  const node = annotationOf(pod, workerAnnotations.targetNode);
  if (textOf(at(pod, 'spec', 'nodeName')) === '') return { kind: 'bind', node };
  if (isControlPod(pod)) return phase === 'Running' ? overdue(pod, now) : running(now, echoing);
  const outcome = outcomeOf(pod, outcomes[node] ?? []);
  if (phase !== 'Running') return outcome === 'unpullable' ? unpulled(pod) : running(now);
  switch (outcome) {
    case 'evicted':
      return ended({ reason: 'Evicted', conditions: [{ type: 'DisruptionTarget', status: 'True' }] });
    case 'hung':
      return overdue(pod, now);
    default:
      return { kind: 'say', status: endedAs(pod, outcome === 'fail' ? 'fail' : 'pass') };
  }
}

function outcomeOf(pod: RawObject, wanted: WorkerOutcomes[string]): WorkerOutcome {
  if (typeof wanted === 'string') return wanted;
  if (annotationOf(pod, workerAnnotations.round) !== '1') return 'pass';
  return wanted[Number(annotationOf(pod, workerAnnotations.attempt)) - 1] ?? 'pass';
}

function annotationOf(pod: RawObject, key: string): string {
  return textOf(at(pod, 'metadata', 'annotations', key));
}

function running(now: Instant, more: object = {}): KubeletStep {
  return { kind: 'say', status: { phase: 'Running', startTime: formatTime(now), ...more } };
}

/** One that echoes for workers on other nodes, and runs until it is taken away. */
export function isControlPod(pod: RawObject | null): boolean {
  return textOf(at(pod, 'metadata', 'labels', workerLabels.component)) === workerLabelValues.control;
}

const echoing = { podIP: '10.244.0.9', conditions: [{ type: 'Ready', status: 'True' }] };

function overdue(pod: RawObject, now: Instant): KubeletStep | null {
  return now < deadlineOf(pod) ? null : ended({ reason: 'DeadlineExceeded' });
}

function unpulled(pod: RawObject): KubeletStep | null {
  if (recordsIn(at(pod, 'status', 'containerStatuses')).length > 0) return null;
  const state = { waiting: { reason: 'ImagePullBackOff' } };
  return { kind: 'say', status: { phase: 'Pending', containerStatuses: [{ ...container, state }] } };
}

function ended(why: object): KubeletStep {
  return { kind: 'say', status: { phase: 'Failed', ...why } };
}

/** A kubelet ends what runs for longer than its pod allows, whoever watches. */
function deadlineOf(pod: RawObject): Instant {
  const seconds = Number(at(pod, 'spec', 'activeDeadlineSeconds'));
  return (parseTime(textOf(at(pod, 'status', 'startTime'))) ?? 0) + seconds * 1000;
}

const container = { name: workerContainer, image: 'muster', imageID: '', ready: false, restartCount: 0 };

function endedAs(pod: RawObject, verdict: 'pass' | 'fail'): object {
  const [worker] = recordsIn(at(pod, 'spec', 'containers'));
  const given = (name: string) =>
    textOf(recordsIn(worker?.['env']).find((each) => each['name'] === name)?.['value']);
  const check = { severity: 'required', message: '', ms: 4, tries: 1 } as const;
  const config: unknown = JSON.parse(given('WORKER_CONFIG'));
  const planned = recordsIn(at(config, 'checks')).map(({ name }) => textOf(name));
  const message = formatReport({
    nodeName: annotationOf(pod, workerAnnotations.targetNode),
    nodeUID: given('NODE_UID'),
    nonce: given('VERIFICATION_NONCE'),
    verdict,
    isComplete: true,
    isForAnnotation: false,
    checks: (planned.length === 0 ? ['dns'] : planned).map((id) => ({
      ...check,
      id,
      verdict,
      code: verdict === 'pass' ? '' : 'Timeout',
    })),
    problems: [],
  });
  const exitCode = verdict === 'pass' ? 0 : 1;
  const terminated = { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', message };
  return {
    phase: exitCode === 0 ? 'Succeeded' : 'Failed',
    containerStatuses: [{ ...container, state: { terminated } }],
  };
}
