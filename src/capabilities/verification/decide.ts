// What verification wants of one node: the first step of an ordered list that has something to say moves the record, and the
// record says which keys the node is to carry. Pure.

import type { Instant } from '../../base/clock.ts';
import { annotationKeys } from '../../api/keys.ts';
import { cut } from '../../fleet/bounds.ts';
import { isRunning, type VerificationRecord } from '../../fleet/lifecycle.ts';
import { serviceOf } from '../../fleet/service.ts';
import { formatTime } from '../../base/timestamp.ts';
import type { KeyWish, NodeWish } from '../../objects/wish.ts';
import type { Decision, Request } from '../../runtime/capability.ts';
import type { Facts } from './gather.ts';
import { aborted } from './next-record.ts';
import { attemptGoesOn } from './policies/attempt.ts';
import { beginAgain, beginOf } from './policies/begin.ts';
import {
  agentsAreBusy,
  karpenterIsBusy,
  networkIsMissing,
  nodeIsLeaving,
  nodeIsNotReady,
  policyIsRefused,
  policyIsSuspended,
  taintWasTakenAway,
} from './policies/obstacles.ts';
import { agentsAreMissing, resourcesAreMissing } from './policies/requirements.ts';
import { attemptsAreSpent, lastAttemptIsRecent, timeIsUp, worker } from './policies/retry.ts';
import { nodeIsVerified } from './policies/verified.ts';
import { capabilityName, type Policy } from './policy.ts';
import { carriesTaint, type Move, type Scene, type Step, waiting } from './scene.ts';

/** The first that answers decides. */
const steps: readonly Step[] = [
  policyIsSuspended,
  beginAgain,
  nodeIsVerified,
  nodeIsLeaving,
  taintWasTakenAway,
  attemptGoesOn,
  attemptsAreSpent,
  policyIsRefused,
  nodeIsNotReady,
  timeIsUp,
  agentsAreBusy,
  karpenterIsBusy,
  networkIsMissing,
  resourcesAreMissing,
  lastAttemptIsRecent,
  agentsAreMissing,
  worker,
];

const MESSAGE_LENGTH_MAX = 256;

export function decide(facts: Facts, now: Instant): Decision {
  const { policy } = facts;
  if (policy === null) return withoutPolicy(facts, now);
  const scene: Scene = { ...facts, policy, service: serviceOf(facts.node, facts.lifecycle, now), now };
  const move = moveOf(scene);
  const moved = move.record ?? facts.record;
  const record = moved && seen(scene, moved);
  // Verified, it is held until its taint is gone.
  const isHeld =
    move.outcome === 'satisfied'
      ? carriesTaint(scene)
      : move.outcome === 'unsatisfied' && record?.gates === true;
  return {
    verdicts: [
      {
        capability: capabilityName,
        parent: policy.owner,
        outcome: move.outcome,
        reason: move.reason,
        message: cut(move.message, MESSAGE_LENGTH_MAX),
        detail: record?.state ?? '',
        ...(isHeld ? { holdsIn: 'Verifying' as const } : {}),
      },
    ],
    wish: wishOf(scene, record),
    requests: requestsOf(scene, move),
    recheckAt: move.recheckAt ?? null,
    ...(record === facts.record || record === undefined ? {} : { verification: record }),
  };
}

function moveOf(scene: Scene): Move {
  const { record } = scene;
  if (record === undefined) return firstMoveOf(scene);
  for (const step of steps) {
    const move = step({ ...scene, record });
    if (move !== null) return move;
  }
  return waiting('VerificationPending');
}

function firstMoveOf(scene: Scene): Move {
  if (scene.policy.isSuspended) return { outcome: 'unknown', reason: 'VerificationSuspended', message: '' };
  if (scene.lifecycle === undefined) return waiting('VerificationPending', 'its record is not written yet');
  return beginOf(scene);
}

/** The first sight of the taint is recorded: when it goes without us, somebody took it away. */
function seen(scene: Scene, record: VerificationRecord): VerificationRecord {
  if (record.gates !== true || record.gatedAt !== undefined || !carriesTaint(scene)) return record;
  return { ...record, gatedAt: formatTime(scene.now) };
}

