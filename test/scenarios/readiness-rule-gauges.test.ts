import { describe, expect, it } from 'vitest';
import { nodeReadinessGateRuleType } from '../../src/api/keys.ts';
import { nodeType } from '../../src/objects/ref.ts';
import { apiFailure } from '../support/api-failure.ts';
import { isPatchOf } from '../support/centre-scene.ts';
import { cni, gate, nodeNames, readinessScene } from '../support/readiness-scene.ts';

const rule = 'cni';
const gpu = 'example.com/GpuReady';

/** A rule, and the nodes that have said `network` of themselves. */
async function started(spec: object = {}, network: Readonly<Record<string, string | null>> = {}) {
  const scene = readinessScene();
  for (const [name, status] of Object.entries(network)) scene.join(name, status);
  const { metrics } = scene.start();
  scene.putRule(rule, spec);
  await scene.run(6_000);
  const of = (name: string, labels: Readonly<Record<string, string>>) =>
    metrics.value(`node_readiness_${name}`, { rule, ...labels });
  return {
    ...scene,
    blocked: (condition = cni) => of('blocked_nodes', { condition }),
    nodes: () => [of('rule_nodes', { state: 'held' }), of('rule_nodes', { state: 'released' })],
  };
}

describe('a node that is blocked', () => {
  it('carries the taint, and counts for each condition that is not met', async () => {
    const conditions = [cni, gpu].map((type) => ({ type, requiredStatus: 'True' }));
    const scene = await started({ conditions }, { a: 'False', b: 'True', c: null });
    expect([scene.blocked(cni), scene.blocked(gpu)]).toEqual([2, 3]);
    scene.report('a', 'True');
    scene.report('b', 'True', gpu);
    await scene.run(1_000);
    expect([scene.blocked(cni), scene.blocked(gpu)]).toEqual([1, 2]);
  });

  it('is none of a dry run, though it carries the taint', async () => {
    const scene = await started({ dryRun: true });
    scene.join('a', 'False', { taints: [gate] });
    await scene.run(1_000);
    expect([scene.taints('a'), scene.blocked()]).toEqual([[gate], 0]);
  });

  it('is none that a rule found when it was suspended already', async () => {
    const scene = await started({ suspend: true }, { a: 'False' });
    expect([scene.taints('a'), scene.blocked()]).toEqual([[], 0]);
  });

  it('is none that is through its bootstrap', async () => {
    const scene = await started({ enforcementMode: 'bootstrap-only' }, { a: 'True', b: 'False' });
    scene.report('a', 'False');
    await scene.run(1_000);
    expect([scene.taints('a'), scene.blocked()]).toEqual([[], 1]);
  });

  it('is none that the brake keeps from being gated', async () => {
    const names = nodeNames(60);
    const scene = await started({}, Object.fromEntries(names.map((name) => [name, 'True'])));
    for (const name of names) scene.report(name, 'False');
    await scene.run(6_000);
    expect([scene.gated().length, scene.blocked()]).toEqual([15, 15]);
  });

  it('is none to which one condition of several is enough, though it is not let go yet', async () => {
    const conditions = [cni, gpu].map((type) => ({ type, requiredStatus: 'True' }));
    const anyOf = { conditions, conditionPolicy: 'anyOf', healthyFor: '30s' };
    const scene = await started(anyOf, { a: 'False' });
    expect([scene.blocked(cni), scene.blocked(gpu)]).toEqual([1, 1]);
    scene.report('a', 'True');
    await scene.run(1_000);
    expect([scene.taints('a'), scene.blocked(cni), scene.blocked(gpu)]).toEqual([[gate], 0, 0]);
  });
});

describe('a rule that is being deleted', () => {
  it('shows the nodes that still carry its taint until it is gone', async () => {
    const scene = await started({}, { a: 'False', b: 'False', c: 'True' });
    scene.join('elsewhere', 'False', { labels: { pool: 'red' }, taints: [gate] });
    const isPatchOfNode = isPatchOf(nodeType, 'a');
    scene.faults.before = (call) => (isPatchOfNode(call) ? apiFailure('ServerError') : null);
    scene.deleteRule(rule);
    await scene.run(5_000);
    expect(scene.rule(rule)?.metadata?.deletionTimestamp).toBeTypeOf('string');
    expect(scene.nodes()).toEqual([1, 2]);
    scene.faults.before = () => null;
    await scene.run(120_000);
    expect(scene.rule(rule)).toBeUndefined();
    expect(scene.nodes()).toEqual([0, 0]);
  });

  it('shows none of a dry run', async () => {
    const scene = await started({ dryRun: true });
    scene.join('a', 'False', { taints: [gate] });
    await scene.run(1_000);
    const isPatchOfRule = isPatchOf(nodeReadinessGateRuleType, rule);
    scene.faults.before = (call) => (isPatchOfRule(call) ? apiFailure('ServerError') : null);
    scene.deleteRule(rule);
    await scene.run(5_000);
    expect(scene.rule(rule)?.metadata?.deletionTimestamp).toBeTypeOf('string');
    expect(scene.nodes()).toEqual([0, 0]);
  });
});
