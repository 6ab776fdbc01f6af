// From when on a node counts as in service, so that the brake may hold a gate of it.

import { describe, expect, it } from 'vitest';
import { nodeLifecycleType } from '../../src/api/keys.ts';
import { apiFailure } from '../support/api-failure.ts';
import { nodeNames, readinessScene } from '../support/readiness-scene.ts';

const sixty = nodeNames(60);

/** Nodes that were gated before they ever took work. */
async function gatedFromBirth() {
  const scene = readinessScene();
  for (const name of sixty) scene.join(name);
  scene.putRule('cni');
  scene.start();
  await scene.run(1_000);
  return scene;
}

describe('nodes that were never released', () => {
  it('are gated without a limit', async () => {
    const scene = await gatedFromBirth();
    expect(scene.gated()).toHaveLength(60);
  });

  it('are in service from the moment that the rule which gated them is gone', async () => {
    const scene = await gatedFromBirth();
    await scene.run(1_000);
    expect(scene.gated()).toHaveLength(60);
    scene.deleteRule('cni');
    await scene.run(5_000);
    expect(scene.gated()).toEqual([]);
    scene.putRule('cni');
    await scene.run(5_000);
    expect(scene.gated()).toHaveLength(15);
  });

  it('are in service from the moment that they were released, though their records cannot be written', async () => {
    const scene = await gatedFromBirth();
    await scene.run(39_000);
    expect(scene.gated()).toHaveLength(60);
    scene.faults.before = ({ ref, verb }) =>
      ref.type === nodeLifecycleType && verb === 'patch' ? apiFailure('ServerError') : null;
    for (const name of sixty) scene.report(name, 'True');
    await scene.run(1_000);
    expect(scene.gated()).toEqual([]);
    for (const name of sixty) scene.report(name, 'False');
    await scene.run(5_000);
    expect(scene.gated()).toHaveLength(15);
  });

  it('are in service when they were there long before the operator, and then the brake holds', async () => {
    const scene = readinessScene();
    for (const name of sixty) scene.join(name);
    scene.putRule('cni');
    await scene.clock.advance(3_600_000);
    scene.start();
    await scene.run(1_000);
    expect(scene.gated()).toHaveLength(15);
  });
});
