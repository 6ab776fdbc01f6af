import { describe, expect, it } from 'vitest';
import { nodeType } from '../../src/objects/ref.ts';
import { centreScene, isPatchOf } from '../support/centre-scene.ts';
import type { NodeSketch } from '../support/node-builder.ts';

const proven = { labels: { team: 'ours' }, proof: 'record' } as const;

async function settled(sketch: NodeSketch = {}) {
  const scene = centreScene();
  scene.putNode('a', sketch);
  const running = scene.start();
  await scene.run(60_000);
  scene.wrote();
  return { ...scene, ...running };
}

const ofNode = (words: readonly string[]) => words.filter((each) => each.includes('/a'));

describe('a wish whose proof is the record', () => {
  it('stands in the record before it stands on the node', async () => {
    const scene = await settled();
    const listedThen: unknown[] = [];
    scene.faults.before = (call) => {
      if (isPatchOf(nodeType, 'a')(call)) listedThen.push(scene.status('a').owned);
      return null;
    };
    scene.putStamp('team', proven);
    await scene.rest();
    expect(ofNode(scene.wrote())).toEqual(['patch nodelifecycles/a/status', 'patch nodes/a']);
    expect(listedThen).toEqual([[{ kind: 'Label', key: 'team', value: 'ours', owner: 'stamp/Stamp/team' }]]);
  });

  it('waits for the record of a node that has none yet', async () => {
    const scene = centreScene();
    scene.putStamp('team', proven);
    scene.putNode('a');
    scene.start();
    await scene.rest();
    expect(ofNode(scene.wrote())).toEqual([
      'create nodelifecycles/a',
      'patch nodelifecycles/a/status',
      'patch nodes/a',
    ]);
  });

  it('is written to the node by the next operator when the first one dies between the two', async () => {
    const scene = await settled({ labels: { team: 'theirs' } });
    scene.faults.before = (call) => (isPatchOf(nodeType, 'a')(call) ? (scene.kill(), null) : null);
    scene.putStamp('team', proven);
    await scene.rest();
    expect(scene.status('a').owned).toHaveLength(1);
    scene.faults.before = () => null;
    scene.changeNode('a', (raw) => ({ ...raw, metadata: { ...raw.metadata, labels: { team: 'theirs' } } }));
    scene.start();
    await scene.run(60_000);
    expect(scene.labels('a')).toEqual({ team: 'ours' });
    scene.deleteStamp('team');
    await scene.run(60_000);
    expect(scene.labels('a')).toEqual({ team: 'theirs' });
    expect(scene.status('a').owned).toBeUndefined();
  });

  it('is given back by the record alone when its owner was deleted while nobody watched', async () => {
    const scene = await settled({ labels: { team: 'theirs' } });
    scene.putStamp('team', proven);
    await scene.run(60_000);
    scene.kill();
    scene.deleteStamp('team');
    scene.start();
    await scene.run(60_000);
    expect([scene.labels('a'), scene.owned('a')]).toEqual([{ team: 'theirs' }, undefined]);
  });

  it('is not given back on the word of the node alone', async () => {
    const scene = await settled({ labels: { team: 'theirs' } });
    const forged = { labels: { team: { owner: 'stamp/Stamp/forged', wrote: 'theirs' } } };
    const annotations = { 'muster.dev/owned': JSON.stringify(forged) };
    scene.changeNode('a', (raw) => ({ ...raw, metadata: { ...raw.metadata, annotations } }));
    await scene.run(60_000);
    expect(scene.labels('a')).toEqual({ team: 'theirs' });
    expect(scene.wrote()).toEqual([]);
  });
});

describe('what a record merely shows', () => {
  const cordon = (isCordoned: boolean) => (raw: object) => ({ ...raw, spec: { unschedulable: isCordoned } });

  it('is written at most twice in thirty seconds of a hundred changes, and ends with the last state', async () => {
    const scene = await settled();
    for (let change = 0; change < 100; change++) {
      scene.changeNode('a', cordon(change % 2 === 0));
      await scene.rest();
      await scene.clock.advance(290);
    }
    expect(scene.wrote()).toEqual(['patch nodelifecycles/a/status']);
    expect(scene.status('a').stage).toBe('Gated');
    await scene.run(10_000);
    expect(scene.wrote()).toEqual(['patch nodelifecycles/a/status']);
    expect(scene.status('a').stage).toBe('InService');
    await scene.run(600_000);
    expect(scene.wrote()).toEqual([]);
  });

  it('is written at once after a quiet time', async () => {
    const scene = await settled();
    scene.changeNode('a', cordon(true));
    await scene.rest();
    expect(scene.status('a')).toMatchObject({ stage: 'Gated', gateSummary: 'unschedulable' });
  });

  it('is not written for a change that is taken back before its time', async () => {
    const scene = await settled();
    scene.changeNode('a', cordon(true));
    await scene.run(1_000);
    scene.changeNode('a', cordon(false));
    await scene.run(1_000);
    scene.changeNode('a', cordon(true));
    scene.wrote();
    await scene.run(60_000);
    expect(scene.wrote()).toEqual([]);
  });

  it('says in an event that the stage changed', async () => {
    const scene = await settled();
    scene.changeNode('a', cordon(true));
    await scene.run(60_000);
    expect(scene.events).toMatchObject([{ reason: 'StageChanged', note: 'InService -> Gated: Cordoned' }]);
  });

  it('says that the stage changed, also when a node patch that follows fails', async () => {
    const scene = await settled({ bootID: 'boot-1' });
    scene.faults.before = (call) => (isPatchOf(nodeType, 'a')(call) ? (scene.kill(), null) : null);
    scene.api.holdWatches();
    scene.changeNode('a', cordon(true));
    scene.putStamp('team', proven);
    scene.api.releaseWatches();
    await scene.rest();
    expect(scene.events.map(({ reason }) => reason)).toContain('StageChanged');
  });
});
