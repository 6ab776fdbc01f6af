// The operator on a real control plane, with exactly the rights that were generated for it.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from './control-plane/until.ts';
import {
  createNode,
  createNodes,
  listLifecycles,
  nodeNames,
  operatorAccount,
  readLifecycle,
  startWorld,
  waitForStage,
  type World,
} from './support/cluster-world.ts';
import { type OperatorProcess, startOperator } from './support/operator-process.ts';

const NODES = '/api/v1/nodes';

describe('the operator on a real API server', () => {
  let world: World;
  let operator: OperatorProcess;

  beforeAll(async () => {
    world = await startWorld();
    await createNodes(world.plane, nodeNames('worker', 200));
    const { path } = await world.plane.kubeconfigFor(operatorAccount);
    operator = startOperator(path);
    await operator.waitUntilReady();
  });
  afterAll(async () => {
    await operator?.stop();
    await world?.stop();
  });

  it('gives 200 nodes 200 NodeLifecycle objects, each owned by its Node', async () => {
    const lifecycles = await until('200 nodes are in service', 60_000, async () => {
      const all = await listLifecycles(world.plane);
      return all.filter(({ status }) => status?.stage === 'InService').length === 200 ? all : undefined;
    });
    const { body } = await world.plane.request('GET', NODES);
    const uids = new Map(
      (body as { items: { metadata: { name: string; uid: string } }[] }).items.map(({ metadata }) => [
        metadata.name,
        metadata.uid,
      ]),
    );
    expect(lifecycles).toHaveLength(200);
    for (const { metadata, spec } of lifecycles) {
      const uid = uids.get(metadata?.name ?? '');
      expect(spec.nodeUID).toBe(uid);
      expect(metadata?.ownerReferences).toEqual([
        { apiVersion: 'v1', kind: 'Node', name: metadata?.name, uid },
      ]);
    }
  });

  it('stays under 4 KB per NodeLifecycle', async () => {
    for (const lifecycle of await listLifecycles(world.plane))
      expect(JSON.stringify(lifecycle).length).toBeLessThan(4096);
  });

  it('is not allowed anything else: its account cannot delete a node or read a secret', async () => {
    const { path } = await world.plane.kubeconfigFor(operatorAccount);
    // kubectl prints the answer and says it with its exit code as well.
    const may = (...words: string[]) =>
      world.plane
        .kubectl(['auth', 'can-i', ...words], { kubeconfig: path })
        .catch((error: Error) => error.message);
    expect(await may('patch', 'nodes')).toMatch(/^yes/);
    expect(await may('delete', 'nodes')).toMatch(/exited with 1/);
    expect(await may('get', 'secrets', '-n', operatorAccount.namespace)).toMatch(/exited with 1/);
    // It may look at the agents of one node at a time, and touch pods nowhere but among its workers.
    expect(await may('watch', 'pods', '-A')).toMatch(/exited with 1/);
    expect(await may('delete', 'pods', '-n', 'kube-system')).toMatch(/exited with 1/);
    expect(await may('create', 'pods', '-n', 'default')).toMatch(/exited with 1/);
  });

  it('shows a cordon and a foreign taint as gates and touches neither', async () => {
    await world.plane.kubectl(['cordon', 'worker-001']);
    await world.plane.kubectl(['taint', 'node', 'worker-001', 'dedicated=gpu:NoSchedule']);
    await waitForStage(world.plane, 'worker-001', 'Gated');
    const gated = await until('both gates are shown', 45_000, async () => {
      const found = await readLifecycle(world.plane, 'worker-001');
      return found?.status?.['gateCount'] === 2 ? found : undefined;
    });
    expect(gated.status?.['gates']).toMatchObject([
      { kind: 'Cordon', reason: 'Cordoned' },
      { kind: 'Foreign', key: 'dedicated', effect: 'NoSchedule', reason: 'ForeignTaint' },
    ]);
    expect(world.writes().filter(({ resource }) => resource === 'nodes')).toEqual([]);
    await world.plane.kubectl(['uncordon', 'worker-001']);
    await waitForStage(world.plane, 'worker-001', 'InService');
  });

  it('names who removes a leaving node', async () => {
    await createNode(world.plane, 'leaver', {
      taints: [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }],
    });
    const lifecycle = await waitForStage(world.plane, 'leaver', 'Leaving');
    expect(lifecycle.status).toMatchObject({
      stageReason: 'KarpenterDisrupted',
      leaving: { by: 'Karpenter' },
    });
    await world.plane.kubectl(['delete', 'node', 'leaver']);
  });

  it('starts anew when a node is deleted and re-created under the same name', async () => {
    await createNode(world.plane, 'phoenix');
    const before = await waitForStage(world.plane, 'phoenix', 'InService');
    await world.plane.kubectl(['delete', 'node', 'phoenix']);
    await createNode(world.plane, 'phoenix', { bootID: 'second' });
    const after = await until('phoenix has a new record', 45_000, async () => {
      const found = await readLifecycle(world.plane, 'phoenix');
      return found !== null &&
        found.spec.nodeUID !== before.spec.nodeUID &&
        found.status?.stage === 'InService'
        ? found
        : undefined;
    });
    expect(after.metadata?.uid).not.toBe(before.metadata?.uid);
    expect(after.status?.['bootID']).toBe('second');
  });

  it('loses the record of a deleted Node to the garbage collector', async () => {
    await createNode(world.plane, 'goner');
    await waitForStage(world.plane, 'goner', 'InService');
    await world.plane.kubectl(['delete', 'node', 'goner']);
    await until('the record is gone', 90_000, async () =>
      (await readLifecycle(world.plane, 'goner')) === null ? true : undefined,
    );
  });

  it('writes nothing but the Lease while nothing changes', async () => {
    await until('everything is written', 60_000, () =>
      quietForMs(world, operator) > 5_000 ? true : undefined,
    );
    const before = world.writes().length;
    const until60s = Date.now() + 60_000;
    await until('a minute has passed', 70_000, () => (Date.now() >= until60s ? true : undefined));
    const since = world.writes().slice(before);
    expect(since.filter(({ resource }) => resource !== 'leases')).toEqual([]);
    expect(since.filter(({ resource }) => resource === 'leases').length).toBeGreaterThan(10);
  });

  it('says on its probes and in its metrics how it is, without naming a node', async () => {
    expect(await operator.get('health', '/healthz')).toMatchObject({ status: 200 });
    const { text } = await operator.get('metrics', '/metrics');
    expect(text).toMatch(/muster_nodes\{stage="InService"\} \d+/);
    for (const name of [
      'muster_work_total',
      'muster_work_duration_seconds',
      'muster_queue_depth',
      'muster_cache_age_seconds',
      'muster_reflector_state',
      'muster_api_requests_total',
      'nodejs_eventloop_lag_seconds',
      'process_resident_memory_bytes',
    ]) {
      expect(text).toContain(name);
    }
    expect(text).not.toMatch(/worker-\d/);
  });

  it('ends with 0 on SIGTERM', async () => {
    expect(await operator.stop()).toBe(0);
  });
});

/** How long ago the operator last wrote anything but its Lease. */
function quietForMs({ writes }: World, { lines }: OperatorProcess): number {
  const last = lines.findLast(({ msg }) => msg === 'write');
  if (writes().length === 0 || last === undefined) return 0;
  return Date.now() - Date.parse(String(last['time']));
}
