// The reporter on a real control plane, as the shipped bundle, with exactly the rights that the sample gives it and the token that a pod
// of it has; then with the rights that were made for kubernetes-sigs' reporter.

import { once } from 'node:events';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNode, startWorld, type World } from './support/cluster-world.ts';
import {
  becomes,
  conditionOf,
  type Endpoint,
  grant,
  podKubeconfig,
  reporterAccount,
  reporterSamples,
  sampleEnvironment,
  startEndpoint,
  startReporter,
} from './support/reporter-process.ts';

let world: World;
let endpoint: Endpoint;
let sample: Readonly<Record<string, string>>;

beforeAll(async () => {
  world = await startWorld();
  for (const name of ['worker-1', 'worker-2', 'worker-3']) await createNode(world.plane, name);
  await world.plane.kubectl(['apply', '-f', path.join(reporterSamples, 'daemonset.yaml')]);
  endpoint = await startEndpoint();
  sample = {
    ...(await sampleEnvironment(world.plane)),
    NODE_NAME: 'worker-1',
    CHECK_ENDPOINT: endpoint.url,
    FAILURE_THRESHOLD: '2',
    KUBECONFIG: await podKubeconfig(world.plane, reporterAccount, 'worker-1'),
  };
});

afterAll(async () => {
  endpoint?.close();
  await world?.stop();
});

const start = (changes: Readonly<Record<string, string>> = {}) => startReporter({ ...sample, ...changes });

