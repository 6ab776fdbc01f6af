import { describe, expect, it } from 'vitest';
import { cni, gate, gateKey, readinessScene } from '../support/readiness-scene.ts';

type Scene = ReturnType<typeof readinessScene>;

async function started(nodes: Readonly<Record<string, string | null>>) {
  const scene = readinessScene();
  for (const [name, network] of Object.entries(nodes)) scene.join(name, network);
  const operator = scene.start();
  await scene.run(1_000);
  return { ...scene, operator };
}

const nodePatches = (scene: Pick<Scene, 'wrote'>) =>
  scene.wrote().filter((words) => words.startsWith('patch nodes/'));
const told = (events: readonly { readonly reason: string }[], reason: string) =>
  events.filter((event) => event.reason === reason);

describe('ten rules on one node', () => {
  it('are one patch', async () => {
    const scene = await started({ a: null });
    for (let index = 0; index < 10; index++)
      scene.putRule(`rule-${index}`, { taint: { key: `readiness.k8s.io/r${index}`, effect: 'NoSchedule' } });
    scene.wrote();
    await scene.rest();
    expect(scene.taints('a')).toHaveLength(10);
    expect(nodePatches(scene)).toHaveLength(1);
  });
});

describe('a node', () => {
  it('that leaves the selector is freed of the taint that is ours, and keeps those of others', async () => {
    const foreign = { key: 'other.io/dedicated', effect: 'NoSchedule', value: 'gpu' };
    const scene = readinessScene();
    scene.join('a', null, { taints: [foreign] });
    scene.start();
    scene.putRule('cni');
    await scene.run(1_000);
    scene.relabel('a', { pool: 'red' });
    await scene.rest();
    expect([scene.taints('a'), scene.evaluations()]).toEqual([[foreign], []]);
  });

  it('that was relabelled while nobody looked is freed by the next operator', async () => {
    const scene = await started({ a: null });
    scene.putRule('cni');
    await scene.run(1_000);
    scene.operator.kill();
    scene.relabel('a', { pool: 'red' });
    scene.start();
    await scene.run(1_000);
    expect(scene.taints('a')).toEqual([]);
  });

  it('that was relabelled before its rule was deleted keeps nothing of it', async () => {
    const scene = await started({ a: null });
    scene.putRule('cni');
    await scene.rest();
    scene.relabel('a', { pool: 'red' });
    scene.deleteRule('cni');
    await scene.rest();
    expect([scene.taints('a'), scene.owned('a'), scene.rule('cni')]).toEqual([[], undefined, undefined]);
  });

  it('whose rule vanished without its finalizer is freed all the same', async () => {
    const scene = await started({ a: null });
    scene.putRule('cni');
    // By then the record of the node lists the taint, which is the only proof when the rule is gone.
    await scene.run(40_000);
    scene.operator.kill();
    scene.putRule('cni', {}, { finalizers: [] });
    scene.deleteRule('cni');
    scene.start();
    await scene.run(40_000);
    expect(scene.taints('a')).toEqual([]);
  });

  it('whose kubelet forges a record loses no taint of a stranger', async () => {
    const scene = await started({ a: 'True' });
    const stranger = { key: 'other.io/dedicated', effect: 'NoSchedule', value: 'gpu' };
    const forged = {
      taints: {
        'other.io/dedicated:NoSchedule': { owner: 'readiness/NodeReadinessGateRule/gone', wrote: 'gpu' },
      },
    };
    scene.patchNode('a', {
      spec: { taints: [stranger] },
      metadata: { annotations: { 'muster.dev/owned': JSON.stringify(forged) } },
    });
    await scene.run(60_000);
    expect(scene.taints('a')).toEqual([stranger]);
  });

  it('that is deleted takes its evaluation with it', async () => {
    const scene = await started({ a: null, b: null });
    scene.putRule('cni');
    await scene.run(1_000);
    scene.deleteNode('a');
    await scene.run(6_000);
    expect(scene.evaluations()).toEqual(['cni-b']);
    expect(scene.ruleStatus('cni').summary?.totalApplicableNodes).toBe(1);
  });

  it('from which somebody takes the taint gets it back', async () => {
    const scene = await started({ a: null });
    scene.putRule('cni');
    await scene.rest();
    scene.patchNode('a', { spec: { taints: [] } });
    await scene.rest();
    expect(scene.taints('a')).toEqual([gate]);
  });

  it('that its kubelet registered with the taint is adopted, which is told once', async () => {
    const scene = readinessScene();
    scene.putRule('cni');
    const operator = scene.start();
    scene.join('a', null, { taints: [{ key: gateKey, effect: 'NoSchedule' }] });
    await scene.run(60_000);
    expect(told(operator.events, 'TaintAdopted')).toHaveLength(1);
    scene.deleteRule('cni');
    await scene.rest();
    expect(scene.taints('a')).toEqual([]);
  });
});

