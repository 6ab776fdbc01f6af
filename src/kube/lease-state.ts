// The vocabulary of leader election: what a candidate knows, what can happen to it and what it can want of the Lease.
// What follows from what is in lease-step.ts; nothing here acts.

import type { RawObject } from '../objects/raw.ts';
import type { Answer } from '../runtime/ports.ts';
import type { LeaseRecord } from './lease-record.ts';

export type LeaseTimings = {
  /** How long a holder that is not heard of is believed to lead. */
  readonly durationSeconds: number;
  /** A holder that could not renew for this long stops, well before anybody else may start. */
  readonly renewDeadlineMs: number;
  /** From one attempt to the next, up to a fifth longer. */
  readonly retryMs: number;
};

export const usualTimings: LeaseTimings = {
  durationSeconds: 15,
  renewDeadlineMs: 10_000,
  retryMs: 2_000,
};

export type LeaseState = {
  readonly identity: string;
  readonly timings: LeaseTimings;
  readonly phase: /** Somebody else leads, or nobody yet. */
    | 'standby'
    | 'leading'
    /** Was leading and must never write again; the process is expected to end. */
    | 'lost'
    /** Gave the lease back. */
    | 'released';
  /** The last state of the Lease and since when it has not changed; null until one was seen. */
  readonly seen: { readonly lease: RawObject; readonly record: LeaseRecord; readonly sinceMs: number } | null;
  /** When the last write that was confirmed had been sent: nobody can have seen the renewal earlier. */
  readonly renewedAtMs: number;
  /** The server's state is what we last saw, so that a renewal needs no read before. */
  readonly isSure: boolean;
  /** This process has tried to become the holder: a record with our name is ours, not a namesake's. */
  readonly hasClaimed: boolean;
  /** One look at the Lease after a failed write is enough for one attempt. */
  readonly hasReread: boolean;
  readonly lostBecause: 'RenewDeadlineExceeded' | 'TakenOver' | null;
};

export type LeaseHappening =
  /** It is time for an attempt. */
  | { readonly kind: 'due' }
  | { readonly kind: 'read'; readonly answer: Answer<RawObject> }
  | { readonly kind: 'wrote'; readonly answer: Answer<RawObject>; readonly sentAtMs: number }
  /** The deadline for the renewal may have passed. */
  | { readonly kind: 'deadline' }
  /** The process is about to end of its own will. */
  | { readonly kind: 'release' };

/** One moment on two clocks: the monotonic one is compared, the other is only written down. */
export type Moment = { readonly nowMs: number; readonly stamp: string };

export type LeaseInput = LeaseHappening & Moment;

export type LeaseEffect =
  | { readonly kind: 'read' }
  | { readonly kind: 'create'; readonly record: LeaseRecord }
  | { readonly kind: 'replace'; readonly lease: RawObject; readonly record: LeaseRecord }
  /** Nothing until the next attempt. */
  | { readonly kind: 'rest' };

export function initialLeaseState(identity: string, timings: LeaseTimings = usualTimings): LeaseState {
  return {
    identity,
    timings,
    phase: 'standby',
    seen: null,
    renewedAtMs: 0,
    isSure: false,
    hasClaimed: false,
    hasReread: false,
    lostBecause: null,
  };
}

/** Asked again before every write: false as soon as the renewal is too old, even if nothing has run in between. */
export function isLeading(state: LeaseState, nowMs: number): boolean {
  return state.phase === 'leading' && nowMs - state.renewedAtMs < state.timings.renewDeadlineMs;
}
