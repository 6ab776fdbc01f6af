import { describe, expect, it } from 'vitest';
import { nodeReadinessGateRuleType } from '../../src/api/keys.ts';
import { noFlags } from '../../src/runtime/gating-policy.ts';
import {
  cni,
  cniSpec,
  gateKey,
  nodeNames as names,
  readinessScene,
  type ReadinessStart,
} from '../support/readiness-scene.ts';

/** A pool of nodes in service, all healthy, with the rule in place. */
async function inService(count: number, spec: object = {}, options: ReadinessStart = {}) {
  const scene = readinessScene();
  for (const name of names(count)) scene.join(name, 'True');
  const operator = scene.start(options);
  scene.putRule('cni', spec);
  await scene.run(1_000);
  return { ...scene, operator };
}

type Scene = Awaited<ReturnType<typeof inService>>;

async function breakAll(scene: Scene, count: number): Promise<void> {
  for (const name of names(count)) scene.report(name, 'False');
  await scene.run(6_000);
}

describe('nodes in service that all fail at once', () => {
  it('are gated up to the budget of their pool, and the rest is held and shown', async () => {
    const scene = await inService(60);
    await breakAll(scene, 60);
    expect(scene.gated()).toHaveLength(15);
    expect(scene.ruleStatus('cni').summary).toMatchObject({
      nodesWithTaint: 15,
      nodesNotReady: 60,
      heldNodes: 45,
    });
    expect(scene.conditionOf('cni', 'Ready')).toMatchObject({ status: 'False', reason: 'GatingIsHeld' });
    expect(scene.operator.metrics.value('muster_held_gates')).toBe(45);
    expect(scene.operator.ruleEvents.filter(({ reason }) => reason === 'GatingIsHeld')).toMatchObject([
      { type: 'Warning', regarding: { name: 'cni' }, note: expect.stringContaining('and 44 more') },
    ]);
  });

  it('are gated one for one as others recover', async () => {
    const scene = await inService(60);
    await breakAll(scene, 60);
    const before = scene.gated();
    for (const name of before.slice(0, 5)) scene.report(name, 'True');
    await scene.rest();
    const after = scene.gated();
    expect(after).toHaveLength(15);
    expect(before.slice(0, 5).filter((name) => after.includes(name))).toEqual([]);
  });

  it('do not wait for places that a node which recovered did not take', async () => {
    const scene = await inService(60);
    await breakAll(scene, 60);
    for (const name of names(60)
      .filter((each) => !scene.gated().includes(each))
      .slice(0, 40))
      scene.report(name, 'True');
    await scene.rest();
    for (const name of scene.gated()) scene.report(name, 'True');
    await scene.rest();
    expect(scene.gated()).toHaveLength(5);
  });

  it('are gated beyond the budget where a person has confirmed the impact', async () => {
    const scene = await inService(60);
    await breakAll(scene, 60);
    scene.putRule('cni', {}, { annotations: { 'muster.dev/confirm-impact': '1/40' } });
    await scene.rest();
    expect(scene.gated()).toHaveLength(40);
  });

  it('are all gated when the budget is lifted on the command line', async () => {
    const gatingFlags = { ...noFlags, gateBudget: { kind: 'percent', max: 100 } } as const;
    const scene = await inService(60, {}, { gatingFlags });
    await breakAll(scene, 60);
    expect(scene.gated()).toHaveLength(60);
  });

  it('are gated up to what the rule itself allows', async () => {
    const scene = await inService(60, { maxNewlyGated: 3 });
    await breakAll(scene, 60);
    expect(scene.gated()).toHaveLength(3);
    scene.putRule('cni', { maxNewlyGated: 5 });
    await scene.rest();
    expect(scene.gated()).toHaveLength(5);
  });

  it('are gated up to what the rule itself allows, though another rule gates them already', async () => {
    const capped = 'readiness.k8s.io/Capped';
    const scene = await inService(20);
    scene.putRule('capped', { taint: { key: capped, effect: 'NoSchedule' }, maxNewlyGated: 3 });
    await scene.rest();
    await breakAll(scene, 20);
    const carriers = names(20).filter((name) => JSON.stringify(scene.taints(name)).includes(capped));
    expect([scene.gated().length, carriers.length]).toEqual([10, 3]);
  });

  it('are still counted after a restart', async () => {
    const scene = await inService(60);
    await breakAll(scene, 60);
    scene.operator.kill();
    scene.start();
    await scene.run(10_000);
    expect(scene.gated()).toHaveLength(15);
  });

  it('are counted by pool', async () => {
    const scene = readinessScene();
    for (const name of names(60))
      scene.join(name, 'True', { labels: { pool: name < 'node-30' ? 'blue' : 'red' } });
    scene.start();
    scene.putRule('cni', { nodeSelector: { matchExpressions: [{ key: 'pool', operator: 'Exists' }] } });
    await scene.run(1_000);
    for (const name of names(60)) scene.report(name, 'False');
    await scene.run(1_000);
    expect(scene.gated()).toHaveLength(20);
  });
});

