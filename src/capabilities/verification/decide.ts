// What verification wants of one node: the first step of an ordered list that has something to say moves the record, and the
// record says which keys the node is to carry. Pure.

import { type Instant, soonest } from '../../base/clock.ts';
import { cut } from '../../fleet/bounds.ts';
import { isRunning, type VerificationRecord } from '../../fleet/lifecycle.ts';
import type { Verdict } from '../../fleet/node-state.ts';
import { serviceOf } from '../../fleet/service.ts';
import { formatTime, parseTime } from '../../base/timestamp.ts';
import type { Decision, Request } from '../../runtime/capability.ts';
import type { NodeEvent } from '../../runtime/ports.ts';
import type { Facts } from './gather.ts';
import { abandoned } from './next-record.ts';
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
  taintIsAnother,
  taintWasTakenAway,
} from './policies/obstacles.ts';
import { agentsAreMissing, resourcesAreMissing } from './policies/requirements.ts';
import { attemptsAreSpent, lastAttemptIsRecent, overdueAtOf, timeIsUp, worker } from './policies/retry.ts';
import { nodeIsVerified } from './policies/verified.ts';
import { capabilityName, policyOwner } from './policy.ts';
import { carriesTaint, type Move, type RecordedScene, type Scene, type Step, waiting } from './scene.ts';
import { keptTaints, leftovers, wishOf } from './wish.ts';

/** The first that answers decides. */
const steps: readonly Step[] = [
  policyIsSuspended,
  beginAgain,
  nodeIsVerified,
  nodeIsLeaving,
  taintIsAnother,
  taintWasTakenAway,
  attemptGoesOn,
  attemptsAreSpent,
  policyIsRefused,
  timeIsUp,
  nodeIsNotReady,
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
  if (facts.isPolicyUnknown) return keeping(facts);
  if (policy === null) return withoutPolicy(facts, now);
  const service = serviceOf(facts.node, facts.lifecycle, { now, askedAt: policy.createdAt });
  const scene: Scene = { ...facts, policy, service, now };
  const move = moveOf(scene);
  const moved = move.record ?? facts.record;
  const record = moved && seen(scene, moved);
  // Verified, it is held until its taint is gone. In service, it is not held before it is there: the brake may keep it off.
  const isHeld =
    move.outcome === 'satisfied' || service === 'inService'
      ? move.outcome !== 'unknown' && carriesTaint(scene)
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
    recheckAt: soonest(move.recheckAt, record && overdueAtOf({ ...scene, record })),
    ...(record === facts.record || record === undefined ? {} : { verification: record }),
    ...(scene.lifecycle === undefined ? { awaitsRecord: true } : {}),
  };
}

function moveOf(scene: Scene): Move {
  const { record } = scene;
  if (record !== undefined) return nextMoveOf({ ...scene, record });
  const first = firstMoveOf(scene);
  // What has just begun may have its worker at once: the record says both in one write.
  return first.record?.state === 'unverified'
    ? { record: first.record, ...nextMoveOf({ ...scene, record: first.record }) }
    : first;
}

function nextMoveOf(scene: RecordedScene): Move {
  for (const step of steps) {
    const move = step(scene);
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
  return { ...record, gatedAt: formatTime(scene.now), gatedAsOf: scene.node.resourceVersion };
}

function requestsOf(
  scene: Scene,
  { attempt, asks, isWarning, reason, message: note }: Move,
): readonly Request[] {
  const { node } = scene;
  const event: NodeEvent = { node, type: 'Warning', reason, action: 'Verify', note };
  const warnings: readonly Request[] = isWarning ? [{ kind: 'RecordEvent', event }] : [];
  if (attempt === undefined) return asks === undefined ? warnings : [asks, ...warnings];
  const { owner, priority } = scene.policy;
  const spreadSince = isFirstOfNew(attempt) ? (parseTime(node.creationTimestamp) ?? scene.now) : scene.now;
  return [{ kind: 'StartWorker', owner, priority, spreadSince, record: seen(scene, attempt) }];
}

/** A node that joins: what it has in common with others is when it was born. */
function isFirstOfNew({ attempt, round, gates }: VerificationRecord): boolean {
  return attempt === 1 && (round ?? 1) === 1 && gates === true;
}

/** What cannot be read is not gone: everything stays as it is until it can be. */
function keeping({ record, owned }: Facts): Decision {
  const verdict: Verdict = {
    capability: capabilityName,
    parent: policyOwner(record?.policy ?? ''),
    outcome: 'unknown',
    reason: 'VerificationPending',
    message: 'the API server does not know its kind of policy just now',
    detail: record?.state ?? '',
  };
  return { verdicts: [verdict], wish: keptTaints(owned), requests: [], recheckAt: null };
}

/** Nobody asks for this node to be verified: what is ours is given back, and a worker is not waited for. */
function withoutPolicy(facts: Facts, now: Instant): Decision {
  const { record } = facts;
  const isHolding = record !== undefined && record.state !== 'verified' && record.gates === true;
  const left =
    record !== undefined && (isHolding || isRunning(record)) ? { verification: abandoned(record, now) } : {};
  return { verdicts: [], wish: leftovers(facts, null), requests: [], recheckAt: null, ...left };
}
