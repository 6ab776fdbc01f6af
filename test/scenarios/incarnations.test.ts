import { describe, expect, it } from 'vitest';
import { poolsOf, type StateChangeEvent } from '../../src/fleet/change.ts';
import { centreScene } from '../support/centre-scene.ts';
import { stampCapability, stampReporter } from '../support/stamp-capability.ts';

/** A capability with a reporter that notes what it is told. */
function listening() {
  const told: StateChangeEvent[] = [];
  const reporter = { ...stampReporter(), keysOf: (change: StateChangeEvent) => (told.push(change), []) };
  return { told, capabilities: [stampCapability({ reporters: [reporter] })] };
}

async function settled() {
  const scene = centreScene();
  scene.putNode('a', { labels: { pool: 'blue' } });
  scene.putStamp('cni', { taints: { 'gate:NoSchedule': 'x' } });
  const { told, capabilities } = listening();
  const running = scene.start({ capabilities });
  await scene.run(60_000);
  scene.wrote();
  told.length = 0;
  return { ...scene, ...running, told };
}

describe('a node that is deleted', () => {
  it('leaves no state, and downstream is told', async () => {
    const scene = await settled();
    scene.removeNode('a');
    await scene.run(10_000);
    expect(scene.store.get('a')).toBeUndefined();
    expect(scene.told).toMatchObject([
      {
        changeType: 'Deleted',
        nodeName: 'a',
        oldState: { name: 'a' },
        newState: null,
        triggerSource: 'Node',
      },
    ]);
    expect(scene.told.flatMap(poolsOf)).toEqual(['blue']);
    expect(scene.wrote()).toEqual([]);
  });
});

describe('a node that is re-created under its name', () => {
  it('starts anew: the old record is deleted with its guards, and a new one is made', async () => {
    const scene = await settled();
    const old = scene.lifecycle('a')?.metadata;
    scene.removeNode('a');
    await scene.run(1_000);
    scene.putNode('a', { bootID: 'boot-2' });
    await scene.run(60_000);
    const deletion = scene.api.calls.find(({ verb }) => verb === 'delete');
    expect(deletion?.body).toMatchObject({ uid: old?.uid, resourceVersion: old?.resourceVersion });
    expect(scene.lifecycle('a')).toMatchObject({
      spec: { nodeUID: scene.node('a').metadata?.uid },
      status: { bootID: 'boot-2', stage: 'Gated' },
    });
    expect(scene.lifecycle('a')?.metadata?.uid).not.toBe(old?.uid);
    expect(scene.status('a').timeline?.map(({ reason }) => reason)).not.toContain('Rebooted');
  });

  it('is spoken of', async () => {
    const scene = await settled();
    scene.removeNode('a');
    scene.putNode('a');
    await scene.run(10_000);
    expect(scene.events.filter(({ reason }) => reason === 'NodeRecreated')).toHaveLength(1);
  });

  it('is a deletion and a creation downstream, though nobody saw the gap', async () => {
    const scene = await settled();
    scene.api.holdWatches();
    scene.removeNode('a');
    scene.putNode('a', { labels: { pool: 'red' } });
    scene.api.compact();
    scene.api.closeWatches();
    scene.api.releaseWatches();
    await scene.run(10_000);
    const changes = scene.told.map(({ changeType }) => changeType);
    expect(changes.slice(0, 2)).toEqual(['Deleted', 'Created']);
    expect(new Set(scene.told.flatMap(poolsOf))).toEqual(new Set(['blue', 'red']));
    expect(scene.store.get('a')?.uid).toBe(scene.node('a').metadata?.uid);
  });

  it('while the operator is away has its record replaced when it is back', async () => {
    const scene = await settled();
    scene.kill();
    scene.removeNode('a');
    scene.putNode('a');
    scene.start();
    await scene.run(60_000);
    expect(scene.lifecycle('a')?.spec).toMatchObject({ nodeUID: scene.node('a').metadata?.uid });
    expect(scene.status('a').stage).toBe('Gated');
  });
});
