// The daemonset mode before a real API server, with the rights of the sample and no more: what it does to its node is what the
// operator does, the taint gone and the label there in one write, and nothing else.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemNamespace, verificationKeys } from '../src/api/keys.ts';
import { fieldsOf, recordsIn, textOf } from '../src/objects/raw.ts';
import { until } from './control-plane/until.ts';
import {
  account,
  type DaemonsetStage,
  foreignTaint,
  labelsOf,
  startDaemonsetStage,
  taint,
} from './support/daemonset-stage.ts';
import type { WorkerEnd } from './support/worker-process.ts';

const verified = verificationKeys.verifiedLabel;
const ours = `${verificationKeys.taint}=true:NoSchedule`;
const MIB = 1024;

let stage: DaemonsetStage;

beforeAll(async () => {
  stage = await startDaemonsetStage();
  await stage.createNode('probe');
  const { kubeconfig } = await stage.podOn('probe');
  const cordon = ['patch', 'node', 'probe', '--dry-run=server', '-p', '{"spec":{"unschedulable":true}}'];
  // The API server takes a policy into use a moment after it accepts it.
  await until('the policy is in use', 30_000, () =>
    stage.plane.kubectl(cordon, { kubeconfig }).then(
      () => undefined,
      () => true,
    ),
  );
});
afterAll(() => stage?.stop());

describe('a node in daemonset mode', () => {
  it('loses its taint and gets its label in one write, and keeps all that is not ours', async () => {
    const before = await stage.createNode('good', { labels: { team: 'a' } });
    const end = await stage.verify('good', {});
    expect(end).toMatchObject({ code: 0, report: { verdict: 'pass', nodeName: 'good' } });
    const after = await stage.nodeNamed('good');
    expect(taintsOf(after)).toEqual(taintsOf(before).filter((taint) => taint !== ours));
    expect(taintsOf(after)).toHaveLength(taintsOf(before).length - 1);
    expect(labelsOf(after)).toEqual({ team: 'a', [verified]: 'true' });
    expect(logOf(end).filter(({ msg }) => msg === 'write')).toHaveLength(1);
    // It stayed until it was told to go: a DaemonSet would start it again.
    expect(logOf(end).at(-1)).toMatchObject({ msg: 'stopped' });
  });

  it('reports what a worker of the operator reports on the same node', async () => {
    await stage.createNode('same');
    const reporting = await stage.work('same', {}, { args: [] });
    const releasing = await stage.verify('same', {});
    expect(reporting).toMatchObject({ code: 0, report: { verdict: 'pass' } });
    expect(withoutTimes(releasing)).toEqual(withoutTimes(reporting));
  });

  it('says once that the mode is deprecated, and which variables mean nothing', async () => {
    await stage.createNode('warned');
    const lines = logOf(await stage.verify('warned', { METRICS_PORT: '8080' }));
    expect(lines.filter(({ msg }) => textOf(msg).includes('deprecated'))).toHaveLength(1);
    expect(lines).toContainEqual(expect.objectContaining({ variable: 'METRICS_PORT', level: 'info' }));
  });

  it('is tried again, and keeps its taint when it never passes', async () => {
    const before = await stage.createNode('bad');
    const end = await stage.work('bad', {
      MAX_RETRIES: '2',
      CLUSTER_DNS_IP: '127.0.0.1:1',
      CHECKS: 'dns,api',
    });
    expect(end).toMatchObject({ code: 1, report: { verdict: 'fail' } });
    expect(end.stdout.trim().split('\n')).toHaveLength(2);
    expect(await stage.nodeNamed('bad')).toEqual(before);
  });

  it('is left alone when it has the label and no taint of ours, and is not even checked', async () => {
    const before = await stage.createNode('labelled', {
      labels: { [verified]: 'true' },
      taints: [foreignTaint],
    });
    const end = await stage.work('labelled', {}, { stopAtLine: 'nothing is left to do' });
    expect(end).toMatchObject({ code: 0, stdout: '' });
    expect(await stage.nodeNamed('labelled')).toEqual(before);
  });

  it('is left alone in a dry run', async () => {
    const before = await stage.createNode('dry');
    const end = await stage.work('dry', { DRY_RUN: 'true' }, { stopAtLine: 'nothing is left to do' });
    expect(end).toMatchObject({ code: 0, report: { verdict: 'pass' } });
    expect(logOf(end)).toContainEqual(expect.objectContaining({ msg: 'would write' }));
    expect(await stage.nodeNamed('dry')).toEqual(before);
  });

  it('is released while others write to it all the time, and loses nothing of theirs', async () => {
    await stage.createNode('busy');
    let count = 0;
    const over = new AbortController();
    const writing = (async () => {
      while (!over.signal.aborted) {
        count += 1;
        const body = { metadata: { annotations: { count: String(count) } } };
        await stage.plane.request('PATCH', '/api/v1/nodes/busy', { body });
      }
    })();
    const end = await stage.verify('busy', {});
    over.abort();
    await writing;
    expect(end.code).toBe(0);
    const node = await stage.nodeNamed('busy');
    expect(taintsOf(node)).not.toContain(ours);
    expect(labelsOf(node)).toEqual({ [verified]: 'true' });
    expect(fieldsOf(fieldsOf(fieldsOf(node)['metadata'])['annotations'])['count']).toBe(String(count));
  });

  it('is not released by a worker without rights', async () => {
    await stage.plane.kubectl(['create', 'serviceaccount', 'nobody', '-n', systemNamespace]);
    const other = await stage.plane.kubeconfigFor({ ...account, name: 'nobody' }, { tokenFile: true });
    const before = await stage.createNode('forbidden');
    const end = await stage.work('forbidden', { TOKEN_FILE: other.tokenFile ?? '', MAX_RETRIES: '1' });
    expect(end).toMatchObject({ code: 3, stdout: '' });
    expect(end.stderr).toContain('Forbidden');
    expect(await stage.nodeNamed('forbidden')).toEqual(before);
  });

  it('is never deleted, and a worker that is told to do so does not start', async () => {
    const end = await stage.work('good', { DELETE_FAILED_NODE: 'true' });
    expect(end).toMatchObject({ code: 2, report: { verdict: 'inconclusive' } });
    expect(end.stderr).toContain('a worker never deletes a node');
  });

  it('is verified within 64 MiB', async () => {
    await stage.createNode('measured');
    const probe = join(stage.folder, 'probe.cjs');
    writeFileSync(probe, probeSource);
    const end = await stage.verify('measured', {}, { nodeFlags: ['--require', probe] });
    const peakKiB = Number(/peak (\d+) KiB/.exec(end.stderr)?.[1]);
    process.stderr.write(`worker in daemonset mode: ${(peakKiB / MIB).toFixed(1)} MiB at its peak\n`);
    expect(peakKiB).toBeLessThanOrEqual(64 * MIB);
  });
});

