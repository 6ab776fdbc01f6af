// Simulated nodes on a real control plane: its own scheduler and controllers do their part, ours keep out of it.

import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ControlPlane, startControlPlane } from './control-plane/control-plane.ts';
import { until } from './control-plane/until.ts';
import { type SimProcess, startSim } from './support/sim-process.ts';

describe('simulated nodes on a real control plane', () => {
  let plane: ControlPlane;
  let sim: SimProcess;

  const fieldOf = (what: string, field: string) =>
    plane.kubectl(['get', ...what.split(' '), '-o', `jsonpath={${field}}`]);
  const becomes = (what: string, field: string, wanted: string) =>
    until(`${what} ${field} is ${wanted}`, 90_000, async () =>
      (await fieldOf(what, field).catch(() => '')) === wanted ? true : undefined,
    );

  beforeAll(async () => {
    plane = await startControlPlane({ log: (line) => process.stderr.write(`${line}\n`) });
    sim = startSim(plane.adminKubeconfig, '--nodes', '50', '--seed', '7');
  });
  afterAll(async () => {
    await sim?.stop();
    await plane?.stop();
  });

  it('become ready, all fifty, and the real node controller takes their taint away', async () => {
    const each =
      '{range .items[*]}{.status.conditions[?(@.type=="Ready")].status}:{.spec.taints[*].key}{"\\n"}{end}';
    await until('50 nodes are ready', 60_000, async () => {
      const lines = (await plane.kubectl(['get', 'nodes', '-o', `jsonpath=${each}`])).trim().split('\n');
      return lines.length === 50 && lines.every((line) => /^True:(?:dedicated)?$/.test(line))
        ? true
        : undefined;
    });
  });

  it('run a pod that the real scheduler bound to its end', async () => {
    await plane.kubectl(['run', 'job', '--image=example.com/job', '--restart=Never']);
    await becomes('pod job', '.status.phase', 'Succeeded');
    expect(await fieldOf('pod job', '.spec.nodeName')).toMatch(/^(?:general|spot)-\d\d$/);
    expect(await plane.kubectl(['get', 'events', '--field-selector', 'reason=Scheduled'])).toContain(
      'default/job',
    );
  });

  it('run the image of this build as a real process', async () => {
    await plane.kubectl(['run', 'version', '--image=muster', '--restart=Never', '--', 'version']);
    await becomes('pod version', '.status.phase', 'Succeeded');
  });

  it('run the operator itself as a Deployment, which records the nodes', async () => {
    await plane.kubectl(['apply', '-f', path.resolve(import.meta.dirname, '../config/crds')]);
    const anywhere = ['--health-bind-address=127.0.0.1:0', '--metrics-bind-address=127.0.0.1:0'];
    const container = {
      name: 'operator',
      image: 'muster:test',
      args: ['operator', '--no-leader-elect', ...anywhere],
    };
    const labels = { app: 'muster' };
    const template = { metadata: { labels }, spec: { containers: [container] } };
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'muster', namespace: 'default' },
      spec: { replicas: 1, selector: { matchLabels: labels }, template },
    };
    await plane.kubectl(['apply', '-f', '-'], { input: JSON.stringify(deployment) });
    await becomes('nl spot-01', '.status.stage', 'InService');
    await becomes('deployment muster', '.status.readyReplicas', '1');
    await plane.kubectl(['delete', 'deployment', 'muster', '--cascade=foreground', '--timeout=40s']);
  });

  it('end pods as told, and give them up when they are deleted', async () => {
    const told = ['--image=example.com/job', '--restart=Never', '--annotations=sim.muster.dev/outcome=oom'];
    await plane.kubectl(['run', 'told', ...told]);
    await becomes('pod told', '.status.containerStatuses[0].state.terminated.reason', 'OOMKilled');
    await plane.kubectl(['run', 'web', '--image=example.com/web']);
    await becomes('pod web', '.status.phase', 'Running');
    await plane.kubectl(['delete', 'pod', 'web', '--timeout=20s']);
  });

  it('reboot on request and come back with another boot ID', async () => {
    const before = await fieldOf('node general-01', '.status.nodeInfo.bootID');
    await plane.kubectl(['annotate', 'node', 'general-01', 'sim.muster.dev/play=node-reboots']);
    await becomes('node general-01', '.spec.taints[0].key', 'node.kubernetes.io/not-ready');
    await becomes('node general-01', '.status.conditions[?(@.type=="Ready")].status', 'True');
    expect(await fieldOf('node general-01', '.status.nodeInfo.bootID')).not.toBe(before);
  });

  it('end with 0, and are found again by the next run without a reboot', async () => {
    const before = await fieldOf('node spot-01', '.status.nodeInfo.bootID');
    expect(await sim.stop()).toBe(0);
    sim = startSim(plane.adminKubeconfig, '--nodes', '50', '--seed', '8');
    await until(
      'it is ready again',
      30_000,
      () =>
        sim.lines().some((line) => line.includes('node-becomes-ready') && line.includes('spot-01')) ||
        undefined,
    );
    expect(await fieldOf('node spot-01', '.status.nodeInfo.bootID')).toBe(before);
  });
});
