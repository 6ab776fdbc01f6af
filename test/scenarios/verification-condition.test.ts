// The condition `Verified` on nodes, for whoever reads conditions and knows nothing of us: told with the whole centre.

import { describe, expect, it } from 'vitest';
import type { NodeVerificationSpec } from '../../src/api/node-verification.ts';
import { fieldsOf, recordsIn } from '../../src/objects/raw.ts';
import { nodeType } from '../../src/objects/ref.ts';
import { apiFailure } from '../support/api-failure.ts';
import type { MemoryCall } from '../support/memory-kube-api.ts';
import { failure, verificationScene, verifiedLabel } from '../support/verification-scene.ts';

const isOfStatus = ({ verb, ref, subresource }: MemoryCall) =>
  verb === 'patch' && ref.type === nodeType && subresource === 'status';

async function shown(spec: Omit<NodeVerificationSpec, 'nodeSelector'> = {}) {
  const scene = verificationScene();
  scene.putPolicy('all', spec);
  const start = () => scene.start({ isShownOnNodes: true });
  const running = start();
  await scene.run(1_000);
  scene.join('a', { conditions: { Foreign: 'True' } });
  await scene.run(8_000);
  const conditions = () => recordsIn(fieldsOf(scene.node('a').status)['conditions']);
  return {
    ...scene,
    running,
    start,
    conditions,
    verified: () => conditions().find(({ type }) => type === 'Verified'),
    statusWrites: () => scene.api.calls.filter(isOfStatus),
  };
}

/** Until its worker has ended well, and everything that comes of it is written. */
async function passed(scene: Awaited<ReturnType<typeof shown>>) {
  scene.workerEnds('a');
  await scene.run(10_000);
  return scene;
}

