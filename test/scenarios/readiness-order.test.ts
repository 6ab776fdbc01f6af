import { describe, expect, it } from 'vitest';
import { readinessScene } from '../support/readiness-scene.ts';

const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
const unbraked = { gatingFlags: { authority: 'act', gateBudget: { kind: 'percent', max: 100 } } } as const;

describe('a release', () => {
  it('waits behind no gate and no birth of an evaluation', async () => {
    const scene = readinessScene();
    const [held, free] = [names('held', 20), names('free', 300)];
    for (const name of held) scene.join(name, 'False');
    for (const name of free) scene.join(name, 'True');
    scene.putRule('cni');
    scene.start({ ...unbraked, evaluations: 'unsatisfied' });
    await scene.run(90_000);
    expect(scene.gated().toSorted()).toEqual(held.toSorted());
    scene.wrote();
    for (const name of free) scene.report(name, 'False');
    for (const name of held) scene.report(name, 'True');
    await scene.run(30_000);
    expect(scene.gated()).toHaveLength(free.length);
    const writes = scene.wrote();
    const last = writes.findLastIndex((words) => words.startsWith('patch nodes/held-'));
    const before = writes.slice(0, last);
    expect(writes.filter((words) => words.startsWith('create nodereadinessevaluations/')).length).toBe(300);
    // Visits that were under way when the first node to be released was heard of.
    expect(before.filter((words) => words.startsWith('patch nodes/free-')).length).toBeLessThanOrEqual(32);
    expect(before.filter((words) => words.startsWith('create nodereadinessevaluations/'))).toEqual([]);
  });
});

describe('rules that come after each other in a circle', () => {
  const rule = (name: string, after: readonly string[]) => ({
    conditions: [{ type: `example.com/${name}`, requiredStatus: 'True' }],
    taint: { key: `readiness.k8s.io/${name}`, effect: 'NoSchedule' },
    after,
  });
  async function circle(network: string | null) {
    const scene = readinessScene();
    const met = { 'example.com/a': 'True', 'example.com/b': 'True', 'example.com/c': 'True' };
    scene.join('n', null, network === null ? {} : { conditions: met });
    scene.start();
    scene.putRule('a', rule('a', ['b']));
    scene.putRule('b', rule('b', ['c']));
    scene.putRule('c', rule('c', []));
    await scene.run(10_000);
    return scene;
  }
  const degraded = (scene: Awaited<ReturnType<typeof circle>>) =>
    ['a', 'b', 'c'].map((name) => scene.conditionOf(name, 'Degraded'));

  it.each([
    ['is not', null],
    ['is', 'True'],
  ])(
    'say so, each of them, as soon as the last one closes it, where the node %s ready',
    async (_, network) => {
      const scene = await circle(network);
      expect(degraded(scene)).toMatchObject([{ status: 'False' }, { status: 'False' }, { status: 'False' }]);
      scene.putRule('c', rule('c', ['a']));
      await scene.run(6_000);
      expect(degraded(scene)).toMatchObject([
        { status: 'True', reason: 'CircularOrder', message: 'a comes after b, after c, after a' },
        { status: 'True', reason: 'CircularOrder', message: 'b comes after c, after a, after b' },
        { status: 'True', reason: 'CircularOrder', message: 'c comes after a, after b, after c' },
      ]);
      scene.putRule('c', rule('c', []));
      await scene.run(6_000);
      expect(degraded(scene)).toMatchObject([{ status: 'False' }, { status: 'False' }, { status: 'False' }]);
    },
  );

  it('leave a node as it is while none of them is met there, and hold it for ever in no case', async () => {
    const scene = await circle(null);
    scene.putRule('c', rule('c', ['a']));
    await scene.run(6_000);
    expect(scene.taints('n')).toMatchObject([{ key: 'readiness.k8s.io/c' }]);
    for (const type of ['example.com/c', 'example.com/b', 'example.com/a']) scene.report('n', 'True', type);
    await scene.run(6_000);
    expect(scene.taints('n')).toEqual([]);
  });

  it('are told of a rule that comes after itself', async () => {
    const scene = await circle('True');
    scene.putRule('c', rule('c', ['c']));
    await scene.run(6_000);
    expect(scene.conditionOf('c', 'Degraded')).toMatchObject({
      reason: 'CircularOrder',
      message: 'c comes after c',
    });
    expect(scene.conditionOf('b', 'Degraded')).toMatchObject({ status: 'False' });
  });
});
