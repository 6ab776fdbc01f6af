// The life of a verification, told with the whole centre: what people, kubelets and workers do, and what becomes of the node.

import { describe, expect, it } from 'vitest';
import { failure, unverified, verificationScene, verifiedLabel } from '../support/verification-scene.ts';

const foreign = { key: 'example.com/dedicated', effect: 'NoSchedule', value: 'gpu' };

async function joined(sketch: object = {}) {
  const scene = verificationScene();
  scene.putPolicy('all');
  const running = scene.start();
  await scene.run(1_000);
  scene.join('a', sketch);
  await scene.run(2_000);
  return { ...scene, running };
}

describe('a node that joins', () => {
  it('is checked by one worker and then, in one write, loses its taint and gets the label', async () => {
    const scene = await joined({ taints: [unverified, foreign] });
    expect(scene.podNames()).toHaveLength(1);
    expect(scene.verification('a')).toMatchObject({ state: 'pending', attempt: 1, round: 1, gates: true });
    expect(scene.status('a')).toMatchObject({ stage: 'Verifying' });
    scene.workerRuns('a');
    await scene.run(1_000);
    expect(scene.verification('a')?.state).toBe('in_progress');
    scene.wrote();
    scene.workerEnds('a');
    await scene.run(1_000);
    expect(scene.verification('a')).toMatchObject({
      state: 'verified',
      verdict: 'pass',
      checks: [{ name: 'dns', verdict: 'pass' }],
    });
    expect(scene.taints('a')).toEqual([foreign]);
    expect(scene.labels('a')[verifiedLabel]).toBe('true');
    expect(scene.podNames()).toEqual([]);
    expect(scene.wrote().filter((write) => write === 'patch nodes/a')).toHaveLength(1);
    expect(scene.status('a')).toMatchObject({ stage: 'InService' });
    await scene.run(60_000);
    scene.wrote();
    await scene.run(600_000);
    expect(scene.wrote()).toEqual([]);
  });

  it('with the label gets no worker', async () => {
    const scene = await joined({ taints: [], labels: { [verifiedLabel]: 'true' } });
    await scene.run(60_000);
    expect(scene.podNames()).toEqual([]);
    expect(scene.verification('a')).toMatchObject({ state: 'verified', reason: 'AlreadyVerified' });
  });

  it('without the taint gets it before anything else', async () => {
    const scene = await joined({ taints: [] });
    expect(scene.taints('a')).toEqual([unverified]);
    scene.workerEnds('a');
    await scene.run(2_000);
    expect(scene.taints('a')).toEqual([]);
  });

  it('that fails once is checked again after the backoff and passes', async () => {
    const scene = await joined();
    scene.workerEnds('a', failure);
    await scene.run(500);
    expect(scene.verification('a')).toMatchObject({
      state: 'failed',
      failedAttempts: 1,
      reason: 'CheckFailed',
    });
    expect(scene.verification('a')?.lastError).toContain('dns: Timeout');
    await scene.run(3_000);
    expect(scene.podNames()).toHaveLength(1);
    expect(scene.verification('a')).toMatchObject({ state: 'pending', attempt: 2 });
    scene.workerEnds('a');
    await scene.run(2_000);
    expect(scene.verification('a')).toMatchObject({ state: 'verified', attempt: 2 });
  });

  it('that always fails gets exactly five workers, keeps its taint, and people are warned', async () => {
    const scene = await joined();
    const names = new Set<string>();
    for (let second = 0; second < 120; second++) {
      scene.podNames().forEach((name) => void names.add(name));
      if (scene.podNames().length > 0) scene.workerEnds('a', failure);
      await scene.run(1_000);
    }
    expect(names.size).toBe(5);
    expect(scene.verification('a')).toMatchObject({
      state: 'failed',
      failedAttempts: 5,
      reason: 'VerificationGivenUp',
    });
    expect(scene.taints('a')).toEqual([unverified]);
    expect(scene.running.events).toContainEqual(
      expect.objectContaining({ type: 'Warning', reason: 'VerificationGivenUp' }),
    );
    scene.wrote();
    await scene.run(600_000);
    expect(scene.wrote()).toEqual([]);
  });

  it('whose worker fails while it is not ready waits for its kubelet', async () => {
    const scene = await joined({ ready: 'False' });
    expect(scene.podNames()).toEqual([]);
    scene.kubeletIs('a', 'True');
    await scene.run(5_000);
    expect(scene.podNames()).toHaveLength(1);
    scene.kubeletIs('a', 'Unknown');
    await scene.run(2_000);
    expect(scene.podNames()).toEqual([]);
    expect(scene.verification('a')).toMatchObject({ state: 'unverified', reason: 'NodeNotReady' });
    expect(scene.verification('a')?.failedAttempts).toBeUndefined();
  });

  it('that never becomes ready is said to be that, not to have failed a check', async () => {
    const scene = await joined({ ready: 'False' });
    await scene.run(602_000);
    expect(scene.verification('a')).toMatchObject({
      state: 'failed',
      verdict: 'inconclusive',
      reason: 'NodeNotReady',
    });
    scene.kubeletIs('a', 'True');
    await scene.run(5_000);
    expect(scene.podNames()).toHaveLength(1);
  });

  it('waits while the cloud has not finished with it, without an attempt', async () => {
    const uninitialized = {
      key: 'node.cloudprovider.kubernetes.io/uninitialized',
      effect: 'NoSchedule',
      value: 'true',
    };
    const scene = await joined({ taints: [unverified, uninitialized] });
    await scene.run(60_000);
    expect(scene.podNames()).toEqual([]);
    expect(scene.verification('a')).toMatchObject({ state: 'unverified', attempt: 0 });
    scene.changeNode('a', (raw) => ({ ...raw, spec: { taints: [unverified] } }));
    await scene.run(2_000);
    expect(scene.podNames()).toHaveLength(1);
  });

  it('is left alone when somebody takes its taint away', async () => {
    const scene = await joined();
    scene.changeNode('a', (raw) => ({ ...raw, spec: { taints: [] } }));
    await scene.run(60_000);
    expect(scene.podNames()).toEqual([]);
    expect(scene.taints('a')).toEqual([]);
    expect(scene.verification('a')).toMatchObject({ state: 'unverified', reason: 'ManualOverride' });
    expect(scene.labels('a')[verifiedLabel]).toBeUndefined();
  });

  it('is verified when its taint comes back after it was verified, without another worker', async () => {
    const scene = await joined();
    scene.workerEnds('a');
    await scene.run(2_000);
    scene.changeNode('a', (raw) => ({ ...raw, spec: { taints: [unverified] } }));
    await scene.run(2_000);
    expect(scene.taints('a')).toEqual([]);
    expect(scene.podNames()).toEqual([]);
    expect(scene.verification('a')).toMatchObject({ round: 1, attempt: 1 });
  });
});

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
    const { apiFailure } = await import('../support/api-failure.ts');
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
});

