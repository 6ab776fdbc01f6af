// The NodeLifecycle of a node, computed whole from what is known now and what the record said before. Two kinds of content:
// the record (incarnation, boot, first release, what we own) must be written before the effect it permits; display may wait.

import type { Instant } from '../base/clock.ts';
import type { Intern } from '../base/intern.ts';
import { isSame } from '../base/same.ts';
import { formatTime, parseTime } from '../base/timestamp.ts';
import type { NodeLifecycleStatus } from '../api/node-lifecycle.ts';
import type { Reason } from '../api/reasons.ts';
import type { NodeView } from '../objects/node.ts';
import { fieldsOf, type ObjectView, type RawObject, textOf, viewOf } from '../objects/raw.ts';
import { compareResourceVersions } from '../objects/resource-version.ts';
import type { MergedKeyWish } from '../objects/wish.ts';
import { cut, listedOwner, statusLimits as limits, withinBytes } from './bounds.ts';
import { departureOf, openGates } from './gates.ts';
import type { NodeState } from './node-state.ts';
import {
  isAboutToWrite,
  isGateAmong,
  isUnlisted,
  keysToProve,
  nextOwned,
  type OwnedKey,
  ownTaintsOf,
  textOfOwned,
  withArriving,
} from './owned-keys.ts';
import { packStatus, type PackedStatus, unpackStatus } from './packed-status.ts';
import { type StageFinding, stageOf } from './stage.ts';

/** Status is held packed: ten thousand parsed copies would cost ten times the memory. */
export type LifecycleView = ObjectView & {
  readonly nodeUID: string;
  /** By the clock of the API server. */
  readonly createdAt: Instant;
  /** Empty before the first status is written. */
  readonly stage: string;
  /** It has been without a gate of ours once: from then on the brake counts the node. */
  readonly isReleased: boolean;
  /** Empty where verification never began. */
  readonly verificationState: string;
  readonly status: PackedStatus;
};

export function projectLifecycle(raw: RawObject, intern: Intern): LifecycleView {
  const spec = fieldsOf(raw.spec);
  const status = fieldsOf(raw.status);
  return {
    ...viewOf(raw),
    nodeUID: textOf(spec['nodeUID']),
    createdAt: parseTime(raw.metadata?.creationTimestamp) ?? 0,
    stage: intern.text(textOf(status['stage'])),
    isReleased: textOf(status['firstReleasedAt']) !== '',
    verificationState: intern.text(textOf(fieldsOf(status['verification'])['state'])),
    status: packStatus(status, (text) => intern.text(text)),
  };
}

export function statusOf(view: LifecycleView): NodeLifecycleStatus {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API server checked it against this very schema
  return unpackStatus(view.status) as NodeLifecycleStatus;
}

export type VerificationRecord = NonNullable<NodeLifecycleStatus['verification']>;

/** How far the verification of this incarnation has come, by its record; undefined where it never began. */
export function verificationOf(
  view: LifecycleView | undefined,
  nodeUID: string,
): VerificationRecord | undefined {
  if (view === undefined || view.nodeUID !== nodeUID || view.verificationState === '') return undefined;
  return statusOf(view).verification;
}

/** An attempt is under way: there is a worker, or there is to be one. */
export function isRunning({ state }: { readonly state: string }): boolean {
  return state === 'pending' || state === 'in_progress';
}

export type LifecycleFacts = {
  readonly node: NodeView;
  readonly state: NodeState;
  /** The winning wish for each key, of capabilities that may speak. */
  readonly wishes: readonly MergedKeyWish[];
  /** Every enabled capability has passed its barrier: silence now means that it has nothing to say. */
  readonly isSettled: boolean;
  /** What the verification of the node is to be from now on; undefined: as it was. */
  readonly verification?: VerificationRecord | undefined;
  readonly previous: NodeLifecycleStatus;
  readonly now: Instant;
};

export type NextLifecycle = {
  readonly status: NodeLifecycleStatus;
  readonly changed: 'record' | 'display' | 'nothing';
};

export function nextLifecycle(facts: LifecycleFacts): NextLifecycle {
  const record = recordOf(facts);
  const status = withinBytes({ ...record, ...displayOf(facts, record) });
  return { status, changed: whatChanged(facts, status) };
}

type RecordPart = Pick<
  NodeLifecycleStatus,
  'bootID' | 'firstReleasedAt' | 'owned' | 'ownedAsOf' | 'verification'
