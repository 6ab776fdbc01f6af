// Verification of nodes that work already: again, for the first time, or not any more.

import { describe, expect, it } from 'vitest';
import { nodeLifecycleType } from '../../src/api/keys.ts';
import { isPatchOf } from '../support/centre-scene.ts';
import {
  failure,
  joined,
  unverified,
  verificationScene,
  verifiedLabel,
} from '../support/verification-scene.ts';

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

  it('begins at the end of an update, once, while the node goes on working', async () => {
    const scene = await verified();
    const cordoned = (isCordoned: boolean) =>
      scene.changeNode('a', (raw) => ({ ...raw, spec: { taints: [], unschedulable: isCordoned } }));
    cordoned(true);
    await scene.run(2_000);
    scene.update('a', 'v1.37.0');
    await scene.run(60_000);
    expect(scene.podNames()).toEqual([]);
    scene.reboot('a', 'boot-2');
    await scene.run(60_000);
    expect(scene.podNames()).toEqual([]);
    cordoned(false);
    await scene.run(2_000);
    expect(scene.podNames()).toHaveLength(1);
    expect(scene.taints('a')).toEqual([]);
    expect(scene.labels('a')[verifiedLabel]).toBe('true');
    scene.workerEnds('a');
    await scene.run(600_000);
    expect(scene.verification('a')).toMatchObject({
      state: 'verified',
      round: 2,
      attempt: 1,
      kubeletVersion: 'v1.37.0',
      bootID: 'boot-2',
    });
  });

  it('begins when the kubelet is replaced under a node that nobody cordons', async () => {
    const scene = await verified();
    scene.update('a', 'v1.37.0');
    await scene.run(2_000);
    expect(scene.verification('a')).toMatchObject({ round: 2, state: 'pending' });
  });

  it('begins with the taint, or not at all, where the policy wants an update to be taken so', async () => {
    const gated = await verified({ reverification: { onUpdate: 'Gate' } });
    gated.update('a', 'v1.37.0');
    await gated.run(2_000);
    expect(gated.taints('a')).toEqual([unverified]);
    const ignored = await verified({ reverification: { onUpdate: 'Ignore' } });
    ignored.update('a', 'v1.37.0');
    await ignored.run(60_000);
    expect(ignored.verification('a')).toMatchObject({ round: 1, state: 'verified' });
  });

  it('does not begin because a kubelet has not said its version yet', async () => {
    const scene = await verified();
    scene.update('a', '');
    await scene.run(60_000);
    expect(scene.verification('a')).toMatchObject({ round: 1, state: 'verified' });
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

describe('a node that is gated for a new round', () => {
  it('has the sight of its taint and its next attempt written to the record in one piece', async () => {
    const scene = await joined({}, { reverification: { onReboot: 'Gate' } });
    scene.workerEnds('a');
    await scene.run(60_000);
    const before = scene.api.calls.length;
    scene.reboot('a', 'boot-2');
    await scene.run(500);
    expect(scene.taints('a')).toEqual([unverified]);
    expect(scene.verification('a')).toMatchObject({ state: 'pending', round: 2 });
    const written = scene.api.calls
      .slice(before)
      .filter(isPatchOf(nodeLifecycleType, 'a'))
      .flatMap(({ body }) => Object(body).body.status.verification ?? []);
    expect(written).toMatchObject([
      { state: 'unverified', round: 2 },
      { state: 'pending', gatedAt: expect.any(String) },
    ]);
  });
});
