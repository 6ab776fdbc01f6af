import { describe, expect, it } from 'vitest';
import { nodeType } from '../../src/objects/ref.ts';
import { apiFailure } from '../support/api-failure.ts';
import { isPatchOf } from '../support/centre-scene.ts';
import { cni, gate, readinessScene } from '../support/readiness-scene.ts';

const rule = 'cni';

async function started(spec: object = {}, network: string | null = 'False') {
  const scene = readinessScene();
  scene.join('worker-1', network);
  const operator = scene.start();
  await scene.run(1_000);
  scene.putRule(rule, spec);
  await scene.run(6_000);
  const of = (name: string, labels: Readonly<Record<string, string>> = { rule }) =>
    operator.metrics.value(`node_readiness_${name}`, labels);
  return { ...scene, operator, of };
}

type Started = Awaited<ReturnType<typeof started>>;

describe('evaluations of a rule', () => {
  it('are timed, and the last one is shown while there is the rule', async () => {
    const scene = await started();
    expect(scene.of('evaluation_duration_seconds')).toBeGreaterThan(0);
    const last = scene.of('rule_last_reconciliation_timestamp_seconds');
    expect(last).toBeGreaterThan(scene.clock.now() / 1000 - 60);
    scene.deleteRule(rule);
    await scene.run(60_000);
    expect(scene.of('rule_last_reconciliation_timestamp_seconds')).toBe(0);
  });

  it('count a condition each time that it begins to fail, however often somebody looks', async () => {
    const scene = await started();
    const failures = () => scene.of('condition_failures_total', { rule, condition: cni });
    expect(failures()).toBe(1);
    await scene.run(1_300_000);
    expect(failures()).toBe(1);
    scene.report('worker-1', 'True');
    await scene.run(1_000);
    scene.report('worker-1', 'False');
    await scene.run(1_000);
    expect(failures()).toBe(2);
  });
});

describe('a taint that was changed', () => {
  it('counts by how long it followed the newest condition', async () => {
    const scene = await started({ healthyFor: '20s', unhealthyFor: '40s' });
    const seconds = () => scene.operator.metrics.observed('node_readiness_reconciliation_latency_seconds');
    const count = (operation: string) => scene.of('reconciliation_latency_seconds', { rule, operation });
    await scene.run(60_000);
    const before = seconds().length;
    expect([scene.taints('worker-1'), count('add_taint')]).toEqual([[gate], 1]);
    scene.report('worker-1', 'True');
    await scene.run(30_000);
    expect(scene.taints('worker-1')).toEqual([]);
    scene.report('worker-1', 'False');
    await scene.run(50_000);
    expect(scene.taints('worker-1')).toEqual([gate]);
    expect(seconds().slice(before).map(Math.floor)).toEqual([20, 40]);
    expect([count('remove_taint'), count('add_taint')]).toEqual([1, 2]);
    expect(scene.operator.metrics.observed('node_readiness_enforcement_latency_seconds')).toEqual(seconds());
  });
});

describe('a bootstrap', () => {
  const bootstrap = { enforcementMode: 'bootstrap-only' };
  const durations = (scene: Started) =>
    scene.operator.metrics.observed('node_readiness_bootstrap_duration_seconds');

  it('that is over counts once, with the time since the node was born', async () => {
    const scene = await started(bootstrap, 'True');
    const before = scene.of('bootstrap_completed_total');
    scene.join('worker-2', 'False');
    await scene.run(25_000);
    expect([scene.of('bootstrap_completed_total') - before, durations(scene)]).toEqual([0, []]);
    scene.report('worker-2', 'True');
    await scene.run(5_000);
    scene.report('worker-2', 'False');
    await scene.run(5_000);
    expect([scene.of('bootstrap_completed_total') - before, durations(scene)]).toEqual([1, [25]]);
  });

  it('of a node that was there before the rule counts without a time', async () => {
    const scene = await started(bootstrap);
    scene.report('worker-1', 'True');
    await scene.run(5_000);
    expect([scene.of('bootstrap_completed_total'), durations(scene)]).toEqual([1, []]);
  });
  const held = (scene: Started, origin: string) =>
    scene.of('bootstrap_hold_duration_seconds', { rule, taint_origin: origin });

  it('is timed from where the taint was set to where it went', async () => {
    const scene = await started(bootstrap);
    scene.report('worker-1', 'True');
    await scene.run(1_000);
    expect([held(scene, 'controller'), held(scene, 'adopted')]).toEqual([1, 0]);
  });

  it('says so where the node came with the taint', async () => {
    const scene = readinessScene();
    scene.join('worker-1', 'False', { taints: [gate] });
    const operator = scene.start();
    scene.putRule(rule, bootstrap);
    await scene.run(6_000);
    scene.report('worker-1', 'True');
    await scene.run(1_000);
    const of = (name: string, labels: Readonly<Record<string, string>>) =>
      operator.metrics.value(`node_readiness_${name}`, labels);
    expect(of('bootstrap_hold_duration_seconds', { rule, taint_origin: 'adopted' })).toBe(1);
  });
});

