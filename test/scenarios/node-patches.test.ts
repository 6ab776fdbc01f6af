import { describe, expect, it } from 'vitest';
import { nodeType } from '../../src/objects/ref.ts';
import { centreScene, isPatchOf } from '../support/centre-scene.ts';
import type { NodeSketch } from '../support/node-builder.ts';
import { stampCapability } from '../support/stamp-capability.ts';

const gate = { key: 'gate', effect: 'NoSchedule', value: 'x' };
const foreign = { key: 'other.io/dedicated', effect: 'NoSchedule', value: 'gpu' };
const future = { key: 'other.io/later', effect: 'NoAdmitFromNextYear', value: '' };

/** A node that is known, in service and not written any more. */
async function settled(sketch: NodeSketch = {}, capabilities = [stampCapability()]) {
  const scene = centreScene();
  scene.putNode('a', sketch);
  const running = scene.start({ capabilities });
  await scene.run(60_000);
  scene.wrote();
  return { ...scene, ...running };
}

describe('a node that a capability gates', () => {
  it('gets one guarded patch with what is wished and whose it is, and is shown as gated at once', async () => {
    const scene = await settled();
    const { uid, resourceVersion } = scene.node('a').metadata ?? {};
    scene.putStamp('cni', { labels: { team: 'x' }, taints: { 'gate:NoSchedule': 'x' } });
    await scene.rest();
    expect(scene.wrote().filter((words) => !words.includes('stamps'))).toEqual([
      'patch nodes/a',
      'patch nodelifecycles/a/status',
    ]);
    const sent = scene.api.calls.findLast(isPatchOf(nodeType, 'a'));
    expect(sent?.body).toMatchObject({ kind: 'merge', body: { metadata: { uid, resourceVersion } } });
    const entry = { owner: 'stamp/Stamp/cni', wrote: 'x' };
    expect(scene.owned('a')).toEqual({ labels: { team: entry }, taints: { 'gate:NoSchedule': entry } });
    expect(scene.status('a')).toMatchObject({ stage: 'Gated', gateSummary: 'gate' });
  });

  it('is released by one patch and one status write when the wish is gone', async () => {
    const scene = await settled();
    scene.putStamp('cni', { taints: { 'gate:NoSchedule': 'x' } });
    await scene.run(60_000);
    scene.wrote();
    scene.deleteStamp('cni');
    await scene.rest();
    expect(scene.wrote()).toEqual(['patch nodes/a', 'patch nodelifecycles/a/status']);
    expect([scene.taints('a'), scene.owned('a')]).toEqual([[], undefined]);
    expect(scene.status('a')).toMatchObject({ stage: 'InService', gateSummary: '-' });
    expect(scene.status('a').owned).toBeUndefined();
  });

  it('is released even if the owner of its gate goes a moment after the record was last shown', async () => {
    const scene = await settled();
    scene.putStamp('team', { labels: { team: 'x' } });
    await scene.rest();
    scene.putStamp('cni', { taints: { 'gate:NoSchedule': 'x' } });
    await scene.rest();
    scene.deleteStamp('cni');
    await scene.rest();
    expect(scene.taints('a')).toEqual([]);
  });

  it('keeps the taints of others, their order and what it does not understand', async () => {
    const scene = await settled({ taints: [future, foreign], labels: { zone: 'z' } });
    scene.putStamp('cni', { taints: { 'gate:NoSchedule': 'x' } });
    await scene.rest();
    expect(scene.taints('a')).toEqual([future, foreign, gate]);
    scene.changeNode('a', (raw) => ({ ...raw, spec: { taints: [gate, foreign, future] } }));
    await scene.rest();
    scene.deleteStamp('cni');
    await scene.run(60_000);
    expect(scene.taints('a')).toEqual([foreign, future]);
    expect(scene.labels('a')).toEqual({ zone: 'z' });
  });

  it('is gated again when somebody removes the taint', async () => {
    const scene = await settled();
    scene.putStamp('cni', { taints: { 'gate:NoSchedule': 'x' } });
    await scene.rest();
    scene.changeNode('a', (raw) => ({ ...raw, spec: { taints: [foreign] } }));
    await scene.rest();
    expect(scene.taints('a')).toEqual([foreign, gate]);
  });

  it('gets back the value that stood there when it leaves the selection', async () => {
    const scene = await settled({ labels: { pool: 'blue', team: 'theirs' } });
    scene.putStamp('cni', { on: { label: 'pool', value: 'blue' }, labels: { team: 'x' } });
    await scene.run(60_000);
    expect(scene.labels('a')).toEqual({ pool: 'blue', team: 'x' });
    scene.changeNode('a', (raw) => ({
      ...raw,
      metadata: { ...raw.metadata, labels: { ...raw.metadata?.labels, pool: 'red' } },
    }));
    await scene.run(60_000);
    expect(scene.labels('a')).toEqual({ pool: 'red', team: 'theirs' });
    expect(scene.owned('a')).toBeUndefined();
  });

  it('has an unreadable record rebuilt, loses nothing by it, and that is said', async () => {
    const scene = await settled();
    scene.putStamp('cni', { labels: { team: 'x' }, taints: { 'gate:NoSchedule': 'x' } });
    await scene.run(60_000);
    const before = scene.owned('a');
    scene.changeNode('a', (raw) => ({
      ...raw,
      metadata: { ...raw.metadata, annotations: { 'muster.dev/owned': '{' } },
    }));
    await scene.rest();
    expect(scene.owned('a')).toEqual(before);
    expect([scene.labels('a'), scene.taints('a')]).toEqual([{ team: 'x' }, [gate]]);
    expect(scene.events.map(({ reason }) => reason)).toContain('RecordUnreadable');
  });
});

