import { describe, expect, it } from 'vitest';
import { recordedScene } from '../../../../test/support/recorded-scene.ts';
import { workerAnnotations } from '../../../api/keys.ts';
import { formatTime } from '../../../base/timestamp.ts';
import type { VerificationRecord } from '../../../fleet/lifecycle.ts';
import type { RecordedScene } from '../scene.ts';
import { projectWorker } from '../worker-view.ts';
import { attemptGoesOn } from './attempt.ts';

const grantedAt = Date.parse('2026-11-01T00:00:00Z');
const pending: VerificationRecord = {
  state: 'pending',
  attempt: 1,
  workerPod: 'worker',
  lastAttemptAt: formatTime(grantedAt),
};

function unschedulable(creationTimestamp: string) {
  const status = {
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no room' }],
  };
  const annotations = { [workerAnnotations.targetNode]: 'a', [workerAnnotations.nodeUID]: 'uid-1' };
  return projectWorker(
    { metadata: { name: 'worker', annotations, creationTimestamp }, status },
    (text) => text,
  );
}

function sceneOf(change: Partial<RecordedScene>): RecordedScene {
  return recordedScene({ record: pending, now: grantedAt, ...change });
}

describe('a worker that cannot be scheduled', () => {
  it.each([
    ['that goes as ours', '2026-11-01T00:00:00Z', 60],
    ['that goes a day behind', '2026-10-31T00:00:00Z', 60],
    ['that goes a day ahead, as if its creation had taken as long as it may', '2026-11-02T00:00:00Z', 120],
  ])('has a minute by the clock of an API server %s', (_, creationTimestamp, seconds) => {
    const workers = [unschedulable(creationTimestamp)];
    const at = (ms: number) => attemptGoesOn(sceneOf({ workers, now: grantedAt + ms }));
    expect(at(seconds * 1000 - 1)).toMatchObject({
      reason: 'WorkerStarting',
      recheckAt: grantedAt + seconds * 1000,
    });
    expect(at(seconds * 1000)).toMatchObject({
      reason: 'WorkerUnschedulable',
      record: { state: 'unverified', verdict: 'inconclusive', inconclusiveAttempts: 1 },
    });
  });
});

describe('a worker that is not there', () => {
  it('is waited for while it is created, and for no more than a minute', () => {
    const at = (ms: number) => attemptGoesOn(sceneOf({ now: grantedAt + ms }));
    expect(at(59_999)).toMatchObject({ reason: 'WorkerStarting', recheckAt: grantedAt + 60_000 });
    expect(at(60_000)).toMatchObject({ reason: 'WorkerTimedOut' });
  });

  it('ends its attempt in the words of the API server that refused it', () => {
    expect(attemptGoesOn(sceneOf({ refusalOf: () => 'exceeded quota' }))).toMatchObject({
      reason: 'WorkerRejected',
      record: { lastError: 'exceeded quota', verdict: 'inconclusive' },
    });
  });
});

describe('an attempt under a clock that was set back by an hour', () => {
  const now = grantedAt - 3_600_000;

  it('counts from now on, so that its worker has no more time than any other', () => {
    const record = { ...pending, state: 'in_progress', startedAt: formatTime(grantedAt) } as const;
    const running = projectWorker(
      { metadata: { name: 'worker' }, status: { phase: 'Running' } },
      (text) => text,
    );
    const move = attemptGoesOn(sceneOf({ record, workers: [running], now }));
    expect(move?.record).toEqual({ ...record, lastAttemptAt: formatTime(now), startedAt: formatTime(now) });
    expect(attemptGoesOn(sceneOf({ now }))?.record).toEqual({ ...pending, lastAttemptAt: formatTime(now) });
  });

  it('stays as it is where the clocks of two replicas merely differ', () => {
    expect(attemptGoesOn(sceneOf({ now: grantedAt - 60_000 }))?.record).toBeUndefined();
  });
});
