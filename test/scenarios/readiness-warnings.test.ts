// What people hear of nodes that cannot be written.

import { describe, expect, it } from 'vitest';
import { apiFailure } from '../support/api-failure.ts';
import { readinessScene } from '../support/readiness-scene.ts';

async function started() {
  const scene = readinessScene();
  scene.join('a', 'True');
  const operator = scene.start();
  scene.putRule('cni');
  await scene.run(1_000);
  return { ...scene, operator };
}

describe('the operator', () => {
  it('warns of a node that cannot be written for longer, once', async () => {
    const scene = await started();
    await scene.run(10_000);
    scene.report('a', 'False');
    scene.faults.before = ({ verb, ref }) =>
      verb === 'patch' && ref.type.kind === 'Node'
        ? apiFailure('ServerError', { message: 'etcd is down' })
        : null;
    await scene.run(60_000);
    expect(scene.operator.events.filter(({ reason }) => reason === 'WriteFailed')).toMatchObject([
      { type: 'Warning', node: { name: 'a' }, note: 'etcd is down' },
    ]);
  });

  it('warns that nodes are held beside one that fails', async () => {
    const scene = await started();
    const others = Array.from({ length: 12 }, (_, index) => `other-${index}`);
    for (const name of others) scene.join(name, 'True');
    await scene.run(40_000);
    scene.faults.before = ({ verb, ref }) =>
      verb === 'patch' && ref.type.kind === 'Node' && ref.name === 'a' ? apiFailure('ServerError') : null;
    for (const name of ['a', ...others]) scene.report(name, 'False');
    await scene.run(20_000);
    expect(scene.conditionOf('cni', 'Ready')).toMatchObject({
      reason: 'NodesFailing',
      message: expect.stringMatching(/^1 node; gating of \d nodes? is held$/),
    });
    expect(scene.operator.ruleEvents.filter(({ reason }) => reason === 'GatingIsHeld')).toHaveLength(1);
  });
});