function requestsOf(scene: Scene, { attempt, asks }: Move): readonly Request[] {
  if (attempt === undefined) return asks === undefined ? [] : [asks];
  const { owner, priority } = scene.policy;
  return [{ kind: 'StartWorker', owner, priority, record: seen(scene, attempt) }];
}

function wishOf(scene: Scene, record: VerificationRecord | undefined): NodeWish {
  const { policy, node } = scene;
  const left = leftovers(scene, policy);
  const isAsked = node.annotations[annotationKeys.verify] !== undefined;
  const isBegun = record !== undefined && record.state !== 'verified' && record.state !== 'failed';
  const annotations: Record<string, KeyWish> =
    isAsked && isBegun
      ? { [annotationKeys.verify]: { kind: 'absent', owner: policy.owner, basis: 'named' } }
      : {};
  if (policy.isSuspended) return {};
  if (record?.state === 'verified') return merged(left, { ...verifiedKeys(policy), annotations });
  const mustGate = record === undefined ? isNewAndBare(scene) : isGateOurs(scene, record);
  return merged(left, { ...(mustGate ? gatedKeys(policy) : {}), annotations });
}

/** It is set where it was never seen, and kept where we set it; one that a node was born with is left as it is. */
function isGateOurs({ owned, policy }: Scene, { gates, gatedAt }: VerificationRecord): boolean {
  if (gates !== true) return false;
  return (
    gatedAt === undefined || owned.some(({ kind, key }) => kind === 'taints' && key === policy.taints[0]?.id)
  );
}

/** Before its record is written a new node can be gated all the same; one that is gated already needs nothing. */
function isNewAndBare(scene: Scene): boolean {
  return (
    scene.service === 'new' && !carriesTaint(scene) && scene.node.labels[scene.policy.label.key] === undefined
  );
}

function verifiedKeys({ owner, taints, label, name }: Policy): NodeWish {
  const gone: KeyWish = { kind: 'absent', owner, basis: 'named' };
  return {
    taints: Object.fromEntries(taints.map(({ id }) => [id, gone])),
    labels: { [label.key]: presentFor({ owner, name }, label.value) },
  };
}

function gatedKeys({ owner, taints, label, name }: Policy): NodeWish {
  const [first] = taints;
  if (first === undefined) return {};
  return {
    taints: { [first.id]: presentFor({ owner, name }, first.value) },
    labels: { [label.key]: { kind: 'absent', owner, basis: 'named' } },
  };
}

/** A policy of the configuration is no object that could vouch for a key: the record of the node has to. */
function presentFor({ owner, name }: Pick<Policy, 'owner' | 'name'>, value: string): KeyWish {
  return { kind: 'present', owner, value, prior: 'adopt', proof: name === '' ? 'record' : 'object' };
}

/** What another policy put there, or this one before it was changed. */
function leftovers({ owned }: Facts, policy: Policy | null): NodeWish {
  const isCurrent = (kind: string, key: string) =>
    kind === 'labels' ? key === policy?.label.key : policy?.taints.some(({ id }) => id === key) === true;
  const wish = (wanted: 'labels' | 'taints'): Record<string, KeyWish> =>
    Object.fromEntries(
      owned
        .filter(({ kind, key }) => kind === wanted && !isCurrent(kind, key))
        .map(({ key, owner }) => [key, { kind: 'absent', owner, basis: 'recorded' }]),
    );
  return { labels: wish('labels'), taints: wish('taints') };
}

function merged(under: NodeWish, over: NodeWish): NodeWish {
  return {
    labels: { ...under.labels, ...over.labels },
    annotations: { ...under.annotations, ...over.annotations },
    taints: { ...under.taints, ...over.taints },
  };
}

/** Nobody asks for this node to be verified: what is ours is given back, and a worker is not waited for. */
function withoutPolicy(facts: Facts, now: Instant): Decision {
  const { record } = facts;
  const stopped =
    record !== undefined && isRunning(record) ? { verification: aborted(record, 'NotOnboarded', now) } : {};
  return { verdicts: [], wish: leftovers(facts, null), requests: [], recheckAt: null, ...stopped };
}