describe('verification again', () => {
  async function verified(spec: object = {}) {
    const scene = verificationScene();
    scene.putPolicy('all', spec);
    scene.start();
    await scene.run(1_000);
    scene.join('a');
    await scene.run(2_000);
    scene.workerEnds('a');
    await scene.run(2_000);
    return scene;
  }

  it('begins after a reboot while the node goes on working', async () => {
    const scene = await verified();
    scene.reboot('a', 'boot-2');
    await scene.run(2_000);
    expect(scene.podNames()).toHaveLength(1);
    expect(scene.verification('a')).toMatchObject({ round: 2, attempt: 1 });
    expect(scene.taints('a')).toEqual([]);
    expect(scene.labels('a')[verifiedLabel]).toBe('true');
  });

  it('begins when it is asked for, once, and the request is taken away', async () => {
    const scene = await verified();
    scene.annotate('a', { 'muster.dev/verify': 'now' });
    await scene.run(2_000);
    expect(scene.verification('a')).toMatchObject({ round: 2 });
    expect(scene.node('a').metadata?.annotations?.['muster.dev/verify']).toBeUndefined();
    scene.workerEnds('a');
    await scene.run(30_000);
    expect(scene.verification('a')).toMatchObject({ round: 2, state: 'verified' });
  });

  it('begins when a person takes the label away', async () => {
    const scene = await verified();
    scene.changeNode('a', (raw) => ({ ...raw, metadata: { ...raw.metadata, labels: {} } }));
    await scene.run(2_000);
    expect(scene.verification('a')).toMatchObject({ round: 2, state: 'pending' });
  });

  it('begins after the interval', async () => {
    const scene = await verified({ reverification: { intervalSeconds: 3600 } });
    await scene.run(3_000_000);
    expect(scene.verification('a')).toMatchObject({ round: 1 });
    await scene.run(1_000_000);
    expect(scene.verification('a')).toMatchObject({ round: 2 });
  });

  it('does not taint after the first failure, and does after the second', async () => {
    const scene = await verified();
    scene.reboot('a', 'boot-2');
    await scene.run(2_000);
    scene.workerEnds('a', failure);
    await scene.run(500);
    expect(scene.taints('a')).toEqual([]);
    await scene.run(3_000);
    scene.workerEnds('a', failure);
    await scene.run(2_000);
    expect(scene.taints('a')).toEqual([unverified]);
    expect(scene.labels('a')[verifiedLabel]).toBeUndefined();
    await scene.run(5_000);
    scene.workerEnds('a');
    await scene.run(2_000);
    expect(scene.taints('a')).toEqual([]);
    expect(scene.labels('a')[verifiedLabel]).toBe('true');
  });
});

describe('nodes that were there before the policy', () => {
  const old = { taints: [], createdAt: '2025-01-01T00:00:00Z' };
  async function established(spec: object) {
    const scene = verificationScene();
    scene.start();
    scene.join('a', old);
    await scene.run(2_000);
    scene.putPolicy('all', spec);
    await scene.run(2_000);
    return scene;
  }

  it('are left alone by default', async () => {
    const scene = await established({});
    expect(scene.podNames()).toEqual([]);
    expect(scene.taints('a')).toEqual([]);
    expect(scene.verification('a')).toBeUndefined();
    expect(scene.status('a')).toMatchObject({ stage: 'InService' });
  });

  it('get the label where the policy says so', async () => {
    const scene = await established({ onboarding: 'Label' });
    expect(scene.podNames()).toEqual([]);
    expect(scene.labels('a')[verifiedLabel]).toBe('true');
  });

  it('are verified without a taint where the policy says so', async () => {
    const scene = await established({ onboarding: 'Verify' });
    expect(scene.podNames()).toHaveLength(1);
    expect(scene.taints('a')).toEqual([]);
    scene.workerEnds('a');
    await scene.run(2_000);
    expect(scene.labels('a')[verifiedLabel]).toBe('true');
  });
});

describe('a policy that goes', () => {
  it('takes its label and its taint with it, and its workers', async () => {
    const scene = await joined({ taints: [] });
    scene.join('b', { taints: [] });
    await scene.run(2_000);
    scene.workerEnds('a');
    await scene.run(2_000);
    scene.deletePolicy('all');
    await scene.run(3_000);
    expect(scene.podNames()).toEqual([]);
    expect(scene.taints('b')).toEqual([]);
    expect(scene.labels('a')).toEqual({});
  });
});