describe('the condition of a node', () => {
  it('is Unknown until a worker has ended and True after that, beside those of others', async () => {
    const scene = await shown();
    const begun = scene.verified();
    expect(begun).toMatchObject({ status: 'Unknown', reason: 'VerificationPending', message: '' });
    await scene.run(10_000);
    await passed(scene);
    const verifiedAt = scene.verification('a')?.verifiedAt;
    expect(scene.verified()).toMatchObject({
      status: 'True',
      reason: 'VerificationPassed',
      message: `at ${verifiedAt}`,
    });
    expect(scene.verified()?.['lastTransitionTime']).not.toBe(begun?.['lastTransitionTime']);
    expect(Object.fromEntries(scene.conditions().map(({ type, status }) => [type, status]))).toEqual({
      Foreign: 'True',
      Ready: 'True',
      Verified: 'True',
    });
    expect(scene.statusWrites()).toHaveLength(2);
  });

  it('is written under the guard of UID and resourceVersion', async () => {
    const scene = await shown();
    const { uid } = scene.node('a').metadata ?? {};
    expect(scene.statusWrites()[0]?.body).toMatchObject({
      kind: 'strategic',
      body: { metadata: { uid, resourceVersion: expect.any(String) } },
    });
  });

  it('has no heartbeat: what a kubelet says again is no reason to write', async () => {
    const scene = await passed(await shown());
    const before = scene.statusWrites().length;
    for (let times = 0; times < 20; times++) {
      scene.annotate('a', { 'example.com/beat': String(times) });
      await scene.run(60_000);
    }
    expect(scene.statusWrites()).toHaveLength(before);
  });

  it('is False when a check has failed, and stays so while it is tried again', async () => {
    const scene = await shown({ maxRetries: 2 });
    scene.workerEnds('a', failure);
    await scene.run(10_000);
    expect(scene.verification('a')?.state).toBe('pending');
    const failed = scene.verified();
    expect(failed).toMatchObject({ status: 'False', reason: 'CheckFailed' });
    expect(failed?.['message']).toContain('dns: Timeout');
    scene.workerEnds('a', failure);
    await scene.run(10_000);
    expect(scene.verified()).toMatchObject({
      status: 'False',
      reason: 'VerificationGivenUp',
      lastTransitionTime: failed?.['lastTransitionTime'],
    });
  });

  it('is Unknown when nothing was found out', async () => {
    const scene = await shown();
    scene.workerIsEvicted('a');
    await scene.run(500);
    await scene.run(5_000);
    expect(scene.verified()).toMatchObject({ status: 'Unknown', reason: 'WorkerEvicted' });
  });

  it('stays True while a node that works is verified again, and until that has consequences', async () => {
    const scene = await passed(await shown());
    const before = scene.verified();
    scene.annotate('a', { 'muster.dev/verify': 'now' });
    await scene.run(10_000);
    scene.workerEnds('a', failure);
    await scene.run(10_000);
    expect(scene.verification('a')).toMatchObject({ round: 2, failedAttempts: 1 });
    expect(scene.verified()).toEqual(before);
    scene.workerEnds('a', failure);
    await scene.run(10_000);
    expect(scene.verification('a')).toMatchObject({ gates: true });
    expect(scene.verified()).toMatchObject({ status: 'False', reason: 'CheckFailed' });
  });

  it('goes when nobody verifies the node any more, and those of others stay', async () => {
    const scene = await passed(await shown());
    scene.deletePolicy('all');
    await scene.run(10_000);
    expect(scene.conditions().map(({ type }) => type)).toEqual(['Ready', 'Foreign']);
    expect(scene.labels('a')[verifiedLabel]).toBeUndefined();
    const writes = scene.statusWrites().length;
    await scene.run(1_200_000);
    expect(scene.statusWrites()).toHaveLength(writes);
  });

  it('of the same type that somebody else keeps on a node that is left alone is not touched', async () => {
    const scene = verificationScene();
    scene.start({ isShownOnNodes: true });
    scene.join('a', {
      taints: [],
      createdAt: '2025-01-01T00:00:00Z',
      conditions: { Verified: 'False' },
    });
    await scene.run(2_000);
    scene.putPolicy('all');
    await scene.run(60_000);
    expect(scene.api.calls.filter(isOfStatus)).toEqual([]);
  });

  it('is not there where nobody asks for it', async () => {
    const scene = verificationScene();
    scene.putPolicy('all');
    scene.start();
    await scene.run(1_000);
    scene.join('a');
    await scene.run(10_000);
    expect(scene.api.calls.filter(isOfStatus)).toEqual([]);
  });
});

describe('a write of the condition', () => {
  it('that a kubelet was faster than is made again', async () => {
    const scene = await shown();
    await scene.run(10_000);
    let isFaster = false;
    scene.faults.before = (call) => {
      if (isOfStatus(call) && !isFaster) {
        isFaster = true;
        scene.annotate('a', { 'example.com/beat': '1' });
      }
      return null;
    };
    await passed(scene);
    expect(isFaster).toBe(true);
    expect(scene.verified()).toMatchObject({ status: 'True' });
  });

  it('that is refused keeps nobody from work, and is not repeated before the node changes', async () => {
    const scene = await shown();
    await scene.run(10_000);
    scene.faults.before = (call) => (isOfStatus(call) ? apiFailure('Forbidden') : null);
    await passed(scene);
    expect(scene.taints('a')).toEqual([]);
    const writes = scene.statusWrites().length;
    await scene.run(300_000);
    expect(scene.statusWrites()).toHaveLength(writes);
    scene.faults.before = () => null;
    scene.annotate('a', { 'example.com/beat': '1' });
    await scene.run(10_000);
    expect(scene.verified()).toMatchObject({ status: 'True' });
  });

  it('is made by the next operator where the one before did not come to it', async () => {
    const scene = await shown();
    await scene.run(10_000);
    scene.faults.before = (call) => (isOfStatus(call) ? apiFailure('ServerError') : null);
    await passed(scene);
    scene.running.kill();
    expect(scene.verified()).toMatchObject({ status: 'Unknown' });
    scene.faults.before = () => null;
    scene.start();
    await scene.run(10_000);
    expect(scene.verified()).toMatchObject({ status: 'True' });
  });
});
