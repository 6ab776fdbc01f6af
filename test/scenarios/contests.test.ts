import { describe, expect, it } from 'vitest';
import { nodeType } from '../../src/objects/ref.ts';
import { centreScene, isPatchOf } from '../support/centre-scene.ts';
import { stampCapability } from '../support/stamp-capability.ts';

describe('somebody who keeps undoing our taint', () => {
  async function contested() {
    const scene = centreScene();
    scene.putNode('a');
    const running = scene.start({ capabilities: [stampCapability()] });
    await scene.run(60_000);
    scene.putStamp('cni', { taints: { 'gate:NoSchedule': 'x' } });
    const patches = () => scene.api.calls.filter(isPatchOf(nodeType, 'a')).length;
    const undo = () => scene.changeNode('a', (raw) => ({ ...raw, spec: { taints: [] } }));
    return { ...scene, ...running, patches, undo };
  }

  it('is answered at most three times in a minute, however often they do it', async () => {
    const scene = await contested();
    for (let second = 0; second < 50; second++) {
      await scene.run(1_000);
      scene.undo();
    }
    expect(scene.patches()).toBe(3);
  });

  it('does not win for good: the taint is set again when the minute is over', async () => {
    const scene = await contested();
    for (let time = 0; time < 3; time++) {
      await scene.run(1_000);
      scene.undo();
    }
    await scene.run(1_000);
    expect(scene.taints('a')).toEqual([]);
    await scene.run(60_000);
    expect(scene.taints('a')).toMatchObject([{ key: 'gate' }]);
  });

  it('is named in an event, and other changes of the node go on', async () => {
    const scene = await contested();
    for (let time = 0; time < 3; time++) {
      await scene.run(1_000);
      scene.undo();
    }
    await scene.run(1_000);
    expect(scene.events).toContainEqual(expect.objectContaining({ reason: 'Contested' }));
    scene.deleteStamp('cni');
    scene.putStamp('team', { labels: { team: 'x' } });
    await scene.run(1_000);
    expect(scene.node('a').metadata?.labels).toMatchObject({ team: 'x' });
  });

  it('holds up no other change of the node, and the record shows the node as it is', async () => {
    const scene = await contested();
    for (let time = 0; time < 3; time++) {
      await scene.run(1_000);
      scene.undo();
    }
    await scene.run(1_000);
    scene.putStamp('csi', { taints: { 'csi:NoSchedule': 'y' }, labels: { team: 'x' } });
    await scene.run(1_000);
    expect(scene.taints('a')).toMatchObject([{ key: 'csi' }]);
    expect(scene.node('a').metadata?.labels).toMatchObject({ team: 'x' });
    scene.deleteStamp('csi');
    await scene.run(1_000);
    expect([scene.taints('a'), scene.patches()]).toEqual([[], 5]);
  });
});
