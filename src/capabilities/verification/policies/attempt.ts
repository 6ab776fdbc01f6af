// An attempt under way: what its worker does, and what its end means. The record says which worker; the pod says the rest.

import type { Instant } from '../../../base/clock.ts';
import { formatTime, parseTime } from '../../../base/timestamp.ts';
import { isRunning, type VerificationRecord } from '../../../fleet/lifecycle.ts';
import { isTrue } from '../../../objects/condition.ts';
import { aborted, ended, missed, started } from '../next-record.ts';
import { type Move, type RecordedScene, type Step, waiting } from '../scene.ts';
import { unansweredIn } from '../addresses.ts';
import { arePeersAwaited, asksForPeers, peerTerms } from '../controls.ts';
import { isStuckBeside } from '../custom-ends.ts';
import { endOf, type Expected, inconclusive, ownEndOf, type WorkerEnd } from '../worker-end.ts';
import { isEnd, stillbirthOf, unsetIn } from '../worker-stillbirth.ts';
import { hasEnded, nonceOf, type WorkerView } from '../worker-view.ts';
import { askAbout } from './requirements.ts';

/** How often a worker that is not there yet is looked for, and how long its creation may take. */
const waits = { lookMs: 5_000, createMs: 60_000 } as const;
/** By how much the clocks of two replicas may differ before it matters. */
const SKEW_MS = 60_000;

export const attemptGoesOn: Step = (scene) => {
  const { record, workers, node } = scene;
  if (!isRunning(record)) return null;
  if (!isTrue(node.conditions, 'Ready'))
    return endedBy(scene, inconclusive('NodeNotReady', 'the kubelet stopped being ready'));
  const worker = workers.find(({ name }) => name === record.workerPod);
  const move = worker === undefined ? absent(scene) : present(scene, worker);
  return move.record === undefined ? (countedAnew(scene, move) ?? move) : move;
};

/** A time that is yet to come was written before our clock was set back: who waits for what follows it would wait for as long again. */
function countedAnew({ record, now }: RecordedScene, move: Move): Move | null {
  const isAhead = (time: string | undefined) => (parseTime(time) ?? 0) > now + SKEW_MS;
  if (!isAhead(record.lastAttemptAt) && !isAhead(record.startedAt)) return null;
  const at = formatTime(now);
  const running = record.startedAt === undefined ? {} : { startedAt: at };
  return { ...move, record: { ...record, lastAttemptAt: at, ...running } };
}

function absent(scene: RecordedScene): Move {
  const { record, refusalOf, now } = scene;
  const refusal = refusalOf(record.workerPod ?? '');
  if (refusal !== '') return endedBy(scene, inconclusive('WorkerRejected', refusal));
  // Made again at once, but once: somebody who deletes every worker would keep us busy for ever.
  if (record.state === 'in_progress')
    return record.reason === 'WorkerGone'
      ? endedBy(scene, inconclusive('WorkerGone', 'somebody deletes it again and again'))
      : waiting('WorkerGone', 'it is made again', { record: missed(record, now) });
  const createdBy = (parseTime(record.lastAttemptAt) ?? now) + waits.createMs;
  const isAwaiting = arePeersAwaited({ ...scene, nodeName: scene.node.name });
  const controlRefusal =
    isAwaiting && scene.controlRefusal !== '' ? `control worker: ${scene.controlRefusal}` : '';
  if (now >= createdBy) {
    if (controlRefusal !== '') return endedBy(scene, inconclusive('WorkerRejected', controlRefusal));
    const message = `it was not created in ${waits.createMs / 1000} s`;
    return endedBy(scene, inconclusive('WorkerTimedOut', isAwaiting ? `${message}: ${AWAITED}` : message));
  }
  const recheckAt = Math.min(createdBy, now + waits.lookMs);
  // What was read before the attempt was granted is not known any more after a restart, and no worker is made without it.
  const unknown = unansweredIn(scene.questions, scene.answer?.services);
  if (unknown.length > 0)
    return waiting('WorkerStarting', unknown.join('; '), { recheckAt, asks: askAbout(scene) });
  const message = isAwaiting ? controlRefusal || AWAITED : record.workerPod;
  return waiting('WorkerStarting', message, { recheckAt });
}

const AWAITED = 'it waits for a control worker (a pod on a verified node that answers its packets)';

function present(scene: RecordedScene, worker: WorkerView): Move {
  const { record, custom, now } = scene;
  // What it finds out is not what is asked by now, be it good or bad.
  if (scene.requiredMarks.some((mark) => !worker.checkMarks.includes(mark)))
    return waiting('ChecksChanged', 'its policy asks for other checks by now; a new worker runs them', {
      record: aborted(record, 'ChecksChanged', now),
    });
  const isLeftWaiting = ownEndOf(worker) !== undefined && isStuckBeside(worker, custom);
  if (hasEnded(worker) || isLeftWaiting) return endedBy(scene, endOf(worker, expectedOf(scene, worker)));
  const isChecking = worker.hasBegun && unsetIn(worker, custom) === undefined;
  if (worker.phase === 'Running' || isChecking) return running(scene, worker);
  const hope = stillbirthOf({ ...worker, createdAt: bornAt(record, worker) }, now, custom);
  if (isEnd(hope)) return endedBy(scene, hope);
  const isGoing = worker.deletionTimestamp !== '';
  return isGoing
    ? waiting('WorkerGone', 'it is being deleted', hope)
    : waiting('WorkerStarting', worker.name, hope);
}

function expectedOf(
  { node, policy, record, planned, custom, controls }: RecordedScene,
  { peers }: WorkerView,
): Expected {
  const { name: nodeName, uid: nodeUID } = node;
  const attempt = { nodeName, nodeUID, round: record.round ?? 1, attempt: record.attempt ?? 1 };
  const terms = asksForPeers(policy) ? peerTerms(planned, peers, controls) : { planned, doubtful: [] };
  return { nodeName, nodeUID, nonce: nonceOf(attempt), ...terms, custom };
}

/** By our own clock, as far as it can know: the time on the pod is of the clock of the API server, which may be another. */
function bornAt({ lastAttemptAt }: VerificationRecord, { createdAt }: WorkerView): Instant {
  const grantedAt = parseTime(lastAttemptAt) ?? createdAt;
  return Math.min(Math.max(createdAt, grantedAt), grantedAt + waits.createMs);
}

function running(scene: RecordedScene, worker: WorkerView): Move {
  const { record, policy, now } = scene;
  if (record.state === 'pending')
    return waiting('WorkerRunning', worker.name, { record: started(record, now) });
  const endsAt = (parseTime(record.startedAt) ?? now) + policy.workerTimeoutMs;
  // An advisory check that hangs takes no more than the time.
  if (now >= endsAt && ownEndOf(worker) !== undefined)
    return endedBy(scene, endOf(worker, expectedOf(scene, worker)));
  if (now >= endsAt)
    return endedBy(scene, inconclusive('WorkerTimedOut', `it ran for ${policy.workerTimeoutMs / 1000} s`));
  return waiting('WorkerRunning', worker.name, { recheckAt: endsAt });
}

function endedBy({ record, policy, now }: RecordedScene, end: WorkerEnd): Move {
  const outcome = end.verdict === 'pass' ? 'satisfied' : 'unsatisfied';
  return { outcome, reason: end.reason, message: end.message, record: ended(record, end, { policy, now }) };
}