>;

function recordOf(facts: LifecycleFacts): RecordPart {
  const { node, wishes, isSettled, previous, now } = facts;
  const verification = facts.verification ?? previous.verification;
  const standing = nextOwned(previous.owned ?? [], node, wishes);
  const owned = mayStillArrive(previous, node) ? withArriving(standing, previous.owned ?? []) : standing;
  const ownedAsOf = isAboutToWrite(owned, node, wishes) ? node.resourceVersion : previous.ownedAsOf;
  const isGated = isGateAmong(owned, node, wishes) || isGating(verification);
  const firstReleasedAt = previous.firstReleasedAt ?? (isSettled && !isGated ? formatTime(now) : undefined);
  const bootID = node.bootID === '' ? previous.bootID : cut(node.bootID, limits.bootIDLengthMax);
  return {
    ...(bootID === undefined ? {} : { bootID }),
    ...(firstReleasedAt === undefined ? {} : { firstReleasedAt }),
    ...(owned.length === 0 ? {} : { owned }),
    ...(owned.length === 0 || ownedAsOf === undefined ? {} : { ownedAsOf }),
    ...(verification === undefined ? {} : { verification }),
  };
}

/** The taint of a node that is not verified yet need not be ours: it may have been born with it. */
function isGating(verification: VerificationRecord | undefined): boolean {
  return verification?.gates === true && verification.state !== 'verified';
}

/** A patch of the node is guarded by the resourceVersion it was permitted at: on any later one it is refused. */
function mayStillArrive({ ownedAsOf }: NodeLifecycleStatus, { resourceVersion }: NodeView): boolean {
  if (ownedAsOf === undefined) return false;
  const order = compareResourceVersions(resourceVersion, ownedAsOf);
  return order === 'equal' || order === 'older';
}

function displayOf(facts: LifecycleFacts, record: RecordPart): NodeLifecycleStatus {
  const { node, state, previous, now } = facts;
  const gates = openGates(node, ownTaintsOf(record.owned ?? []), state.verdicts);
  const found = stageOf({ node, state, gates, wasInService: previous.inServiceAt !== undefined });
  const at = formatTime(now);
  const inServiceAt = previous.inServiceAt ?? (found.stage === 'InService' ? at : undefined);
  const departure = departureOf(node);
  return {
    stage: found.stage,
    stageSince: previous.stage === found.stage ? (previous.stageSince ?? at) : at,
    stageReason: cut(found.reason, limits.reasonLengthMax),
    stageMessage: cut(found.message, limits.messageLengthMax),
    pool: cut(state.poolRef.name, limits.nameLengthMax),
    gates: gates.slice(0, limits.gatesMax).map((gate) => {
      const since =
        previous.gates?.find(({ key, effect }) => key === gate.key && effect === gate.effect)?.since ?? at;
      return { ...gate, ...words(gate.reason, gate.message), since };
    }),
    gateCount: gates.length,
    gateSummary: gateSummary(
      gates.map(({ key }) => key),
      found.stage === 'Verifying' ? failedCheck(record.verification) : undefined,
    ),
    ...conflictsOf(facts),
    ...(departure === null ? {} : { leaving: { by: departure.by, since: previous.leaving?.since ?? at } }),
    ...(inServiceAt === undefined ? {} : { inServiceAt }),
    update: updateOf(state),
    timeline: timelineOf(facts, record, found),
  };
}

const conflictReasons: readonly string[] = [
  'Contested',
  'Conflict',
  'RuleConflict',
] satisfies readonly Reason[];

function conflictsOf({ state, previous, now }: LifecycleFacts): Pick<NodeLifecycleStatus, 'conflicts'> {
  const found = state.verdicts
    .filter(({ reason }) => conflictReasons.includes(reason))
    .slice(0, limits.conflictsMax)
    .map(({ parent, reason, message }) => {
      const owner = listedOwner(parent);
      const before = previous.conflicts?.find((each) => each.owner === owner && each.reason === reason);
      return { owner, ...words(reason, message), since: before?.since ?? formatTime(now) };
    });
  return found.length === 0 ? {} : { conflicts: found };
}

