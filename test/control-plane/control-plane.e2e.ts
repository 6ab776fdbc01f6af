import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import type { ServerProcess } from './processes.ts';
import { textAt } from './text-at.ts';
import { noTraceOf, processesOf } from './traces.ts';
import { until } from './until.ts';

let plane: ControlPlane;
/** Left running on purpose. */
const guests: ServerProcess[] = [];

beforeAll(async () => {
  plane = await startControlPlane({ log: (line) => void process.stderr.write(`${line}\n`) });
});

afterAll(() => plane.stop());

const configMaps = '/api/v1/namespaces/default/configmaps';

describe('a started control plane', () => {
  it('is the Kubernetes version that the toolchain names', async () => {
    const version: unknown = JSON.parse(await plane.kubectl(['get', '--raw', '/version']));
    expect(version).toMatchObject({ major: '1', minor: '36', gitVersion: 'v1.36.3' });
  });

  it('knows the administrator by client certificate', async () => {
    const whoami = await plane.kubectl(['auth', 'whoami', '-o', 'json']);
    const userInfo = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };
    expect(JSON.parse(whoami)).toMatchObject({ status: { userInfo } });
  });

  it('lets a user without a role do nothing', async () => {
    const nobody = await plane.kubeconfigForUser({ name: 'nobody', groups: [] });
    await expect(plane.kubectl(['get', 'nodes'], { kubeconfig: nobody })).rejects.toThrow('Forbidden');
  });

  it('taints a new node not-ready before anybody sees it', async () => {
    const reply = await createNode('fresh');
    expect(reply.body).toMatchObject({
      spec: { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] },
    });
  });

  it('keeps a kubelet from setting a restricted label on its own node', async () => {
    await createNode('own');
    const kubeconfig = await plane.kubeconfigForUser({ name: 'system:node:own', groups: ['system:nodes'] });
    await plane.kubectl(['label', 'node', 'own', 'example.com/a=b'], { kubeconfig });
    const restricted = ['label', 'node', 'own', 'node-restriction.kubernetes.io/a=b'];
    await expect(plane.kubectl(restricted, { kubeconfig })).rejects.toThrow(
      'is not allowed to modify labels',
    );
  });

  it('collects an object whose owner is gone', async () => {
    const owner = await plane.request('POST', configMaps, { body: { metadata: { name: 'owner' } } });
    const uid = textAt(owner.body, 'metadata', 'uid');
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }];
    const owned = await plane.request('POST', configMaps, {
      body: { metadata: { name: 'owned', ownerReferences } },
    });
    expect(owned.status).toBe(201);
    await plane.request('DELETE', `${configMaps}/owner`);
    await until('the owned object is collected', 60_000, async () => {
      const { status } = await plane.request('GET', `${configMaps}/owned`);
      return status === 404 ? true : undefined;
    });
  });
});

describe('a service account', () => {
  const account = { namespace: 'default', name: 'stranger' };

  beforeAll(() => plane.kubectl(['create', 'serviceaccount', account.name]));

  it('may do nothing until a binding says so', async () => {
    const { path, tokenFile } = await plane.kubeconfigFor(account);
    expect(tokenFile).toBeNull();
    await expect(plane.kubectl(['get', 'nodes'], { kubeconfig: path })).rejects.toThrow('Forbidden');
    await plane.kubectl(['create', 'clusterrole', 'look', '--verb=list', '--resource=nodes']);
    await plane.kubectl([
      'create',
      'clusterrolebinding',
      'look',
      '--clusterrole=look',
      '--serviceaccount=default:stranger',
    ]);
    // The authorizer hears of a new binding through its own watch.
    await until('the binding counts', 10_000, () =>
      plane.kubectl(['get', 'nodes'], { kubeconfig: path }).catch(() => undefined),
    );
  });

  it('is known by a token file as well', async () => {
    const { path, tokenFile } = await plane.kubeconfigFor(account, {
      tokenFile: true,
      expirationSeconds: 600,
    });
    expect(tokenFile).not.toBeNull();
    const whoami = await plane.kubectl(['auth', 'whoami', '-o', 'json'], { kubeconfig: path });
    expect(textAt(JSON.parse(whoami), 'status', 'userInfo', 'username')).toBe(
      'system:serviceaccount:default:stranger',
    );
  });

  it('that does not exist is named in the error', async () => {
    const attempt = plane.kubeconfigFor({ namespace: 'default', name: 'ghost' });
    await expect(attempt).rejects.toThrow('no token for service account default/ghost');
  });
});

