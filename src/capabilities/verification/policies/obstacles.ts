// What keeps a node from being verified now, in the order in which it is told. None of these costs an attempt.

import { annotationKeys, karpenterLabels, startupTaints, systemTaintKeys } from '../../../api/keys.ts';
import { parseTime } from '../../../base/timestamp.ts';
import { departureOf } from '../../../fleet/gates.ts';
import { isRunning } from '../../../fleet/lifecycle.ts';
import { findCondition, isTrue } from '../../../objects/condition.ts';
import { ownValue } from '../../../objects/raw.ts';
import { compareResourceVersions } from '../../../objects/resource-version.ts';
import { keepsPodsAway, type Taint, taintId } from '../../../objects/taint.ts';
import { aborted, isOfAnother, regated } from '../next-record.ts';
import { carriesTaint, type Step, waiting } from '../scene.ts';

export const overrideWords = `somebody took the taint away; ${annotationKeys.verify}=now on the node has it verified after all`;

export const policyIsSuspended: Step = ({ policy, record, now }) => {
  if (!policy.isSuspended) return null;
  const stopped = isRunning(record) ? { record: aborted(record, 'VerificationSuspended', now) } : {};
  return { outcome: 'unknown', reason: 'VerificationSuspended', message: '', ...stopped };
};

/** What it asks for is not to be had here; to check less would let nodes in that nobody has checked. */
export const policyIsRefused: Step = ({ policy }) =>
  policy.refusal === '' ? null : waiting('PolicyRefused', policy.refusal);

export const nodeIsLeaving: Step = ({ node, record, now }) => {
  const departure = departureOf(node);
  if (departure === null && !node.isUnschedulable) return null;
  const message = departure === null ? 'it is cordoned' : `it is removed by ${departure.by}`;
  return waiting(
    'NodeInUse',
    message,
    isRunning(record) ? { record: aborted(record, 'NodeInUse', now) } : {},
  );
};

/** The gate that was seen is not the one that is asked for now: it is replaced, and nobody took it away. */
export const taintIsAnother: Step = (scene) => {
  const { record, policy, owned } = scene;
  if (record.gates !== true || record.gatedAt === undefined || carriesTaint(scene)) return null;
  const isReplaced = owned.some(
    ({ kind, key }) => kind === 'taints' && policy.taints.every(({ id }) => id !== key),
  );
  if (!isReplaced && !isOfAnother(record, policy)) return null;
  return waiting('VerificationPending', 'its policy asks for another taint', {
    record: regated(record, policy),
  });
};

/** The taint was there, and went without us: somebody knows better. */
export const taintWasTakenAway: Step = (scene) => {
  const { record, node, now } = scene;
  const isLeft = record.reason === 'ManualOverride';
  // Who has just begun to lead may know the node as it was before it got the taint.
  const isBehind = compareResourceVersions(node.resourceVersion, record.gatedAsOf ?? '') === 'older';
  const isTaken = record.gates === true && record.gatedAt !== undefined && !isBehind && !carriesTaint(scene);
  if (!isLeft && !isTaken) return null;
  const move = { outcome: 'unknown', reason: 'ManualOverride', message: overrideWords } as const;
  return isLeft ? move : { ...move, record: { ...aborted(record, 'ManualOverride', now), gates: false } };
};

export const nodeIsNotReady: Step = ({ node, policy, record, now }) => {
  if (isTrue(node.conditions, 'Ready')) return null;
  const givenUpAt = (parseTime(record.createdAt) ?? now) + policy.nodeReadyTimeoutMs;
  const message = findCondition(node.conditions, 'Ready')?.message ?? 'the kubelet has not reported yet';
  if (now < givenUpAt) return waiting('NodeNotReady', message, { recheckAt: givenUpAt });
  const isTold = record.state === 'failed' && record.reason === 'NodeNotReady';
  const told = { ...record, state: 'failed', verdict: 'inconclusive', reason: 'NodeNotReady' } as const;
  return waiting(
    'NodeNotReady',
    `not ready for ${policy.nodeReadyTimeoutMs / 1000} s`,
    isTold ? {} : { record: told },
  );
};

/** Autoscalers know startup taints by their prefix: that of the policy itself may well have it. */
export const agentsAreBusy: Step = ({ node, policy }) => {
  const isOwn = (each: Taint) => policy.taints.some(({ id }) => id === taintId(each));
  const isBusy = (each: Taint) => keepsPodsAway(each) && isStartupTaint(each) && !isLate(each);
  const taint = node.taints.find((each) => isBusy(each) && !isOwn(each));
  return taint === undefined ? null : waiting('StartupTaint', taint.key);
};

/** The kubelet is ready by its own word: only the controller has yet to take this away, and a worker tolerates it. */
function isLate({ key, effect }: Taint): boolean {
  return key === systemTaintKeys.notReady && effect === 'NoSchedule';
}

export function isStartupTaint({ key }: Taint): boolean {
  const { keys, prefixes, suffixes } = startupTaints;
  return (
    keys.some((each) => each === key) ||
    prefixes.some((prefix) => key.startsWith(prefix)) ||
    suffixes.some((suffix) => key.endsWith(suffix))
  );
}

/** Karpenter puts its startup taints on a node when it takes it in: what is taken away before that comes back. */
export const karpenterIsBusy: Step = ({ node }) => {
  const isClaimed = ownValue(node.labels, karpenterLabels.nodePool) !== undefined;
  return isClaimed && ownValue(node.labels, karpenterLabels.registered) !== 'true'
    ? waiting('NotRegistered')
    : null;
};

export const networkIsMissing: Step = ({ node }) =>
  isTrue(node.conditions, 'NetworkUnavailable')
    ? waiting('RequirementMissing', 'NetworkUnavailable is True')
    : null;
