// Readiness on a real control plane, with exactly the rights that were generated for the operator.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NodeReadinessGateRuleStatus } from '../src/api/node-readiness-gate-rule.ts';
import type { RawObject } from '../src/objects/raw.ts';
import { until } from './control-plane/until.ts';
import { createNodes, nodeNames, operatorAccount, startWorld, type World } from './support/cluster-world.ts';
import { type OperatorProcess, startOperator } from './support/operator-process.ts';

const RULES = '/apis/nodereadiness.io/v1alpha2/nodereadinessgaterules';
const EVALUATIONS = '/apis/nodereadiness.io/v1alpha2/nodereadinessevaluations';
const names = nodeNames('worker', 40);
const calico = 'network.k8s.io/CalicoReady';
const taint = { key: 'readiness.k8s.io/NetworkReady', effect: 'NoSchedule' };
const spec = {
  conditions: [{ type: calico, requiredStatus: 'True' }],
  enforcementMode: 'continuous',
  taint,
  nodeSelector: { matchLabels: { pool: 'blue' } },
};

let world: World;
let operator: OperatorProcess;

beforeAll(async () => {
  world = await startWorld();
  await createNodes(world.plane, names, { labels: { pool: 'blue' } });
  const { path } = await world.plane.kubeconfigFor(operatorAccount);
  operator = startOperator(path, ['--gate-budget', '100%']);
  await operator.waitUntilReady();
});

afterAll(async () => {
  await operator?.stop();
  await world?.stop();
});

type Items = {
  readonly items: readonly (RawObject & {
    readonly spec: { readonly taints?: readonly { key: string }[] };
  })[];
};

async function list(path: string): Promise<Items['items']> {
  const { status, body } = await world.plane.request('GET', path);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return (body as Items).items;
}

async function tainted(key: string): Promise<number> {
  const nodes = await list('/api/v1/nodes');
  return nodes.filter(({ spec: { taints = [] } }) => taints.some((each) => each.key === key)).length;
}

const apply = (object: object) =>
  world.plane.kubectl(['apply', '-f', '-'], { input: JSON.stringify(object) });

/** The agents of all nodes report; a merge patch replaces the list, so the kubelet's word is in it too. */
async function report(network: string): Promise<void> {
  const at = new Date().toISOString();
  const said = (type: string, status: string) => ({
    type,
    status,
    lastTransitionTime: at,
    lastHeartbeatTime: at,
  });
  const body = { status: { conditions: [said('Ready', 'True'), said(calico, network)] } };
  await Promise.all(
    names.map((name) => world.plane.request('PATCH', `/api/v1/nodes/${name}/status`, { body })),
  );
}

async function statusOf(name: string): Promise<NodeReadinessGateRuleStatus> {
  const { body } = await world.plane.request('GET', `${RULES}/${name}`);
  return (body as { status?: NodeReadinessGateRuleStatus }).status ?? {};
}

