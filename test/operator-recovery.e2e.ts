// What the operator survives without a restart: a killed API server, a cut watch, forgotten history, a rotated token.

import { readFile, writeFile } from 'node:fs/promises';
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
import { type CutProxy, startCutProxy } from './support/cut-proxy.ts';
import { type OperatorProcess, startOperator } from './support/operator-process.ts';

describe('recovery without a restart', () => {
  let world: World;
  let proxy: CutProxy;
  let operator: OperatorProcess;
  let tokenFile: string;

  beforeAll(async () => {
    world = await startWorld();
    proxy = await startCutProxy(world.plane.url);
    await createNodes(world.plane, nodeNames('node', 20));
    const account = await world.plane.kubeconfigFor(operatorAccount, { tokenFile: true });
    tokenFile = account.tokenFile ?? '';
    await writeFile(
      account.path,
      (await readFile(account.path, 'utf8')).replaceAll(world.plane.url, proxy.url),
    );
    operator = startOperator(account.path);
    await operator.waitUntilReady();
    await until('20 nodes are in service', 60_000, async () =>
      (await stages(world)).InService === 20 ? true : undefined,
    );
  });
  afterAll(async () => {
    await operator?.stop();
    await proxy?.close();
    await world?.stop();
  });

  it('notices what happens after each of 10 cuts of its connections', async () => {
    for (const name of nodeNames('node', 10)) {
      proxy.cut();
      await world.plane.kubectl(['cordon', name]);
      await waitForStage(world.plane, name, 'Gated');
    }
  });

  it('follows what happens right after the API server was killed and came back', async () => {
    await createNode(world.plane, 'late');
    await waitForStage(world.plane, 'late', 'InService');
    await world.plane.killApiServer();
    await world.plane.startApiServer();
    await createNode(world.plane, 'after-restart');
    await world.plane.kubectl(['delete', 'node', 'late']);
    await waitForStage(world.plane, 'after-restart', 'InService');
    await until('the central state forgets the deleted node', 60_000, async () =>
      (await nodeStates(operator)) === 21 ? true : undefined,
    );
  });

  it('lists again when its place in history is gone', async () => {
    const relistsBefore = await relists(operator);
    await world.plane.compactEtcd();
    await world.plane.killApiServer();
    await world.plane.startApiServer();
    await createNode(world.plane, 'after-compaction');
    await waitForStage(world.plane, 'after-compaction', 'InService');
    expect(await relists(operator)).toBeGreaterThan(relistsBefore);
  });

  it('reads a rotated token when the old one stops working', async () => {
    await world.plane.kubectl([
      'delete',
      'serviceaccount',
      operatorAccount.name,
      '-n',
      operatorAccount.namespace,
    ]);
    await world.plane.kubectl([
      'create',
      'serviceaccount',
      operatorAccount.name,
      '-n',
      operatorAccount.namespace,
    ]);
    const fresh = await world.plane.kubeconfigFor(operatorAccount, { tokenFile: true });
    await writeFile(tokenFile, await readFile(fresh.tokenFile ?? '', 'utf8'));
    proxy.cut();
    await createNode(world.plane, 'after-rotation');
    await waitForStage(world.plane, 'after-rotation', 'InService');
  });

  it('deleted no record and no node on the way, and is still the same process', async () => {
    expect(world.writes().filter(({ verb }) => verb === 'delete')).toEqual([]);
    expect(await readLifecycle(world.plane, 'node-020')).toMatchObject({ status: { stage: 'InService' } });
    expect(operator.lines.filter(({ msg }) => msg === 'starting')).toHaveLength(1);
    expect((await operator.get('health', '/healthz')).status).toBe(200);
  });
});

async function stages({ plane }: World): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status } of await listLifecycles(plane))
    counts[status?.stage ?? ''] = (counts[status?.stage ?? ''] ?? 0) + 1;
  return counts;
}

async function nodeStates(operator: OperatorProcess): Promise<number> {
  return sumOf((await operator.get('metrics', '/metrics')).text, 'muster_node_states');
}

async function relists(operator: OperatorProcess): Promise<number> {
  return sumOf((await operator.get('metrics', '/metrics')).text, 'muster_relists_total');
}

function sumOf(metrics: string, name: string): number {
  const rows = metrics
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return rows.reduce((sum, row) => sum + Number(row.split(' ').at(-1)), 0);
}
