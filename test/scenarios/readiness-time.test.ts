import { describe, expect, it } from 'vitest';
import { nodeType } from '../../src/objects/ref.ts';
import { apiFailure } from '../support/api-failure.ts';
import { cni, gate, gateKey, nodeNames, readinessScene } from '../support/readiness-scene.ts';

async function started(spec: object, network: string | null = 'True') {
  const scene = readinessScene();
  scene.join('a', network);
  const operator = scene.start();
  scene.putRule('cni', spec);
  await scene.run(1_000);
  return { ...scene, operator };
}

const taintWrites = (scene: Pick<ReturnType<typeof readinessScene>, 'wrote'>) =>
  scene.wrote().filter((words) => words.startsWith('patch nodes/'));

describe('a condition that flaps every second for half a minute', () => {
  it('changes the taint at most once', async () => {
    const scene = await started({ healthyFor: '10s', unhealthyFor: '10s' });
    taintWrites(scene);
    for (let second = 0; second < 30; second++) {
      scene.report('a', second % 2 === 0 ? 'False' : 'True');
      await scene.run(1_000);
    }
    await scene.run(60_000);
    expect(taintWrites(scene).length).toBeLessThanOrEqual(1);
    expect(scene.taints('a')).toEqual([]);
  });
});

describe('a node that recovers', () => {
  it('is released when it has been healthy for long enough, without another event', async () => {
    const scene = await started({ healthyFor: '30s' }, 'False');
    scene.report('a', 'True');
    await scene.run(28_000);
    expect(scene.taints('a')).toEqual([gate]);
    await scene.run(5_000);
    expect(scene.taints('a')).toEqual([]);
  });
});

describe('a dry run of a rule that waits', () => {
  const dryRun = { dryRun: true, healthyFor: '30s', unhealthyFor: '30s' };
  const would = (scene: Awaited<ReturnType<typeof started>>) => {
    const { taintsToAdd, taintsToRemove } = scene.ruleStatus('cni').dryRunResults ?? {};
    return [taintsToAdd, taintsToRemove];
  };

  it('says that a node would be gated when the wait is over, without another event', async () => {
    const scene = await started(dryRun);
    scene.report('a', 'False');
    await scene.run(25_000);
    expect(would(scene)).toEqual([0, 0]);
    await scene.run(20_000);
    expect([would(scene), scene.taints('a')]).toEqual([[1, 0], []]);
  });

  it('says that a node would be released when the wait is over, without another event', async () => {
    const scene = await started(dryRun, 'False');
    scene.patchNode('a', { spec: { taints: [gate] } });
    scene.report('a', 'True');
    await scene.run(25_000);
    expect(would(scene)).toEqual([0, 0]);
    await scene.run(20_000);
    expect([would(scene), scene.taints('a')]).toEqual([[0, 1], [gate]]);
  });
});

describe('a condition whose reporter died', () => {
  it('stops counting when it is too old, without another event', async () => {
    const scene = await started({ maxConditionAge: '2m' });
    scene.report('a', 'True');
    await scene.run(100_000);
    expect(scene.taints('a')).toEqual([]);
    await scene.run(30_000);
    expect(scene.taints('a')).toEqual([gate]);
    expect(scene.operator.store.get('a')?.verdicts[0]?.reason).toBe('ConditionStale');
  });

  it('counts again as soon as somebody confirms it, though it says the same', async () => {
    const scene = await started({ maxConditionAge: '2m' });
    await scene.run(130_000);
    expect(scene.taints('a')).toEqual([gate]);
    const { conditions = [] } = (scene.find(nodeType, 'a')?.status ?? {}) as {
      conditions?: { type: string }[];
    };
    const lastHeartbeatTime = new Date(scene.clock.now()).toISOString();
    const confirmed = conditions.map((each) => (each.type === cni ? { ...each, lastHeartbeatTime } : each));
    scene.patchNode('a', { status: { conditions: confirmed } });
    await scene.rest();
    expect(scene.taints('a')).toEqual([]);
  });

  it('gates a node that was released when it has not counted for long enough', async () => {
    const scene = await started({ maxConditionAge: '2m', unhealthyFor: '1m' });
    scene.report('a', 'True');
    await scene.run(150_000);
    expect(scene.taints('a')).toEqual([]);
    await scene.run(35_000);
    expect(scene.taints('a')).toEqual([gate]);
  });
});

