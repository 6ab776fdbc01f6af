// What the operator writes only where it is told to, on a real control plane: the condition of nodes and the reports on pods,
// each with exactly the one right that is granted for it.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemNamespace, workerAnnotations } from '../src/api/keys.ts';
import { optionalRights } from '../src/api/rbac.ts';
import { until } from './control-plane/until.ts';
import { operatorAccount, startWorld, type World } from './support/cluster-world.ts';
import { type OperatorProcess, startOperator } from './support/operator-process.ts';
import { type SimProcess, startSim } from './support/sim-process.ts';

const optional = path.resolve(import.meta.dirname, '../config/rbac-optional');
const disk = { name: 'disk-space', params: { freePercentMin: 1, freeInodesPercentMin: 1 } };
const NODES = 3;

let world: World;
let sim: SimProcess;
let operator: OperatorProcess;
let reports: ReturnType<typeof watchReports>;

beforeAll(async () => {
  world = await startWorld();
  for (const right of optionalRights)
    await world.plane.kubectl(['apply', '-f', path.join(optional, `${right}.yaml`)]);
  sim = startSim(world.plane.adminKubeconfig, '--pools', `good=${NODES}`, '--seed', '7');
  await world.plane.kubectl(['apply', '-f', '-'], {
    input: JSON.stringify({
      apiVersion: 'muster.dev/v1alpha1',
      kind: 'NodeVerification',
      metadata: { name: 'good' },
      spec: { nodeSelector: { matchLabels: { 'node.kubernetes.io/pool': 'good' } }, checks: [disk] },
    }),
  });
  reports = watchReports();
  const { path: kubeconfig } = await world.plane.kubeconfigFor(operatorAccount);
  const flags = ['--worker-image', 'muster', '--no-leader-elect'];
  operator = startOperator(kubeconfig, [...flags, ...optionalRights.map((right) => `--${right}`)]);
  await operator.waitUntilReady();
});

afterAll(async () => {
  reports?.stop();
  await operator?.stop();
  await sim?.stop();
  await world?.stop();
});

type Shown = { readonly metadata: { readonly name: string; readonly annotations?: Record<string, string> } };
type Nodes = {
  readonly items: readonly (Shown & {
    readonly status: {
      readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    };
  })[];
};

/** What the pods of workers said while they were there. A look now and then would miss a pod that is deleted as soon as it has said so. */
function watchReports() {
  const seen = new Map<string, string>();
  const report = workerAnnotations.report.replaceAll('.', '\\.');
  const line = `{.metadata.name}{" "}{.metadata.annotations.${report}}{"\\n"}`;
  const child = spawn(
    world.plane.bin('kubectl'),
    ['get', 'pods', '-n', systemNamespace, '--watch', '-o', `jsonpath=${line}`],
    {
      env: { ...process.env, KUBECONFIG: world.plane.adminKubeconfig },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  createInterface({ input: child.stdout }).on('line', (told) => {
    const [, name = '', said = ''] = /^(\S+) (.+)$/.exec(told) ?? [];
    if (said !== '') seen.set(name, said);
  });
  return { seen, stop: () => void child.kill() };
}

async function conditionsByNode() {
  const { body } = await world.plane.request('GET', '/api/v1/nodes');
  return (body as Nodes).items.map(({ status }) =>
    Object.fromEntries((status.conditions ?? []).map((each) => [each.type, each.status])),
  );
}

const writesOf = (verb: string, resource: string) =>
  world.writes().filter((write) => write.verb === verb && write.resource === resource);

describe('what needs a right of its own on a real API server', () => {
  it('is the condition of nodes, beside those of their kubelets', async () => {
    const found = await until('every node says that it is verified', 90_000, async () => {
      const nodes = await conditionsByNode();
      return nodes.length === NODES && nodes.every((node) => node['Verified'] === 'True') ? nodes : undefined;
    });
    for (const node of found) {
      expect(node).toMatchObject({ Ready: 'True', MemoryPressure: 'False', DiskPressure: 'False' });
    }
  });

  it('is the report on the pod, copied once and before the pod is deleted', async () => {
    const deleted = await until('the pods are gone', 30_000, async () => {
      const deletions = writesOf('delete', 'pods').filter(({ code }) => code < 300);
      return deletions.length === NODES ? deletions : undefined;
    });
    const copied = writesOf('patch', 'pods').filter(({ code }) => code < 300);
    expect(copied.map(({ name }) => name).toSorted()).toEqual(deleted.map(({ name }) => name).toSorted());
    const order = world.writes().filter(({ resource, code }) => resource === 'pods' && code < 300);
    for (const { name } of deleted)
      expect(order.filter((write) => write.name === name).map(({ verb }) => verb)).toEqual([
        'create',
        'patch',
        'delete',
      ]);
    await until('every report was seen', 10_000, () => reports.seen.size === NODES || undefined);
    for (const report of reports.seen.values()) expect(JSON.parse(report)).toMatchObject({ verdict: 'pass' });
  });

  it('is written no more once it is said, whatever the kubelets go on saying', async () => {
    const before = writesOf('patch', 'nodes/status').length;
    await world.plane.kubectl(['annotate', 'nodes', '--all', 'example.com/seen=1']);
    operator.signal('SIGTERM');
    await operator.exited;
    const { path: kubeconfig } = await world.plane.kubeconfigFor(operatorAccount);
    operator = startOperator(kubeconfig, ['--no-leader-elect', '--node-condition']);
    await operator.waitUntilReady();
    await world.plane.kubectl(['delete', 'nodeverification', 'good']);
    await until('the condition is gone', 30_000, async () =>
      (await conditionsByNode()).every((node) => node['Verified'] === undefined) ? true : undefined,
    );
    // The next operator, and the one before from then on, wrote nothing but the end of it.
    expect(writesOf('patch', 'nodes/status')).toHaveLength(before + NODES);
    for (const node of await conditionsByNode()) expect(node).toMatchObject({ Ready: 'True' });
  });

  it('is all that was used of it', () => {
    expect(world.writes().filter(({ code }) => code === 403)).toEqual([]);
  });
});
