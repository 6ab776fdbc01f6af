import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../src/base/clock.ts';
import { silentLog } from '../src/base/log.ts';
import { silentMetrics } from '../src/base/metrics.ts';
import { systemRandom } from '../src/base/random.ts';
import { formatProblem } from '../src/base/result.ts';
import { type ConnectedKubeApi, connectKubeApi, type Protocol } from '../src/kube/connect.ts';
import { nodeCommands, nodeFiles } from '../src/kube/host-ports.ts';
import { readConnection } from '../src/kube/kubeconfig.ts';
import { nodeType } from '../src/objects/ref.ts';
import { describeKubeApi } from './contracts/kube-api.ts';
import { type ControlPlane, startControlPlane } from './control-plane/control-plane.ts';

let plane: ControlPlane;

beforeAll(async () => {
  plane = await startControlPlane();
});

afterAll(() => plane.stop());

async function connect(kubeconfig: string, protocol: Protocol = 'auto'): Promise<ConnectedKubeApi> {
  const environment = {};
  const connection = await readConnection({ environment, files: nodeFiles, kubeconfig });
  if (connection.kind === 'error') throw new Error(connection.error.map(formatProblem).join('\n'));
  return connectKubeApi(connection.value, {
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    metrics: silentMetrics,
    files: nodeFiles,
    commands: nodeCommands,
    environment,
    isInteractive: false,
    userAgent: 'muster/e2e',
    fieldManager: 'muster-e2e',
    protocol,
  });
}

for (const protocol of ['auto', 'http1'] as const) {
  describeKubeApi(`KubeApi over a real API server, protocol ${protocol}`, async () => {
    const namespace = `contract-${randomUUID()}`;
    await plane.kubectl(['create', 'namespace', namespace]);
    const { api, close } = await connect(plane.adminKubeconfig, protocol);
    return {
      api,
      namespace,
      async cleanUp() {
        close();
        await plane.kubectl(['delete', 'namespace', namespace, '--wait=false']);
      },
    };
  });
}

describe('identities on a real API server', () => {
  it('are told by client certificate', async () => {
    const nobody = await connect(await plane.kubeconfigForUser({ name: 'nobody', groups: [] }));
    const answer = await nobody.api.list({ type: nodeType });
    expect(answer).toMatchObject({ error: { reason: 'Forbidden', code: 403, retry: 'never' } });
    expect(answer).toMatchObject({ error: { message: expect.stringContaining('User "nobody"') } });
    nobody.close();
  });

  it('are read again from the token file when they rotate', async () => {
    await plane.kubectl(['create', 'serviceaccount', 'rotating']);
    await plane.kubectl([
      'create',
      'clusterrolebinding',
      'rotating',
      '--clusterrole=view',
      '--serviceaccount=default:rotating',
    ]);
    const account = { namespace: 'default', name: 'rotating' };
    const { path, tokenFile } = await plane.kubeconfigFor(account, { tokenFile: true });
    if (tokenFile === null) throw new Error('there is no token file');
    const good = await readFile(tokenFile, 'utf8');
    await writeFile(tokenFile, 'not-a-token');
    const { api, close } = await connect(path);
    const read = () => api.get({ type: configMap, namespace: 'default', name: 'kube-root-ca.crt' });
    expect(await read()).toMatchObject({ error: { reason: 'Unauthorized', code: 401, retry: 'backoff' } });
    await writeFile(`${tokenFile}.new`, good);
    await rename(`${tokenFile}.new`, tokenFile);
    expect(await read()).toMatchObject({ kind: 'ok' });
    close();
  });
});

describe('the API server', () => {
  it('that is killed is unreachable, and is found again when it is back', async () => {
    const { api, close } = await connect(plane.adminKubeconfig);
    expect(await api.list({ type: nodeType })).toMatchObject({ kind: 'ok' });
    await plane.killApiServer();
    expect(await api.list({ type: nodeType })).toMatchObject({
      error: { reason: 'Unreachable', retry: 'backoff', effect: 'none' },
    });
    await plane.startApiServer();
    expect(await api.list({ type: nodeType })).toMatchObject({ kind: 'ok' });
    close();
  });
});

const configMap = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  scope: 'Namespaced',
} as const;
