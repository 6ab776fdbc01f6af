// Custom checks, told with the whole centre: what they say of a node, and a policy that names one that is not there.

import { describe, expect, it } from 'vitest';
import { nodeVerificationType } from '../../src/api/keys.ts';
import type { CustomCheck } from '../../src/api/custom-check.ts';
import { fieldsOf, recordsIn } from '../../src/objects/raw.ts';
import { podType } from '../../src/objects/ref.ts';
import { type NodeSketch } from '../support/node-builder.ts';
import { unverified, verificationScene, type VerificationStart } from '../support/verification-scene.ts';

const gpu: CustomCheck = { name: 'gpu-burn', image: 'gpu-burn:1' };
const checks = [{ name: 'gpu-burn' }, { name: 'dns' }];
const eyes = { name: 'eyes', image: 'eyes:1' };

type Scene = Awaited<ReturnType<typeof joinedWith>>;

async function joinedWith(custom: readonly CustomCheck[], spec: object, sketch: NodeSketch = {}) {
  const scene = verificationScene();
  scene.putPolicy('all', spec);
  const start = (options: VerificationStart = {}) =>
    scene.start({ custom: { checks: custom, volumes: [] }, ...options });
  const running = start();
  await scene.run(1_000);
  scene.join('a', sketch);
  await scene.run(2_000);
  return { ...scene, running };
}

function setStatus(scene: Scene, status: object): void {
  const pod = scene.workerOf('a');
  if (pod === undefined) throw new Error('no worker');
  scene.api.put(podType, { ...pod, status });
}

const waiting = [{ name: 'worker', state: { waiting: { reason: 'PodInitializing' } } }];
const initRuns = (name: string) => ({
  phase: 'Pending',
  initContainerStatuses: [{ name, state: { running: {} } }],
  containerStatuses: waiting,
});
const initEnded = (exitCode: number, message: string) => ({
  phase: 'Failed',
  initContainerStatuses: [
    { name: 'gpu-burn', state: { terminated: { exitCode, reason: 'Error', message } } },
  ],
  containerStatuses: waiting,
});

const policyStatus = (scene: Scene) => scene.api.objects(nodeVerificationType)[0]?.status;
const wordsOf = (scene: Scene) =>
  scene.running.store.get('a')?.verdicts.find(({ capability }) => capability === 'verification');

describe('a custom check that fails', () => {
  it('keeps the node from work, and its name is in the record, the event and the summary', async () => {
    const scene = await joinedWith([gpu], { checks, maxRetries: 1 });
    setStatus(scene, initEnded(1, '3 ECC errors'));
    await scene.run(40_000);
    expect(scene.verification('a')).toMatchObject({
      state: 'failed',
      verdict: 'fail',
      reason: 'VerificationGivenUp',
      lastError: 'gpu-burn: ExitedWith1, 3 ECC errors',
      checks: [{ name: 'gpu-burn', verdict: 'fail', reason: 'ExitedWith1', message: '3 ECC errors' }],
    });
    expect(scene.status('a').gateSummary).toMatch(/^unverified: gpu-burn/);
    expect(scene.taints('a')).toEqual([unverified]);
    expect(policyStatus(scene)).toMatchObject({
      failed: 1,
      failedNodes: [{ nodeName: 'a', message: expect.stringContaining('gpu-burn') }],
    });
  });

  it('with another code than 1 costs the node nothing but time', async () => {
    const scene = await joinedWith([gpu], { checks });
    setStatus(scene, initEnded(2, 'no such flag'));
    await scene.run(500);
    expect(scene.verification('a')).toMatchObject({
      state: 'unverified',
      verdict: 'inconclusive',
      reason: 'CheckInconclusive',
      lastError: 'gpu-burn: ExitedOtherwise, exit code 2: no such flag',
    });
    expect(scene.verification('a')).not.toHaveProperty('failedAttempts');
  });
});

