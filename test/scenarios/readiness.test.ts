import { describe, expect, it } from 'vitest';
import { cni, gate, readinessScene } from '../support/readiness-scene.ts';

async function started(...nodes: readonly [string, string | null][]) {
  const scene = readinessScene();
  for (const [name, network] of nodes) scene.join(name, network);
  const operator = scene.start();
  await scene.run(1_000);
  return { ...scene, operator };
}

describe('a rule', () => {
  it('gates the nodes that are not ready, and no other', async () => {
    const scene = await started(['a', null], ['b', 'True'], ['c', 'False']);
    scene.putRule('cni');
    await scene.rest();
    expect([scene.taints('a'), scene.taints('b'), scene.taints('c')]).toEqual([[gate], [], [gate]]);
  });

  it('acts at once, without waiting for its finalizer', async () => {
    const scene = await started(['a', null]);
    scene.wrote();
    scene.putRule('cni');
    await scene.rest();
    expect(scene.taints('a')).toEqual([gate]);
    expect(scene.rule('cni')?.metadata?.finalizers).toEqual(['nodereadiness.io/cleanup-taints']);
  });

  it('lets a node go as soon as its condition is met', async () => {
    const scene = await started(['a', null]);
    scene.putRule('cni');
    await scene.rest();
    scene.report('a', 'True');
    await scene.rest();
    expect([scene.taints('a'), scene.owned('a')]).toEqual([[], undefined]);
  });

  it('tells of a node in service what is done to it, once', async () => {
    const scene = await started(['a', null]);
    scene.putRule('cni');
    await scene.rest();
    scene.report('a', 'True');
    await scene.run(60_000);
    // That its stage changed goes without saying.
    expect(scene.operator.events.map(({ reason, action }) => [reason, action])).toEqual([
      ['TaintAdded', 'AddTaint'],
      ['TaintRemoved', 'RemoveTaint'],
    ]);
  });

  it('sums up its nodes so that the numbers agree', async () => {
    const scene = await started(['a', null], ['b', 'True'], ['c', 'False'], ['d', 'True']);
    scene.putRule('cni');
    await scene.run(6_000);
    expect(scene.ruleStatus('cni')).toMatchObject({
      observedGeneration: 1,
      summary: {
        totalApplicableNodes: 4,
        nodesWithTaint: 2,
        nodesWithoutTaint: 2,
        nodesReady: 2,
        nodesNotReady: 1,
        nodesUnknown: 1,
        conditionSummaries: [{ type: cni, nodesSatisfied: 2, nodesUnsatisfied: 1, nodesMissing: 1 }],
      },
    });
    expect(scene.conditionOf('cni', 'Ready')).toMatchObject({ status: 'True', reason: 'Applied' });
  });

  it('keeps one evaluation per node, of which the labels name both', async () => {
    const scene = await started(['a', null], ['b', 'True']);
    scene.putRule('cni');
    await scene.run(1_000);
    expect(scene.evaluations()).toEqual(['cni-a', 'cni-b']);
    expect(scene.evaluation('cni-a')).toMatchObject({
      conditionResults: [
        { type: cni, currentStatus: 'Unknown', requiredStatus: 'True', satisfied: false, missing: true },
      ],
      allConditionsSatisfied: false,
      taintStatus: 'Present',
    });
  });

  it('takes everything along when it is deleted', async () => {
    const scene = await started(['a', null], ['b', 'True']);
    scene.putRule('cni');
    await scene.run(60_000);
    scene.deleteRule('cni');
    await scene.run(2_000);
    expect(scene.rule('cni')).toBeUndefined();
    expect([scene.taints('a'), scene.owned('a'), scene.evaluations()]).toEqual([[], undefined, []]);
  });

  it('writes nothing while nothing changes', async () => {
    const scene = await started(['a', null], ['b', 'True']);
    scene.putRule('cni');
    scene.putUpstreamRule('csi', { taint: { key: 'readiness.k8s.io/csi', effect: 'NoSchedule' } });
    await scene.run(120_000);
    scene.wrote();
    await scene.run(1_300_000);
    expect(scene.wrote()).toEqual([]);
  });
});
