// The one place for limits that are not about one node. Pure: counters and what is asked for in, granted or held out. What is
// held is a verdict people can see, and is woken when the counter that held it falls.

import type { Reason } from '../api/reasons.ts';
import type { Instant } from '../base/clock.ts';
import { type NodeLimit, nodesWithin } from '../fleet/node-limit.ts';
import { ownValue } from '../objects/raw.ts';
import { parseTaintId, type TaintId } from '../objects/taint.ts';
import type { GateRequest } from './capability.ts';
import type { GatingPolicy, Standing } from './gating-policy.ts';

/**
 * Writes are limited by kind, so that ten thousand births of records never stand before one release of a node. A record that a patch or
 * a worker waits for is a kind of its own.
 */
export const writeKinds = ['NodePatch', 'RecordWrite', 'LifecycleWrite'] as const;
export type WriteKind = (typeof writeKinds)[number];

export type WriteLimits = Readonly<Record<WriteKind, number>>;

export const defaultWriteLimits: WriteLimits = {
  NodePatch: 32,
  RecordWrite: 16,
  LifecycleWrite: 16,
};

/** So many Node patches at once, or in a second, are a burst: whatever else is written then makes every node wait longer. */
export const BURST_PATCHES = 8;
export const BURST_PATCHES_PER_SECOND = 32;
/** So many in a second are a fleet that changes: what is merely told about nodes is written one at a time then. */
export const STIR_PATCHES_PER_SECOND = 4;
/**
 * In a burst, and while awaited records are held, what nobody waits for is written once for so many patches, each kind by itself:
 * seldom, and never not at all.
 */
export const PATCHES_PER_OTHER = 20;

/** How many writes of a kind there may be now. */
export function limitOf(kind: WriteKind, limits: WriteLimits, counters: FleetCounters): number {
  const isCalm = !counters.isBurst && !counters.areRecordsHeld;
  if (isCalm || kind === 'NodePatch' || kind === 'RecordWrite') return limits[kind];
  return counters.patchesSince[kind] < PATCHES_PER_OTHER ? 0 : 1;
}

export type FleetCounters = {
  readonly writesInFlight: Readonly<Record<WriteKind, number>>;
  /** Kinds of writes that fail for a cause that is not about one object. */
  readonly resting: ReadonlySet<WriteKind>;
  readonly isBurst: boolean;
  /** There was no place lately for a record that somebody waits for. */
  readonly areRecordsHeld: boolean;
  /** Node patches that were granted since the last write of a kind was. */
  readonly patchesSince: Readonly<Record<WriteKind, number>>;
};

export type Ruling =
  | { readonly kind: 'granted' }
  | { readonly kind: 'held'; readonly reason: Reason; readonly wokenBy: WriteKind };

export function arbitrate(counters: FleetCounters, limits: WriteLimits, asked: WriteKind): Ruling {
  if (counters.resting.has(asked)) return { kind: 'held', reason: 'WritesFailing', wokenBy: asked };
  if (counters.writesInFlight[asked] < limitOf(asked, limits, counters)) return { kind: 'granted' };
  return { kind: 'held', reason: 'WritesInFlight', wokenBy: asked };
}

/** A node that is to get a taint which keeps pods away, and does not have it yet. */
export type GateAsk = {
  readonly node: string;
  readonly taint: TaintId;
  readonly terms: Pick<GateRequest, 'gatedMax' | 'confirmedNodes'>;
  /** It has been without a gate of ours once; before that nothing is taken away from anybody. */
  readonly isInService: boolean;
  /** Whether it is in service cannot be said before its record is written. */
  readonly isUnrecorded: boolean;
  /** Another gate of ours is there already: one more takes nothing away. */
  readonly isGated: boolean;
  readonly isControlPlane: boolean;
};

/** How many other nodes in service are gated by us, those included whose taint has been granted and is being written. */
export type GateCounters = {
  readonly poolSize: number;
  readonly inPool: number;
  readonly inPoolByOwner: number;
  readonly byOwner: number;
  readonly noExecuteInPool: number;
};

export type GateRuling =
  | { readonly kind: 'granted' }
  | {
      readonly kind: 'held';
      readonly reason: Reason;
      readonly message: string;
      readonly wokenBy: GateWaker;
      readonly until: Instant | null;
    };

/**
 * policy: when that changes, or at a time. place: when one of these nodes is released, by the owner wherever it is where a person has
 * agreed to a number of its nodes, or when the pool has grown so much that the limits allow one more.
 */
export type GateWaker =
  | { readonly kind: 'policy' }
  | { readonly kind: 'place'; readonly limits: readonly NodeLimit[]; readonly isConfirmed: boolean };

type GateLimit = (ask: GateAsk, counters: GateCounters, at: GateMoment) => GateRuling | null;
export type GateMoment = { readonly policy: GatingPolicy; readonly now: Instant };

/** The first limit that has something against it. */
export function arbitrateGate(ask: GateAsk, counters: GateCounters, at: GateMoment): GateRuling {
  for (const limit of gateLimits) {
    const ruling = limit(ask, counters, at);
    if (ruling !== null) return ruling;
  }
  return granted;
}

const granted: GateRuling = { kind: 'granted' };

