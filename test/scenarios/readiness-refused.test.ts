import { describe, expect, it } from 'vitest';
import { nodeType } from '../../src/objects/ref.ts';
import { apiFailure } from '../support/api-failure.ts';
import { isPatchOf } from '../support/centre-scene.ts';
import { cni, gate, readinessScene } from '../support/readiness-scene.ts';

const storage = 'storage.k8s.io/Ready';
const refusedKey = 'readiness.k8s.io/refused';
const other = {
  conditions: [{ type: storage, requiredStatus: 'True' }],
  taint: { key: refusedKey, effect: 'NoSchedule' },
};

/** A node that one rule gates; an admission policy refuses the taint of another one. */
async function refusing() {
  const scene = readinessScene();
  scene.join('a', 'False', { conditions: { [storage]: 'True' } });
  scene.faults.before = (call) =>
    isPatchOf(nodeType, 'a')(call) && JSON.stringify(call.body).includes(`"key":"${refusedKey}"`)
      ? apiFailure('Invalid', { message: 'no such taint here' })
      : null;
  scene.putRule('cni');
  scene.putRule('csi', other);
  scene.start();
  await scene.run(30_000);
  return scene;
}

describe('a taint that the server refuses', () => {
  it('keeps no other rule from releasing the node', async () => {
    const scene = await refusing();
    expect(scene.taints('a')).toEqual([gate]);
    scene.report('a', 'False', storage);
    scene.report('a', 'True', cni);
    await scene.run(5_000);
    expect(scene.taints('a')).toEqual([]);
  });

  it('nor from gating it, and is charged to its own rule alone', async () => {
    const scene = await refusing();
    scene.report('a', 'True', cni);
    scene.report('a', 'False', storage);
    await scene.run(10_000);
    scene.report('a', 'False', cni);
    await scene.run(10_000);
    expect(scene.taints('a')).toEqual([gate]);
    expect(scene.ruleStatus('csi').failedNodes).toMatchObject([{ nodeName: 'a', reason: 'Rejected' }]);
    expect(scene.ruleStatus('cni').failedNodes).toBeUndefined();
  });
});

describe('a rule with a taint that no server accepts', () => {
  it.each([
    ['effect', { key: refusedKey, effect: 'noSchedule' }, 'spec.taint.effect: "noSchedule" is none of'],
    ['value', { key: refusedKey, effect: 'NoSchedule', value: 'not ready' }, 'spec.taint.value: "not ready"'],
  ])('by its %s says so, and no node is asked', async (_, taint, words) => {
    const scene = readinessScene();
    scene.join('a', 'False');
    scene.putUpstreamRule('up', { taint });
    scene.start();
    await scene.run(10_000);
    expect(scene.conditionOf('up', 'Degraded')).toMatchObject({ status: 'True', reason: 'InvalidRule' });
    expect(scene.conditionOf('up', 'Degraded')?.message).toContain(words);
    expect(scene.wrote().filter((written) => written.startsWith('patch nodes/'))).toEqual([]);
  });
});

describe('a condition that flaps', () => {
  it('has the gate wait, and never the release', async () => {
    const scene = readinessScene();
    scene.join('a', 'True');
    scene.putRule('cni');
    scene.start();
    await scene.run(10_000);
    for (let times = 0; times < 3; times++) {
      scene.report('a', 'False');
      await scene.run(4_000);
      expect(scene.taints('a')).toEqual([gate]);
      scene.report('a', 'True');
      await scene.run(4_000);
      expect(scene.taints('a')).toEqual([]);
    }
    scene.report('a', 'False');
    await scene.run(4_000);
    expect(scene.taints('a')).toEqual([]);
    // What is told of the node does not wait with the gate.
    expect(scene.evaluation('cni-a')).toMatchObject({
      allConditionsSatisfied: false,
      taintStatus: 'Absent',
    });
    await scene.run(6_000);
    expect(scene.conditionOf('cni', 'Ready')).toMatchObject({
      reason: 'GatingIsHeld',
      message: expect.stringContaining('was changed to and fro too often'),
    });
    await scene.run(60_000);
    expect(scene.taints('a')).toEqual([gate]);
    expect(scene.conditionOf('cni', 'Ready')).toMatchObject({ reason: 'Applied' });
  });

  it('is released at once, though it was gated before the minute began', async () => {
    const scene = readinessScene();
    scene.join('a', 'False');
    scene.putRule('cni');
    scene.start();
    await scene.run(70_000);
    for (let times = 0; times < 4; times++) {
      scene.report('a', 'True');
      await scene.run(4_000);
      expect(scene.taints('a')).toEqual([]);
      if (times === 3) return;
      scene.report('a', 'False');
      await scene.run(4_000);
      expect(scene.taints('a')).toEqual([gate]);
    }
  });
});

describe('a rule with a taint that an autoscaler knows by its prefix', () => {
  it('gates and releases as any other', async () => {
    const taint = { key: 'startup-taint.cluster-autoscaler.kubernetes.io/network', effect: 'NoSchedule' };
    const scene = readinessScene();
    scene.join('a', 'False');
    scene.putRule('cni', { taint });
    scene.start();
    await scene.run(5_000);
    expect(scene.taints('a')).toMatchObject([taint]);
    scene.report('a', 'True');
    await scene.run(5_000);
    expect(scene.taints('a')).toEqual([]);
  });
});
