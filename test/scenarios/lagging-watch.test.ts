// The watch lags behind: what the operator knows, it knows from the replies to its own writes and from live reads.

import { describe, expect, it } from 'vitest';
import { nodeType } from '../../src/objects/ref.ts';
import { apiFailure } from '../support/api-failure.ts';
import { centreScene, isPatchOf, isWrite } from '../support/centre-scene.ts';

const gate = { key: 'gate', effect: 'NoSchedule', value: 'x' };
const gated = { taints: { 'gate:NoSchedule': 'x' } };

async function settled() {
  const scene = centreScene();
  scene.putNode('a');
  const running = scene.start();
  await scene.run(60_000);
  scene.asked();
  return { ...scene, ...running };
}

/** All but reports. */
const ofNode = (words: readonly string[]) =>
  words.filter((each) => each.endsWith('/a') || each.includes('/a/'));

describe('behind a watch that lags', () => {
  it('a patch is not sent twice, and what it did is shown', async () => {
    const scene = await settled();
    scene.lag('Node', 'NodeLifecycle');
    scene.putStamp('cni', gated);
    await scene.run(60_000);
    expect(ofNode(scene.asked())).toEqual(['patch nodes/a', 'patch nodelifecycles/a/status']);
    expect(scene.status('a').stage).toBe('Gated');
  });

  it('a node is born once', async () => {
    const scene = await settled();
    scene.deleteNode('a');
    await scene.run(1_000);
    scene.putNode('a');
    scene.lag('NodeLifecycle');
    await scene.run(60_000);
    expect(ofNode(scene.asked())).toEqual(['create nodelifecycles/a', 'patch nodelifecycles/a/status']);
  });

  it.each([
    { lost: 'patch nodes/a', asks: ['patch nodes/a', 'get nodes/a', 'patch nodelifecycles/a/status'] },
    {
      lost: 'patch nodelifecycles/a/status',
      asks: ['patch nodes/a', 'patch nodelifecycles/a/status', 'get nodelifecycles/a'],
    },
  ])('a lost reply is settled by a live read and not by another write: $lost', async ({ lost, asks }) => {
    const scene = await settled();
    const isLost = lost === 'patch nodes/a' ? isPatchOf(nodeType, 'a') : isStatusPatch;
    scene.faults.after = (call) => (isLost(call) ? apiFailure('Timeout', { effect: 'unknown' }) : null);
    scene.lag('Node', 'NodeLifecycle');
    scene.putStamp('cni', gated);
    await scene.run(60_000);
    expect(ofNode(scene.asked())).toEqual(asks);
    expect(scene.taints('a')).toEqual([gate]);
  });

  it('a birth whose reply is lost is not repeated', async () => {
    const scene = await settled();
    scene.deleteNode('a');
    await scene.run(1_000);
    scene.faults.after = ({ verb }) =>
      verb === 'create' ? apiFailure('Unreachable', { effect: 'unknown' }) : null;
    scene.putNode('a');
    scene.lag('NodeLifecycle');
    await scene.run(60_000);
    expect(ofNode(scene.asked())).toEqual([
      'create nodelifecycles/a',
      'get nodelifecycles/a',
      'patch nodelifecycles/a/status',
    ]);
  });

  it('a record of an earlier node is known to be gone only by a live read', async () => {
    const scene = await settled();
    scene.removeNode('a');
    await scene.run(1_000);
    scene.putNode('a');
    scene.lag('NodeLifecycle');
    await scene.run(60_000);
    expect(ofNode(scene.asked())).toEqual([
      'get nodes/a',
      'delete nodelifecycles/a',
      'get nodelifecycles/a',
      'create nodelifecycles/a',
      'patch nodelifecycles/a/status',
    ]);
  });

  it('a node that is gone is found out by the refusal of its patch', async () => {
    const scene = await settled();
    scene.lag('Node');
    scene.removeNode('a');
    scene.putStamp('cni', gated);
    await scene.run(10_000);
    expect(ofNode(scene.asked())).toEqual(['patch nodes/a', 'get nodes/a']);
    expect(scene.store.count()).toBe(0);
  });

  it('a second report does not wait until the first is seen', async () => {
    const scene = await settled();
    const labels = { team: 'x' };
    scene.putStamp('team', { labels });
    await scene.run(60_000);
    scene.asked();
    scene.lag('Stamp');
    for (const name of ['b', 'c']) {
      scene.putNode(name, { labels });
      await scene.run(30_000);
    }
    expect(scene.stampStatus('team')).toEqual({ nodes: 3, stamped: 3 });
    expect(scene.asked().filter((words) => words.includes('stamps/team'))).toHaveLength(2);
  });
});

const isStatusPatch = (call: Parameters<typeof isWrite>[0]) =>
  isWrite(call) && call.subresource === 'status' && call.ref.name === 'a';