describe('the sample', () => {
  it.each<[string, boolean, object]>([
    ['read a node', true, { verb: 'get', resource: 'nodes' }],
    ['patch a node', true, { verb: 'patch', resource: 'nodes' }],
    ['list nodes', false, { verb: 'list', resource: 'nodes' }],
    ['replace a node', false, { verb: 'update', resource: 'nodes' }],
    ['delete a node', false, { verb: 'delete', resource: 'nodes' }],
    ['write the status of a node', false, { verb: 'patch', resource: 'nodes', subresource: 'status' }],
    ['read a pod', false, { verb: 'get', resource: 'pods' }],
    ['read a secret', false, { verb: 'get', resource: 'secrets' }],
  ])('gives the right to %s: %s', async (_, allowed, resourceAttributes) => {
    const user = `system:serviceaccount:${account.namespace}:${account.name}`;
    const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
    const { body } = await stage.plane.request('POST', path, {
      body: { spec: { user, resourceAttributes } },
    });
    expect(body).toMatchObject({ status: { allowed } });
  });

  it.each<[string, object, string]>([
    ['a taint of others', { spec: { taints: [] } }, 'a worker may not change taints of others'],
    ['whether it is cordoned', { spec: { unschedulable: true } }, 'a worker may neither cordon nor uncordon'],
  ])('lets a worker not even change %s on its own node', async (_, body, words) => {
    const { kubeconfig } = await stage.podOn('probe');
    const patch = ['patch', 'node', 'probe', '--type=merge', '-p', JSON.stringify(body)];
    await expect(stage.plane.kubectl(patch, { kubeconfig })).rejects.toThrow(words);
  });

  it('lets a worker change no other node', async () => {
    const before = await stage.createNode('other');
    const { tokenFile } = await stage.podOn('probe');
    const end = await stage.work('other', { TOKEN_FILE: tokenFile, MAX_RETRIES: '1' });
    expect(end).toMatchObject({ code: 3, report: { verdict: 'pass' } });
    expect(end.stderr).toContain('a worker on node probe may not change node other');
    expect(await stage.nodeNamed('other')).toEqual(before);
  });

  it('puts a pod onto a node with the taint, and takes it away from one with the label', async () => {
    await stage.createNode('host', { labels: { 'kubernetes.io/os': 'linux' }, taints: [taint] });
    const room = { cpu: '1', memory: '1Gi', pods: '10' };
    await stage.change('/api/v1/nodes/host/status', { status: { capacity: room, allocatable: room } });
    const path = `/api/v1/namespaces/${systemNamespace}/pods?fieldSelector=spec.nodeName%3Dhost`;
    const pods = async () => recordsIn(fieldsOf((await stage.plane.request('GET', path)).body)['items']);
    await until('the node has a pod', 30_000, async () => ((await pods()).length === 1 ? true : undefined));
    await stage.change('/api/v1/nodes/host', { metadata: { labels: { [verified]: 'true' } } });
    // Without a kubelet nobody ends it, so it stays in the list.
    await until('the pod has to go', 30_000, async () =>
      (await pods()).every(({ metadata }) => 'deletionTimestamp' in fieldsOf(metadata)) ? true : undefined,
    );
  });
});

const probeSource = `
const { readFileSync } = require('node:fs');
process.on('exit', () => {
  const [, peakKiB] = /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
  process.stderr.write('peak ' + peakKiB + ' KiB');
});
`;

function logOf({ stderr }: WorkerEnd): readonly Readonly<Record<string, unknown>>[] {
  return stderr
    .trim()
    .split('\n')
    .map((line) => fieldsOf(JSON.parse(line)));
}

/** Two runs take different times, and say the same. */
function withoutTimes({ report }: WorkerEnd) {
  return { ...report, checks: report?.checks.map(({ ms, ...rest }) => rest) };
}

function taintsOf(node: unknown): readonly string[] {
  return recordsIn(fieldsOf(fieldsOf(node)['spec'])['taints']).map(
    ({ key, value, effect }) => `${textOf(key)}=${textOf(value)}:${textOf(effect)}`,
  );
}
