// What is kept of a worker pod, and where its name and marks come from. The marks are ours: pods are found by label, and what
// they say of themselves counts only in the namespace where nobody else may create pods.

import type { Instant } from '../../base/clock.ts';
import { hashFields } from '../../base/hash.ts';
import { parseTime } from '../../base/timestamp.ts';
import { workerAnnotations, workerLabels, workerLabelValues } from '../../api/keys.ts';
import { type PodView, projectPod } from '../../objects/pod.ts';
import { type RawObject, recordsIn, fieldsOf, textOf } from '../../objects/raw.ts';

export type WorkerView = PodView & {
  /** It echoes for workers on other nodes; its own report is of no concern. */
  readonly isControl: boolean;
  /** The node that it checks, by its full name. */
  readonly targetNode: string;
  readonly nodeUID: string;
  readonly round: number;
  readonly attempt: number;
  readonly createdAt: Instant;
  /** The name of its policy. */
  readonly policy: string;
  /** What its checks prove, one hash each; empty where an earlier version made it. */
  readonly checkMarks: string;
  /** By the clock of whoever ordered it. */
  readonly orderedAt: Instant;
  /** Empty until its node has given it one. */
  readonly podIP: string;
  /** The control workers that it was told of, by UID; empty where nobody asked for any. */
  readonly peers: string;
  /** Why the scheduler does not place it; empty while it has not said. */
  readonly unscheduledMessage: string;
  /** Its annotation says what it reported. */
  readonly isReported: boolean;
  /** Evicted, preempted or taken by a drain: its end says nothing about the node. */
  readonly isDisrupted: boolean;
  /** Some container of it runs or has run; while custom checks do, its phase is Pending. */
  readonly hasBegun: boolean;
  /** The containers that wait, and why. */
  readonly waits: readonly { readonly container: string; readonly reason: string }[];
};

export function projectWorker(raw: RawObject, text: (value: string) => string): WorkerView {
  const { annotations = {}, labels = {}, creationTimestamp } = raw.metadata ?? {};
  const status = fieldsOf(raw.status);
  const conditions = recordsIn(status['conditions']);
  const containers = [
    ...recordsIn(status['initContainerStatuses']),
    ...recordsIn(status['containerStatuses']),
  ].map(({ name, state }) => ({ container: text(textOf(name)), state: fieldsOf(state) }));
  const unscheduled = conditions.find(
    ({ type, status, reason }) => type === 'PodScheduled' && status === 'False' && reason === 'Unschedulable',
  );
  const createdAt = parseTime(creationTimestamp) ?? 0;
  return {
    ...projectPod(raw, text),
    isControl: labels[workerLabels.component] === workerLabelValues.control,
    targetNode: text(annotations[workerAnnotations.targetNode] ?? ''),
    nodeUID: annotations[workerAnnotations.nodeUID] ?? '',
    round: Number(annotations[workerAnnotations.round] ?? 0),
    attempt: Number(annotations[workerAnnotations.attempt] ?? 0),
    createdAt,
    policy: text((annotations[workerAnnotations.policy] ?? '').replace(/\/\d+$/, '')),
    checkMarks: text(annotations[workerAnnotations.checks] ?? ''),
    orderedAt: parseTime(annotations[workerAnnotations.createdAt]) ?? createdAt,
    podIP: textOf(status['podIP']),
    peers: annotations[workerAnnotations.peers] ?? '',
    unscheduledMessage: textOf(unscheduled?.['message']),
    isReported: annotations[workerAnnotations.report] !== undefined,
    isDisrupted: conditions.some(({ type, status }) => type === 'DisruptionTarget' && status === 'True'),
    hasBegun: containers.some(({ state }) => 'running' in state || 'terminated' in state),
    waits: containers.flatMap(({ container, state }) => {
      const reason = text(textOf(fieldsOf(state['waiting'])['reason']));
      return reason === '' ? [] : [{ container, reason }];
    }),
  };
}

export function hasEnded({ phase }: Pick<WorkerView, 'phase'>): boolean {
  return phase === 'Succeeded' || phase === 'Failed';
}

const PREFIX = 'node-ready-worker-';
const NAME_LENGTH_MAX = 63;

export type Attempt = {
  readonly nodeName: string;
  readonly nodeUID: string;
  readonly round: number;
  readonly attempt: number;
};

/** The same for one attempt on one incarnation, whoever asks: its creation is the lock. */
export function workerName(attempt: Attempt): string {
  const tail = `-${markOf(attempt).slice(0, 10)}-${attempt.attempt}`;
  const room = NAME_LENGTH_MAX - PREFIX.length - tail.length;
  const node = attempt.nodeName.slice(0, room).replace(/[^a-z0-9]+$/, '');
  return `${PREFIX}${node}${tail}`;
}

/** What a worker has to say again: no other attempt has the same. */
export function nonceOf(attempt: Attempt): string {
  return hashFields([markOf(attempt), String(attempt.attempt)]);
}

function markOf({ nodeUID, round }: Attempt): string {
  return hashFields([nodeUID, String(round)]);
}

/** A node's name as a label may have it: cut, with a hash, where it is too long. */
export function nodeLabelValue(nodeName: string): string {
  const lengthMax = 63;
  if (nodeName.length <= lengthMax) return nodeName;
  const hash = hashFields([nodeName]).slice(0, 10);
  return `${nodeName.slice(0, lengthMax - hash.length - 1).replace(/[^a-z0-9]+$/, '')}-${hash}`;
}