describe('an edit of a rule', () => {
  it('of its taint moves the taint', async () => {
    const scene = await started({ a: null });
    scene.putRule('cni');
    // By then the record of the node lists the old taint, which the rule does not name any more.
    await scene.run(40_000);
    scene.putRule('cni', { taint: { key: 'example.com/other', effect: 'NoSchedule' } });
    await scene.rest();
    expect(scene.taints('a')).toEqual([{ key: 'example.com/other', effect: 'NoSchedule', value: '' }]);
  });

  it('of its selector moves the gate', async () => {
    const scene = await started({ a: null });
    scene.join('r', null, { labels: { pool: 'red' } });
    scene.putRule('cni');
    await scene.rest();
    scene.putRule('cni', { nodeSelector: { matchLabels: { pool: 'red' } } });
    await scene.rest();
    expect([scene.taints('a'), scene.taints('r')]).toEqual([[], [gate]]);
  });

  it('is observed when it is applied', async () => {
    const scene = await started({ a: null });
    scene.putRule('cni');
    await scene.run(6_000);
    scene.putRule('cni', { healthyFor: '1s' });
    await scene.run(6_000);
    expect(scene.ruleStatus('cni').observedGeneration).toBe(2);
  });

  it('that touches nothing but its status visits no node', async () => {
    const scene = await started({ a: null });
    scene.putRule('cni');
    await scene.run(10_000);
    const before = scene.operator.store.evaluationsOf('a');
    scene.putRule('cni', {}, { labels: { team: 'net' } });
    await scene.rest();
    expect(scene.operator.store.evaluationsOf('a')).toBe(before);
  });
});

describe('a rule that is suspended', () => {
  it('leaves every node as it is and goes on counting', async () => {
    const scene = await started({ a: null, b: 'True' });
    scene.putRule('cni');
    await scene.run(1_000);
    scene.putRule('cni', { suspend: true });
    await scene.rest();
    scene.report('a', 'True');
    scene.report('b', 'False');
    await scene.run(6_000);
    expect([scene.taints('a'), scene.taints('b')]).toEqual([[gate], []]);
    expect(scene.ruleStatus('cni').summary).toMatchObject({
      nodesReady: 1,
      nodesNotReady: 1,
      nodesWithTaint: 1,
    });
    scene.putRule('cni', { suspend: false });
    await scene.rest();
    expect([scene.taints('a'), scene.taints('b')]).toEqual([[], [gate]]);
  });
});

