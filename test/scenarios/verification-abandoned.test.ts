// A policy that goes, comes back or asks for another taint while its nodes are not verified yet: nobody is blamed for what we did
// ourselves, and no node stays unverified without a word.

import { describe, expect, it } from 'vitest';
import { nodeVerificationType } from '../../src/api/keys.ts';
import { noFlags } from '../../src/runtime/gating-policy.ts';
import {
  failure,
  joined,
  unverified,
  verificationScene,
  verifiedLabel,
} from '../support/verification-scene.ts';

const policyStatus = ({ api }: Pick<ReturnType<typeof verificationScene>, 'api'>) =>
  api.objects(nodeVerificationType).find(({ metadata }) => metadata?.name === 'all')?.status;

describe('a policy that is deleted while a node is checked, and made again', () => {
  it('has the node verified after all, while it works', async () => {
    const scene = await joined({ taints: [] });
    scene.workerRuns('a');
    await scene.run(1_000);
    scene.deletePolicy('all');
    await scene.run(5_000);
    expect(scene.taints('a')).toEqual([]);
    expect(scene.podNames()).toEqual([]);
    expect(scene.verification('a')).toMatchObject({
      state: 'unverified',
      reason: 'NotOnboarded',
      gates: false,
    });
    expect(scene.status('a')).toMatchObject({ stage: 'InService', firstReleasedAt: expect.any(String) });
    scene.putPolicy('all');
    await scene.run(3_000);
    expect(scene.verification('a')).toMatchObject({ state: 'pending', round: 2, gates: false });
    expect(scene.taints('a')).toEqual([]);
    scene.workerEnds('a');
    await scene.run(2_000);
    expect(scene.labels('a')[verifiedLabel]).toBe('true');
    expect(scene.running.events.filter(({ reason }) => reason === 'ManualOverride')).toEqual([]);
  });

  it('keeps the node from work where that has not noticed yet', async () => {
    const scene = await joined({ taints: [] });
    scene.deletePolicy('all');
    scene.putPolicy('all');
    await scene.run(3_000);
    expect(scene.taints('a')).toEqual([unverified]);
    expect(scene.verification('a')).toMatchObject({ state: 'pending', gates: true });
    scene.workerEnds('a');
    await scene.run(2_000);
    expect(scene.labels('a')[verifiedLabel]).toBe('true');
    expect(scene.taints('a')).toEqual([]);
  });

  it('verifies a node that kept the taint it was born with, which is nobody else’s to take away', async () => {
    const scene = await joined({ taints: [unverified] });
    scene.deletePolicy('all');
    await scene.run(5_000);
    expect(scene.taints('a')).toEqual([unverified]);
    scene.putPolicy('all');
    await scene.run(3_000);
    expect(scene.verification('a')).toMatchObject({ state: 'pending', round: 2, gates: true });
    scene.workerEnds('a');
    await scene.run(2_000);
    expect(scene.taints('a')).toEqual([]);
  });

  it('gates a node at once that had failed as often as that takes', async () => {
    const scene = await joined({ taints: [] });
    for (let times = 0; times < 2; times++) {
      scene.workerEnds('a', failure);
      await scene.run(4_000);
    }
    expect(scene.verification('a')).toMatchObject({ failedAttempts: 2 });
    scene.deletePolicy('all');
    await scene.run(5_000);
    expect(scene.taints('a')).toEqual([]);
    scene.putPolicy('all');
    await scene.run(3_000);
    expect(scene.taints('a')).toEqual([unverified]);
    expect(scene.running.events.filter(({ reason }) => reason === 'ManualOverride')).toEqual([]);
  });
});