describe('a rule of mode bootstrap-only', () => {
  const bootstrap = { enforcementMode: 'bootstrap-only' };
  const markers = (scene: Awaited<ReturnType<typeof started>>) =>
    Object.keys(scene.annotations('a')).filter((key) => key.includes('bootstrap-completed'));

  it('gates a node until it is ready once, marks it and tells of it', async () => {
    const scene = await started(bootstrap, null);
    expect([scene.taints('a'), markers(scene)]).toEqual([[gate], []]);
    scene.report('a', 'True');
    await scene.rest();
    expect([scene.taints('a'), markers(scene)]).toEqual([
      [],
      [`readiness.k8s.io/bootstrap-completed-${scene.rule('cni')?.metadata?.uid}`],
    ]);
    expect(scene.operator.events.filter(({ reason }) => reason === 'BootstrapCompleted')).toHaveLength(1);
    scene.report('a', 'False');
    await scene.run(6_000);
    expect(scene.taints('a')).toEqual([]);
    expect(scene.ruleStatus('cni').summary?.bootstrapCompletedNodes).toBe(1);
  });

  it('never gates a node that is healthy when the rule comes', async () => {
    const scene = await started(bootstrap);
    expect(markers(scene)).toHaveLength(1);
  });

  it('honours the marker of the form before', async () => {
    const scene = await started(bootstrap, 'True');
    scene.join('b', null, { annotations: { 'readiness.k8s.io/bootstrap-completed-cni': 'true' } });
    await scene.rest();
    expect(scene.taints('b')).toEqual([]);
  });

  it('takes its markers along when it is deleted', async () => {
    const scene = await started(bootstrap);
    scene.deleteRule('cni');
    await scene.rest();
    expect([markers(scene), scene.rule('cni')]).toEqual([[], undefined]);
  });

  it('gates anew after a reboot where it is asked to', async () => {
    const scene = await started({ ...bootstrap, bootstrap: { perBoot: true } });
    scene.report('a', 'False');
    await scene.rest();
    expect(scene.taints('a')).toEqual([]);
    scene.patchNode('a', { status: { nodeInfo: { bootID: 'boot-2' } } });
    await scene.rest();
    expect(scene.taints('a')).toEqual([gate]);
    scene.report('a', 'True');
    await scene.rest();
    expect([scene.taints('a'), markers(scene).length]).toEqual([[], 1]);
  });

  it('never shows a marker that it wrote and the taint together, however rules and nodes change', async () => {
    const scene = await started(bootstrap, null);
    for (let turn = 0; turn < 20; turn++) {
      scene.report('a', ['True', 'False', null][turn % 3] ?? null);
      if (turn % 5 === 0) scene.putRule('cni', { ...bootstrap, healthyFor: `${turn + 1}s` });
      await scene.rest();
      expect(scene.gated().length > 0 && markers(scene).length > 0).toBe(false);
    }
  });
});

