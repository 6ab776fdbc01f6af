// What becomes of workers, and what their ends say about the node.

import { describe, expect, it } from 'vitest';
import { podType } from '../../src/objects/ref.ts';
import { apiFailure } from '../support/api-failure.ts';
import { joined, unverified, verificationScene } from '../support/verification-scene.ts';

describe('a worker', () => {
  it('that is deleted by somebody is made once more, and no failure is counted', async () => {
    const scene = await joined();
    scene.workerRuns('a');
    await scene.run(1_000);
    const [first] = scene.podNames();
    scene.deleteWorker('a');
    await scene.run(1_000);
    expect(scene.podNames()).toEqual([first]);
    expect(scene.verification('a')).toMatchObject({ attempt: 1, state: 'pending' });
    scene.workerEnds('a');
    await scene.run(1_000);
    expect(scene.verification('a')).toMatchObject({ state: 'verified' });
    expect(scene.verification('a')?.failedAttempts).toBeUndefined();
  });

  it('that somebody deletes again and again ends its attempt, and the next one waits', async () => {
    const scene = await joined();
    for (let times = 0; times < 2; times++) {
      scene.workerRuns('a');
      await scene.run(1_000);
      scene.deleteWorker('a');
      await scene.run(400);
    }
    expect(scene.verification('a')).toMatchObject({
      state: 'unverified',
      attempt: 1,
      reason: 'WorkerGone',
      verdict: 'inconclusive',
    });
    expect(scene.verification('a')?.failedAttempts).toBeUndefined();
    await scene.run(5_000);
    expect(scene.verification('a')).toMatchObject({ state: 'pending', attempt: 2 });
  });

  it('that is deleted before it ran and does not go is not waited for without end', async () => {
    const scene = await joined();
    const pod = scene.workerOf('a') ?? {};
    const deletionTimestamp = '2026-01-01T00:00:05Z';
    scene.api.put(podType, {
      ...pod,
      metadata: { ...pod.metadata, deletionTimestamp, finalizers: ['x.io/wait'] },
    });
    await scene.run(120_000);
    expect(scene.verification('a')).toMatchObject({ state: 'pending', attempt: 1 });
    await scene.run(70_000);
    expect(scene.verification('a')).toMatchObject({ attempt: 2, inconclusiveAttempts: 1 });
    expect(scene.verification('a')?.failedAttempts).toBeUndefined();
  });

  it('that is evicted says nothing about the node', async () => {
    const scene = await joined();
    scene.workerIsEvicted('a');
    await scene.run(4_000);
    expect(scene.verification('a')).toMatchObject({ state: 'pending', attempt: 2, inconclusiveAttempts: 1 });
    expect(scene.verification('a')?.failedAttempts).toBeUndefined();
  });

  it('that hangs is ended when its time is over', async () => {
    const scene = await joined();
    scene.workerRuns('a');
    await scene.run(1_000);
    await scene.run(58_000);
    expect(scene.verification('a')?.state).toBe('in_progress');
    await scene.run(4_000);
    expect(scene.verification('a')).toMatchObject({ inconclusiveAttempts: 1, reason: 'WorkerTimedOut' });
  });

  it('that cannot be scheduled ends as inconclusive, in the words of the scheduler', async () => {
    const scene = await joined();
    scene.workerIsUnschedulable('a', '0/1 nodes are available: 1 Insufficient memory.');
    await scene.run(55_000);
    expect(scene.verification('a')?.state).toBe('pending');
    await scene.run(5_000);
    expect(scene.verification('a')).toMatchObject({ inconclusiveAttempts: 1, reason: 'WorkerUnschedulable' });
    expect(scene.verification('a')?.lastError).toContain('Insufficient memory');
  });

  it.each([
    ['ends with 0 and says nothing', { message: '' }],
    ['ends with 0 and speaks of another node', { report: { nodeName: 'b' } }],
    ['ends with 0 and speaks of an earlier node of this name', { report: { nodeUID: 'other' } }],
    ['ends with 0 and repeats the report of another attempt', { report: { nonce: 'other' } }],
    ['ends with 0 and leaves every check out', { report: { checks: [] } }],
    ['ends with 0 and was interrupted', { report: { isComplete: false } }],
    [
      'refuses its configuration',
      { exitCode: 2, report: { verdict: 'inconclusive', problems: ['checks: must not be empty'] } },
    ],
    ['runs out of memory', { exitCode: 137, reason: 'OOMKilled', message: '' }],
    ['ends with 1 and a report that passed', { exitCode: 1 }],
    ['ends with 3', { exitCode: 3, report: { verdict: 'inconclusive' } }],
  ] as const)('that %s is inconclusive, and the taint stays', async (_, answer) => {
    const scene = await joined();
    scene.workerEnds('a', answer);
    await scene.run(500);
    expect(scene.verification('a')).toMatchObject({
      state: 'unverified',
      verdict: 'inconclusive',
      inconclusiveAttempts: 1,
    });
    expect(scene.taints('a')).toEqual([unverified]);
  });

  it('that the API server refuses ends the attempt with its words', async () => {
    const scene = verificationScene();
    scene.putPolicy('all');
    scene.faults.before = ({ verb, ref }) =>
      verb === 'create' && ref.type.kind === 'Pod'
        ? apiFailure('Forbidden', { message: 'exceeded quota: pods' })
        : null;
    scene.start();
    await scene.run(1_000);
    scene.join('a');
    await scene.run(8_000);
    expect(scene.verification('a')).toMatchObject({
      reason: 'WorkerRejected',
      lastError: 'exceeded quota: pods',
    });
    expect(scene.verification('a')?.failedAttempts).toBeUndefined();
  });

  it('is left alone by the next operator for as long as that one has not read the records', async () => {
    const scene = await joined();
    scene.workerRuns('a');
    await scene.run(1_000);
    const names = scene.podNames();
    scene.running.kill();
    scene.lag('NodeLifecycle');
    scene.start();
    await scene.run(10_000);
    expect(scene.podNames()).toEqual(names);
  });

  it('of an attempt that the next leader has not heard of yet is left alone', async () => {
    const scene = verificationScene();
    scene.putPolicy('all');
    const leader = scene.start();
    const standby = scene.start({ isLeading: false });
    await scene.run(1_000);
    scene.lag('NodeLifecycle');
    scene.join('a');
    await scene.run(3_000);
    const names = scene.podNames();
    expect(names).toHaveLength(1);
    leader.kill();
    standby.leads();
    await scene.run(1_000);
    expect(scene.podNames()).toEqual(names);
  });
});
