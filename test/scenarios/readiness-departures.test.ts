// What keeps a rule that is deleted from going, and what must not.

import { describe, expect, it } from 'vitest';
import { annotationKeys, nodeLifecycleType, nodeReadinessEvaluationType } from '../../src/api/keys.ts';
import { apiFailure } from '../support/api-failure.ts';
import { gate, gateKey, readinessScene } from '../support/readiness-scene.ts';

type Scene = ReturnType<typeof readinessScene>;

/** Node a is gated by the rule cni, and its record says so. */
async function gated() {
  const scene = readinessScene();
  scene.join('a');
  scene.putRule('cni');
  const operator = scene.start();
  await scene.run(40_000);
  return { ...scene, operator };
}

const copyOf = (scene: Scene, name: string, change: object) => {
  const { metadata, ...rest } = scene.find(nodeReadinessEvaluationType, 'cni-a') ?? {};
  const { labels = {}, ownerReferences } = metadata ?? {};
  scene.api.put(nodeReadinessEvaluationType, {
    ...rest,
    ...change,
    metadata: { name, labels, ...(ownerReferences === undefined ? {} : { ownerReferences }) },
  });
};

describe('a deleted rule whose taint another rule has the say over', () => {
  it.each([
    ['is suspended', { suspend: true }],
    ['waits for a rule that is not there', { after: ['first'] }],
    ['is not met', {}],
  ])('goes, and the taint stays: the other %s', async (_, spec) => {
    const scene = await gated();
    scene.putRule('other', spec);
    await scene.run(10_000);
    scene.deleteRule('cni');
    await scene.run(10_000);
    expect([scene.taints('a'), scene.rule('cni')]).toEqual([[gate], undefined]);
  });

  it('goes while a peer serves the other, and the peer keeps the taint', async () => {
    const scene = await gated();
    scene.putPeer('NodeReadinessRule', 'them');
    scene.putUpstreamRule('up');
    await scene.run(10_000);
    scene.deleteRule('cni');
    await scene.run(10_000);
    expect([scene.taints('a'), scene.rule('cni')]).toEqual([[gate], undefined]);
  });

  it('goes while the authority is to observe', async () => {
    const scene = await gated();
    scene.putRule('other');
    await scene.run(10_000);
    scene.putPolicy({ authority: 'observe' });
    await scene.run(10_000);
    scene.deleteRule('cni');
    await scene.run(10_000);
    expect([scene.taints('a'), scene.rule('cni')]).toEqual([[gate], undefined]);
  });

  it('leaves it to the other to take it away in the end', async () => {
    const scene = await gated();
    scene.putRule('other', { suspend: true });
    await scene.run(10_000);
    scene.deleteRule('cni');
    await scene.run(10_000);
    scene.report('a', 'True');
    scene.putRule('other', { suspend: false });
    await scene.run(10_000);
    expect(scene.taints('a')).toEqual([]);
  });
});

describe('a rule that comes after one that is deleted', () => {
  it.each([
    ['goes at once', []],
    ['is kept by a finalizer of somebody else', ['x.io/wait']],
  ])('leaves its nodes as they are: the first %s', async (_, finalizers) => {
    const scene = readinessScene();
    scene.join('a');
    scene.putRule('first', {}, { finalizers });
    scene.putRule('second', { taint: { key: 'example.com/second', effect: 'NoSchedule' }, after: ['first'] });
    scene.start();
    await scene.run(10_000);
    expect(scene.taints('a')).toEqual([gate]);
    scene.deleteRule('first');
    await scene.run(10_000);
    expect(scene.taints('a')).toEqual([]);
    expect(scene.conditionOf('second', 'Degraded')).toMatchObject({ reason: 'UnknownPredecessor' });
  });
});