describe('a policy', () => {
  it('that asks to pause holds every gate on a node in service, until it ends', async () => {
    const scene = await inService(4);
    const until = new Date(scene.clock.now() + 60_000).toISOString();
    scene.putPolicy({ pauseRequests: [{ by: 'ann', reason: 'release day', until }] });
    await scene.rest();
    for (const name of names(4)) scene.report(name, 'False');
    await scene.run(10_000);
    expect(scene.gated()).toEqual([]);
    await scene.run(60_000);
    expect(scene.gated()).toHaveLength(4);
  });

  it('never holds a release', async () => {
    const scene = await inService(4);
    scene.report('node-00', 'False');
    await scene.rest();
    scene.putPolicy({ pauseRequests: [{ by: 'ann', reason: 'r' }], authority: 'observe' });
    scene.report('node-00', 'True');
    await scene.rest();
    expect(scene.gated()).toEqual([]);
  });

  it('that holds a node leaves it alone, and no other', async () => {
    const scene = await inService(2);
    scene.putPolicy({ holds: [{ node: 'node-00', reason: 'debugging' }] });
    await scene.rest();
    for (const name of names(2)) scene.report(name, 'False');
    await scene.rest();
    expect(scene.gated()).toEqual(['node-01']);
    scene.putPolicy({});
    await scene.rest();
    expect(scene.gated()).toEqual(names(2));
  });

  it('that holds a node for a time says why, and lets go of it by itself', async () => {
    const scene = await inService(2);
    const until = new Date(scene.clock.now() + 60_000).toISOString();
    scene.putPolicy({ holds: [{ node: 'node-00', reason: 'debugging', until }] });
    await scene.rest();
    await breakAll(scene, 2);
    expect(scene.gated()).toEqual(['node-01']);
    expect(scene.conditionOf('cni', 'Ready')).toMatchObject({
      reason: 'GatingIsHeld',
      message: `node-00: ${gateKey}:NoSchedule is not set: the policy holds the node: debugging`,
    });
    await scene.run(60_000);
    expect(scene.gated()).toEqual(names(2));
  });

  it('whose authority is to observe has nothing set, and nothing of strangers removed', async () => {
    const scene = await inService(2, {}, { gatingFlags: { ...noFlags, authority: 'observe' } });
    scene.report('node-00', 'False');
    scene.patchNode('node-01', { spec: { taints: [{ key: gateKey, effect: 'NoSchedule' }] } });
    await scene.run(6_000);
    expect(scene.gated()).toEqual(['node-01']);
    expect(scene.conditionOf('cni', 'Ready')).toMatchObject({
      reason: 'GatingIsHeld',
      message: expect.stringContaining('the authority is to observe'),
    });
  });
});

