// How the verification of a node begins: the first time it is seen, and again when something gives cause.

import { annotationKeys } from '../../../api/keys.ts';
import type { Reason } from '../../../api/reasons.ts';
import { hashFields } from '../../../base/hash.ts';
import { parseTime } from '../../../base/timestamp.ts';
import { isRunning, type VerificationRecord } from '../../../fleet/lifecycle.ts';
import { ownValue } from '../../../objects/raw.ts';
import { begun, isOfAnother, runsOf, taken } from '../next-record.ts';
import type { Policy } from '../policy.ts';
import { isTriedOut } from './retry.ts';
import { carriesTaint, type Move, type RecordedScene, type Scene, type Step, waiting } from '../scene.ts';

/** A node without a record of its verification. */
export function beginOf(scene: Scene): Move {
  const { node, policy, service, now } = scene;
  const start = { node, policy, round: 1, now };
  const verified = (reason: Reason): Move => ({
    outcome: 'satisfied',
    reason,
    message: '',
    record: taken({ ...start, isGating: false }, reason),
  });
  const isLabelled = ownValue(node.labels, policy.label.key) === policy.label.value;
  if (isLabelled && !carriesTaint(scene)) return verified('AlreadyVerified');
  if (carriesTaint(scene) || service === 'new')
    return waiting('VerificationPending', '', {
      record: begun({ ...start, isGating: policy.taints.length > 0 }),
    });
  // What joined after its policy was not in service before it, whatever kept us from seeing it: it is checked, and works meanwhile. So
  // is what somebody asks for.
  const onboarding = isYounger(scene) || isAskedFor(scene) ? 'Verify' : policy.onboarding;
  switch (onboarding) {
    case 'Ignore':
      return { outcome: 'unknown', reason: 'NotOnboarded', message: '' };
    case 'Label':
      return verified('Onboarded');
    case 'Verify':
      return waiting('VerificationPending', '', { record: begun({ ...start, isGating: false }) });
  }
}

/** Both times are of the clock of the API server. A policy of the configuration has none. */
function isYounger({ node, policy }: Scene): boolean {
  const bornAt = parseTime(node.creationTimestamp);
  return bornAt !== null && policy.createdAt > 0 && bornAt >= policy.createdAt;
}

type Cause = (scene: RecordedScene) => Reason | null;

const askedFor: Cause = (scene) => (isAskedFor(scene) ? 'VerificationPending' : null);

function isAskedFor({ node }: Pick<Scene, 'node'>): boolean {
  return node.annotations[annotationKeys.verify] === 'now';
}

/** The record on the node says that we wrote the label, and it is not there: a person took it away. */
const labelTaken: Cause = ({ node, record, owned, policy }) => {
  const isOurs = owned.some(({ kind, key }) => kind === 'labels' && key === policy.label.key);
  const isMissing = ownValue(node.labels, policy.label.key) === undefined;
  return record.state === 'verified' && isOurs && isMissing ? 'VerificationPending' : null;
};

const rebooted: Cause = ({ node, record, policy }) =>
  policy.onReboot !== 'Ignore' && isOther(record.bootID, runsOf(node).bootID) ? 'Rebooted' : null;

/** Whoever updates a node cordons it: what begins here waits until that is over. */
const updated: Cause = ({ node, record, policy }) =>
  policy.onUpdate !== 'Ignore' && isOther(record.kubeletVersion, runsOf(node).kubeletVersion)
    ? 'Updated'
    : null;

/** A kubelet that has not said it yet, and a record of before it was noted, say nothing. */
function isOther(before: string | undefined, now: string | undefined): boolean {
  return before !== undefined && now !== undefined && before !== now;
}

const intervalOver: Cause = (scene) => {
  const dueAt = intervalEndOf(scene);
  return dueAt !== null && scene.now >= dueAt ? 'VerificationPending' : null;
};

/** Another generation, or another policy altogether, be it of the same name: what counted against the node need not any more. */
const policyChanged: Cause = (scene) => {
  const { state } = scene.record;
  const isIdle = state === 'failed' || (state === 'unverified' && isTriedOut(scene));
  return isIdle && isOfAnother(scene.record, scene.policy) ? 'VerificationPending' : null;
};

/** Its policy went before it was verified, and now there is one again. */
const policyIsBack: Cause = ({ record }) => (isAbandoned(record) ? 'VerificationPending' : null);

const causes: readonly Cause[] = [
  askedFor,
  labelTaken,
  rebooted,
  updated,
  intervalOver,
  policyChanged,
  policyIsBack,
];

/** What ends a long wait: somebody says that it may be otherwise by now. */
const causesOfWaiting: readonly Cause[] = [askedFor, policyChanged];

/**
 * A verified node, a failed one and one that was left alone can begin again. What is under way goes on, unless the node boots
 * meanwhile: what its worker found out is of a time that is over.
 */
export const beginAgain: Step = (scene) => {
  const { record, node, policy, now } = scene;
  const isLeft = record.reason === 'ManualOverride' || isAbandoned(record);
  const isAtRest = record.state === 'verified' || record.state === 'failed' || isLeft;
  const due = isAtRest ? causes : isRunning(record) ? [rebooted] : isTriedOut(scene) ? causesOfWaiting : [];
  const reason = due.map((cause) => cause(scene)).find((each) => each !== null);
  if (reason === undefined) return null;
  const round = (record.round ?? 1) + 1;
  const isGating = isGatedStill(record) || isGatingFor(reason, policy) || isGatedAnew(scene);
  return waiting(reason, 'it begins again', { record: begun({ node, policy, round, isGating, now }) });
};

function isGatingFor(reason: Reason, { onReboot, onUpdate, taints }: Policy): boolean {
  const isAsked =
    (reason === 'Rebooted' && onReboot === 'Gate') || (reason === 'Updated' && onUpdate === 'Gate');
  return isAsked && taints.length > 0;
}

/** What was let in because its policy went is gated if it has not taken work since, or has failed as often as that takes. */
function isGatedAnew(scene: RecordedScene): boolean {
  const { record, policy, service } = scene;
  if (policy.taints.length === 0) return false;
  const hasFailed = (record.failedAttempts ?? 0) >= policy.failuresBeforeGate;
  if (isAbandoned(record)) return hasFailed || service === 'new' || carriesTaint(scene);
  return hasFailed && record.state === 'failed';
}

function isAbandoned({ state, reason }: VerificationRecord): boolean {
  return state === 'unverified' && reason === 'NotOnboarded';
}

/** A node that was never let in is not let in by asking again. */
function isGatedStill({ state, gates }: VerificationRecord): boolean {
  return state !== 'verified' && gates === true;
}

const SPREAD = 0.1;

/** When a verified node is due by time alone, up to a tenth sooner or later: a fleet that joined together is spread. */
export function intervalEndOf({ record, policy, node }: RecordedScene): number | null {
  const verifiedAt = parseTime(record.verifiedAt);
  if (record.state !== 'verified' || verifiedAt === null || policy.intervalMs === null) return null;
  const share = Number.parseInt(hashFields([node.uid, String(record.round ?? 1)]).slice(-4), 16) / 0xffff;
  return verifiedAt + policy.intervalMs * (1 + SPREAD * (2 * share - 1));
}