describe('the status of a rule', () => {
  const statusWrites = (scene: Pick<ReturnType<typeof readinessScene>, 'wrote'>) =>
    scene.wrote().filter((words) => words === 'patch nodereadinessgaterules/cni/status').length;

  it('is written at most once in five seconds, and never put off by steady change', async () => {
    const scene = await started({});
    await scene.run(10_000);
    statusWrites(scene);
    for (let second = 0; second < 60; second++) {
      scene.report('a', second % 2 === 0 ? 'False' : 'True');
      await scene.run(1_000);
    }
    const writes = statusWrites(scene);
    expect([writes <= 13, writes >= 5]).toEqual([true, true]);
  });

  it('comes half a second after the rule, by one write that counts all of its nodes', async () => {
    const scene = readinessScene();
    for (const name of nodeNames(20)) scene.join(name, 'True');
    scene.start();
    await scene.run(5_000);
    scene.putRule('cni');
    await scene.run(600);
    expect(statusWrites(scene)).toBe(1);
    expect(scene.ruleStatus('cni')).toMatchObject({
      observedGeneration: 1,
      summary: { totalApplicableNodes: 20, nodesReady: 20 },
    });
  });

  it('tells of a failure within a second', async () => {
    const scene = await started({});
    await scene.run(10_000);
    scene.report('a', 'False');
    scene.faults.before = ({ verb, ref }) =>
      verb === 'patch' && ref.type.kind === 'Node'
        ? apiFailure('ServerError', { message: 'etcd is down' })
        : null;
    await scene.run(1_100);
    expect(scene.ruleStatus('cni')).toMatchObject({
      failedNodes: [{ nodeName: 'a', reason: 'WriteFailed', message: 'etcd is down' }],
      failedNodeCount: 1,
    });
    expect(scene.conditionOf('cni', 'Degraded')).toMatchObject({ status: 'True', reason: 'NodesFailing' });
    scene.faults.before = () => null;
    await scene.run(120_000);
    expect(scene.ruleStatus('cni').failedNodes).toBeUndefined();
    expect([scene.taints('a'), scene.conditionOf('cni', 'Degraded')?.status]).toEqual([[gate], 'False']);
  });

  it('tells of failures that go on changing once in a second, and warns of them once', async () => {
    const scene = await started({});
    for (const name of ['b', 'c', 'd', 'e']) scene.join(name, 'True');
    await scene.run(40_000);
    statusWrites(scene);
    let failures = 0;
    scene.faults.before = ({ verb, ref }) =>
      verb === 'patch' && ref.type.kind === 'Node'
        ? apiFailure('ServerError', { message: `refused ${++failures} times` })
        : null;
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      scene.report(name, 'False');
      await scene.run(200);
    }
    await scene.run(4_000);
    expect(failures).toBeGreaterThan(5);
    const writes = statusWrites(scene);
    expect([writes >= 2, writes <= 6]).toEqual([true, true]);
    expect(scene.operator.ruleEvents.filter(({ reason }) => reason === 'NodesFailing')).toMatchObject([
      { type: 'Warning', regarding: { name: 'cni' } },
    ]);
  });

  it('does not tell for ever of a failure that was none', async () => {
    const scene = await started({});
    await scene.run(10_000);
    let isLost = false;
    scene.faults.after = ({ verb, ref }) => {
      if (isLost || verb !== 'patch' || ref.type.kind !== 'Node') return null;
      isLost = true;
      return apiFailure('Timeout', { effect: 'unknown' });
    };
    scene.report('a', 'False');
    await scene.run(20_000);
    expect([isLost, scene.taints('a'), scene.ruleStatus('cni').failedNodes]).toEqual([
      true,
      [gate],
      undefined,
    ]);
  });

  it('of a dry run is written at most once in ten seconds', async () => {
    const scene = await started({ dryRun: true });
    await scene.run(11_000);
    statusWrites(scene);
    for (let second = 0; second < 60; second++) {
      scene.report('a', second % 2 === 0 ? 'False' : 'True');
      await scene.run(1_000);
    }
    expect(statusWrites(scene)).toBeLessThanOrEqual(7);
  });
});

describe('what is counted', () => {
  it('bears the names that dashboards know, and never a node', async () => {
    const scene = await started({}, 'False');
    scene.join('b', 'True');
    await scene.run(1_000);
    const { metrics } = scene.operator;
    expect({
      rules: metrics.value('node_readiness_rules_total'),
      byMode: metrics.value('node_readiness_rules', { enforcement_mode: 'continuous', dry_run: 'false' }),
      matched: metrics.value('node_readiness_rule_matched_nodes', { rule: 'cni' }),
      held: metrics.value('node_readiness_rule_nodes', { rule: 'cni', state: 'held' }),
      released: metrics.value('node_readiness_rule_nodes', { rule: 'cni', state: 'released' }),
      blocked: metrics.value('node_readiness_blocked_nodes', { rule: 'cni', condition: cni }),
      added: metrics.value('node_readiness_taint_operations_total', { rule: 'cni', operation: 'add' }),
      latency: metrics.value('node_readiness_enforcement_latency_seconds', { rule: 'cni', operation: 'add' }),
    }).toEqual({ rules: 1, byMode: 1, matched: 2, held: 1, released: 1, blocked: 1, added: 1, latency: 1 });
    scene.deleteRule('cni');
    await scene.rest();
    expect(metrics.value('node_readiness_rule_matched_nodes', { rule: 'cni' })).toBe(0);
    expect(gateKey).toBe(gate.key);
  });
});
