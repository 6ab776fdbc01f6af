// The commands for people on a real control plane, as the shipped bundle, as a plugin of kubectl, and with the rights of somebody
// who may only read.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from './control-plane/until.ts';
import { createNodes, nodeNames, operatorAccount, startWorld, type World } from './support/cluster-world.ts';
import { musterScript, type OperatorProcess, startOperator } from './support/operator-process.ts';

const names = nodeNames('worker', 30);
const calico = 'network.k8s.io/CalicoReady';
const reader = { namespace: 'default', name: 'reader' };

let world: World;
let operator: OperatorProcess;
let kubeconfig: string;

const apply = (object: object) =>
  world.plane.kubectl(['apply', '-f', '-'], { input: JSON.stringify(object) });

async function muster(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [musterScript, ...args], {
    env: { ...process.env, KUBECONFIG: kubeconfig, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, out, err };
}

beforeAll(async () => {
  world = await startWorld();
  await createNodes(world.plane, names, { labels: { pool: 'blue' } });
  const { path: operatorKubeconfig } = await world.plane.kubeconfigFor(operatorAccount);
  operator = startOperator(operatorKubeconfig, ['--pool-labels', 'pool']);
  await operator.waitUntilReady();
  await until('every node is in service', 30_000, async () => {
    const released = await world.plane.kubectl([
      'get',
      'nl',
      '-o',
      'jsonpath={.items[*].status.firstReleasedAt}',
    ]);
    return released.split(' ').length === names.length ? true : undefined;
  });
  await apply({
    apiVersion: 'nodereadiness.io/v1alpha2',
    kind: 'NodeReadinessGateRule',
    metadata: { name: 'network' },
    spec: {
      conditions: [{ type: calico, requiredStatus: 'True' }],
      enforcementMode: 'continuous',
      taint: { key: 'readiness.k8s.io/NetworkReady', effect: 'NoSchedule' },
      nodeSelector: { matchLabels: { pool: 'blue' } },
    },
  });
  await until('the brake holds twenty', 30_000, async () => {
    const held = await world.plane.kubectl([
      'get',
      'nrgr',
      'network',
      '-o',
      'jsonpath={.status.summary.heldNodes}',
    ]);
    return held === '20' ? true : undefined;
  });
  // The status of a rule comes before its evaluations, of which explain speaks.
  await until('every node has its evaluation', 30_000, async () => {
    const taints = await world.plane.kubectl(['get', 'nre', '-o', 'jsonpath={.items[*].status.taintStatus}']);
    const all = taints.split(' ');
    return all.length === names.length && all.filter((each) => each === 'Present').length === 10
      ? true
      : undefined;
  });
  await world.plane.kubectl(['create', 'serviceaccount', reader.name]);
  await apply(readerRole());
  await world.plane.kubectl([
    'create',
    'clusterrolebinding',
    'reader',
    '--clusterrole=muster-reader',
    `--serviceaccount=${reader.namespace}:${reader.name}`,
  ]);
  kubeconfig = (await world.plane.kubeconfigFor(reader)).path;
});

afterAll(async () => {
  await operator?.stop();
  await world?.stop();
});

/** All that the commands for people read, and nothing else, as the reference says it. */
function readerRole(): object {
  const page = readFileSync(path.resolve(import.meta.dirname, '../docs/reference/cli.md'), 'utf8');
  return load(/```yaml\n([^]*?)```/.exec(page)?.[1] ?? '') as object;
}

describe('the commands for people on a real API server', () => {
  it('list the rules with the rights of a reader', async () => {
    const { code, out, err } = await muster(['rules']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^NAME +MODE +TAINT +READY +GATED +HELD +STATE +AGE\n/);
    expect(out).toMatch(/nrgr\/network +continuous +NetworkReady +0\/30 +10 +20 +GatingIsHeld +\d+s\n$/);
    expect(out).not.toContain('\u001B');
  });

  it('explain a rule that the brake holds, and the command that is given lifts it', async () => {
    const { code, out } = await muster(['explain', 'rule', 'network']);
    expect(code).toBe(3);
    expect(out).toMatch(/^NodeReadinessGateRule network: 0 of 30 nodes are ready, 10 gated, 20 held\.\n/);
    expect(out).toContain('CalicoReady is missing');
    expect(out).toMatch(/blue +30 +10 +20/);
    const [, consent = ''] = /kubectl (annotate .*)/.exec(out) ?? [];
    expect(consent).toBe('annotate nrgr network --overwrite muster.dev/confirm-impact=1/30');
    await world.plane.kubectl(consent.split(' '));
    await until('all are gated', 30_000, async () =>
      / 0\/30 +30 +0 /.test((await muster(['rules'])).out) ? true : undefined,
    );
    expect((await muster(['explain', 'rule', 'network'])).out).not.toContain('The brake');
  });

  it('say what could not be seen without the right to list Leases', async () => {
    const { out } = await muster(['explain', 'rule', 'network']);
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(
      /Not seen Whether another controller serves NodeReadinessGateRules \(Lease [^)]+\): leases.* is forbidden/,
    );
  });

  it('explain one node, and list nodes by stage and gate', async () => {
    const node = await muster(['explain', 'rule', 'network', '--node', 'worker-007']);
    expect(node.code).toBe(3);
    expect(node.out).toMatch(/^Node worker-007 and NodeReadinessGateRule network: it is gated, since \d+s\./);
    await until('the records follow', 60_000, async () =>
      (await muster(['nodes', '--stage', 'Gated', '-o', 'name'])).out.split('\n').length === 31
        ? true
        : undefined,
    );
    const gated = await muster(['nodes', '--gated', '--pool', 'blue']);
    expect(gated.out).toMatch(/worker-007 +nrgr\/network +\d+s +network\.k8s\.io\/CalicoReady is missing\n/);
    expect((await muster(['nodes', '--pool', 'green'])).err).toBe('There are no such nodes.\n');
  });

  it('run as a plugin of kubectl', async () => {
    const bin = path.join(world.plane.dir, 'plugins');
    mkdirSync(bin);
    symlinkSync(musterScript, path.join(bin, 'kubectl-muster'));
    symlinkSync(process.execPath, path.join(bin, 'node'));
    const child = spawn(world.plane.bin('kubectl'), ['muster', 'rules', '-o', 'name'], {
      env: { ...process.env, KUBECONFIG: kubeconfig, PATH: `${bin}${path.delimiter}${process.env['PATH']}` },
    });
    const [out, err, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    expect([code, out, err]).toEqual([0, 'nodereadinessgaterules.nodereadiness.io/network\n', '']);
  });

  it('refuse a context that is not there, and fail where the rights do not reach', async () => {
    const context = await muster(['nodes', '--context', 'nowhere']);
    expect(context.code).toBe(2);
    expect(context.err).toMatch(/^muster nodes: .*nowhere/);
    await world.plane.kubectl(['delete', 'clusterrolebinding', 'reader']);
    const denied = await until('the right is gone', 30_000, async () => {
      const end = await muster(['nodes']);
      return end.code === 1 ? end : undefined;
    });
    expect(denied.err).toMatch(/^muster nodes: nodelifecycles\.muster\.dev: .*is forbidden/);
  });
});