describe('an authority to observe that ends', () => {
  it.each<[string, object, string]>([
    ['a taint that keeps nobody away', { taint: { key: gateKey, effect: 'PreferNoSchedule' } }, 'False'],
    ['the mark of a bootstrap', { enforcementMode: 'bootstrap-only' }, 'True'],
  ])('has %s written at once', async (_, spec, network) => {
    const scene = readinessScene();
    scene.join('a', network);
    scene.putPolicy({ authority: 'observe' });
    scene.start();
    scene.putRule('cni', spec);
    await scene.run(60_000);
    const written = () => [scene.gated(), Object.keys(scene.annotations('a'))].flat();
    expect(written()).toEqual([]);
    scene.putPolicy({ authority: 'gate' });
    await scene.run(1_000);
    expect(written().length).toBeGreaterThan(0);
  });
});

describe('a rule that evicts', () => {
  const evict = { taint: { key: gateKey, effect: 'NoExecute' } };

  it('sets no taint until the policy allows its key, and says so', async () => {
    const scene = await inService(2, evict);
    await breakAll(scene, 2);
    expect(scene.gated()).toEqual([]);
    expect(scene.conditionOf('cni', 'NoExecuteNotAllowed')).toMatchObject({ status: 'True' });
    scene.putPolicy({ authority: 'act', noExecute: { allowedTaintKeys: [gateKey] } });
    await scene.run(6_000);
    expect(scene.gated()).toHaveLength(1);
    expect(scene.conditionOf('cni', 'NoExecuteNotAllowed')).toBeUndefined();
  });

  it('evicts a tenth of the pool at most, and one more for each that is let go', async () => {
    const scene = await inService(20, evict);
    scene.putPolicy({ authority: 'act', noExecute: { allowedTaintKeys: [gateKey] } });
    await breakAll(scene, 20);
    const first = scene.gated();
    expect([first.length, scene.ruleStatus('cni').summary?.heldNodes]).toEqual([2, 18]);
    scene.report(first[0] ?? '', 'True');
    await scene.run(6_000);
    expect([scene.gated().length, scene.gated().includes(first[0] ?? '')]).toEqual([2, false]);
  });

  it('says on the taint since when', async () => {
    const scene = await inService(1, evict);
    scene.putPolicy({ authority: 'act', noExecute: { allowedTaintKeys: [gateKey] } });
    await breakAll(scene, 1);
    expect(scene.taints('node-00')).toMatchObject([
      { effect: 'NoExecute', timeAdded: expect.stringMatching(/^2026-/) },
    ]);
    scene.wrote();
    await scene.run(120_000);
    expect(scene.wrote().filter((words) => words.startsWith('patch nodes/'))).toEqual([]);
  });
});

describe('an edit of the generation', () => {
  it('ends the consent to the one before', async () => {
    const scene = await inService(60);
    scene.api.put(nodeReadinessGateRuleType, {
      metadata: { ...scene.rule('cni')?.metadata, annotations: { 'muster.dev/confirm-impact': '1/40' } },
      spec: { ...cniSpec, healthyFor: '1s' },
    });
    await scene.rest();
    await breakAll(scene, 60);
    expect(scene.gated()).toHaveLength(15);
  });
});

describe('two rules on one taint', () => {
  it('leave it to the one that wants it to wait for the brake', async () => {
    const policy = { gating: { percent: 0, nodes: 1 } };
    const scene = readinessScene();
    for (const name of names(3)) scene.join(name, 'True');
    scene.putPolicy(policy);
    scene.start();
    await scene.run(1_000);
    scene.putRule('content');
    await scene.clock.advance(2_000);
    scene.putRule('demanding', { conditions: [{ type: cni, requiredStatus: 'False' }] });
    await scene.run(10_000);
    expect(scene.gated()).toHaveLength(1);
    expect(scene.conditionOf('demanding', 'Ready')).toMatchObject({ reason: 'GatingIsHeld' });
    expect(scene.conditionOf('content', 'Ready')).toMatchObject({ status: 'True', reason: 'Applied' });
    expect(scene.evaluations()).toHaveLength(6);
  });
});
