import { describe, expect, it } from 'vitest';
import {
  nodeReadinessEvaluationType,
  nodeReadinessGateRuleType,
  nodeReadinessRuleType,
  peerLeaseNames,
} from '../../src/api/keys.ts';
import { leaseType } from '../../src/objects/ref.ts';
import { isWrite } from '../support/centre-scene.ts';
import type { MemoryCall } from '../support/memory-kube-api.ts';
import { cni, gate, readinessScene, type ReadinessStart } from '../support/readiness-scene.ts';

type Scene = ReturnType<typeof readinessScene>;

async function started(
  options: ReadinessStart = {},
  nodes: Readonly<Record<string, string | null>> = { a: null, b: 'True' },
) {
  const scene = readinessScene();
  for (const [name, network] of Object.entries(nodes)) scene.join(name, network);
  const operator = scene.start(options);
  scene.putRule('cni');
  await scene.run(1_000);
  return { ...scene, operator };
}

const isOfEvaluation = (call: MemoryCall) =>
  isWrite(call) && call.ref.type.kind === 'NodeReadinessEvaluation';
const writesOf = (scene: Scene) =>
  scene.wrote().filter((words) => words.includes('nodereadinessevaluations/'));

describe('an evaluation', () => {
  it('is owned by its rule and names it', async () => {
    const scene = await started();
    const uid = scene.rule('cni')?.metadata?.uid;
    expect(scene.api.objects(nodeReadinessEvaluationType)[0]).toMatchObject({
      metadata: {
        labels: { rule: 'cni', node: 'a' },
        ownerReferences: [
          { apiVersion: 'nodereadiness.io/v1alpha2', kind: 'NodeReadinessGateRule', name: 'cni', uid },
        ],
      },
      spec: { ruleName: 'cni', nodeName: 'a', ruleGeneration: 1 },
    });
  });

  it('is born in two writes, and a third where the server tracks fields', async () => {
    const scene = await started();
    const births = scene.api.calls.filter(isOfEvaluation).filter(({ ref }) => ref.name === 'cni-b');
    expect(births.map(({ verb, subresource }) => `${verb} ${subresource}`.trim())).toEqual([
      'create',
      'patch status',
    ]);
    scene.api.put(nodeReadinessEvaluationType, {
      ...scene.find(nodeReadinessEvaluationType, 'cni-b'),
      metadata: {
        ...scene.find(nodeReadinessEvaluationType, 'cni-b')?.metadata,
        managedFields: [{ manager: 'muster' }],
      } as object,
    });
    writesOf(scene);
    await scene.rest();
    expect(writesOf(scene)).toEqual(['patch nodereadinessevaluations/cni-b']);
  });

  it('is written only when what it says changes', async () => {
    const scene = await started();
    writesOf(scene);
    scene.patchNode('a', { metadata: { annotations: { noise: '1' } } });
    await scene.run(60_000);
    expect(writesOf(scene)).toEqual([]);
    scene.report('a', 'True');
    await scene.rest();
    expect(writesOf(scene)).toEqual(['patch nodereadinessevaluations/cni-a/status']);
  });

  it('says what generation of the rule it is about', async () => {
    const scene = await started();
    scene.putRule('cni', { healthyFor: '1s' });
    await scene.rest();
    expect(scene.find(nodeReadinessEvaluationType, 'cni-a')?.spec).toMatchObject({ ruleGeneration: 2 });
  });

  it('is made again when somebody deletes or edits it', async () => {
    const scene = await started();
    scene.api.remove(nodeReadinessEvaluationType, 'cni-a');
    const edited = scene.find(nodeReadinessEvaluationType, 'cni-b');
    scene.api.put(nodeReadinessEvaluationType, { ...edited, status: { taintStatus: 'Unknown' } });
    await scene.rest();
    expect(scene.evaluations()).toEqual(['cni-a', 'cni-b']);
    expect(scene.evaluation('cni-b')).toMatchObject({ taintStatus: 'Absent' });
  });

  it.each([1, 2])(
    'is finished by the next operator when the first one dies after write %i',
    async (atWrite) => {
      const scene = readinessScene();
      scene.join('a');
      const first = scene.start();
      let writes = 0;
      scene.faults.after = (call) => {
        if (isOfEvaluation(call) && ++writes === atWrite) first.kill();
        return null;
      };
      scene.putRule('cni');
      await scene.run(1_000);
      scene.start();
      await scene.run(5_000);
      expect(scene.evaluation('cni-a')).toMatchObject({
        taintStatus: 'Present',
        allConditionsSatisfied: false,
      });
    },
  );

  it('of a node that went while nobody looked is deleted by the next operator', async () => {
    const scene = await started();
    scene.operator.kill();
    scene.deleteNode('a');
    scene.start();
    await scene.run(1_000);
    expect(scene.evaluations()).toEqual(['cni-b']);
  });

  it('has a hash in its name where the plain one could mean another', async () => {
    const scene = readinessScene();
    scene.join('c');
    scene.join('b-c');
    scene.start();
    scene.putRule('a-b');
    scene.putRule('a');
    await scene.run(2_000);
    const pairs = scene.api.objects(nodeReadinessEvaluationType).map(({ spec }) => spec);
    expect(pairs).toHaveLength(4);
    expect(scene.evaluations()).not.toContain('a-b-c');
    scene.deleteRule('a');
    await scene.run(2_000);
    scene.putRule('a-b', { healthyFor: '1s' });
    await scene.run(2_000);
    expect(scene.evaluations()).toEqual(['a-b-b-c', 'a-b-c']);
  });

  it('leaves an object alone that somebody else put under its name', async () => {
    const scene = readinessScene();
    scene.api.put(nodeReadinessEvaluationType, {
      metadata: { name: 'cni-a' },
      spec: { ruleName: 'x', nodeName: 'y', ruleGeneration: 1 },
    });
    scene.join('a');
    scene.putRule('cni');
    scene.start();
    await scene.run(1_000);
    expect(scene.find(nodeReadinessEvaluationType, 'cni-a')?.spec).toMatchObject({ ruleName: 'x' });
    expect(scene.evaluations()).toHaveLength(2);
  });
});

