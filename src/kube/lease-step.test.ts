import { describe, expect, it } from 'vitest';
import { apiFailure } from '../../test/support/api-failure.ts';
import { err, ok } from '../base/result.ts';
import type { RawObject } from '../objects/raw.ts';
import type { ApiFailure } from '../runtime/ports.ts';
import { type LeaseRecord, recordOf, withRecord } from './lease-record.ts';
import { initialLeaseState, isLeading, type LeaseState } from './lease-state.ts';
import { stepLease } from './lease-step.ts';

const record: LeaseRecord = {
  holder: 'a',
  durationSeconds: 15,
  acquireTime: 'acquired',
  renewTime: 'renewed',
  transitions: 3,
};
const leaseWith = (changes: Partial<LeaseRecord> = {}): RawObject =>
  withRecord({ metadata: { name: 'muster', resourceVersion: '7' } }, { ...record, ...changes });
const seenAt = (sinceMs: number, changes: Partial<LeaseRecord> = {}) => {
  const lease = leaseWith(changes);
  return { lease, record: recordOf(lease), sinceMs };
};

const standby = initialLeaseState('a');
const follower: LeaseState = { ...standby, seen: seenAt(1_000, { holder: 'b' }), isSure: true };
const leader: LeaseState = {
  ...standby,
  phase: 'leading',
  seen: seenAt(1_000),
  renewedAtMs: 1_000,
  isSure: true,
  hasClaimed: true,
};

const stamp = 'now';
const due = (nowMs: number) => ({ kind: 'due', nowMs, stamp }) as const;
const read = (nowMs: number, lease: RawObject) =>
  ({ kind: 'read', answer: ok(lease), nowMs, stamp }) as const;
const notRead = (nowMs: number, failure: ApiFailure) =>
  ({ kind: 'read', answer: err(failure), nowMs, stamp }) as const;
const wrote = (nowMs: number, lease: RawObject, sentAtMs: number) =>
  ({ kind: 'wrote', answer: ok(lease), sentAtMs, nowMs, stamp }) as const;
const notWritten = (failure: ApiFailure) =>
  ({ kind: 'wrote', answer: err(failure), sentAtMs: 2_000, nowMs: 2_000, stamp }) as const;

const rest = { kind: 'rest' };
const taken = { holder: 'a', durationSeconds: 15, acquireTime: stamp, renewTime: stamp };

describe('a candidate whose attempt is due', () => {
  it('reads the Lease first', () => {
    expect(stepLease(standby, due(0))).toEqual({ state: standby, effect: { kind: 'read' } });
    expect(stepLease(follower, due(2_000)).effect).toEqual({ kind: 'read' });
  });

  it('renews without a read when it leads and is sure of the Lease', () => {
    expect(stepLease(leader, due(3_000))).toEqual({
      state: leader,
      effect: { kind: 'replace', lease: leaseWith(), record: { ...record, renewTime: stamp } },
    });
  });

  it('reads when it leads and is not sure of the Lease', () => {
    const unsure = { ...leader, isSure: false };
    expect(stepLease(unsure, due(3_000))).toEqual({ state: unsure, effect: { kind: 'read' } });
  });

  it('may look again after a failed write, as in every attempt', () => {
    expect(stepLease({ ...leader, hasReread: true }, due(3_000)).state.hasReread).toBe(false);
  });

  it('writes its own duration whatever stood in the Lease', () => {
    const odd = { ...leader, seen: seenAt(1_000, { durationSeconds: 99 }) };
    expect(stepLease(odd, due(3_000)).effect).toMatchObject({ record: { durationSeconds: 15 } });
  });
});

