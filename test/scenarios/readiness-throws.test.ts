import { describe, expect, it } from 'vitest';
import { createReadiness } from '../../src/capabilities/readiness/capability.ts';
import type { Facts } from '../../src/capabilities/readiness/gather.ts';
import type { NodeCapability } from '../../src/runtime/capability.ts';
import { lifecycleSpec, nodeSpec } from '../../src/runtime/specs.ts';
import { gate, readinessScene } from '../support/readiness-scene.ts';

/** Readiness with a bug that shows on one node alone, while it is there. */
function buggy() {
  const readiness = createReadiness({ centre: { nodes: nodeSpec, lifecycles: lifecycleSpec } });
  const bug = { isThere: true };
  const capability: NodeCapability<Facts> = {
    ...readiness,
    decide(facts, now) {
      if (bug.isThere && facts.node.name === 'bad') throw new Error('a bug');
      return readiness.decide(facts, now);
    },
  };
  return { bug, capability };
}

async function started() {
  const { bug, capability } = buggy();
  const scene = readinessScene();
  scene.join('bad', null, { taints: [gate] });
  scene.join('good', 'True');
  scene.join('other', null, { labels: { pool: 'red' } });
  scene.putRule('cni');
  scene.putUpstreamRule('theirs', { taint: { key: 'readiness.k8s.io/theirs', effect: 'NoSchedule' } });
  scene.start({ capabilitiesOf: () => [capability] });
  await scene.run(10_000);
  return { ...scene, bug };
}

describe('a node on which readiness throws', () => {
  it('fails every rule that selects it, from its first moment on', async () => {
    const scene = await started();
    const failed = { failedNodeCount: 1, failedNodes: [{ nodeName: 'bad', reason: 'InternalError' }] };
    expect(scene.ruleStatus('cni')).toMatchObject({ ...failed, failedNodes: [{ message: 'a bug' }] });
    expect(scene.upstreamStatus('theirs')).toMatchObject({ ...failed, appliedNodes: ['good'] });
    expect(scene.conditionOf('cni', 'Ready')).toMatchObject({ status: 'False', reason: 'NodesFailing' });
    expect(scene.conditionOf('cni', 'Degraded')).toMatchObject({ status: 'True', message: 'bad: a bug' });
    expect(scene.ruleStatus('cni').observedGeneration).toBeUndefined();
  });

  it('is counted with its taint, as a node of which nothing else is known', async () => {
    const { ruleStatus } = await started();
    expect(ruleStatus('cni').summary).toMatchObject({
      totalApplicableNodes: 2,
      nodesWithTaint: 1,
      nodesWithoutTaint: 1,
      nodesReady: 1,
      nodesNotReady: 0,
      nodesUnknown: 1,
      conditionSummaries: [{ nodesSatisfied: 1, nodesUnsatisfied: 0, nodesMissing: 1 }],
    });
  });

  it('is no failure any more once readiness succeeds there', async () => {
    const scene = await started();
    scene.bug.isThere = false;
    scene.report('bad', 'True');
    await scene.run(6_000);
    expect(scene.ruleStatus('cni').failedNodes).toBeUndefined();
    expect(scene.conditionOf('cni', 'Ready')).toMatchObject({ status: 'True', message: 'on 2 nodes' });
  });

  it('is told within a second when it begins, and forgotten with the node', async () => {
    const scene = await started();
    scene.bug.isThere = false;
    scene.report('bad', 'True');
    await scene.run(20_000);
    scene.bug.isThere = true;
    scene.report('bad', 'False');
    await scene.run(1_000);
    expect(scene.ruleStatus('cni').failedNodeCount).toBe(1);
    scene.deleteNode('bad');
    await scene.run(6_000);
    expect(scene.ruleStatus('cni')).toMatchObject({ summary: { totalApplicableNodes: 1 } });
    expect(scene.ruleStatus('cni').failedNodes).toBeUndefined();
  });
});
