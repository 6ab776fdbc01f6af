import { describe, expect, it } from 'vitest';
import {
  bootstrapMarkerPrefix,
  nodeReadinessRuleType,
  peerLeaseNames,
  ruleFinalizers,
} from '../../src/api/keys.ts';
import { leaseType } from '../../src/objects/ref.ts';
import { gate, readinessScene } from '../support/readiness-scene.ts';

const finalizers = [ruleFinalizers.NodeReadinessRule];
const leaseKey = `nrr-system/${peerLeaseNames.NodeReadinessRule}`;
const foreign = { key: 'other.io/dedicated', effect: 'NoSchedule', value: 'gpu' };

/** What the controller before us left: a rule with its finalizer, which is being deleted, and its taint on a node. */
function inherited(spec: object = {}) {
  const scene = readinessScene();
  scene.join('a', null, { taints: [gate, foreign] });
  scene.join('red', null, { labels: { pool: 'red' }, taints: [gate] });
  scene.putUpstreamRule('up', spec, { finalizers });
  scene.deleteUpstreamRule('up');
  return scene;
}

const find = (scene: ReturnType<typeof readinessScene>) => scene.find(nodeReadinessRuleType, 'up');

describe('a rule of another controller that was deleted before we came', () => {
  it('takes its taint from the nodes that it selects, and from no other, and goes', async () => {
    const scene = inherited();
    scene.start();
    await scene.run(5_000);
    expect([scene.taints('a'), scene.taints('red'), find(scene)]).toEqual([[foreign], [gate], undefined]);
  });

  it('waits while that controller holds its Lease, and goes when the Lease does', async () => {
    const scene = inherited();
    scene.putPeer('NodeReadinessRule', 'them');
    scene.start();
    await scene.run(30_000);
    expect([scene.taints('a'), find(scene)?.metadata?.finalizers]).toEqual([[gate, foreign], finalizers]);
    scene.api.remove(leaseType, leaseKey);
    await scene.run(5_000);
    expect([scene.taints('a'), find(scene)]).toEqual([[foreign], undefined]);
  });

  it('goes with the Lease at once where no node has anything of it', async () => {
    const scene = readinessScene();
    scene.putUpstreamRule('up', {}, { finalizers });
    scene.deleteUpstreamRule('up');
    scene.putPeer('NodeReadinessRule', 'them');
    scene.start();
    await scene.run(5_000);
    scene.api.remove(leaseType, leaseKey);
    await scene.run(5_000);
    expect(find(scene)).toBeUndefined();
  });

  it('leaves a taint that another rule wants', async () => {
    const scene = inherited();
    scene.putRule('cni');
    scene.start();
    await scene.run(10_000);
    expect([scene.taints('a'), find(scene)]).toEqual([[gate, foreign], undefined]);
  });

  it('takes its taint though a dry run has the same', async () => {
    const scene = inherited();
    scene.putRule('cni', { dryRun: true });
    scene.start();
    await scene.run(10_000);
    expect([scene.taints('a'), find(scene)]).toEqual([[foreign], undefined]);
  });

  it('waits while the authority is to observe, and goes when it is to gate', async () => {
    const scene = inherited();
    scene.putPolicy({ authority: 'observe' });
    scene.start();
    await scene.run(30_000);
    expect([scene.taints('a'), find(scene)?.metadata?.finalizers]).toEqual([[gate, foreign], finalizers]);
    expect(find(scene)?.status).toMatchObject({
      conditions: [
        {
          type: 'Ready',
          status: 'False',
          reason: 'RuleBeingDeleted',
          message: 'waits for what is its own to go from a',
        },
      ],
    });
    scene.putPolicy({ authority: 'gate' });
    await scene.run(5_000);
    expect([scene.taints('a'), find(scene)]).toEqual([[foreign], undefined]);
  });

  it('was never more than a dry run: it takes nothing', async () => {
    const scene = inherited({ dryRun: true });
    scene.start();
    await scene.run(10_000);
    expect([scene.taints('a'), find(scene)]).toEqual([[gate, foreign], undefined]);
  });
});

describe('a rule that is deleted before it could adopt its taint', () => {
  it.each([
    ['is suspended', { suspend: true }],
    ['waits for another', { after: ['first'] }],
  ])('takes it along all the same: it %s', async (_, spec) => {
    const scene = readinessScene();
    scene.join('a', null, { taints: [gate, foreign] });
    scene.join('red', null, { labels: { pool: 'red' }, taints: [gate] });
    scene.putRule('cni', spec);
    scene.start();
    await scene.run(10_000);
    expect(scene.taints('a')).toEqual([gate, foreign]);
    scene.deleteRule('cni');
    await scene.run(10_000);
    expect([scene.taints('a'), scene.taints('red'), scene.rule('cni')]).toEqual([
      [foreign],
      [gate],
      undefined,
    ]);
  });
});

describe('a rule whose peer goes, and that selects no node', () => {
  it('says so at once', async () => {
    const scene = readinessScene();
    scene.putUpstreamRule('up');
    scene.putPeer('NodeReadinessRule', 'them');
    scene.start();
    await scene.run(10_000);
    expect(scene.conditionOf('up', 'Ready')).toBeUndefined();
    scene.api.remove(leaseType, leaseKey);
    await scene.run(6_000);
    expect(scene.conditionOf('up', 'Ready')).toMatchObject({ status: 'True' });
  });
});

describe('a marker by the name alone, of two rules of that name', () => {
  const key = `${bootstrapMarkerPrefix}cni`;
  const once = { enforcementMode: 'bootstrap-only' };

  async function deletedBeside(isShared: boolean) {
    const scene = readinessScene();
    scene.join('a', 'True', { annotations: { [key]: 'true' } });
    scene.putRule('cni', once);
    if (isShared) scene.putUpstreamRule('cni', once);
    scene.start();
    await scene.run(5_000);
    scene.report('a', 'False');
    scene.deleteRule('cni');
    await scene.run(10_000);
    expect(scene.rule('cni')).toBeUndefined();
    return { marker: scene.annotations('a')[key], taints: scene.taints('a') };
  }

  it('stays while the other rule is there, which is done with the node by it', async () => {
    expect(await deletedBeside(true)).toEqual({ marker: 'true', taints: [] });
  });

  it('goes with the last of them', async () => {
    expect(await deletedBeside(false)).toEqual({ marker: undefined, taints: [] });
  });
});