describe('a Lease that was read', () => {
  it('and that another holds is remembered with the time of reading, and left alone', () => {
    const step = stepLease(standby, read(5_000, leaseWith({ holder: 'b' })));
    expect(step).toEqual({
      state: { ...standby, seen: seenAt(5_000, { holder: 'b' }), isSure: true },
      effect: rest,
    });
  });

  it.each([
    ['another holder', { holder: 'c' }],
    ['another duration', { durationSeconds: 16 }],
    ['another time of acquiring', { acquireTime: 'later' }],
    ['another time of renewal', { renewTime: 'later' }],
    ['another transition', { transitions: 4 }],
  ])('starts its time anew with %s', (_what, change) => {
    const { state } = stepLease(follower, read(9_000, leaseWith({ holder: 'b', ...change })));
    expect(state.seen?.sinceMs).toBe(9_000);
  });

  it('keeps its time while only other parts of the object change, which are remembered', () => {
    const labelled = { ...leaseWith({ holder: 'b' }), metadata: { labels: { team: 'x' } } };
    const { state } = stepLease(follower, read(9_000, labelled));
    expect(state.seen).toMatchObject({ sinceMs: 1_000, lease: labelled });
  });

  it('is taken over when it was given back, in the next epoch', () => {
    const free = leaseWith({ holder: '' });
    expect(stepLease(follower, read(2_000, free))).toEqual({
      state: { ...follower, seen: seenAt(2_000, { holder: '' }), hasClaimed: true },
      effect: { kind: 'replace', lease: free, record: { ...taken, transitions: 4 } },
    });
  });

  it.each([
    [15, 15_999, 'rest'],
    [15, 16_000, 'replace'],
    [1, 15_999, 'rest'],
    [1, 16_000, 'replace'],
    [60, 60_999, 'rest'],
    [60, 61_000, 'replace'],
  ])('for %d s and unchanged since second 1 is answered at %d ms with %s', (durationSeconds, nowMs, kind) => {
    const held = { ...follower, seen: seenAt(1_000, { holder: 'b', durationSeconds }) };
    const step = stepLease(held, read(nowMs, leaseWith({ holder: 'b', durationSeconds })));
    expect(step.effect.kind).toBe(kind);
  });

  it('and that names us is renewed in its epoch when we have claimed it', () => {
    const claimed = { ...standby, hasClaimed: true };
    expect(stepLease(claimed, read(2_000, leaseWith())).effect).toEqual({
      kind: 'replace',
      lease: leaseWith(),
      record: { ...record, renewTime: stamp },
    });
  });

  it('and that names a namesake is left alone', () => {
    expect(stepLease(standby, read(2_000, leaseWith())).effect).toEqual(rest);
  });

  it('and that names another ends our leadership', () => {
    const { state, effect } = stepLease(leader, read(2_000, leaseWith({ holder: 'b' })));
    expect(state).toMatchObject({ phase: 'lost', lostBecause: 'TakenOver' });
    expect(effect).toEqual(rest);
  });
});

describe('a Lease that could not be read', () => {
  const notFound = apiFailure('NotFound');

  it('because it does not exist is created in epoch 1', () => {
    expect(stepLease(standby, notRead(2_000, notFound))).toEqual({
      state: { ...standby, hasClaimed: true },
      effect: { kind: 'create', record: { ...taken, transitions: 1 } },
    });
  });

  it('because somebody deleted it is put back by its holder in the same epoch', () => {
    expect(stepLease(leader, notRead(2_000, notFound))).toEqual({
      state: { ...leader, isSure: false },
      effect: { kind: 'create', record: { ...record, renewTime: stamp } },
    });
  });

  it.each([
    [15_999, rest],
    [16_000, { kind: 'create', record: { ...taken, transitions: 4 } }],
  ])('because somebody deleted it under another holder is answered at %d ms with %j', (nowMs, effect) => {
    expect(stepLease(follower, notRead(nowMs, notFound)).effect).toEqual(effect);
  });

  it('for any other reason is left alone, and no longer sure', () => {
    expect(stepLease(leader, notRead(2_000, apiFailure('ServerError')))).toEqual({
      state: { ...leader, isSure: false },
      effect: rest,
    });
  });
});

