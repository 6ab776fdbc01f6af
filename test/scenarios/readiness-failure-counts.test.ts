import { describe, expect, it } from 'vitest';
import { nodeReadinessGateRuleType } from '../../src/api/keys.ts';
import type { Metrics } from '../../src/base/metrics.ts';
import { createReadiness } from '../../src/capabilities/readiness/capability.ts';
import type { NodeView } from '../../src/objects/node.ts';
import { nodeType } from '../../src/objects/ref.ts';
import type { NodeCapability } from '../../src/runtime/capability.ts';
import { lifecycleSpec, nodeSpec } from '../../src/runtime/specs.ts';
import { apiFailure } from '../support/api-failure.ts';
import { isPatchOf } from '../support/centre-scene.ts';
import { gate, readinessScene } from '../support/readiness-scene.ts';

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

/** The next patch of the node. */
function failOnce(scene: Started): void {
  let failures = 0;
  scene.faults.before = (call) =>
    isPatchOf(nodeType, 'worker-1')(call) && failures++ < 1 ? apiFailure('ServerError') : null;
}

/** By reason. */
function failuresOf({ operator, of }: Started): Readonly<Record<string, number>> {
  const found = operator.metrics.series().flatMap((each) => {
    const [, reason] = /^node_readiness_failures_total\{reason=(\w+),rule=cni\}$/.exec(each) ?? [];
    return reason === undefined ? [] : [reason];
  });
  return Object.fromEntries(found.map((reason) => [reason, of('failures_total', { rule, reason })]));
}

const counts = (reasons: readonly string[], count: number) =>
  Object.fromEntries(reasons.map((reason) => [reason, count]));

describe('a taint that cannot be changed', () => {
  it('counts as a conflict when somebody else wrote the node first', async () => {
    const scene = await started();
    let conflicts = 0;
    scene.faults.before = (call) =>
      isPatchOf(nodeType, 'worker-1')(call) && conflicts++ < 2 ? apiFailure('Conflict') : null;
    scene.report('worker-1', 'True');
    await scene.run(10_000);
    expect(scene.taints('worker-1')).toEqual([]);
    expect(scene.of('api_conflicts_total', { rule, operation: 'remove' })).toBe(2);
    expect(failuresOf(scene)).toEqual({});
  });

  it.each([
    ['added', 'True', 'False', ['AddTaintError', 'add_taint_error']],
    ['removed', 'False', 'True', ['RemoveTaintError', 'remove_taint_error']],
  ])(
    'counts as a failure, under the names of today and those to come: %s',
    async (_what, before, after, own) => {
      const scene = await started({}, before);
      failOnce(scene);
      scene.report('worker-1', after);
      await scene.run(10_000);
      expect(scene.taints('worker-1')).toEqual(after === 'True' ? [] : [gate]);
      expect(failuresOf(scene)).toEqual(counts([...own, 'EvaluationError', 'evaluation_error'], 1));
    },
  );

  it('counts as one of the mark as well where the bootstrap is over with it', async () => {
    const scene = await started({ enforcementMode: 'bootstrap-only' });
    failOnce(scene);
    scene.report('worker-1', 'True');
    await scene.run(10_000);
    expect(scene.taints('worker-1')).toEqual([]);
    expect(failuresOf(scene)).toEqual({
      ...counts(['RemoveTaintError', 'remove_taint_error', 'bootstrap_completion_mark_error'], 1),
      ...counts(['EvaluationError', 'evaluation_error'], 2),
    });
  });
});

describe('a report that cannot be written', () => {
  it('counts as a failure of its rule', async () => {
    const scene = await started();
    let failures = 0;
    scene.faults.before = (call) =>
      isPatchOf(nodeReadinessGateRuleType, rule)(call) && call.subresource === 'status' && failures++ < 1
        ? apiFailure('ServerError')
        : null;
    scene.report('worker-1', 'True');
    await scene.run(10_000);
    expect(failuresOf(scene)).toEqual({ status_patch_error: 1 });
  });
});

/** Readiness that throws on one node, as soon as it looks at a part of it. */
function throwingAt(part: keyof NodeView) {
  return (metrics: Metrics): readonly NodeCapability[] => {
    const readiness = createReadiness({ centre: { nodes: nodeSpec, lifecycles: lifecycleSpec }, metrics });
    const spoilt = (node: NodeView) =>
      Object.defineProperty({ ...node }, part, {
        get() {
          throw new Error('a bug');
        },
      });
    return [
      {
        ...readiness,
        gather: (caches, node, answers) =>
          readiness.gather(caches, node.name === 'bad' ? spoilt(node) : node, answers),
        decide: (facts, now) => readiness.decide(facts as ReturnType<typeof readiness.gather>, now),
      },
    ];
  };
}

async function startedWithBug(part: keyof NodeView, isLeading = true) {
  const scene = readinessScene();
  scene.join('bad', 'False');
  scene.join('worker-1', 'True');
  scene.putRule(rule);
  scene.putUpstreamRule('theirs', { taint: { key: 'readiness.k8s.io/theirs', effect: 'NoSchedule' } });
  scene.putRule('elsewhere', { nodeSelector: { matchLabels: { pool: 'red' } } });
  const operator = scene.start({ capabilitiesOf: throwingAt(part), isLeading });
  await scene.run(10_000);
  const throws = operator.metrics.value('muster_capability_failures_total', { capability: 'readiness' });
  return { ...scene, operator, throws };
}

describe('a node on which readiness throws', () => {
  it.each([
    ['gathers', 'annotations'],
    ['decides', 'conditions'],
  ] as const)(
    'counts as a failure of each rule that selects it, each time: while it %s',
    async (_when, part) => {
      const { operator, throws } = await startedWithBug(part);
      const of = (name: string) =>
        ['EvaluationError', 'evaluation_error'].map((reason) =>
          operator.metrics.value('node_readiness_failures_total', { rule: name, reason }),
        );
      expect(throws).toBeGreaterThan(0);
      expect([of(rule), of('theirs'), of('elsewhere')]).toEqual([
        [throws, throws],
        [throws, throws],
        [0, 0],
      ]);
    },
  );

  it.each([
    ['nobody can say which rules select it', 'labels', true],
    ['the replica is a standby', 'conditions', false],
  ] as const)('counts for no rule where %s', async (_sentence, part, isLeading) => {
    const { operator, throws } = await startedWithBug(part, isLeading);
    expect(throws).toBeGreaterThan(0);
    expect(
      operator.metrics.series().filter((each) => each.startsWith('node_readiness_failures_total')),
    ).toEqual([]);
  });
});