describe('readiness on a real API server', () => {
  it('gates the nodes of a rule and sums them up in a small status', async () => {
    await apply({
      apiVersion: 'nodereadiness.io/v1alpha1',
      kind: 'NodeReadinessGateRule',
      metadata: { name: 'cni' },
      spec,
    });
    await until('all are gated', 20_000, async () => ((await tainted(taint.key)) === 40 ? true : undefined));
    const status = await until('the rule is applied', 20_000, async () => {
      const found = await statusOf('cni');
      return found.observedGeneration === 1 && found.summary?.nodesWithTaint === 40 ? found : undefined;
    });
    expect(status.summary).toMatchObject({
      totalApplicableNodes: 40,
      nodesUnknown: 40,
      nodesWithoutTaint: 0,
    });
    expect(JSON.stringify(status).length).toBeLessThan(2_048);
  });

  it('keeps one small evaluation per node, found by name, by rule and by node', async () => {
    const evaluations = await until('40 evaluations without managedFields', 30_000, async () => {
      const all = await list(EVALUATIONS);
      const isFinished = ({ metadata, status }: RawObject) =>
        status !== undefined && (metadata as { managedFields?: unknown }).managedFields === undefined;
      return all.length === 40 && all.every(isFinished) ? all : undefined;
    });
    const sizes = evaluations.map((each) => JSON.stringify(each).length);
    expect(Math.max(...sizes)).toBeLessThan(1_000);
    const get = (...words: string[]) => world.plane.kubectl(['get', 'nre', '--no-headers', ...words]);
    expect((await get('-l', 'rule=cni')).trim().split('\n')).toHaveLength(40);
    expect(await get('-l', 'node=worker-007')).toMatch(/^cni-worker-007 +worker-007 +cni +Present +false /);
    expect(await get('cni-worker-007')).toMatch(/^cni-worker-007 /);
    expect(await world.plane.kubectl(['get', 'nodereadinesseval', '-l', 'rule=cni'])).toMatch(
      /^NAME +NODE +RULE +TAINT +READY +AGE\n/,
    );
  });

  it('lets every node go when its condition is met', async () => {
    await report('True');
    await until('none is gated', 20_000, async () => ((await tainted(taint.key)) === 0 ? true : undefined));
    const status = await until('the summary follows', 10_000, async () => {
      const found = await statusOf('cni');
      return found.summary?.nodesReady === 40 && found.summary.nodesWithTaint === 0 ? found : undefined;
    });
    expect(status.conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
      status: 'True',
      reason: 'Applied',
    });
  });

  it('serves a NodeReadinessRule with every field of its API beside it', async () => {
    const rule = {
      ...spec,
      conditions: [{ type: calico, requiredStatus: 'True', defaultStatus: 'Unknown' }],
      conditionPolicy: 'allOf',
      taint: {
        key: 'readiness.k8s.io/upstream',
        effect: 'NoSchedule',
        value: 'pending',
        timeAdded: '2026-01-01T00:00:00Z',
      },
      nodeSelector: {
        matchLabels: { pool: 'blue' },
        matchExpressions: [{ key: 'pool', operator: 'In', values: ['blue'] }],
      },
      dryRun: false,
    };
    await report('False');
    await apply({
      apiVersion: 'readiness.node.x-k8s.io/v1alpha1',
      kind: 'NodeReadinessRule',
      metadata: { name: 'up' },
      spec: rule,
    });
    await until('all are gated by both', 20_000, async () =>
      (await tainted('readiness.k8s.io/upstream')) === 40 && (await tainted(taint.key)) === 40
        ? true
        : undefined,
    );
    const status = await until('its lists are filled', 20_000, async () => {
      const text = await world.plane.kubectl(['get', 'nrr', 'up', '-o', 'jsonpath={.status}']);
      const found = JSON.parse(text || '{}') as { appliedNodes?: string[]; nodeEvaluations?: object[] };
      return found.appliedNodes?.length === 40 ? found : undefined;
    });
    expect(status.nodeEvaluations).toHaveLength(40);
    expect(JSON.parse(await world.plane.kubectl(['get', 'nrr', 'up', '-o', 'jsonpath={.spec}']))).toEqual(
      rule,
    );
    const [node] = await list('/api/v1/nodes');
    // Accepted and not used: when a node got its taint is not for a rule to say.
    expect(node?.spec.taints).toContainEqual({
      key: 'readiness.k8s.io/upstream',
      effect: 'NoSchedule',
      value: 'pending',
    });
    await world.plane.kubectl(['delete', 'nrr', 'up', '--timeout=30s']);
    expect(await tainted('readiness.k8s.io/upstream')).toBe(0);
  });

  it('writes nothing but its Lease at rest', { timeout: 240_000 }, async () => {
    const writes = () => world.writes().filter(({ resource }) => resource !== 'leases');
    const seen = { count: 0, atMs: Date.now() };
    // What is merely shown of a node may wait for half a minute, and the counts of repeated events for a whole one.
    await until('everything is written', 180_000, () => {
      if (writes().length !== seen.count) Object.assign(seen, { count: writes().length, atMs: Date.now() });
      return Date.now() - seen.atMs > 61_000 ? true : undefined;
    });
    const startedAt = Date.now();
    await until('twenty seconds have passed', 30_000, () =>
      Date.now() - startedAt > 20_000 ? true : undefined,
    );
    expect(writes().slice(seen.count)).toEqual([]);
  });

  it('keeps no evaluation of a node that goes or leaves the selector', async () => {
    const [gone = '', left = ''] = names;
    await world.plane.kubectl(['delete', 'node', gone]);
    await world.plane.kubectl(['label', 'node', left, 'pool=red', '--overwrite']);
    await until('both evaluations are gone', 20_000, async () =>
      (await list(EVALUATIONS)).length === 38 ? true : undefined,
    );
    const found = await world.plane.kubectl(['get', 'nre', '-l', `node in (${gone},${left})`, '-o', 'name']);
    expect([found, await tainted(taint.key)]).toEqual(['', 38]);
    await until('the summary follows', 10_000, async () =>
      (await statusOf('cni')).summary?.totalApplicableNodes === 38 ? true : undefined,
    );
  });

  it('takes everything along when the rule is deleted', async () => {
    await world.plane.kubectl(['delete', 'nrgr', 'cni', '--timeout=30s']);
    expect([await tainted(taint.key), (await list(EVALUATIONS)).length]).toEqual([0, 0]);
  });

  it('was never refused a right, nor sent what a server refuses', () => {
    const refused = world.writes().filter(({ code }) => code === 403 || code === 422 || code === 400);
    expect(refused).toEqual([]);
  });
});