describe('a write that succeeded', () => {
  const claimed = { ...standby, hasClaimed: true };

  it('makes a leader from the moment at which it was sent', () => {
    expect(stepLease(claimed, wrote(2_500, leaseWith(), 2_000))).toEqual({
      state: { ...leader, seen: seenAt(2_500), renewedAtMs: 2_000 },
      effect: rest,
    });
  });

  it.each([
    [9_999, 'leading'],
    [10_000, 'standby'],
  ])('and whose reply took %d ms leaves the candidate %s', (tookMs, phase) => {
    const { state, effect } = stepLease(claimed, wrote(2_000 + tookMs, leaseWith(), 2_000));
    expect(state).toMatchObject({ phase, isSure: phase === 'leading' });
    expect(effect).toEqual(rest);
  });

  it('makes no leader when the reply names another', () => {
    const { state } = stepLease(claimed, wrote(2_500, leaseWith({ holder: 'b' }), 2_000));
    expect(state).toEqual({ ...claimed, seen: seenAt(2_500, { holder: 'b' }), isSure: false });
  });
});

describe('a write that failed', () => {
  it.each([
    ['a conflict', apiFailure('Conflict')],
    ['an object that exists already', apiFailure('AlreadyExists')],
    ['an object that is gone', apiFailure('NotFound')],
    ['a lost reply', apiFailure('Timeout', { effect: 'unknown' })],
  ])('for %s is looked up once in an attempt', (_why, failure) => {
    const first = stepLease(leader, notWritten(failure));
    expect(first).toEqual({
      state: { ...leader, isSure: false, hasReread: true },
      effect: { kind: 'read' },
    });
    expect(stepLease(first.state, notWritten(failure))).toEqual({ state: first.state, effect: rest });
  });

  it('without an effect waits for the next attempt, and is not sure of the Lease', () => {
    expect(stepLease(leader, notWritten(apiFailure('ServerError')))).toEqual({
      state: { ...leader, isSure: false },
      effect: rest,
    });
  });
});

describe('giving back', () => {
  it('clears the holder and keeps the epoch', () => {
    const given = { ...record, holder: '', durationSeconds: 1, acquireTime: stamp, renewTime: stamp };
    expect(stepLease(leader, { kind: 'release', nowMs: 2_000, stamp })).toEqual({
      state: { ...leader, phase: 'released' },
      effect: { kind: 'replace', lease: leaseWith(), record: given },
    });
  });

  it('writes nothing when another leads', () => {
    expect(stepLease(follower, { kind: 'release', nowMs: 2_000, stamp })).toEqual({
      state: { ...follower, phase: 'released' },
      effect: rest,
    });
  });

  it.each(['lost', 'released'] as const)('is for good, as is a leadership that is %s', (phase) => {
    const over = { ...leader, phase };
    for (const input of [due(2_000), read(2_000, leaseWith()), wrote(2_000, leaseWith(), 1_900)])
      expect(stepLease(over, input)).toEqual({ state: over, effect: rest });
  });
});

describe('the deadline for a renewal', () => {
  it('changes nothing before ten seconds have passed', () => {
    expect(stepLease(leader, { kind: 'deadline', nowMs: 10_999, stamp })).toEqual({
      state: leader,
      effect: rest,
    });
    expect(isLeading(leader, 10_999)).toBe(true);
  });

  it.each([
    ['the timer', { kind: 'deadline', nowMs: 11_000, stamp } as const],
    ['an attempt', due(11_000)],
    ['a late reply', wrote(11_000, leaseWith(), 10_900)],
    ['a release', { kind: 'release', nowMs: 11_000, stamp } as const],
  ])('ends the leadership then, whether %s comes first', (_what, input) => {
    expect(stepLease(leader, input)).toEqual({
      state: { ...leader, phase: 'lost', lostBecause: 'RenewDeadlineExceeded' },
      effect: rest,
    });
    expect(isLeading(leader, 11_000)).toBe(false);
  });

  it('means nothing to a candidate that does not lead', () => {
    const { state } = stepLease(follower, { kind: 'deadline', nowMs: 60_000, stamp });
    expect(state).toEqual(follower);
    expect(isLeading(follower, 1_000)).toBe(false);
  });
});
