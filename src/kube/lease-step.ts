// Leader election as a pure function: what to ask of the Lease next follows from what was seen of it and when, by our own
// monotonic clock. No remote time is compared. At most one candidate leads while all clocks run at about the same rate.

import { unreachable } from '../base/assert.ts';
import type { RawObject } from '../objects/raw.ts';
import type { ApiFailure } from '../runtime/ports.ts';
import { isSameRecord, type LeaseRecord, recordOf } from './lease-record.ts';
import { isLeading, type LeaseEffect, type LeaseInput, type LeaseState, type Moment } from './lease-state.ts';

export type LeaseStep = { readonly state: LeaseState; readonly effect: LeaseEffect };

export function stepLease(state: LeaseState, input: LeaseInput): LeaseStep {
  if (state.phase === 'lost' || state.phase === 'released') return rest(state);
  // Before anything else: a reply that comes after a pause must not revive a leadership that has run out.
  if (state.phase === 'leading' && !isLeading(state, input.nowMs))
    return lose(state, 'RenewDeadlineExceeded');
  switch (input.kind) {
    case 'due':
      return onDue({ ...state, hasReread: false }, input);
    case 'read':
      return input.answer.kind === 'ok'
        ? onLease(state, input.answer.value, input)
        : onNoLease(state, input.answer.error, input);
    case 'wrote':
      return input.answer.kind === 'ok'
        ? onWritten(state, input.answer.value, input)
        : onWriteFailed(state, input.answer.error);
    case 'release':
      return onRelease(state, input);
    case 'deadline':
      return rest(state);
    default:
      return unreachable(input);
  }
}

function onDue(state: LeaseState, moment: Moment): LeaseStep {
  const { seen, phase, isSure } = state;
  if (phase !== 'leading' || !isSure || seen === null) return { state, effect: { kind: 'read' } };
  return replace(state, seen.lease, renewed(state, seen.record, moment));
}

function onLease(before: LeaseState, lease: RawObject, moment: Moment): LeaseStep {
  const state = { ...before, seen: sightingOf(before.seen, lease, moment.nowMs), isSure: true };
  const { record } = state.seen;
  if (isOurs(state, record)) return replace(state, lease, renewed(state, record, moment));
  if (state.phase === 'leading') return lose(state, 'TakenOver');
  return isFree(state, moment.nowMs) ? replace(state, lease, acquired(state, moment)) : rest(state);
}

function onNoLease(before: LeaseState, failure: ApiFailure, moment: Moment): LeaseStep {
  const state = { ...before, isSure: false };
  if (failure.reason !== 'NotFound') return rest(state);
  if (state.seen && isOurs(state, state.seen.record))
    return create(state, renewed(state, state.seen.record, moment));
  // Somebody deleted it under its holder, who is about to put it back and leads until its own deadline.
  return isFree(state, moment.nowMs) ? create(state, acquired(state, moment)) : rest(state);
}

function onWritten(
  before: LeaseState,
  lease: RawObject,
  { nowMs, sentAtMs }: Extract<LeaseInput, { kind: 'wrote' }>,
): LeaseStep {
  const seen = sightingOf(before.seen, lease, nowMs);
  const state = { ...before, seen, isSure: isOurs(before, seen.record) };
  const next: LeaseState = { ...state, phase: 'leading', renewedAtMs: sentAtMs };
  // A reply that took longer than the deadline proves nothing any more; the next attempt looks again.
  return state.isSure && isLeading(next, nowMs) ? rest(next) : rest({ ...state, isSure: false });
}

/** Conflict, deletion or silence: in each case the Lease itself knows, and is asked once before the next attempt. */
function onWriteFailed(before: LeaseState, failure: ApiFailure): LeaseStep {
  const state = { ...before, isSure: false };
  const isOpen = failure.effect === 'unknown' || changedReasons.has(failure.reason);
  if (!isOpen || state.hasReread) return rest(state);
  return { state: { ...state, hasReread: true }, effect: { kind: 'read' } };
}

const changedReasons: ReadonlySet<ApiFailure['reason']> = new Set(['Conflict', 'AlreadyExists', 'NotFound']);

/** Leadership ends before the Lease says so, never after. */
function onRelease(state: LeaseState, { stamp }: Moment): LeaseStep {
  const released: LeaseState = { ...state, phase: 'released' };
  if (state.phase !== 'leading' || state.seen === null) return rest(released);
  const { lease, record } = state.seen;
  const given = { ...record, holder: '', durationSeconds: 1, acquireTime: stamp, renewTime: stamp };
  return { state: released, effect: { kind: 'replace', lease, record: given } };
}

/** Any change of the record starts its time anew; a change of other parts of the object does not. */
function sightingOf(
  before: LeaseState['seen'],
  lease: RawObject,
  nowMs: number,
): NonNullable<LeaseState['seen']> {
  const record = recordOf(lease);
  const isUnchanged = before !== null && isSameRecord(before.record, record);
  return { lease, record, sinceMs: isUnchanged ? before.sinceMs : nowMs };
}

function isOurs(state: LeaseState, record: LeaseRecord): boolean {
  return state.hasClaimed && record.holder === state.identity;
}

/** Never held, given back, or not renewed for a full lease duration as far as we could see. */
function isFree({ seen, timings }: LeaseState, nowMs: number): boolean {
  if (seen === null || seen.record.holder === '') return true;
  const durationSeconds = Math.max(seen.record.durationSeconds, timings.durationSeconds);
  return nowMs - seen.sinceMs >= durationSeconds * 1000;
}

function renewed({ timings }: LeaseState, record: LeaseRecord, { stamp }: Moment): LeaseRecord {
  return { ...record, durationSeconds: timings.durationSeconds, renewTime: stamp };
}

function acquired({ identity, seen, timings }: LeaseState, { stamp }: Moment): LeaseRecord {
  const transitions = (seen?.record.transitions ?? 0) + 1;
  const { durationSeconds } = timings;
  return { holder: identity, durationSeconds, acquireTime: stamp, renewTime: stamp, transitions };
}

/** From the moment of asking, a record that names us may be our own, whatever becomes of the reply. */
function create(state: LeaseState, record: LeaseRecord): LeaseStep {
  return { state: { ...state, hasClaimed: true }, effect: { kind: 'create', record } };
}

function replace(state: LeaseState, lease: RawObject, record: LeaseRecord): LeaseStep {
  return { state: { ...state, hasClaimed: true }, effect: { kind: 'replace', lease, record } };
}

function lose(state: LeaseState, lostBecause: LeaseState['lostBecause']): LeaseStep {
  return rest({ ...state, phase: 'lost', lostBecause });
}

function rest(state: LeaseState): LeaseStep {
  return { state, effect: { kind: 'rest' } };
}