describe('a policy that asks for another taint while a node is checked', () => {
  const other = { key: 'example.com/new', effect: 'NoSchedule', value: '' };

  it.each([
    ['that we set', []],
    ['that the node was born with', [unverified]],
  ])('has it set in place of the one %s, and nobody took that away', async (_, taints) => {
    const scene = await joined({ taints });
    scene.putPolicy('all', { taints: [{ key: other.key, effect: 'NoSchedule' }] });
    await scene.run(3_000);
    expect(scene.taints('a')).toContainEqual(other);
    expect(scene.verification('a')?.reason).not.toBe('ManualOverride');
    scene.workerEnds('a');
    await scene.run(3_000);
    expect(scene.taints('a')).not.toContainEqual(other);
    expect(scene.labels('a')[verifiedLabel]).toBe('true');
  });
});

describe('a node that is verified although its policy leaves it alone', () => {
  it('is one that somebody asks for', async () => {
    const scene = verificationScene();
    scene.start();
    scene.join('old', { taints: [], createdAt: '2025-01-01T00:00:00Z' });
    await scene.run(2_000);
    scene.putPolicy('all');
    scene.join('a');
    await scene.run(8_000);
    expect(scene.verification('old')).toBeUndefined();
    expect(policyStatus(scene)).toMatchObject({ nodes: 2, inProgress: 1, waiting: 0, leftAlone: 1 });
    scene.annotate('old', { 'muster.dev/verify': 'now' });
    await scene.run(3_000);
    expect(scene.verification('old')).toMatchObject({ state: 'pending', gates: false });
    expect(scene.taints('old')).toEqual([]);
    scene.workerEnds('old');
    await scene.run(3_000);
    expect(scene.labels('old')[verifiedLabel]).toBe('true');
  });
});

describe('what a policy says of its nodes', () => {
  it('counts those that are let in by hand or suspended as left alone, and verified ones as what they are', async () => {
    const scene = await joined();
    scene.join('b');
    await scene.run(2_000);
    scene.workerEnds('b');
    scene.changeNode('a', (raw) => ({ ...raw, spec: { taints: [] } }));
    await scene.run(10_000);
    expect(policyStatus(scene)).toMatchObject({ nodes: 2, verified: 1, waiting: 0, leftAlone: 1 });
    expect(scene.running.events).toContainEqual(
      expect.objectContaining({
        reason: 'ManualOverride',
        note: expect.stringContaining('muster.dev/verify'),
      }),
    );
    scene.putPolicy('all', { suspend: true });
    await scene.run(10_000);
    expect(policyStatus(scene)).toMatchObject({ nodes: 2, verified: 1, waiting: 0, leftAlone: 1 });
  });

  it('names the check that failed, though the node waits for its next worker by then', async () => {
    const workerLimits = { concurrent: 1, perSecond: 50, burst: 100 };
    const scene = await joined({}, {}, { workerLimits });
    scene.join('b');
    await scene.run(1_000);
    scene.workerEnds('a', failure);
    await scene.run(20_000);
    expect(scene.workerOf('b')).toBeDefined();
    expect(policyStatus(scene)).toMatchObject({
      failed: 1,
      failedNodes: [
        { nodeName: 'a', reason: 'CheckFailed', message: expect.stringContaining('dns: Timeout') },
      ],
    });
  });

  it('counts nodes that are to be gated again and that the brake holds, which still take pods and say why', async () => {
    const gatingFlags = { ...noFlags, gateBudget: { kind: 'percent', max: 0 } } as const;
    const scene = await joined({}, {}, { gatingFlags });
    scene.workerEnds('a');
    await scene.run(40_000);
    scene.reboot('a', 'boot-2');
    for (let times = 0; times < 2; times++) {
      await scene.run(4_000);
      scene.workerEnds('a', failure);
    }
    await scene.run(40_000);
    expect(scene.taints('a')).toEqual([]);
    expect(policyStatus(scene)).toMatchObject({ held: 1 });
    expect(scene.status('a')).toMatchObject({
      stage: 'InService',
      stageReason: 'GatingBudgetSpent',
      stageMessage: expect.stringContaining('node-ready/unverified:NoSchedule is not set'),
    });
  });
});
