import { describe, expect, it } from 'vitest';
import { nodeReadinessEvaluationType } from '../../src/api/keys.ts';
import { readinessScene } from '../support/readiness-scene.ts';

type Scene = ReturnType<typeof readinessScene>;

async function started() {
  const scene = readinessScene();
  scene.join('a');
  scene.join('b', 'True');
  const operator = scene.start();
  scene.putRule('cni');
  await scene.run(1_000);
  return { ...scene, operator };
}

describe('evaluations that lost their owner', () => {
  /** As the garbage collector does for `kubectl delete --cascade=orphan`. */
  const orphan = (scene: Scene) => {
    for (const { metadata, ...rest } of scene.api.objects(nodeReadinessEvaluationType))
      scene.api.put(nodeReadinessEvaluationType, { ...rest, metadata: { ...metadata, ownerReferences: [] } });
  };

  it('go with their rule all the same', async () => {
    const scene = await started();
    scene.operator.kill();
    scene.deleteRule('cni');
    orphan(scene);
    scene.start();
    await scene.run(5_000);
    expect([scene.evaluations(), scene.rule('cni')]).toEqual([[], undefined]);
  });

  it('of a rule that went while nobody looked are deleted by the next operator', async () => {
    const scene = await started();
    scene.operator.kill();
    orphan(scene);
    scene.putRule('cni', {}, { finalizers: [] });
    scene.deleteRule('cni');
    scene.start();
    await scene.run(5_000);
    expect(scene.evaluations()).toEqual([]);
  });

  it('are given their owner back while the rule is there', async () => {
    const scene = await started();
    orphan(scene);
    await scene.run(1_000);
    const uid = scene.rule('cni')?.metadata?.uid;
    for (const { metadata } of scene.api.objects(nodeReadinessEvaluationType))
      expect(metadata?.ownerReferences).toMatchObject([{ name: 'cni', uid }]);
  });

  it('make room for those of a rule of the other kind and the same name', async () => {
    const scene = await started();
    scene.operator.kill();
    orphan(scene);
    scene.putRule('cni', {}, { finalizers: [] });
    scene.deleteRule('cni');
    scene.putUpstreamRule('cni');
    scene.start();
    await scene.run(30_000);
    const owners = scene.api
      .objects(nodeReadinessEvaluationType)
      .map(({ metadata }) => metadata?.ownerReferences);
    expect(owners).toMatchObject([[{ kind: 'NodeReadinessRule' }], [{ kind: 'NodeReadinessRule' }]]);
  });
});

describe('an evaluation that is all told', () => {
  it('is freed of its managedFields by the next operator when the first one dies before it did', async () => {
    const scene = await started();
    scene.operator.kill();
    const { metadata, ...rest } = scene.find(nodeReadinessEvaluationType, 'cni-a') ?? {};
    const tracked = { ...metadata, name: 'cni-a', managedFields: [{ manager: 'muster' }] };
    scene.api.put(nodeReadinessEvaluationType, { ...rest, metadata: tracked });
    scene.wrote();
    scene.start();
    await scene.run(5_000);
    expect(scene.wrote()).toContain('patch nodereadinessevaluations/cni-a');
    expect(scene.find(nodeReadinessEvaluationType, 'cni-a')?.metadata).toMatchObject({ managedFields: [{}] });
  });
});

describe('evaluations whose definition is deleted under the operator', () => {
  it('are tried once in a while until that is known, then not at all, and are all there when it is back', async () => {
    let isServed = true;
    const scene = readinessScene({ isServed: ({ kind }) => isServed || kind !== 'NodeReadinessEvaluation' });
    const names = Array.from({ length: 100 }, (_, index) => `node-${index}`);
    scene.start();
    scene.putRule('cni');
    await scene.run(5_000);
    isServed = false;
    scene.api.closeWatches();
    for (const name of names) scene.join(name);
    await scene.run(20_000);
    expect(scene.gated()).toHaveLength(100);
    const tried = () => scene.asked().filter((words) => words.startsWith('create nodereadinessevaluations/'));
    // As many as there may be under way at once.
    expect(tried().length).toBeLessThanOrEqual(16);
    await scene.run(60_000);
    expect(tried()).toEqual([]);
    isServed = true;
    await scene.run(60_000);
    expect(scene.evaluations()).toHaveLength(100);
  });
});

describe('a deleted rule that the finalizer of somebody else keeps', () => {
  it('has no node written for it any more', async () => {
    const scene = readinessScene();
    scene.join('a');
    scene.start();
    scene.putRule('cni', {}, { finalizers: ['x.io/wait'] });
    await scene.run(5_000);
    scene.deleteRule('cni');
    await scene.run(60_000);
    expect([scene.taints('a'), scene.rule('cni')?.metadata?.finalizers]).toEqual([[], ['x.io/wait']]);
    const beat = async () => {
      scene.report('a', 'False');
      await scene.run(10_000);
    };
    // The list of what is ours is tidied with the first one.
    await beat();
    scene.wrote();
    for (let beats = 0; beats < 5; beats++) await beat();
    expect(scene.wrote()).toEqual([]);
  });
});