describe('a killed API server', () => {
  it('refuses connections until it is started again on the same port, with its data', async () => {
    await createNode('survivor');
    await plane.killApiServer();
    await expect(plane.request('GET', '/readyz')).rejects.toThrow('ECONNREFUSED');
    await plane.startApiServer();
    expect((await plane.request('GET', '/api/v1/nodes/survivor')).status).toBe(200);
  });
});

describe('what etcd holds', () => {
  it('is counted by prefix, in keys and bytes', async () => {
    const none = await plane.storedBytes('/registry/secrets/counted/');
    expect(none).toEqual({ objects: 0, bytes: 0 });
    await plane.kubectl(['create', 'namespace', 'counted']);
    const text = 'x'.repeat(1_000);
    for (const name of ['one', 'two']) {
      const body = { metadata: { name }, stringData: { text } };
      await plane.request('POST', '/api/v1/namespaces/counted/secrets', { body });
    }
    const { objects, bytes } = await plane.storedBytes('/registry/secrets/counted/');
    expect(objects).toBe(2);
    expect(bytes).toBeGreaterThan(2_000);
    expect(bytes).toBeLessThan(4_000);
  });
});

describe('a process of the run', () => {
  it('is stopped with it', async () => {
    const args = ['-c', 'echo here; exec sleep 600'];
    const logFile = `${plane.dir}/guest.log`;
    const guest = await plane.launch({ name: 'guest', command: 'sh', args, logFile });
    await until('it has begun', 10_000, async () =>
      (await readFile(logFile, 'utf8')) === 'here\n' ? true : undefined,
    );
    expect(guest.isRunning()).toBe(true);
    guests.push(guest);
  });
});

describe('compaction', () => {
  it('expires old resource versions once the API server has lost its watch cache', async () => {
    const first = await plane.request('POST', configMaps, { body: { metadata: { name: 'compacted-1' } } });
    const old = textAt(first.body, 'metadata', 'resourceVersion');
    await plane.request('POST', configMaps, { body: { metadata: { name: 'compacted-2' } } });

    await plane.compactEtcd();
    expect(await watchFrom(old)).toMatchObject({ status: 200, body: { type: 'ADDED' } });
    expect(await listAt(old)).toMatchObject({ status: 200 });

    await plane.killApiServer();
    await plane.startApiServer();
    const expired = { reason: 'Expired', code: 410 };
    expect(await watchFrom(old)).toMatchObject({ status: 200, body: { type: 'ERROR', object: expired } });
    expect(await listAt(old)).toMatchObject({ status: 410, body: expired });
  });

  const watchFrom = (resourceVersion: string) => {
    const query = new URLSearchParams({ watch: '1', resourceVersion, timeoutSeconds: '1' });
    return plane.request('GET', `${configMaps}?${query.toString()}`);
  };
  const listAt = (resourceVersion: string) => {
    const query = new URLSearchParams({ resourceVersion, resourceVersionMatch: 'Exact' });
    return plane.request('GET', `${configMaps}?${query.toString()}`);
  };
});

describe('a stopped control plane', () => {
  it('leaves no process and no directory', async () => {
    const programs = (await processesOf(plane.dir)).map((path) => basename(path)).sort();
    expect(programs).toEqual(['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'sh']);
    await plane.stop();
    await plane.stop();
    await noTraceOf(plane.dir);
    for (const guest of guests) await guest.exited;
  });
});

async function createNode(name: string) {
  const reply = await plane.request('POST', '/api/v1/nodes', { body: { metadata: { name } } });
  expect(reply.status).toBe(201);
  return reply;
}
