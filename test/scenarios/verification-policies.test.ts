// Policies that are changed while nodes are verified, told with the whole centre.

import { describe, expect, it } from 'vitest';
import { nodeLifecycleType } from '../../src/api/keys.ts';
import { fieldsOf } from '../../src/objects/raw.ts';
import { podType } from '../../src/objects/ref.ts';
import { failedDns, failure, joined, unverified } from '../support/verification-scene.ts';

const createdPods = (scene: { readonly api: { readonly calls: readonly { verb: string; ref: object }[] } }) =>
  scene.api.calls.filter(({ verb, ref }) => verb === 'create' && 'type' in ref && ref.type === podType)
    .length;

describe('a policy that is changed while a worker runs', () => {
  it('stops the worker when it is suspended, leaves the node as it is, and goes on later', async () => {
    const scene = await joined();
    scene.workerRuns('a');
    await scene.run(1_000);
    scene.putPolicy('all', { suspend: true });
    await scene.run(60_000);
    expect(scene.podNames()).toEqual([]);
    expect(scene.taints('a')).toEqual([unverified]);
    expect(scene.verification('a')).toMatchObject({ state: 'unverified', reason: 'VerificationSuspended' });
    scene.putPolicy('all', {});
    await scene.run(5_000);
    scene.workerEnds('a');
    await scene.run(2_000);
    expect(scene.verification('a')).toMatchObject({ state: 'verified' });
    expect(scene.taints('a')).toEqual([]);
  });

  it('lets the worker finish, and its report counts where it covers what is required now', async () => {
    const scene = await joined();
    scene.workerRuns('a');
    await scene.run(1_000);
    scene.putPolicy('all', { verifiedLabel: { key: 'team.io/checked' }, checks: [{ name: 'dns' }] });
    await scene.run(1_000);
    expect(scene.podNames()).toHaveLength(1);
    scene.workerEnds('a');
    await scene.run(2_000);
    expect(scene.labels('a')).toEqual({ 'team.io/checked': 'true' });
    expect(createdPods(scene)).toBe(1);
  });

  it.each([
    ['is one more', { checks: [{ name: 'dns' }, { name: 'disk-space' }] }],
    ['has other parameters', { checks: [{ name: 'dns', params: { names: ['web.shop.'] } }] }],
    ['is another under the same id', { checks: [{ name: 'disk-space', id: 'dns' }] }],
  ])('does not take the report of a worker where what is required now %s', async (_, changed) => {
    const scene = await joined({}, { checks: [{ name: 'dns' }] });
    scene.workerRuns('a');
    await scene.run(1_000);
    scene.putPolicy('all', changed);
    scene.workerEnds('a');
    await scene.run(500);
    const { failedAttempts, inconclusiveAttempts, ...record } = scene.verification('a') ?? {};
    expect(record).toMatchObject({ state: 'unverified', reason: 'ChecksChanged' });
    expect([failedAttempts, inconclusiveAttempts]).toEqual([undefined, undefined]);
    expect(scene.taints('a')).toEqual([unverified]);
    await scene.run(3_000);
    const disk = { ...failedDns, id: 'disk-space', verdict: 'pass', code: '', message: '' } as const;
    scene.workerEnds('a', { report: { checks: [{ ...disk, id: 'dns' }, disk] } });
    await scene.run(2_000);
    expect(scene.verification('a')).toMatchObject({ state: 'verified', attempt: 2 });
  });
});