describe('a custom check that runs', () => {
  it('is the worker at work, though the phase of its pod is Pending, and has the time of the worker', async () => {
    const scene = await joinedWith([gpu], { checks, workerTimeoutSeconds: 600 });
    setStatus(scene, initRuns('gpu-burn'));
    await scene.run(300_000);
    expect(scene.verification('a')).toMatchObject({ state: 'in_progress', attempt: 1 });
    await scene.run(310_000);
    expect(scene.verification('a')).toMatchObject({ attempt: 2, reason: 'WorkerTimedOut' });
  });

  it('and hangs beside the worker, being advisory, holds nobody back beyond that time', async () => {
    const asked = [{ name: 'eyes', severity: 'advisory' }, { name: 'dns' }];
    const scene = await joinedWith([eyes], { checks: asked, workerTimeoutSeconds: 60 });
    scene.workerEnds('a');
    const { status } = scene.workerOf('a') ?? {};
    const { containerStatuses } = status as { readonly containerStatuses: readonly object[] };
    const hung = { name: 'eyes', state: { running: {} } };
    setStatus(scene, { phase: 'Running', containerStatuses: [...containerStatuses, hung] });
    await scene.run(30_000);
    expect(scene.verification('a')).toMatchObject({ state: 'in_progress' });
    await scene.run(40_000);
    expect(scene.verification('a')).toMatchObject({ state: 'verified' });
    expect(scene.verification('a')?.checks).toContainEqual({
      name: 'eyes',
      verdict: 'inconclusive',
      reason: 'NotFinished',
    });
  });
});

describe('the image of a custom check that cannot be pulled', () => {
  it('on many nodes holds up nobody who did not choose it', async () => {
    const scene = await joinedWith([gpu], { checks, selector: { matchLabels: { pool: 'gpu' } } });
    scene.putPolicy('others', { selector: { matchLabels: { pool: 'cpu' } } });
    for (const name of ['g1', 'g2', 'g3', 'g4']) scene.join(name, { labels: { pool: 'gpu' } });
    await scene.run(3_000);
    for (const pod of scene.pods())
      scene.api.put(podType, {
        ...pod,
        status: {
          phase: 'Pending',
          initContainerStatuses: [{ name: 'gpu-burn', state: { waiting: { reason: 'ImagePullBackOff' } } }],
          containerStatuses: waiting,
        },
      });
    await scene.run(31_000);
    expect(scene.verification('g1')).toMatchObject({
      reason: 'CheckInconclusive',
      lastError: 'gpu-burn: ImageUnavailable, ImagePullBackOff',
    });
    scene.join('c1', { labels: { pool: 'cpu' } });
    await scene.run(3_000);
    expect(scene.workerOf('c1')).toBeDefined();
  });
});

describe('a policy that names a custom check that the operator does not have', () => {
  it('is refused where people see it, and lets no node in, new or not', async () => {
    const scene = await joinedWith([], { checks }, { taints: [] });
    await scene.run(60_000);
    expect(scene.podNames()).toEqual([]);
    expect(scene.taints('a')).toEqual([unverified]);
    expect(wordsOf(scene)).toMatchObject({ outcome: 'unsatisfied', reason: 'PolicyRefused' });
    expect(policyStatus(scene)).toMatchObject({
      nodes: 1,
      waiting: 1,
      problems: [expect.stringMatching(/^spec\.checks\[0\]\.name: must be one of .*, not "gpu-burn"; /)],
    });
  });

  it('is followed as soon as it is put right, and says so', async () => {
    const scene = await joinedWith([], { checks });
    scene.putPolicy('all', { checks: [{ name: 'dns' }] });
    await scene.run(10_000);
    expect(scene.podNames()).toHaveLength(1);
    expect(policyStatus(scene)).not.toHaveProperty('problems');
  });

  it('is not replaced by the policy of the configuration', async () => {
    const scene = verificationScene();
    scene.putPolicy('all', { checks });
    scene.start({ fallback: {} });
    await scene.run(1_000);
    scene.join('a');
    await scene.run(30_000);
    expect(scene.podNames()).toEqual([]);
  });

  it('keeps a node that is checked while the check is taken out of the configuration', async () => {
    const scene = await joinedWith([gpu], { checks });
    expect(scene.podNames()).toHaveLength(1);
    scene.running.kill();
    scene.start();
    await scene.run(30_000);
    expect(scene.verification('a')).toMatchObject({ state: 'unverified', reason: 'ChecksChanged' });
    expect(scene.podNames()).toEqual([]);
    expect(scene.taints('a')).toEqual([unverified]);
  });
});

describe('the policy of the configuration', () => {
  it('runs every custom check there is', async () => {
    const scene = verificationScene();
    scene.start({ fallback: {}, custom: { checks: [gpu, eyes], volumes: [] } });
    await scene.run(1_000);
    scene.join('a');
    await scene.run(3_000);
    const containers = recordsIn(fieldsOf(scene.workerOf('a')?.spec)['initContainers']);
    expect(containers.map(({ name }) => name)).toEqual(['gpu-burn', 'eyes']);
  });
});