describe('two capabilities that want different things of one key', () => {
  const capabilities = [
    stampCapability({ name: 'low', rank: 1 }),
    stampCapability({ name: 'high', rank: 2 }),
  ];

  it('do not fight: the higher has its way, both are told, and then nothing is written', async () => {
    const scene = await settled({}, capabilities);
    scene.putStamp('one', { by: 'low', labels: { team: 'low', only: 'low' } });
    scene.putStamp('two', { by: 'high', labels: { team: 'high' } });
    await scene.run(60_000);
    expect(scene.labels('a')).toEqual({ team: 'high', only: 'low' });
    expect(scene.store.get('a')?.verdicts.filter(({ reason }) => reason === 'Conflict')).toMatchObject([
      {
        capability: 'high',
        parent: 'high/Stamp/two',
        message: 'labels team: high/Stamp/two has its way over low/Stamp/one',
      },
      { capability: 'low', message: 'labels team: high/Stamp/two has its way over low/Stamp/one' },
    ]);
    scene.wrote();
    await scene.run(600_000);
    expect(scene.wrote()).toEqual([]);
  });

  it('change over in one patch when the higher falls silent', async () => {
    const scene = await settled({}, capabilities);
    scene.putStamp('one', { by: 'low', labels: { team: 'low' } });
    scene.putStamp('two', { by: 'high', labels: { team: 'high' }, lifts: [] });
    await scene.run(60_000);
    scene.wrote();
    scene.deleteStamp('two');
    await scene.run(60_000);
    expect(scene.wrote().filter((words) => words === 'patch nodes/a').length).toBeLessThanOrEqual(2);
    expect(scene.labels('a')).toEqual({ team: 'low' });
  });
});

describe('a capability that throws on a node', () => {
  const capabilities = [
    stampCapability({ name: 'frail', rank: 2 }),
    stampCapability({ name: 'sound', rank: 1 }),
  ];

  it('leaves its own keys as they are there, and all else goes on', async () => {
    const scene = await settled({ labels: { pool: 'blue' } }, capabilities);
    scene.putNode('b', { labels: { pool: 'red' } });
    scene.putStamp('gate', { by: 'frail', taints: { 'gate:NoSchedule': 'x' } });
    await scene.run(60_000);
    scene.putStamp('bomb', { by: 'frail', on: { label: 'pool', value: 'blue' }, throws: true });
    scene.putStamp('gate', { by: 'frail' });
    scene.putStamp('label', { by: 'sound', labels: { team: 'x' } });
    await scene.run(60_000);
    expect([scene.taints('a'), scene.taints('b')]).toEqual([[gate], []]);
    expect([scene.labels('a'), scene.labels('b')]).toMatchObject([{ team: 'x' }, { team: 'x' }]);
    expect(scene.store.get('a')?.verdicts).toContainEqual({
      capability: 'frail',
      parent: 'frail',
      outcome: 'unknown',
      reason: 'InternalError',
      message: 'stamp bomb is broken',
    });
    expect(scene.events.filter(({ reason }) => reason === 'InternalError')).toHaveLength(1);
  });

  it('decides again as soon as it can', async () => {
    const scene = await settled({}, capabilities);
    scene.putStamp('gate', { by: 'frail', taints: { 'gate:NoSchedule': 'x' } });
    await scene.run(60_000);
    scene.putStamp('gate', { by: 'frail', throws: true });
    await scene.run(60_000);
    expect(scene.taints('a')).toEqual([gate]);
    scene.putStamp('gate', { by: 'frail' });
    await scene.run(60_000);
    expect(scene.taints('a')).toEqual([]);
  });

  it('does not let a new node count as released', async () => {
    const scene = await settled({}, capabilities);
    scene.putStamp('bomb', { by: 'frail', on: { label: 'pool', value: 'new' }, throws: true });
    scene.putNode('b', { labels: { pool: 'new' } });
    await scene.run(60_000);
    expect(scene.status('a').firstReleasedAt).toBeDefined();
    expect(scene.status('b').firstReleasedAt).toBeUndefined();
  });
});