describe('the nodes of a rule by state', () => {
  const states = (scene: Started) =>
    ['ready', 'not_ready', 'bootstrapping'].map((state) => scene.of('nodes_by_state', { rule, state }));

  it('are ready or not, each in one state alone', async () => {
    const scene = await started();
    scene.join('worker-2', 'True');
    await scene.run(1_000);
    expect(states(scene)).toEqual([1, 1, 0]);
  });

  it('are through their bootstrap or not, whatever became of them since', async () => {
    const scene = await started({ enforcementMode: 'bootstrap-only' });
    scene.join('worker-2', 'True');
    await scene.run(1_000);
    scene.report('worker-2', 'False');
    await scene.run(1_000);
    expect(states(scene)).toEqual([1, 0, 1]);
  });
});

describe('rules of both kinds with one name', () => {
  it('are counted together', async () => {
    const scene = await started();
    scene.join('worker-2', 'True', { labels: { pool: 'red' } });
    const nodeSelector = { matchLabels: { pool: 'red' } };
    const taint = { key: 'readiness.k8s.io/other', effect: 'NoSchedule' };
    scene.putUpstreamRule(rule, { nodeSelector, taint });
    await scene.run(6_000);
    expect(scene.of('rule_matched_nodes')).toBe(2);
    expect(scene.of('rule_nodes', { rule, state: 'held' })).toBe(1);
    expect(scene.of('rule_nodes', { rule, state: 'released' })).toBe(1);
    expect(scene.of('blocked_nodes', { rule, condition: cni })).toBe(1);
  });
});

describe('the metrics of readiness', () => {
  it('end with their rule, so that rules which come and go leave nothing behind', async () => {
    const scene = await started({ enforcementMode: 'bootstrap-only' });
    let failures = 0;
    scene.faults.before = (call) =>
      isPatchOf(nodeType, 'worker-1')(call) && failures++ < 2
        ? apiFailure(failures === 1 ? 'Conflict' : 'ServerError')
        : null;
    scene.report('worker-1', 'True');
    await scene.run(10_000);
    const ofRule = () => scene.operator.metrics.series().filter((each) => each.includes('rule=cni'));
    expect(ofRule().length).toBeGreaterThan(15);
    scene.putUpstreamRule(rule, { taint: { key: 'readiness.k8s.io/other', effect: 'NoSchedule' } });
    await scene.run(6_000);
    scene.deleteRule(rule);
    await scene.run(60_000);
    // The rule of the other kind still goes by that name.
    expect(ofRule().length).toBeGreaterThan(15);
    scene.deleteUpstreamRule(rule);
    await scene.run(60_000);
    expect(ofRule()).toEqual([]);
  });

  it('say which version runs', async () => {
    const scene = await started();
    expect(scene.of('build_info', { version: 'dev' })).toBe(1);
  });

  it('never carry the name of a node', async () => {
    const scene = await started();
    scene.report('worker-1', 'True');
    await scene.run(60_000);
    const series = scene.operator.metrics.series();
    expect(series.filter((each) => each.startsWith('node_readiness_')).length).toBeGreaterThan(10);
    expect(series.filter((each) => each.includes('worker-1'))).toEqual([]);
  });
});
