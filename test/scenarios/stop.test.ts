import { describe, expect, it } from 'vitest';
import { nodeType } from '../../src/objects/ref.ts';
import { centreScene, isPatchOf } from '../support/centre-scene.ts';

describe('an operator that is told to stop', () => {
  it('finishes the write under way, begins no other, and then is done', async () => {
    const scene = centreScene();
    scene.putNode('a');
    const { centre, stop } = scene.start();
    await scene.run(60_000);
    scene.wrote();
    const answer = Promise.withResolvers<null>();
    scene.faults.before = (call) => (isPatchOf(nodeType, 'a')(call) ? answer.promise : null);
    scene.putStamp('cni', { on: { label: 'none', value: 'x' } });
    scene.putStamp('gate', { taints: { 'gate:NoSchedule': 'x' } });
    await scene.rest();
    await scene.clock.advance(3_000);
    expect(centre.oldestVisitMs()).toBe(3_000);
    scene.wrote();

    let isStopped = false;
    const stopped = stop().then(() => (isStopped = true));
    scene.putNode('b');
    await scene.rest();
    expect(isStopped).toBe(false);
    answer.resolve(null);
    await stopped;
    await scene.run(700_000);
    expect(scene.taints('a')).toEqual([{ key: 'gate', effect: 'NoSchedule', value: 'x' }]);
    expect(scene.wrote()).toEqual([]);
    expect(scene.clock.pendingTimers()).toBe(0);
  });
});