describe('evaluations', () => {
  it('give way to nodes that wait, and are all there in the end', async () => {
    const scene = readinessScene();
    const names = Array.from({ length: 200 }, (_, index) => `node-${index}`);
    for (const name of names) scene.join(name);
    scene.putRule('cni');
    scene.start();
    await scene.run(10_000);
    const writes = scene.wrote();
    const lastGate = writes.findLastIndex((words) => words.startsWith('patch nodes/'));
    const before = writes.slice(0, lastGate).filter((words) => words.includes('nodereadinessevaluations'));
    expect(before.length).toBeLessThan(100);
    expect(scene.evaluations()).toHaveLength(200);
  });

  it('of unsatisfied nodes alone come and go with their trouble', async () => {
    const scene = await started({ evaluations: 'unsatisfied' });
    expect(scene.evaluations()).toEqual(['cni-a']);
    scene.report('a', 'True');
    scene.report('b', 'False');
    await scene.rest();
    expect(scene.evaluations()).toEqual(['cni-b']);
  });

  it('are deleted when they are switched off', async () => {
    const scene = await started();
    scene.operator.kill();
    scene.start({ evaluations: 'none' });
    await scene.run(1_000);
    expect(scene.evaluations()).toEqual([]);
    expect(scene.taints('a')).toEqual([gate]);
  });
});