/** `cni-not-ready +2`, `unverified: dns`: the last part of the first gate's key, what failed, and how many more there are. */
function gateSummary(keys: readonly string[], check: string | undefined): string {
  const [first] = keys;
  if (first === undefined) return '-';
  const name = first.slice(first.lastIndexOf('/') + 1) + (check === undefined ? '' : `: ${check}`);
  const more = keys.length === 1 ? '' : ` +${keys.length - 1}`;
  return cut(name, limits.gateSummaryLengthMax - more.length) + more;
}

function failedCheck(verification: VerificationRecord | undefined): string | undefined {
  return verification?.checks?.find(({ verdict }) => verdict === 'fail')?.name;
}

function updateOf(state: NodeState): NonNullable<NodeLifecycleStatus['update']> {
  const { phase, version, desiredVersion, currentConfig, desiredConfig, message } = state;
  const texts = {
    version: cut(version, limits.messageLengthMax),
    desiredVersion: cut(desiredVersion, limits.messageLengthMax),
    currentConfig: cut(currentConfig, limits.nameLengthMax),
    desiredConfig: cut(desiredConfig, limits.nameLengthMax),
    message: cut(message, limits.messageLengthMax),
  };
  return { phase, ...Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')) };
}

/** Newest first. A reboot is an entry of its own: the stage may well be the same before and after. */
function timelineOf(
  { previous, now }: LifecycleFacts,
  { bootID }: RecordPart,
  found: StageFinding,
): NonNullable<NodeLifecycleStatus['timeline']> {
  const entry = (reason: string, message: string) => ({
    at: formatTime(now),
    stage: found.stage,
    ...words(reason, message),
  });
  const timeline = [...(previous.timeline ?? [])];
  const isReboot = previous.bootID !== undefined && previous.bootID !== bootID;
  if (isReboot) timeline.unshift(entry('Rebooted' satisfies Reason, `boot ${bootID}`));
  if (previous.stage !== found.stage) timeline.unshift(entry(found.reason, found.message));
  return timeline.slice(0, limits.timelineMax);
}

function words(reason: string, message: string): { readonly reason: string; readonly message?: string } {
  return {
    reason: cut(reason, limits.reasonLengthMax),
    ...(message === '' ? {} : { message: cut(message, limits.messageLengthMax) }),
  };
}

function whatChanged(
  { node, previous, wishes }: LifecycleFacts,
  next: NodeLifecycleStatus,
): NextLifecycle['changed'] {
  if (isSame(previous, next)) return 'nothing';
  const isReboot = previous.bootID !== next.bootID;
  const isRelease = previous.firstReleasedAt !== next.firstReleasedAt;
  const isListed = listedIn(next);
  const isProof = unproven(previous, wishes).some(isListed);
  const isPermit = next.ownedAsOf !== undefined && previous.ownedAsOf !== next.ownedAsOf;
  const isOwning = isUnlisted(next.owned ?? [], previous.owned ?? [], node);
  const isVerifying = hasVerificationMoved(previous, next);
  return isReboot || isRelease || isProof || isPermit || isOwning || isVerifying ? 'record' : 'display';
}

/** When its taint was first seen permits nothing: it may wait for the next thing that is written. */
export function hasVerificationMoved(previous: NodeLifecycleStatus, next: NodeLifecycleStatus): boolean {
  return !isSame(unsighted(previous), unsighted(next));
}

/** That a worker runs by now permits nothing: nobody waits for it to be written. */
export function hasMerelyStarted(previous: NodeLifecycleStatus, next: NodeLifecycleStatus): boolean {
  return previous.verification?.state === 'pending' && next.verification?.state === 'in_progress';
}

function unsighted({ verification }: NodeLifecycleStatus): Partial<VerificationRecord> {
  const { gatedAt, gatedAsOf, ...rest }: Partial<VerificationRecord> = verification ?? {};
  return rest;
}

/** A wish whose only proof will be this record must stand in it before the node is touched. */
export function lacksProof(status: NodeLifecycleStatus, wishes: readonly MergedKeyWish[]): boolean {
  return unproven(status, wishes).length > 0;
}

function unproven(status: NodeLifecycleStatus, wishes: readonly MergedKeyWish[]): readonly OwnedKey[] {
  const isListed = listedIn(status);
  return keysToProve(wishes).filter((entry) => !isListed(entry));
}

function listedIn({ owned = [] }: NodeLifecycleStatus): (entry: OwnedKey) => boolean {
  const listed = new Set(owned.map(textOfOwned));
  return (entry) => listed.has(textOfOwned(entry));
}
