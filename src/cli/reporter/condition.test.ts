import { describe, expect, it } from 'vitest';
import { conditionToWrite, lengthen, type Said, type Streak } from './condition.ts';
import type { Outcome } from './outcome.ts';

const now = Date.parse('2026-01-01T00:10:00Z');
const good: Outcome = { result: 'healthy', reason: 'EndpointOK', message: 'fine' };
const bad: Outcome = { result: 'unhealthy', reason: 'EndpointNotReady', message: 'answered 503' };
const terms = { failureThreshold: 3, successThreshold: 2, heartbeatMs: 300_000 };
const up: Said = {
  status: 'True',
  reason: 'EndpointOK',
  message: 'fine',
  lastHeartbeatTime: '2026-01-01T00:09:00Z',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const down: Said = { ...up, status: 'False', reason: 'EndpointNotReady', message: 'answered 503' };
const streak = (outcome: Outcome, count: number): Streak => ({
  isHealthy: outcome.result === 'healthy',
  count,
});
const write = (said: Said | null, outcome: Outcome, count: number) =>
  conditionToWrite({ said, streak: streak(outcome, count), outcome, terms, now });
const at = '2026-01-01T00:10:00Z';

describe('a streak', () => {
  it('grows with answers of one kind and begins anew with the other', () => {
    const counts = [good, good, bad, bad, bad, good].reduce<Streak[]>(
      (all, outcome) => [...all, lengthen(all.at(-1) ?? null, outcome)],
      [],
    );
    expect(counts.map(({ count }) => count)).toEqual([1, 2, 1, 2, 3, 1]);
  });

  it('counts no answer at all as a bad one', () => {
    const none: Outcome = { result: 'error', reason: 'EndpointConnectionError', message: '' };
    expect(lengthen(streak(bad, 2), none)).toEqual({ isHealthy: false, count: 3 });
  });
});

describe('what is written', () => {
  it('is the first answer, whatever it is, where the node has no such condition', () => {
    expect(write(null, bad, 1)).toMatchObject({
      status: 'False',
      lastTransitionTime: at,
      lastHeartbeatTime: at,
    });
    expect(write(null, good, 1)).toMatchObject({ status: 'True', reason: 'EndpointOK' });
  });

  it('is nothing while nothing changes and the heartbeat is young', () =>
    expect(write(up, good, 9)).toBeNull());

  it('is nothing before the threshold of failures', () => expect(write(up, bad, 2)).toBeNull());

  it('is False with a new transition at the threshold of failures', () => {
    expect(write(up, bad, 3)).toMatchObject({
      status: 'False',
      reason: 'EndpointNotReady',
      lastTransitionTime: at,
    });
  });

  it('is True with a new transition at the threshold of successes', () => {
    expect(write(down, good, 1)).toBeNull();
    expect(write(down, good, 2)).toMatchObject({ status: 'True', lastTransitionTime: at });
  });

  it('is the same again with a new heartbeat when that is due, its transition kept', () => {
    const old = { ...up, lastHeartbeatTime: '2026-01-01T00:05:00Z' };
    expect(write(old, good, 9)).toEqual({ ...up, lastHeartbeatTime: at });
  });

  it('confirms what was said while too few answers speak against it', () => {
    const old = { ...up, lastHeartbeatTime: '2026-01-01T00:05:00Z' };
    expect(write(old, bad, 2)).toEqual({ ...up, lastHeartbeatTime: at });
  });

  it('is another reason at once, its transition kept', () => {
    const refused: Outcome = { result: 'error', reason: 'EndpointConnectionError', message: 'refused' };
    expect(write(down, refused, 9)).toMatchObject({
      status: 'False',
      reason: 'EndpointConnectionError',
      lastTransitionTime: down.lastTransitionTime,
    });
  });

  it('is nothing for another message alone', () => {
    expect(write(down, { ...bad, message: 'answered 503: 17 ms' }, 9)).toBeNull();
  });
});
