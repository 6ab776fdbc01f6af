// One taint that both verification and a readiness rule name: it stands while either wants it. Told with the whole centre.

import { describe, expect, it } from 'vitest';
import { nodeReadinessGateRuleType } from '../../src/api/keys.ts';
import { createReadiness } from '../../src/capabilities/readiness/capability.ts';
import { createVerification } from '../../src/capabilities/verification/capability.ts';
import { lifecycleSpec, nodeSpec } from '../../src/runtime/specs.ts';
import type { NodeSketch } from '../support/node-builder.ts';
import { failure, template, unverified, verificationScene } from '../support/verification-scene.ts';

const disk = 'storage.example.com/Ready';
const ruleSpec = {
  conditions: [{ type: disk, requiredStatus: 'True' }],
  enforcementMode: 'continuous',
  taint: unverified,
  nodeSelector: { matchLabels: { pool: 'blue' } },
};

/** A node whose disk is as given, of a policy and a rule that both name the taint of verification. */
async function shared(diskIs: 'True' | 'False', sketch: NodeSketch = {}) {
  const scene = verificationScene();
  const centre = { nodes: nodeSpec, lifecycles: lifecycleSpec };
  scene.putPolicy('all', { maxRetries: 1 });
  scene.api.put(nodeReadinessGateRuleType, { metadata: { name: 'disk' }, spec: ruleSpec });
  const running = scene.start({
    capabilitiesOf: (metrics) => [
      createReadiness({ centre, evaluations: 'none', metrics }),
      createVerification({ centre, template, metrics }),
    ],
  });
  await scene.run(2_000);
  scene.join('a', { labels: { pool: 'blue' }, conditions: { [disk]: diskIs }, ...sketch });
  await scene.run(5_000);
  return {
    ...scene,
    running,
    rules: () => scene.api.objects(nodeReadinessGateRuleType),
    diskIs(status: string) {
      const conditions = [
        { type: 'Ready', status: 'True' },
        { type: disk, status },
      ];
      scene.changeNode('a', (raw) => ({ ...raw, status: { ...(raw.status as object), conditions } }));
    },
    /** Who has its way, then who does not. */
    conflicts: () =>
      running.store
        .get('a')
        ?.verdicts.filter(({ reason }) => reason === 'Conflict')
        .map(({ capability }) => capability),
  };
}

describe('a taint of both', () => {
  it.each<[string, NodeSketch]>([
    ['that the node was born with', {}],
    ['that verification set', { taints: [] }],
  ])('%s is not taken away by a rule that is met before the node is verified', async (_, sketch) => {
    const scene = await shared('True', sketch);
    expect(scene.taints('a')).toEqual([unverified]);
    expect(scene.conflicts()).toEqual(['verification', 'readiness']);
    expect(scene.verification('a')).toMatchObject({ state: 'pending' });
    scene.workerEnds('a');
    await scene.run(5_000);
    expect(scene.taints('a')).toEqual([]);
    expect(scene.conflicts()).toEqual([]);
    expect(scene.verification('a')).toMatchObject({ state: 'verified' });
  });

  it('stands after the node is verified for as long as the rule is not met', async () => {
    const scene = await shared('False');
    scene.workerEnds('a');
    await scene.run(5_000);
    expect(scene.verification('a')).toMatchObject({ state: 'verified' });
    expect(scene.taints('a')).toEqual([unverified]);
    expect(scene.conflicts()).toEqual(['readiness', 'verification']);
    scene.diskIs('True');
    await scene.run(5_000);
    expect(scene.taints('a')).toEqual([]);
  });

  it('stands when the rule is met while the node is checked, and no person is taken for having removed it', async () => {
    const scene = await shared('False');
    scene.workerRuns('a');
    scene.diskIs('True');
    await scene.run(5_000);
    expect(scene.taints('a')).toEqual([unverified]);
    expect(scene.verification('a')).toMatchObject({ state: 'in_progress', gates: true });
  });

  it('stands when the rule is deleted before the node is verified, and the rule does not wait for that', async () => {
    const scene = await shared('False');
    const [rule] = scene.rules();
    expect(rule?.metadata?.finalizers).toHaveLength(1);
    scene.api.put(nodeReadinessGateRuleType, {
      ...rule,
      metadata: { ...rule?.metadata, deletionTimestamp: '2026-01-01T00:00:10Z' },
    });
    await scene.run(10_000);
    expect(scene.rules()).toEqual([]);
    expect(scene.taints('a')).toEqual([unverified]);
    scene.workerEnds('a');
    await scene.run(5_000);
    expect(scene.taints('a')).toEqual([]);
  });

  it('is not fought over: once both have said what they want, nothing is written', async () => {
    const scene = await shared('True');
    scene.workerEnds('a', failure);
    await scene.run(120_000);
    expect(scene.verification('a')).toMatchObject({ reason: 'VerificationGivenUp' });
    scene.wrote();
    await scene.run(1_500_000);
    expect(scene.wrote()).toEqual([]);
    expect(scene.taints('a')).toEqual([unverified]);
  });
});
