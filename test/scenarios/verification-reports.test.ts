// The report of a worker on its pod, for whoever watches pods: told with the whole centre.

import { describe, expect, it } from 'vitest';
import { workerAnnotations } from '../../src/api/keys.ts';
import { podType } from '../../src/objects/ref.ts';
import type { FailureReason } from '../../src/runtime/ports.ts';
import { apiFailure } from '../support/api-failure.ts';
import type { MemoryCall } from '../support/memory-kube-api.ts';
import { failure, unverified, verificationScene } from '../support/verification-scene.ts';

async function checked(isReportingToApi = true) {
  const scene = verificationScene();
  scene.putPolicy('all');
  const running = scene.start({ isReportingToApi });
  await scene.run(1_000);
  scene.join('a');
  await scene.run(2_000);
  scene.workerRuns('a');
  await scene.run(1_000);
  const [name = ''] = scene.podNames();
  const isOfPod = (verb: string) => (call: MemoryCall) =>
    call.verb === verb && call.ref.type === podType && call.ref.name === name;
  const writes = () => scene.api.calls.filter((call) => isOfPod('patch')(call) || isOfPod('delete')(call));
  return { ...scene, running, name, isOfPod, writes };
}

const reportIn = (call: MemoryCall | undefined) =>
  Object(call?.body).body?.metadata?.annotations?.[workerAnnotations.report];

describe('a report that is asked for', () => {
  it('is copied to the pod as the worker gave it, guarded, once, and then the pod goes', async () => {
    const scene = await checked();
    scene.workerEnds('a');
    const { uid, resourceVersion } = scene.workerOf('a')?.metadata ?? {};
    await scene.run(60_000);
    const [copy, removal, ...rest] = scene.writes();
    expect([copy?.verb, removal?.verb, rest]).toEqual(['patch', 'delete', []]);
    expect(copy?.body).toMatchObject({ kind: 'merge', body: { metadata: { uid, resourceVersion } } });
    expect(JSON.parse(reportIn(copy))).toMatchObject({ version: 1, node: 'a', verdict: 'pass' });
    expect(scene.podNames()).toEqual([]);
    expect(scene.taints('a')).toEqual([]);
  });

  it('of a failed attempt is copied too, before the next worker is made', async () => {
    const scene = await checked();
    scene.workerEnds('a', failure);
    await scene.run(5_000);
    expect(JSON.parse(reportIn(scene.writes()[0]))).toMatchObject({ verdict: 'fail' });
    expect(scene.podNames()).toHaveLength(1);
    expect(scene.podNames()).not.toContain(scene.name);
  });

  it('is not longer than a termination message', async () => {
    const scene = await checked();
    scene.workerEnds('a', { message: 'x'.repeat(10_000) });
    await scene.run(2_000);
    expect(reportIn(scene.writes()[0])).toHaveLength(4096);
  });

  it('is not copied again by the operator that finds it on the pod', async () => {
    const scene = await checked();
    scene.faults.before = (call) => (scene.isOfPod('delete')(call) ? apiFailure('ServerError') : null);
    scene.workerEnds('a');
    await scene.run(2_000);
    scene.running.kill();
    scene.faults.before = () => null;
    scene.start({ isReportingToApi: true });
    await scene.run(10_000);
    expect(scene.writes().filter(({ verb }) => verb === 'patch')).toHaveLength(1);
    expect(scene.podNames()).toEqual([]);
  });

  it('is copied by the next operator where the one before did not come to it', async () => {
    const scene = await checked();
    scene.faults.before = (call) => (scene.isOfPod('patch')(call) ? apiFailure('ServerError') : null);
    scene.workerEnds('a');
    await scene.run(2_000);
    scene.running.kill();
    expect(scene.podNames()).toEqual([scene.name]);
    scene.faults.before = () => null;
    scene.start({ isReportingToApi: true });
    await scene.run(10_000);
    expect(scene.writes().at(-1)?.verb).toBe('delete');
    expect(reportIn(scene.writes().at(-2))).toContain('"verdict":"pass"');
  });

  it.each<FailureReason>(['Forbidden', 'Invalid'])(
    'and that the API server refuses (%s) keeps neither the pod nor the node',
    async (reason) => {
      const scene = await checked();
      scene.faults.before = (call) => (scene.isOfPod('patch')(call) ? apiFailure(reason) : null);
      scene.workerEnds('a');
      await scene.run(2_000);
      expect(scene.writes().map(({ verb }) => verb)).toEqual(['patch', 'delete']);
      expect(scene.podNames()).toEqual([]);
      expect(scene.taints('a')).toEqual([]);
    },
  );

  it('is there after all where somebody else wrote the pod first', async () => {
    const scene = await checked();
    let isWritten = false;
    scene.faults.before = (call) => {
      if (scene.isOfPod('patch')(call) && !isWritten) {
        isWritten = true;
        const pod = scene.workerOf('a');
        scene.api.put(podType, {
          ...pod,
          metadata: { ...pod?.metadata, labels: { ...pod?.metadata?.labels, x: 'y' } },
        });
      }
      return null;
    };
    scene.workerEnds('a');
    await scene.run(10_000);
    expect(scene.writes().map(({ verb }) => verb)).toEqual(['patch', 'patch', 'delete']);
  });
});

describe('no report is copied', () => {
  it('where nobody asks for it', async () => {
    const scene = await checked(false);
    scene.workerEnds('a');
    await scene.run(2_000);
    expect(scene.writes().map(({ verb }) => verb)).toEqual(['delete']);
  });

  it('of a worker that has none', async () => {
    const scene = await checked();
    scene.changeNode('a', (raw) => ({ ...raw, spec: { taints: [unverified], unschedulable: true } }));
    await scene.run(2_000);
    expect(scene.writes().map(({ verb }) => verb)).toEqual(['delete']);
  });
});
