// The reporter on a real control plane, as the shipped bundle, with exactly the right that the sample gives it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from './control-plane/until.ts';
import { createNode, startWorld, type World } from './support/cluster-world.ts';
import { musterScript } from './support/operator-process.ts';

const type = 'network.k8s.io/CalicoReady';
const account = { namespace: 'muster-reporter', name: 'muster-reporter' };
const sample = path.resolve(import.meta.dirname, '../config/samples/reporter/daemonset.yaml');

type Condition = Readonly<Record<string, string>>;

let world: World;
let kubeconfig: string;
let endpoint: Server;
let answer = { status: 200, body: 'ok' };
let endpointUrl: string;

beforeAll(async () => {
  world = await startWorld();
  for (const name of ['worker-1', 'worker-2']) await createNode(world.plane, name);
  await world.plane.kubectl(['apply', '-f', sample]);
  kubeconfig = (await world.plane.kubeconfigFor(account)).path;
  endpoint = createServer((_, reply) => reply.writeHead(answer.status).end(answer.body)).listen(
    0,
    '127.0.0.1',
  );
  await once(endpoint, 'listening');
  const address = endpoint.address();
  endpointUrl = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/readiness`;
});

afterAll(async () => {
  endpoint?.close();
  await world?.stop();
});

const environment = (more: Readonly<Record<string, string>> = {}) => ({
  ...process.env,
  NODE_NAME: 'worker-1',
  CONDITION_TYPE: type,
  CHECK_ENDPOINT: endpointUrl,
  CHECK_INTERVAL: '1s',
  METRICS_BIND_ADDRESS: '0',
  FAILURE_THRESHOLD: '2',
  KUBECONFIG: kubeconfig,
  ...more,
});

function startReporter(more: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [musterScript, 'reporter'], {
    env: environment(more),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const err = text(child.stderr);
  const exited = once(child, 'close') as Promise<[number | null]>;
  return {
    lines,
    err,
    exited,
    async stop() {
      child.kill('SIGTERM');
      const [code] = await exited;
      return code;
    },
  };
}

async function conditionOf(node: string): Promise<Condition | undefined> {
  const { body } = await world.plane.request('GET', `/api/v1/nodes/${node}`);
  return (body as { status: { conditions: Condition[] } }).status.conditions.find(
    (each) => each['type'] === type,
  );
}

const becomes = (node: string, status: string) =>
  until(`${node} says ${status}`, 20_000, async () => {
    const found = await conditionOf(node);
    return found?.['status'] === status ? found : undefined;
  });

describe('a reporter on a real API server', () => {
  it('keeps its condition by what the endpoint answers, and ends with 0 on SIGTERM', async () => {
    const reporter = startReporter();
    const up = await becomes('worker-1', 'True');
    expect(up).toMatchObject({ reason: 'EndpointOK', message: 'the endpoint answered 200' });
    answer = { status: 503, body: 'BGP not established' };
    const down = await becomes('worker-1', 'False');
    expect(down).toMatchObject({
      reason: 'EndpointNotReady',
      message: 'the endpoint answered 503: BGP not established',
    });
    expect(await reporter.stop()).toBe(0);
    expect(await reporter.err).toBe('');
    expect((await conditionOf('worker-1'))?.['status']).toBe('False');
  });

  it('learns from a patch that changes nothing what the node says, and does not say it again', async () => {
    const { resourceVersion } = await metadataOf('worker-1');
    const reporter = startReporter();
    await askedTimes(4);
    expect((await metadataOf('worker-1')).resourceVersion).toBe(resourceVersion);
    answer = { status: 200, body: 'ok' };
    await becomes('worker-1', 'True');
    const after = await metadataOf('worker-1');
    await askedTimes(4);
    expect((await metadataOf('worker-1')).resourceVersion).toBe(after.resourceVersion);
    expect(await reporter.stop()).toBe(0);
  });

  it('serves its metrics under the names that its users know', async () => {
    const port = await freePort();
    const reporter = startReporter({ METRICS_BIND_ADDRESS: `127.0.0.1:${port}` });
    await askedTimes(2);
    const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(page).toMatch(/^node_readiness_reporter_checks_total\{result="healthy"\} [1-9]/m);
    expect(page).toMatch(/^node_readiness_reporter_condition_writes_total\{result="skipped"\} [1-9]/m);
    expect(page).toMatch(/^node_readiness_reporter_build_info\{version="[^"]+"\} 1$/m);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    expect(await reporter.stop()).toBe(0);
  });

  it('may do nothing but patch the status of nodes', async () => {
    const may = async (verb: string, resource: string, subresource = '') => {
      const user = `system:serviceaccount:${account.namespace}:${account.name}`;
      const body = {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: { user, resourceAttributes: { verb, resource, subresource } },
      };
      const reply = await world.plane.request('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        body,
      });
      return (reply.body as { status: { allowed: boolean } }).status.allowed;
    };
    expect(await may('patch', 'nodes', 'status')).toBe(true);
    expect(await may('update', 'nodes', 'status')).toBe(false);
    for (const verb of ['get', 'list', 'watch', 'patch', 'update', 'delete'])
      expect([verb, await may(verb, 'nodes')]).toEqual([verb, false]);
  });

  it('acts as its own node where it may impersonate it, and then cannot touch another', async () => {
    const user = 'system:node:worker-2';
    await world.plane.kubectl(['create', 'serviceaccount', 'narrow', '-n', account.namespace]);
    await world.plane.kubectl(['apply', '-f', '-'], { input: JSON.stringify(impersonator(user)) });
    const narrow = (await world.plane.kubeconfigFor({ ...account, name: 'narrow' })).path;
    const own = startReporter({ KUBECONFIG: narrow, NODE_NAME: 'worker-2', IMPERSONATE_NODE: 'true' });
    await becomes('worker-2', 'True');
    expect(await own.stop()).toBe(0);
    const other = startReporter({ KUBECONFIG: narrow, NODE_NAME: 'worker-1', IMPERSONATE_NODE: 'true' });
    await until(
      'it is refused',
      20_000,
      () => other.lines.some((line) => line.includes('Forbidden')) || undefined,
    );
    expect(await other.stop()).toBe(0);
  });

  it('refuses a bad configuration with exit code 2 and the name of the variable', async () => {
    const reporter = startReporter({ CHECK_INTERVAL: 'soon', NODE_NAME: '' });
    const [code] = await reporter.exited;
    expect(code).toBe(2);
    expect(await reporter.err).toBe(
      'muster reporter: CHECK_INTERVAL: must be a duration from 1s to 24h such as 10m, not "soon"\n' +
        'muster reporter: NODE_NAME: is required\n',
    );
  });
});

async function metadataOf(node: string): Promise<{ readonly resourceVersion: string }> {
  const { body } = await world.plane.request('GET', `/api/v1/nodes/${node}`);
  return (body as { metadata: { resourceVersion: string } }).metadata;
}

/** Resolves when the endpoint has been asked so many times more. */
async function askedTimes(count: number): Promise<void> {
  let asked = 0;
  const heard = () => void asked++;
  endpoint.on('request', heard);
  await until(`${count} requests`, 20_000, () => asked >= count || undefined);
  endpoint.off('request', heard);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function impersonator(user: string) {
  const metadata = { name: 'narrow' };
  return {
    apiVersion: 'v1',
    kind: 'List',
    items: [
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata,
        rules: [
          { apiGroups: [''], resources: ['users'], resourceNames: [user], verbs: ['impersonate'] },
          { apiGroups: [''], resources: ['groups'], resourceNames: ['system:nodes'], verbs: ['impersonate'] },
        ],
      },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata,
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'narrow' },
        subjects: [{ kind: 'ServiceAccount', ...account, name: 'narrow' }],
      },
    ],
  };
}