describe('another controller that holds its Lease', () => {
  it('has its kind of rules to itself, and the other kind is served', async () => {
    const scene = readinessScene();
    scene.join('a');
    scene.putPeer('NodeReadinessRule', 'nrc-1');
    scene.putUpstreamRule('theirs');
    scene.putRule('ours', { taint: { key: 'example.com/ours', effect: 'NoSchedule' } });
    const operator = scene.start();
    await scene.run(10_000);
    expect(scene.taints('a')).toMatchObject([{ key: 'example.com/ours' }]);
    expect(scene.find(nodeReadinessRuleType, 'theirs')).toMatchObject({ metadata: { name: 'theirs' } });
    expect(scene.find(nodeReadinessRuleType, 'theirs')?.metadata?.finalizers).toBeUndefined();
    expect(scene.upstreamStatus('theirs')).toEqual({});
    expect(operator.metrics.value('node_readiness_peer_present', { kind: 'NodeReadinessRule' })).toBe(1);
    scene.putPeer('NodeReadinessRule', '');
    await scene.run(10_000);
    expect(scene.taints('a')).toHaveLength(2);
    expect(scene.upstreamStatus('theirs').summary).toMatchObject({ nodesWithTaint: 1 });
  });
});

describe('another controller with Leases in two namespaces', () => {
  it('is there for as long as it holds one of them', async () => {
    const scene = readinessScene();
    scene.join('a');
    scene.putUpstreamRule('theirs');
    const lease = (namespace: string, holderIdentity: string) =>
      scene.api.put(leaseType, {
        metadata: { name: peerLeaseNames.NodeReadinessRule, namespace },
        spec: { holderIdentity },
      });
    lease('old', 'nrc-1');
    lease('new', 'nrc-2');
    const { metrics } = scene.start();
    await scene.run(1_000);
    lease('old', '');
    await scene.run(10_000);
    const present = () => metrics.value('node_readiness_peer_present', { kind: 'NodeReadinessRule' });
    expect([scene.taints('a'), present()]).toEqual([[], 1]);
    lease('new', '');
    await scene.run(10_000);
    expect([scene.gated(), present()]).toEqual([['a'], 0]);
  });
});

describe('a definition of the kind that is not ours', () => {
  type Evaluated = { readonly conditionResults: readonly Record<string, unknown>[] };

  it('has what it knows written, and causes no write after that', async () => {
    const scene = readinessScene();
    scene.faults.before = ({ ref, subresource, body }) => {
      if (ref.type.kind !== 'NodeReadinessRule' || subresource !== 'status') return null;
      const { status } = (body as { body: { status: Record<string, unknown> } }).body;
      for (const unknown of ['summary', 'conditions', 'failedNodeCount']) delete status[unknown];
      for (const { conditionResults } of (status['nodeEvaluations'] ?? []) as Evaluated[])
        for (const result of conditionResults)
          for (const unknown of ['satisfied', 'missing']) delete result[unknown];
      return null;
    };
    scene.join('a');
    scene.putUpstreamRule('cni');
    scene.start();
    await scene.run(20_000);
    expect(scene.upstreamStatus('cni')).toMatchObject({
      appliedNodes: ['a'],
      nodeEvaluations: [
        {
          taintStatus: 'Present',
          conditionResults: [{ type: cni, currentStatus: 'Unknown', defaultStatus: 'Unknown' }],
        },
      ],
    });
    scene.wrote();
    await scene.run(700_000);
    expect(scene.wrote()).toEqual([]);
    scene.report('a', 'True');
    await scene.run(6_000);
    expect(scene.upstreamStatus('cni')).toMatchObject({ nodeEvaluations: [{ taintStatus: 'Absent' }] });
  });
});

describe('a rule with the status of an earlier controller', () => {
  it('has its lists cleared and its summary written', async () => {
    const scene = readinessScene();
    scene.join('a', 'True');
    scene.putRule('cni');
    const appliedNodes = ['a'];
    const nodeEvaluations = [
      { nodeName: 'a', conditionResults: [], taintAction: 'none', lastEvaluated: '2025-01-01T00:00:00Z' },
    ];
    scene.api.put(nodeReadinessGateRuleType, {
      ...scene.rule('cni'),
      status: { appliedNodes, nodeEvaluations, completedNodes: ['a'] },
    });
    scene.start();
    await scene.run(6_000);
    expect(Object.keys(scene.ruleStatus('cni')).sort()).toEqual([
      'conditions',
      'observedGeneration',
      'summary',
    ]);
  });
});
