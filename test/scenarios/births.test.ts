import { describe, expect, it } from 'vitest';
import { defaultWriteLimits } from '../../src/runtime/arbitrate.ts';
import { centreScene, type CentreScene } from '../support/centre-scene.ts';
import type { MemoryCall } from '../support/memory-kube-api.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `node-${index}`);
const isBirth = ({ verb }: MemoryCall) => verb === 'create';

/** The server answers no birth until the gate is opened. */
function holdBirths(scene: CentreScene) {
  const gate = Promise.withResolvers<null>();
  let underWay = 0;
  scene.faults.before = (call) => {
    if (!isBirth(call)) return null;
    underWay++;
    return gate.promise;
  };
  return { open: () => gate.resolve(null), underWay: () => underWay };
}

describe('a cluster of nodes', () => {
  it('gets one record per node, owned by it, with its status', async () => {
    const scene = centreScene();
    for (const name of names(50)) scene.putNode(name, { labels: { pool: 'blue' } });
    scene.start();
    await scene.rest();
    for (const name of names(50)) {
      const uid = scene.node(name).metadata?.uid;
      expect(scene.lifecycle(name)).toMatchObject({
        metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }] },
        spec: { nodeName: name, nodeUID: uid },
        status: { stage: 'InService', pool: 'blue', bootID: 'boot-1', gateSummary: '-' },
      });
    }
    expect(scene.wrote()).toHaveLength(100);
  });

  it('has its record created once more when somebody deletes it', async () => {
    const scene = centreScene();
    scene.putNode('a');
    scene.start();
    await scene.rest();
    scene.wrote();
    scene.deleteLifecycle('a');
    await scene.rest();
    expect(scene.wrote()).toEqual(['create nodelifecycles/a', 'patch nodelifecycles/a/status']);
  });
});

describe('births that the server is slow to answer', () => {
  it('are no more at once than the limit', async () => {
    const scene = centreScene();
    for (const name of names(100)) scene.putNode(name);
    const births = holdBirths(scene);
    const { metrics } = scene.start();
    await scene.rest();
    expect(births.underWay()).toBe(defaultWriteLimits.LifecycleWrite);
    expect(metrics.value('muster_held_writes')).toBe(100 - defaultWriteLimits.LifecycleWrite);
    births.open();
    await scene.rest();
    expect(names(100).filter((name) => scene.status(name).stage !== 'InService')).toEqual([]);
    expect(metrics.value('muster_held_writes')).toBe(0);
  });

  it('do not hold up a node patch', async () => {
    const scene = centreScene();
    scene.putNode('settled', { labels: { pool: 'red' } });
    scene.start();
    await scene.rest();
    const births = holdBirths(scene);
    for (const name of names(100)) scene.putNode(name, { labels: { pool: 'blue' } });
    await scene.rest();
    scene.putStamp('gate', { on: { label: 'pool', value: 'red' }, taints: { 'gate:NoSchedule': 'x' } });
    await scene.rest();
    expect(births.underWay()).toBe(defaultWriteLimits.LifecycleWrite);
    expect(scene.taints('settled')).toEqual([{ key: 'gate', effect: 'NoSchedule', value: 'x' }]);
  });

  it('do not hold up the patch of a node that is itself born', async () => {
    const scene = centreScene();
    scene.putStamp('gate', { taints: { 'gate:NoSchedule': 'x' } });
    const births = holdBirths(scene);
    for (const name of names(100)) scene.putNode(name);
    scene.start();
    await scene.rest();
    expect(births.underWay()).toBe(1);
    // So many patches are a burst, to which births give way while it lasts.
    await scene.run(1_000);
    expect(births.underWay()).toBe(defaultWriteLimits.LifecycleWrite);
    expect(names(100).filter((name) => JSON.stringify(scene.taints(name)) === '[]')).toEqual([]);
  });

  it('are all made in the end, though those whose turn came first no longer need one', async () => {
    const scene = centreScene();
    for (const name of names(100)) scene.putNode(name);
    const births = holdBirths(scene);
    scene.start();
    await scene.rest();
    for (const name of names(60)) scene.deleteNode(name);
    await scene.rest();
    births.open();
    await scene.rest();
    const left = names(100).slice(60);
    expect(left.filter((name) => scene.status(name).stage !== 'InService')).toEqual([]);
  });
});
