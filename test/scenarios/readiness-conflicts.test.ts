import { describe, expect, it } from 'vitest';
import { nodeLifecycleType } from '../../src/api/keys.ts';
import type { NodeLifecycleStatus } from '../../src/api/node-lifecycle.ts';
import { createReadiness } from '../../src/capabilities/readiness/capability.ts';
import { lifecycleSpec, nodeSpec } from '../../src/runtime/specs.ts';
import { cni, gate, gateKey, readinessScene, type ReadinessStart } from '../support/readiness-scene.ts';
import { stampCapability } from '../support/stamp-capability.ts';

type Scene = ReturnType<typeof readinessScene>;

async function started(network: string | null, options: ReadinessStart = {}) {
  const scene = readinessScene();
  scene.join('a', network);
  const operator = scene.start(options);
  await scene.run(40_000);
  return { ...scene, operator };
}

const conflictsIn = (scene: Scene) =>
  ((scene.find(nodeLifecycleType, 'a')?.status ?? {}) as NodeLifecycleStatus).conflicts;

describe('a taint that somebody keeps taking away', () => {
  /** As often as it takes us to stand back, and once more. */
  async function contested() {
    const scene = await started(null);
    scene.putRule('cni');
    for (let times = 0; times < 4; times++) {
      await scene.run(1_000);
      scene.patchNode('a', { spec: { taints: [] } });
    }
    await scene.run(35_000);
    return scene;
  }

  it('is a conflict of its rule, which is not applied on that node', async () => {
    const scene = await contested();
    expect(scene.taints('a')).toEqual([]);
    const message = `a: somebody keeps undoing our change of ${gateKey}:NoSchedule`;
    expect(scene.conditionOf('cni', 'Conflict')).toMatchObject({
      status: 'True',
      reason: 'Contested',
      message,
    });
    expect(scene.conditionOf('cni', 'Ready')).toMatchObject({ status: 'False', reason: 'NodesFailing' });
    expect(scene.ruleStatus('cni')).toMatchObject({
      failedNodeCount: 1,
      failedNodes: [{ nodeName: 'a', reason: 'Contested' }],
    });
    expect(scene.evaluation('cni-a')).toMatchObject({ lastError: message.slice(3), taintStatus: 'Absent' });
  });

  it('is shown in the record of the node', async () => {
    const scene = await contested();
    expect(conflictsIn(scene)).toMatchObject([
      { owner: 'readiness/NodeReadinessGateRule/cni', reason: 'Contested', since: expect.any(String) },
    ]);
  });

  it('is one conflict for as long as they go on, told once, and none any more a minute after they gave up', async () => {
    const scene = await contested();
    for (let second = 0; second < 180; second++) {
      scene.patchNode('a', { spec: { taints: [] } });
      await scene.run(1_000);
      expect(scene.conditionOf('cni', 'Conflict')?.status).toBe('True');
    }
    expect(scene.operator.ruleEvents.filter(({ action }) => action === 'Conflict')).toHaveLength(1);
    await scene.run(180_000);
    expect([scene.taints('a'), scene.conditionOf('cni', 'Conflict')?.status]).toEqual([[gate], 'False']);
    expect([scene.ruleStatus('cni').failedNodes, conflictsIn(scene)]).toEqual([undefined, undefined]);
    scene.wrote();
    await scene.run(300_000);
    expect(scene.wrote()).toEqual([]);
  });

  it('is nobody’s conflict when the rule does not want it any more', async () => {
    const scene = await contested();
    scene.report('a', 'True');
    await scene.run(6_000);
    expect(scene.conditionOf('cni', 'Conflict')?.status).toBe('False');
    expect(scene.ruleStatus('cni').failedNodes).toBeUndefined();
  });
});

describe('a taint of two rules', () => {
  it('is shown in the record of the node as the conflict of the younger one', async () => {
    const scene = await started('True');
    scene.putRule('old');
    await scene.clock.advance(2_000);
    scene.putRule('young', { conditions: [{ type: cni, requiredStatus: 'False' }] });
    await scene.run(40_000);
    expect(conflictsIn(scene)).toMatchObject([
      { owner: 'readiness/NodeReadinessGateRule/young', reason: 'RuleConflict' },
    ]);
    scene.deleteRule('young');
    await scene.run(40_000);
    expect(conflictsIn(scene)).toBeUndefined();
  });
});

describe('a taint that another capability wants otherwise', () => {
  it('stands, is a conflict of the rule that has no use for it, and is shown in the record of the node', async () => {
    const centre = { nodes: nodeSpec, lifecycles: lifecycleSpec };
    const scene = await started('True', {
      capabilitiesOf: () => [createReadiness({ centre }), stampCapability({ name: 'stamps', rank: 1 })],
    });
    scene.putRule('cni');
    scene.putStamp('pinned', { by: 'stamps', taints: { [`${gateKey}:NoSchedule`]: '' } });
    await scene.run(40_000);
    expect(scene.taints('a')).toEqual([gate]);
    const message = `taints ${gateKey}:NoSchedule: stamps/Stamp/pinned has its way over readiness/NodeReadinessGateRule/cni`;
    expect(scene.conditionOf('cni', 'Conflict')).toMatchObject({
      status: 'True',
      reason: 'Conflict',
      message: `a: ${message}`,
    });
    // It would let the node go, and cannot.
    expect(scene.conditionOf('cni', 'Ready')).toMatchObject({ status: 'False' });
    expect(conflictsIn(scene)?.map(({ owner, reason }) => [owner, reason])).toEqual([
      ['stamps/Stamp/pinned', 'Conflict'],
      ['readiness/NodeReadinessGateRule/cni', 'Conflict'],
    ]);
  });
});