describe('a deleted rule', () => {
  it('is not kept by a node that merely says of a taint that it is its own', async () => {
    const foreign = { key: 'other.io/dedicated', effect: 'NoSchedule', value: 'gpu' };
    const scene = readinessScene();
    scene.join('a', 'True', {
      taints: [foreign],
      annotations: {
        [annotationKeys.owned]: JSON.stringify({
          taints: {
            'other.io/dedicated:NoSchedule': { owner: 'readiness/NodeReadinessGateRule/cni', wrote: 'gpu' },
          },
        }),
      },
    });
    scene.putRule('cni');
    scene.start();
    await scene.run(10_000);
    scene.deleteRule('cni');
    await scene.run(10_000);
    expect([scene.rule('cni'), scene.taints('a')]).toEqual([undefined, [foreign]]);
  });

  it('is not kept by a copy of one of its evaluations under another name, which is left to its owner', async () => {
    const scene = await gated();
    copyOf(scene, 'copy', {});
    await scene.run(5_000);
    scene.deleteRule('cni');
    await scene.run(10_000);
    expect([scene.rule('cni'), scene.evaluations()]).toEqual([undefined, ['copy']]);
  });

  it('says whose finalizer keeps it once nothing of it is left', async () => {
    const scene = readinessScene();
    scene.join('a');
    scene.start();
    scene.putRule('cni', {}, { finalizers: ['x.io/wait'] });
    await scene.run(5_000);
    scene.deleteRule('cni');
    await scene.run(20_000);
    expect(scene.conditionOf('cni', 'Ready')).toMatchObject({
      reason: 'RuleBeingDeleted',
      message: 'nothing of it is left here; it waits for x.io/wait',
    });
  });

  it('speaks no more of its evaluations when they are gone and a node is not', async () => {
    const scene = readinessScene();
    scene.join('a', null, { taints: [gate] });
    scene.putPolicy({ authority: 'observe' });
    scene.putRule('cni');
    scene.start();
    await scene.run(10_000);
    const evaluationsStay = { isOn: true };
    scene.faults.before = ({ ref, verb }) =>
      evaluationsStay.isOn && ref.type === nodeReadinessEvaluationType && verb === 'delete'
        ? apiFailure('ServerError')
        : null;
    scene.deleteRule('cni');
    await scene.run(20_000);
    const message = () => scene.conditionOf('cni', 'Ready')?.message;
    expect(message()).toBe('waits for what is its own to go from a, and for its evaluations to go');
    evaluationsStay.isOn = false;
    await scene.run(120_000);
    expect([scene.evaluations(), message()]).toEqual([[], 'waits for what is its own to go from a']);
  });
});

describe('a taint that somebody else set, while the authority is to observe', () => {
  it('stays as it is, and everybody is told so', async () => {
    const scene = readinessScene();
    scene.join('a', null, { taints: [{ ...gate, value: 'by-kubelet' }] });
    scene.putPolicy({ authority: 'observe' });
    scene.putRule('cni');
    scene.start();
    await scene.run(10_000);
    const told = (ready: boolean, deed: string) => {
      expect(scene.evaluation('cni-a')).toMatchObject({
        allConditionsSatisfied: ready,
        taintStatus: 'Present',
      });
      expect(scene.conditionOf('cni', 'Ready')).toMatchObject({
        reason: 'GatingIsHeld',
        message: expect.stringContaining(`is not ${deed}: the authority is to observe`),
      });
    };
    told(false, 'put right');
    scene.report('a', 'True');
    await scene.run(10_000);
    told(true, 'taken away');
    scene.putPolicy({ authority: 'gate' });
    await scene.run(10_000);
    expect([scene.taints('a'), scene.conditionOf('cni', 'Ready')?.reason]).toEqual([[], 'Applied']);
  });
});

describe('an evaluation that somebody made say another node', () => {
  it('is left alone, and another one is made in its place', async () => {
    const scene = await gated();
    copyOf(scene, 'cni-a', { spec: { ruleName: 'cni', nodeName: 'b', ruleGeneration: 1 } });
    await scene.run(5_000);
    scene.wrote();
    await scene.run(60_000);
    expect(scene.wrote()).toEqual([]);
    const nodes = scene.api.objects(nodeReadinessEvaluationType).map(({ spec }) => spec);
    expect(nodes).toContainEqual(expect.objectContaining({ nodeName: 'a' }));
    scene.deleteRule('cni');
    await scene.run(10_000);
    expect(scene.rule('cni')).toBeUndefined();
  });
});

describe('a node that came with the taint of its kubelet', () => {
  it('is in service from the moment that it was freed, though its record cannot be written', async () => {
    const scene = readinessScene();
    scene.putRule('cni');
    scene.start();
    await scene.run(5_000);
    scene.faults.before = ({ ref, verb }) =>
      ref.type === nodeLifecycleType && verb === 'patch' ? apiFailure('ServerError') : null;
    const names = Array.from({ length: 60 }, (_, index) => `node-${index}`);
    for (const name of names) scene.join(name, 'True', { taints: [{ key: gateKey, effect: 'NoSchedule' }] });
    await scene.run(2_000);
    expect(scene.gated()).toEqual([]);
    for (const name of names) scene.report(name, 'False');
    await scene.run(10_000);
    // A node that was granted a place and whose record fails first keeps the place.
    expect(scene.gated().length).toBeGreaterThan(10);
    expect(scene.gated().length).toBeLessThanOrEqual(15);
  });
});
