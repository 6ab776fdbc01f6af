// A new node has so much time from its creation, whatever takes it: told with the whole centre.

import { describe, expect, it } from 'vitest';
import { joined, unverified } from '../support/verification-scene.ts';

const taint = (key: string) => ({ key, effect: 'NoSchedule', value: 'x' });

describe('a node whose time is up', () => {
  const waits = {
    'for the cloud': { taints: [unverified, taint('node.cloudprovider.kubernetes.io/uninitialized')] },
    'for Karpenter': { labels: { 'karpenter.sh/nodepool': 'blue' } },
    'for its network': { conditions: { NetworkUnavailable: 'True' } },
    'for its kubelet, which has an hour': { ready: 'False' },
  } as const;

  it.each(Object.entries(waits))(
    'counts as failed after fourteen minutes though it waits %s',
    async (_, sketch) => {
      const scene = await joined(sketch, { nodeReadyTimeoutSeconds: 3600 });
      await scene.run(837_000);
      expect(scene.verification('a')).toMatchObject({ state: 'unverified', attempt: 0 });
      await scene.run(4_000);
      expect(scene.verification('a')).toMatchObject({ state: 'failed', verdict: 'inconclusive' });
      expect(scene.running.events.filter(({ reason }) => reason === 'VerificationOverdue')).toHaveLength(1);
      expect(scene.podNames()).toEqual([]);
    },
  );

  it('counts as failed, people are warned once, and it is let in when a worker passes after all', async () => {
    const scene = await joined({}, { deadlineSeconds: 120 });
    for (let second = 0; second < 150; second++) {
      if (scene.podNames().length > 0) scene.workerEnds('a', { message: '' });
      await scene.run(1_000);
    }
    expect(scene.verification('a')).toMatchObject({ state: 'failed', verdict: 'inconclusive' });
    expect(scene.verification('a')?.failedAttempts).toBeUndefined();
    expect(scene.taints('a')).toEqual([unverified]);
    const warnings = scene.running.events.filter(({ reason }) => reason === 'VerificationOverdue');
    expect(warnings).toHaveLength(1);
    await scene.run(600_000);
    scene.workerEnds('a');
    await scene.run(2_000);
    expect(scene.verification('a')).toMatchObject({ state: 'verified' });
    expect(scene.taints('a')).toEqual([]);
  });
});
