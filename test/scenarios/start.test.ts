import { describe, expect, it } from 'vitest';
import { viewOf } from '../../src/objects/raw.ts';
import { podType } from '../../src/objects/ref.ts';
import type { WatchSpec } from '../../src/runtime/ports.ts';
import { centreScene, type CentreScene } from '../support/centre-scene.ts';
import type { MemoryCall } from '../support/memory-kube-api.ts';
import { stampCapability, stampSpec } from '../support/stamp-capability.ts';

const gate = { key: 'gate', effect: 'NoSchedule', value: 'x' };
const gated = { taints: { 'gate:NoSchedule': 'x' } };

/** The server does not answer this watch until it is told to. */
function holdWatch(scene: CentreScene, kind: string) {
  const held = Promise.withResolvers<null>();
  const isHeld = ({ verb, ref }: MemoryCall) => verb === 'watch' && ref.type.kind === kind;
  scene.faults.before = (call) => (isHeld(call) ? held.promise : null);
  return () => held.resolve(null);
}

describe('an operator that starts', () => {
  it('does not count a node as released before everybody has spoken about it', async () => {
    const scene = centreScene();
    scene.putNode('a');
    scene.putStamp('cni', gated);
    const first = scene.start();
    scene.faults.after = ({ verb }) => (verb === 'create' ? (first.kill(), null) : null);
    await scene.rest();
    expect(scene.lifecycle('a')?.status).toBeUndefined();
    scene.changeNode('a', (raw) => ({ ...raw, spec: {} }));
    scene.faults.after = () => null;
    scene.start();
    await scene.run(60_000);
    expect(scene.taints('a')).toEqual([gate]);
    expect(scene.status('a').firstReleasedAt).toBeUndefined();
    scene.deleteStamp('cni');
    await scene.run(60_000);
    expect(scene.status('a').firstReleasedAt).toBeDefined();
  });

  it('writes nothing at all before nodes and records are known, and is not ready', async () => {
    const scene = centreScene();
    scene.putNode('a');
    const release = holdWatch(scene, 'NodeLifecycle');
    const { centre } = scene.start();
    await scene.run(10_000);
    expect([scene.wrote(), centre.isReady()]).toEqual([[], false]);
    release();
    await scene.rest();
    expect([scene.wrote(), centre.isReady()]).toEqual([
      ['create nodelifecycles/a', 'patch nodelifecycles/a/status'],
      true,
    ]);
  });

  it('writes records, and nothing of a capability whose own kind is not known yet', async () => {
    const scene = centreScene();
    scene.putNode('a');
    scene.putStamp('cni', gated);
    const release = holdWatch(scene, 'Stamp');
    const { centre } = scene.start();
    await scene.run(10_000);
    expect(scene.lifecycle('a')).toBeDefined();
    expect([scene.taints('a'), scene.stampStatus('cni'), centre.isReady()]).toEqual([[], undefined, false]);
    release();
    await scene.run(10_000);
    expect([scene.taints('a'), centre.isReady()]).toEqual([[gate], true]);
    expect(scene.stampStatus('cni')).toEqual({ nodes: 1, stamped: 1 });
  });

  it('keeps what an earlier one wrote until the capability may speak', async () => {
    const scene = centreScene();
    scene.putNode('a');
    scene.putStamp('cni', gated);
    const first = scene.start();
    await scene.run(60_000);
    first.kill();
    const release = holdWatch(scene, 'Stamp');
    scene.deleteStamp('cni');
    scene.start();
    await scene.run(10_000);
    expect(scene.taints('a')).toEqual([gate]);
    release();
    await scene.run(10_000);
    expect(scene.taints('a')).toEqual([]);
  });

  it('keeps the keys of a capability that is switched off', async () => {
    const scene = centreScene();
    scene.putNode('a');
    scene.putStamp('cni', gated);
    const first = scene.start();
    await scene.run(60_000);
    first.kill();
    scene.deleteStamp('cni');
    scene.start({ capabilities: [] });
    await scene.run(60_000);
    expect(scene.taints('a')).toEqual([gate]);
    expect(scene.owned('a')).toMatchObject({ taints: { 'gate:NoSchedule': { wrote: 'x' } } });
    expect(scene.status('a')).toMatchObject({ stage: 'Gated', owned: [{ kind: 'Taint', key: 'gate' }] });
  });

  it('speaks for a capability only when it has asked it about every node, with all that it has to know', async () => {
    const scene = centreScene();
    for (let index = 0; index < 100; index++) scene.putNode(`node-${index}`);
    scene.putStamp('cni', gated);
    const release = holdWatch(scene, 'Stamp');
    const capability = stampCapability();
    const wasSynced: boolean[] = [];
    const gather: typeof capability.gather = (caches, node, answers) => {
      wasSynced.push(caches.of(stampSpec).isSynced());
      return capability.gather(caches, node, answers);
    };
    const { store } = scene.start({ capabilities: [{ ...capability, gather }] });
    await scene.run(10_000);
    const judged: number[] = [];
    scene.faults.before = (call) => {
      const states = store.getAll().filter(({ verdicts }) => verdicts.length > 0);
      if (call.verb === 'patch' && call.ref.type.kind === 'Node') judged.push(states.length);
      return null;
    };
    release();
    await scene.run(10_000);
    expect([judged.length, judged[0]]).toEqual([100, 100]);
    expect(wasSynced).not.toContain(false);
  });

  it('does not report before it knows all that the capability has to know', async () => {
    const scene = centreScene();
    scene.putNode('a');
    scene.putStamp('cni', gated);
    const pods: WatchSpec = { selection: { type: podType }, project: viewOf, presence: 'required' };
    const release = holdWatch(scene, 'Pod');
    scene.start({ capabilities: [{ ...stampCapability(), watches: [stampSpec, pods] }] });
    await scene.run(10_000);
    expect(scene.stampStatus('cni')).toBeUndefined();
    release();
    await scene.run(10_000);
    expect(scene.stampStatus('cni')).toEqual({ nodes: 1, stamped: 1 });
  });

  it('becomes ready though a node goes before its first visit', async () => {
    const scene = centreScene();
    for (let index = 0; index < 100; index++) scene.putNode(`node-${index}`);
    const capability = stampCapability();
    const gather: typeof capability.gather = (caches, node, answers) => {
      scene.removeNode('node-99');
      return capability.gather(caches, node, answers);
    };
    const { store, centre } = scene.start({ capabilities: [{ ...capability, gather }] });
    await scene.run(10_000);
    expect([store.count(), centre.isReady()]).toEqual([99, true]);
  });
});

