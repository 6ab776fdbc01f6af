// The life of a verification, told with the whole centre: what people, kubelets and workers do, and what becomes of the node.

import { describe, expect, it } from 'vitest';
import { failure, joined, unverified, verifiedLabel } from '../support/verification-scene.ts';

const foreign = { key: 'example.com/dedicated', effect: 'NoSchedule', value: 'gpu' };

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
      checks: ['dns', 'api', 'network', 'service-discovery'].map((name) => ({ name, verdict: 'pass' })),
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

  it('that is ready is recorded four times until it is in service: begun and attempted, running, verified, shown', async () => {
    const scene = await joined({ taints: [] });
    await scene.run(1_000);
    scene.workerRuns('a');
    await scene.run(1_000);
    scene.workerEnds('a');
    await scene.run(2_000);
    expect(scene.status('a')).toMatchObject({ stage: 'InService' });
    const records = scene.wrote().filter((write) => write.startsWith('patch nodelifecycles/a'));
    expect(records).toHaveLength(4);
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

  it('that fails once waits for the backoff from the end of its worker, however long that ran, and has two in all', async () => {
    const scene = await joined({}, { retryBackoff: 'linear' });
    scene.workerRuns('a');
    await scene.run(30_000);
    scene.workerEnds('a', failure);
    await scene.run(4_900);
    expect(scene.podNames()).toEqual([]);
    await scene.run(2_000);
    expect(scene.podNames()).toHaveLength(1);
    scene.workerEnds('a');
    await scene.run(5_000);
    expect(scene.verification('a')).toMatchObject({ state: 'verified', attempt: 2, failedAttempts: 1 });
    const { metrics } = scene.running;
    expect(metrics.value('kube_node_ready_worker_pod_creation_total', { status: 'success' })).toBe(2);
    expect(metrics.observed('kube_node_ready_node_verification_attempts')).toEqual([2]);
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

describe('what became of a pass and of a failure', () => {
  it('is counted once each, under the names that people know', async () => {
    const scene = await joined();
    scene.join('b');
    await scene.run(2_000);
    scene.workerEnds('a');
    scene.workerEnds('b', failure);
    await scene.run(500);
    const { metrics } = scene.running;
    const value = (name: string, labels = {}) => metrics.value(`kube_node_ready_${name}`, labels);
    expect(value('node_verification_total', { result: 'success' })).toBe(1);
    expect(value('node_verification_total', { result: 'failure' })).toBe(1);
    expect(value('worker_pod_duration_seconds', { result: 'success' })).toBe(1);
    expect(value('worker_pod_duration_seconds', { result: 'failure' })).toBe(1);
    expect(value('node_verification_attempts')).toBe(1);
    expect(value('worker_pod_creation_total', { status: 'success' })).toBe(2);
    expect(value('nodes_in_state', { state: 'verified' })).toBe(1);
    expect(value('nodes_in_state', { state: 'failed' })).toBe(1);
    expect(value('controller_reconciliation_total', { result: 'success' })).toBeGreaterThan(4);
    expect(value('controller_reconciliation_duration_seconds')).toBeGreaterThan(4);
    expect(value('node_deletion_total', { status: 'success' })).toBe(0);
  });
});