describe('a dry run', () => {
  it('follows the nodes and touches none', async () => {
    const scene = await started({ a: null, b: 'True' });
    scene.putRule('cni', { dryRun: true });
    await scene.run(11_000);
    expect(scene.ruleStatus('cni').dryRunResults).toMatchObject({
      affectedNodes: 2,
      taintsToAdd: 1,
      riskyOperations: 1,
    });
    scene.report('b', 'False');
    await scene.run(11_000);
    expect(scene.ruleStatus('cni').dryRunResults).toMatchObject({ taintsToAdd: 2 });
    expect([scene.taints('a'), scene.taints('b')]).toEqual([[], []]);
  });

  it('becomes real, and what it said is taken back', async () => {
    const scene = await started({ a: null });
    scene.putRule('cni', { dryRun: true });
    await scene.run(11_000);
    scene.putRule('cni', { dryRun: false });
    await scene.run(6_000);
    expect([scene.taints('a'), scene.ruleStatus('cni').dryRunResults]).toEqual([[gate], undefined]);
  });

  it('that is deleted leaves a taint that others set', async () => {
    const scene = await started({ a: null });
    scene.patchNode('a', { spec: { taints: [gate] } });
    scene.putRule('cni', { dryRun: true });
    await scene.run(1_000);
    scene.deleteRule('cni');
    await scene.rest();
    expect([scene.rule('cni'), scene.taints('a')]).toEqual([undefined, [gate]]);
  });
});

describe('two rules on one taint', () => {
  const opposite = { conditions: [{ type: cni, requiredStatus: 'False' }] };

  it('that want opposites never flap, and the younger one says so', async () => {
    const scene = await started({ a: 'True' });
    scene.putRule('old');
    await scene.clock.advance(2_000);
    scene.putRule('young', opposite);
    await scene.run(10_000);
    nodePatches(scene);
    for (const status of ['False', 'True', 'False']) {
      scene.report('a', status);
      await scene.run(20_000);
      expect(scene.taints('a')).toEqual([gate]);
    }
    expect(nodePatches(scene).length).toBeLessThanOrEqual(3);
    expect(scene.conditionOf('young', 'Conflict')).toMatchObject({ status: 'True', reason: 'RuleConflict' });
    expect(scene.conditionOf('old', 'Conflict')).toMatchObject({ status: 'False' });
    expect(told(scene.operator.ruleEvents, 'RuleConflict')).toMatchObject([{ regarding: { name: 'young' } }]);
  });

  it('of different kinds are settled in the same way', async () => {
    const scene = await started({ a: 'True' });
    scene.putRule('cni');
    scene.putUpstreamRule('cni', opposite);
    await scene.run(10_000);
    nodePatches(scene);
    await scene.run(60_000);
    expect([scene.taints('a'), nodePatches(scene)]).toEqual([[gate], []]);
    expect(scene.evaluations()).toHaveLength(2);
  });

  it('are none when one is a dry run', async () => {
    const scene = await started({ a: 'True' });
    scene.putRule('cni');
    scene.putRule('trial', { ...opposite, dryRun: true });
    await scene.run(11_000);
    expect([scene.taints('a'), scene.conditionOf('trial', 'Conflict')?.status]).toEqual([[], 'False']);
  });
});

describe('rules in an order', () => {
  const csi = (spec: object = {}) => ({
    conditions: [{ type: 'CsiReady', requiredStatus: 'True' }],
    taint: { key: 'readiness.k8s.io/csi', effect: 'NoSchedule' },
    ...spec,
  });

  it('have the later one wait for the earlier one', async () => {
    const scene = await started({ a: null });
    scene.putRule('cni');
    scene.putRule('csi', csi({ after: ['cni'] }));
    await scene.run(1_000);
    expect(scene.taints('a')).toEqual([gate]);
    scene.report('a', 'True');
    await scene.rest();
    expect(scene.taints('a')).toMatchObject([{ key: 'readiness.k8s.io/csi' }]);
  });

  it('say that one is missing, and go on when it appears', async () => {
    const scene = await started({ a: 'True' });
    scene.putRule('csi', csi({ after: ['cni'] }));
    await scene.run(6_000);
    expect([scene.taints('a'), scene.conditionOf('csi', 'Degraded')]).toMatchObject([
      [],
      { reason: 'UnknownPredecessor' },
    ]);
    scene.putRule('cni', { nodeSelector: { matchLabels: { pool: 'elsewhere' } } });
    await scene.run(6_000);
    expect(scene.taints('a')).toMatchObject([{ key: 'readiness.k8s.io/csi' }]);
  });
});
