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