const authorityIsToObserve: GateLimit = (_, __, { policy }) =>
  policy.authority === 'observe' ? heldByPolicy('ObserveOnly', 'the authority is to observe') : null;

/** To evict is to act on a node: whose authority is to gate keeps new pods away and no more. */
const noExecuteIsNotAllowed: GateLimit = ({ taint }, _, { policy }) => {
  if (!isEviction(taint)) return null;
  if (!policy.noExecuteKeys.includes(parseTaintId(taint).key))
    return heldByPolicy('NoExecuteNotAllowed', `the policy does not allow ${taint}`);
  if (policy.authority === 'act') return null;
  return heldByPolicy('NoExecuteNotAllowed', `the authority is to ${policy.authority}, and ${taint} evicts`);
};

const controlPlaneIsProtected: GateLimit = ({ taint, isControlPlane }) => {
  if (!isControlPlane || !isEviction(taint)) return null;
  return heldByPolicy('ControlPlaneProtected', 'the node is one of the control plane');
};

const recordIsPending: GateLimit = ({ isUnrecorded }) =>
  isUnrecorded ? heldByPolicy('NotSynced', 'the record of the node is not written yet') : null;

const nodeWasNeverReleased: GateLimit = ({ isInService }) => (isInService ? null : granted);

/** What somebody asks to be left alone is not evicted from, whether it was ever released or not. */
const evictionIsHeld: GateLimit = (ask, counters, at) =>
  isEviction(ask.taint) ? (nodeIsHeld(ask, counters, at) ?? gatingIsPaused(ask, counters, at)) : null;

const nodeIsHeld: GateLimit = ({ node }, _, { policy, now }) => {
  const hold = ownValue(policy.holds, node);
  if (hold === undefined || !isStanding(hold, now)) return null;
  return heldByPolicy('NodeHeld', `the policy holds the node: ${hold.reason}`, hold.until);
};

const gatingIsPaused: GateLimit = (_, __, { policy, now }) => {
  const pause = policy.pauses.find((each) => isStanding(each, now));
  return pause === undefined
    ? null
    : heldByPolicy('GatingPaused', `gating is paused by ${pause.by}: ${pause.reason}`, pause.until);
};

const noExecuteBudgetIsSpent: GateLimit = ({ taint }, { poolSize, noExecuteInPool }, { policy }) => {
  if (!isEviction(taint)) return null;
  const max = largest(policy.noExecute, poolSize);
  return noExecuteInPool < max
    ? null
    : heldForPlace('GatingBudgetSpent', `${max} of ${poolSize} may be evicted`, policy.noExecute);
};

const ruleBudgetIsSpent: GateLimit = ({ terms: { gatedMax } }, { poolSize, inPoolByOwner }) => {
  if (gatedMax === null) return null;
  const max = nodesWithin(gatedMax, poolSize);
  return inPoolByOwner < max
    ? null
    : heldForPlace('RuleBudgetSpent', `the rule allows ${max} of ${poolSize}`, [gatedMax]);
};

const nodeIsGatedAlready: GateLimit = ({ isGated }) => (isGated ? granted : null);

const impactIsConfirmed: GateLimit = ({ terms: { confirmedNodes } }, { byOwner }) =>
  confirmedNodes !== null && byOwner < confirmedNodes ? granted : null;

const poolBudgetIsSpent: GateLimit = ({ terms }, { poolSize, inPool }, { policy }) => {
  const max = largest(policy.gating, poolSize);
  if (inPool < max) return null;
  const confirmed =
    terms.confirmedNodes === null ? '' : `, and the ${terms.confirmedNodes} confirmed ones are`;
  const message = `${max} of ${poolSize} in the pool may be gated${confirmed}`;
  const wokenBy: GateWaker = {
    kind: 'place',
    limits: policy.gating,
    isConfirmed: terms.confirmedNodes !== null,
  };
  return { kind: 'held', reason: 'GatingBudgetSpent', message, wokenBy, until: null };
};

const gateLimits: readonly GateLimit[] = [
  authorityIsToObserve,
  controlPlaneIsProtected,
  noExecuteIsNotAllowed,
  recordIsPending,
  evictionIsHeld,
  nodeWasNeverReleased,
  nodeIsHeld,
  gatingIsPaused,
  noExecuteBudgetIsSpent,
  ruleBudgetIsSpent,
  nodeIsGatedAlready,
  impactIsConfirmed,
  poolBudgetIsSpent,
];

export function largest(limits: readonly NodeLimit[], size: number): number {
  return Math.max(0, ...limits.map((limit) => nodesWithin(limit, size)));
}

function heldByPolicy(reason: Reason, message: string, until: Instant | null = null): GateRuling {
  return { kind: 'held', reason, message, wokenBy: { kind: 'policy' }, until };
}

function heldForPlace(reason: Reason, message: string, limits: readonly NodeLimit[]): GateRuling {
  const wokenBy: GateWaker = { kind: 'place', limits, isConfirmed: false };
  return { kind: 'held', reason, message, wokenBy, until: null };
}

function isEviction(taint: TaintId): boolean {
  return parseTaintId(taint).effect === 'NoExecute';
}

function isStanding({ until }: Standing, now: Instant): boolean {
  return until === null || until > now;
}
