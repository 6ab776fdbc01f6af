// When nodes are not verified and nothing explains why, the operator says that it is not well; told with the whole centre.

import { describe, expect, it } from 'vitest';
import { nodeLifecycleType } from '../../src/api/keys.ts';
import { apiFailure } from '../support/api-failure.ts';
import { isWrite } from '../support/centre-scene.ts';
import { joined, unverified, verificationScene } from '../support/verification-scene.ts';

const minutes = (count: number) => count * 60_000;
const waitsFor = {
  key: 'node.cloudprovider.kubernetes.io/uninitialized',
  effect: 'NoSchedule',
  value: 'true',
};

async function withoutRecords() {
  const scene = verificationScene();
  scene.putPolicy('all');
  const running = scene.start();
  await scene.run(1_000);
  scene.faults.before = (call) =>
    isWrite(call) && call.ref.type.kind === nodeLifecycleType.kind ? apiFailure('ServerError') : null;
  scene.join('a');
  await scene.run(minutes(14));
  return { ...scene, running };
}

describe('an operator that cannot go on', () => {
  it('says so after a quarter of an hour, names the node, and is well again when it goes on', async () => {
    const { running, ...scene } = await withoutRecords();
    expect(running.centre.problem()).toBeNull();
    await scene.run(minutes(2));
    expect(running.centre.problem()).toMatch(/^verification: .* for 15 minutes: a$/);
    expect(running.metrics.value('muster_verification_stalled_nodes')).toBe(1);
    scene.faults.before = () => null;
    await scene.run(minutes(2));
    scene.workerEnds('a');
    await scene.run(2_000);
    expect(running.centre.problem()).toBeNull();
    expect(running.metrics.value('muster_verification_stalled_nodes')).toBe(0);
  });

  it('says nothing as a standby, and not at once when it begins to lead', async () => {
    const { running, ...scene } = await withoutRecords();
    running.kill();
    const standby = scene.start({ isLeading: false });
    await scene.run(minutes(30));
    expect(standby.centre.problem()).toBeNull();
    standby.leads();
    await scene.run(minutes(10));
    expect(standby.centre.problem()).toBeNull();
    await scene.run(minutes(6));
    expect(standby.centre.problem()).toContain('a');
  });
});

describe('an operator is well although a node is not verified', () => {
  it.each([
    ['its kubelet is not ready', { ready: 'False' }],
    ['an agent has not done its part', { taints: [unverified, waitsFor] }],
    ['it is cordoned', { isCordoned: true }],
    ['Karpenter has not registered it', { labels: { 'karpenter.sh/nodepool': 'blue' } }],
  ] as const)('because %s', async (_, sketch) => {
    const { running, ...scene } = await joined(sketch, {
      deadlineSeconds: 86_400,
      nodeReadyTimeoutSeconds: 86_400,
    });
    await scene.run(minutes(40));
    expect(scene.verification('a')).toMatchObject({ state: 'unverified' });
    expect(running.centre.problem()).toBeNull();
    expect(running.metrics.value('muster_verification_oldest_unverified_seconds')).toBeGreaterThan(2_000);
  });

  it('because its worker may run for an hour', async () => {
    const { running, ...scene } = await joined({}, { workerTimeoutSeconds: 3600, deadlineSeconds: 86_400 });
    scene.workerRuns('a');
    await scene.run(minutes(50));
    expect(scene.verification('a')).toMatchObject({ state: 'in_progress' });
    expect(running.centre.problem()).toBeNull();
  });

  it('because it waits in line', async () => {
    const scene = verificationScene();
    scene.putPolicy('all', { workerTimeoutSeconds: 3600, deadlineSeconds: 86_400 });
    const { centre, metrics } = scene.start({ workerLimits: { concurrent: 1, perSecond: 1, burst: 1 } });
    await scene.run(1_000);
    scene.join('a');
    await scene.run(2_000);
    scene.workerRuns('a');
    scene.join('b');
    await scene.run(minutes(40));
    expect(metrics.value('muster_workers', { state: 'running' })).toBe(1);
    expect(metrics.value('muster_workers', { state: 'waiting' })).toBe(1);
    expect(centre.problem()).toBeNull();
  });
});