describe('a node of which nothing could be found out', () => {
  const refused = { exitCode: 2, message: '' };

  async function triedOut() {
    const scene = await joined({}, { maxRetries: 1 });
    scene.workerEnds('a', refused);
    await scene.run(60_000);
    expect(scene.verification('a')).toMatchObject({ reason: 'WorkerMisconfigured', round: 1, attempt: 1 });
    expect(scene.podNames()).toEqual([]);
    return scene;
  }

  it('is checked at once when its policy is repaired', async () => {
    const scene = await triedOut();
    scene.putPolicy('all', { maxRetries: 1, checks: [{ name: 'dns' }] });
    await scene.run(3_000);
    expect(scene.verification('a')).toMatchObject({ state: 'pending', round: 2, attempt: 1 });
    expect(scene.taints('a')).toEqual([unverified]);
  });

  it('is checked at once when another policy takes it over', async () => {
    const scene = await triedOut();
    scene.putPolicy('other', { priority: 10, maxRetries: 1 });
    await scene.run(3_000);
    expect(scene.verification('a')).toMatchObject({ state: 'pending', round: 2, policy: 'other' });
  });

  it('is checked at once when somebody asks for it, once', async () => {
    const scene = await triedOut();
    scene.annotate('a', { 'muster.dev/verify': 'now' });
    await scene.run(3_000);
    expect(scene.verification('a')).toMatchObject({ state: 'pending', round: 2, attempt: 1 });
    scene.workerEnds('a', refused);
    await scene.run(60_000);
    expect(scene.verification('a')).toMatchObject({ state: 'unverified', round: 2, attempt: 1 });
  });

  it('is tried again after ten minutes where nothing changes', async () => {
    const scene = await triedOut();
    await scene.run(520_000);
    expect(scene.podNames()).toEqual([]);
    await scene.run(60_000);
    expect(scene.verification('a')).toMatchObject({ state: 'pending', round: 1, attempt: 2 });
  });
});

describe('a node that failed for good', () => {
  async function givenUp() {
    const scene = await joined({}, { maxRetries: 1 });
    scene.workerEnds('a', failure);
    await scene.run(60_000);
    expect(scene.verification('a')).toMatchObject({ reason: 'VerificationGivenUp', round: 1 });
    return scene;
  }

  it('is checked again when its policy is changed', async () => {
    const scene = await givenUp();
    scene.putPolicy('all', { maxRetries: 2 });
    await scene.run(3_000);
    expect(scene.verification('a')).toMatchObject({ state: 'pending', round: 2, attempt: 1 });
  });

  it('is checked again when another policy takes it over, though both are of their first generation', async () => {
    const scene = await givenUp();
    scene.putPolicy('other', { priority: 10, maxRetries: 1 });
    await scene.run(3_000);
    expect(scene.verification('a')).toMatchObject({ state: 'pending', round: 2, policy: 'other' });
    scene.workerEnds('a');
    await scene.run(2_000);
    expect(scene.verification('a')).toMatchObject({ state: 'verified' });
  });

  it.each([
    ['while nobody looks', 0],
    ['in the sight of all', 5_000],
  ])(
    'is checked again when its policy is deleted and made anew %s, though name and generation are the same',
    async (_, apartMs) => {
      const scene = await givenUp();
      if (apartMs === 0) scene.api.holdWatches();
      scene.deletePolicy('all');
      await scene.run(apartMs);
      scene.putPolicy('all', { maxRetries: 1 });
      scene.api.releaseWatches();
      await scene.run(5_000);
      expect(scene.verification('a')).toMatchObject({ round: 2, attempt: 1, state: 'pending' });
      expect(scene.verification('a')).toMatchObject({ policy: 'all', generation: 1 });
      scene.workerEnds('a');
      await scene.run(2_000);
      expect(scene.verification('a')).toMatchObject({ state: 'verified' });
    },
  );

  it('is not checked again for a record of the time when policies had no UID in it', async () => {
    const scene = await givenUp();
    scene.running.kill();
    const [before] = scene.api.objects(nodeLifecycleType);
    const status = fieldsOf(before?.status);
    const { policyUID, ...verification } = fieldsOf(status['verification']);
    expect(policyUID).toEqual(expect.any(String));
    scene.api.put(nodeLifecycleType, { ...before, status: { ...status, verification } });
    scene.start();
    await scene.run(60_000);
    expect(scene.verification('a')).toMatchObject({ state: 'failed', round: 1 });
  });

  it('is not checked again by a restart, or by a status that is written', async () => {
    const scene = await givenUp();
    scene.running.kill();
    scene.start();
    await scene.run(1_300_000);
    expect(scene.verification('a')).toMatchObject({ state: 'failed', round: 1, attempt: 1 });
  });
});