describe('a standby', () => {
  it('evaluates and writes nothing until it leads, and then all that is due', async () => {
    const scene = centreScene();
    scene.putNode('a');
    scene.putStamp('cni', gated);
    const standby = scene.start({ isLeading: false });
    await scene.run(700_000);
    expect([scene.wrote(), standby.events, standby.centre.isReady()]).toEqual([[], [], true]);
    // It was there before us: whether it is in service is for its record to say, which a standby does not write.
    expect(standby.store.get('a')?.verdicts).toMatchObject([{ reason: 'Stamp' }, { reason: 'NotSynced' }]);
    standby.leads();
    await scene.run(10_000);
    expect([scene.taints('a'), scene.status('a').stage]).toEqual([[gate], 'Gated']);
    expect(scene.stampStatus('cni')).toEqual({ nodes: 1, stamped: 1 });
  });

  it('says nothing of a capability that throws', async () => {
    const scene = centreScene();
    scene.putNode('a');
    const standby = scene.start({ isLeading: false });
    await scene.run(10_000);
    scene.putStamp('bomb', { throws: true });
    await scene.run(10_000);
    expect(standby.store.get('a')?.verdicts).toMatchObject([{ reason: 'InternalError' }]);
    expect(standby.events).toEqual([]);
  });

  it('has its reports written when it leads, also those of states that did not change since', async () => {
    const scene = centreScene();
    scene.putNode('a', { labels: { team: 'x' } });
    scene.putStamp('label', { labels: { team: 'x' } });
    const standby = scene.start({ isLeading: false, capabilities: [stampCapability()] });
    await scene.run(60_000);
    standby.leads();
    await scene.run(10_000);
    expect(scene.stampStatus('label')).toEqual({ nodes: 1, stamped: 1 });
  });

  it('writes nothing more when it no longer leads', async () => {
    const scene = centreScene();
    scene.putNode('a');
    const leader = scene.start();
    await scene.run(60_000);
    scene.wrote();
    leader.stepsDown();
    scene.putStamp('cni', gated);
    await scene.run(700_000);
    expect(scene.wrote()).toEqual([]);
  });
});