describe('a reporter on a real API server', () => {
  it('keeps its condition by what the endpoint answers, and ends with 0 on SIGTERM', async () => {
    const reporter = start();
    const up = await becomes(world.plane, 'worker-1', 'True');
    expect(up).toMatchObject({ reason: 'EndpointOK', message: 'the endpoint answered 200' });
    endpoint.answer(503, 'BGP not established');
    const down = await becomes(world.plane, 'worker-1', 'False');
    expect(down).toMatchObject({
      reason: 'EndpointNotReady',
      message: 'the endpoint answered 503: BGP not established',
    });
    expect(await reporter.stop()).toBe(0);
    expect(await reporter.err).toBe('');
    expect((await conditionOf(world.plane, 'worker-1'))?.['status']).toBe('False');
  });

  it('learns from a patch that changes nothing what the node says, and does not say it again', async () => {
    const { resourceVersion } = await metadataOf('worker-1');
    const reporter = start();
    await endpoint.askedTimes(4);
    expect((await metadataOf('worker-1')).resourceVersion).toBe(resourceVersion);
    endpoint.answer(200, 'ok');
    await becomes(world.plane, 'worker-1', 'True');
    const after = await metadataOf('worker-1');
    await endpoint.askedTimes(4);
    expect((await metadataOf('worker-1')).resourceVersion).toBe(after.resourceVersion);
    expect(await reporter.stop()).toBe(0);
  });

  it('serves its metrics under the names that its users know', async () => {
    const port = await freePort();
    const reporter = start({ METRICS_BIND_ADDRESS: `127.0.0.1:${port}` });
    await endpoint.askedTimes(3);
    const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(page).toMatch(/^node_readiness_reporter_checks_total\{result="healthy"\} [1-9]/m);
    expect(page).toMatch(/^node_readiness_reporter_condition_writes_total\{result="skipped"\} [1-9]/m);
    expect(page).toMatch(/^node_readiness_reporter_build_info\{version="[^"]+"\} 1$/m);
    const duration = 'node_readiness_reporter_check_duration_seconds';
    const [, checks] = /^node_readiness_reporter_checks_total\{result="healthy"\} (\d+)$/m.exec(page) ?? [];
    expect(page).toContain(`\n${duration}_count ${checks}\n`);
    expect(page).toContain(`\n${duration}_bucket{le="10"} ${checks}\n`);
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    expect(await reporter.stop()).toBe(0);
  });

  it('may do nothing but patch the status of its node, and that only as the node', async () => {
    expect(await may('impersonate:associated-node', 'authentication.k8s.io/nodes')).toBe(true);
    expect(await may('impersonate-on:associated-node:patch', '/nodes/status')).toBe(true);
    expect(await may('impersonate-on:associated-node:update', '/nodes/status')).toBe(false);
    expect(await may('impersonate:arbitrary-node', 'authentication.k8s.io/nodes')).toBe(false);
    expect(await may('impersonate', '/users')).toBe(false);
    for (const verb of ['get', 'list', 'watch', 'patch', 'update', 'delete'])
      for (const resource of ['/nodes', '/nodes/status'])
        expect([verb, resource, await may(verb, resource)]).toEqual([verb, resource, false]);
  });

  it('cannot write a node that its pod does not run on, and says what it needs', async () => {
    const { resourceVersion } = await metadataOf('worker-2');
    const reporter = start({ NODE_NAME: 'worker-2' });
    const line = await reporter.says('"reason":"Forbidden"');
    expect(line).toContain('impersonate-on:associated-node:patch on nodes/status');
    expect(line).toContain('a token of a pod on the node');
    expect(await reporter.stop()).toBe(0);
    expect((await metadataOf('worker-2')).resourceVersion).toBe(resourceVersion);
  });

  it('refuses a bad configuration with exit code 2 and the name of the variable', async () => {
    const reporter = start({ CHECK_INTERVAL: 'soon', NODE_NAME: '' });
    const [code] = await reporter.exited;
    expect(code).toBe(2);
    expect(await reporter.err).toBe(
      'muster reporter: CHECK_INTERVAL: must be a duration from 1s to 24h such as 10m, not "soon"\n' +
        'muster reporter: NODE_NAME: is required\n',
    );
  });
});

describe("a reporter with the rights that were made for kubernetes-sigs' reporter", () => {
  const nodeStatus = { apiGroups: [''], resources: ['nodes/status'] };

  it.each([
    {
      rights: 'to read its node and to replace its status, as the node',
      name: 'upstream-narrow',
      isImpersonating: 'true',
      rules: [
        {
          apiGroups: ['authentication.k8s.io'],
          resources: ['nodes'],
          verbs: ['impersonate:associated-node'],
        },
        { apiGroups: [''], resources: ['nodes'], verbs: ['impersonate-on:associated-node:get'] },
        { ...nodeStatus, verbs: ['impersonate-on:associated-node:update'] },
      ],
    },
    {
      rights: 'to read and to replace, in its own name',
      name: 'upstream-wide',
      isImpersonating: 'false',
      rules: [
        { apiGroups: [''], resources: ['nodes'], verbs: ['get'] },
        { ...nodeStatus, verbs: ['update'] },
      ],
    },
    {
      rights: 'to patch and to replace, in its own name',
      name: 'upstream-wider',
      isImpersonating: 'false',
      rules: [{ ...nodeStatus, verbs: ['patch', 'update'] }],
    },
  ])('keeps its condition: $rights', async ({ name, isImpersonating, rules }) => {
    const account = { namespace: reporterAccount.namespace, name };
    await world.plane.kubectl(['create', 'serviceaccount', name, '-n', account.namespace]);
    await grant(world.plane, name, { rules, subject: { kind: 'ServiceAccount', ...account } });
    await createNode(world.plane, name);
    endpoint.answer(200, 'ok');
    const reporter = start({
      NODE_NAME: name,
      IMPERSONATE_NODE: isImpersonating,
      KUBECONFIG: await podKubeconfig(world.plane, account, name),
    });
    await becomes(world.plane, name, 'True');
    endpoint.answer(503, 'not now');
    await becomes(world.plane, name, 'False');
    expect(await reporter.stop()).toBe(0);
  });
});

/** Of the account of the sample; the resource as `group/resource/subresource`. */
async function may(verb: string, path: string): Promise<boolean> {
  const [group = '', resource = '', subresource = ''] = path.split('/');
  const user = `system:serviceaccount:${reporterAccount.namespace}:${reporterAccount.name}`;
  const body = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { user, resourceAttributes: { verb, group, resource, subresource } },
  };
  const reviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
  const reply = await world.plane.request('POST', reviews, { body });
  return (reply.body as { status: { allowed: boolean } }).status.allowed;
}

async function metadataOf(node: string): Promise<{ readonly resourceVersion: string }> {
  const { body } = await world.plane.request('GET', `/api/v1/nodes/${node}`);
  return (body as { metadata: { resourceVersion: string } }).metadata;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
