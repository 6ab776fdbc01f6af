// What a node must have before a worker is sent to it: it waits, without an attempt, and says for what.

import { describe, expect, it } from 'vitest';
import { csiNodeType, podType } from '../../src/objects/ref.ts';
import { joined } from '../support/verification-scene.ts';

type Scene = Awaited<ReturnType<typeof joined>>;

function putAgent(scene: Scene, ready: 'True' | 'False', node = 'a'): void {
  const metadata = {
    name: `cni-${node}`,
    namespace: 'kube-system',
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'cni', uid: 'uid-of-cni' }],
  };
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: ready }] };
  scene.api.put(podType, { metadata, spec: { nodeName: node }, status });
}

const wordsOf = (scene: Scene) =>
  scene.running.store.get('a')?.verdicts.find(({ capability }) => capability === 'verification');

describe('a node that lacks an agent', () => {
  const spec = { requirements: { daemonSets: [{ namespace: 'kube-system', name: 'cni' }] } };

  it('waits for its pod to be there and ready, and is then verified', async () => {
    const scene = await joined({}, spec);
    await scene.run(6_000);
    expect(scene.podNames()).toEqual([]);
    expect(wordsOf(scene)).toMatchObject({
      reason: 'RequirementMissing',
      message: 'DaemonSet kube-system/cni has no pod here; it must tolerate the taint of this policy',
    });
    putAgent(scene, 'False');
    putAgent(scene, 'True', 'b');
    await scene.run(12_000);
    expect(wordsOf(scene)?.message).toBe('the pod of DaemonSet kube-system/cni is not ready');
    expect(scene.verification('a')).toMatchObject({ state: 'unverified', attempt: 0 });
    putAgent(scene, 'True');
    await scene.run(12_000);
    expect(scene.podNames()).toHaveLength(1);
  });

  it('says after a minute that both may wait for each other, and warns once', async () => {
    const scene = await joined({}, spec);
    await scene.run(50_000);
    const warnings = () => scene.running.events.filter(({ reason }) => reason === 'MutualWait');
    expect([wordsOf(scene)?.reason, warnings().length]).toEqual(['RequirementMissing', 0]);
    await scene.run(60_000);
    expect(wordsOf(scene)?.reason).toBe('MutualWait');
    expect(warnings()).toMatchObject([{ type: 'Warning', note: expect.stringContaining('kube-system/cni') }]);
    putAgent(scene, 'False');
    await scene.run(12_000);
    expect(wordsOf(scene)?.reason).toBe('RequirementMissing');
  });

  it('asks about once in five seconds, and never again once it is verified', async () => {
    const scene = await joined({}, spec);
    scene.asked();
    await scene.run(60_000);
    const lists = scene.asked().filter((words) => words.startsWith('list pods'));
    expect(lists.length).toBeGreaterThan(8);
    expect(lists.length).toBeLessThan(15);
    putAgent(scene, 'True');
    await scene.run(12_000);
    scene.workerEnds('a');
    await scene.run(40_000);
    scene.asked();
    await scene.run(120_000);
    expect(scene.asked()).toEqual([]);
  });
});

describe('a node that lacks a CSI driver', () => {
  it('waits until it is registered', async () => {
    const scene = await joined({}, { requirements: { csiDrivers: ['ebs.csi.aws.com'] } });
    await scene.run(6_000);
    expect(wordsOf(scene)?.message).toBe('the CSI driver ebs.csi.aws.com is not registered');
    scene.api.put(csiNodeType, { metadata: { name: 'a' }, spec: { drivers: [{ name: 'ebs.csi.aws.com' }] } });
    await scene.run(12_000);
    expect(scene.podNames()).toHaveLength(1);
  });
});

describe('a node that lacks a device', () => {
  it('waits until enough of it is allocatable', async () => {
    const scene = await joined({}, { requirements: { resources: { 'example.com/gpu': '2' } } });
    const allocate = (count: string) =>
      scene.changeNode('a', (raw) => ({
        ...raw,
        status: { ...(raw.status as object), allocatable: { cpu: '4', 'example.com/gpu': count } },
      }));
    await scene.run(2_000);
    expect(wordsOf(scene)?.message).toBe('example.com/gpu is absent, 2 required');
    allocate('1');
    await scene.run(2_000);
    expect(wordsOf(scene)?.message).toBe('example.com/gpu is 1, 2 required');
    allocate('2');
    await scene.run(2_000);
    expect(scene.podNames()).toHaveLength(1);
  });

  it.each([
    ['memory', '8Gi', 'cannot be required: only resources of device plugins can'],
    ['example.com/gpu', 'two', 'is not a quantity: "two"'],
  ])('is told at once that its policy cannot be followed where that asks for %s of %s', async (...row) => {
    const [name, least, words] = row;
    const scene = await joined({}, { requirements: { resources: { [name]: least } } });
    expect(scene.podNames()).toEqual([]);
    expect(wordsOf(scene)?.reason).toBe('PolicyRefused');
    expect(wordsOf(scene)?.message).toContain(`spec.requirements.resources.${name}: ${words}`);
  });
});
