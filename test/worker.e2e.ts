// The worker against a real API server: with a token that the TokenRequest API issued, and no rights whatever.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ControlPlane, startControlPlane } from './control-plane/control-plane.ts';
import { musterScript } from './support/operator-process.ts';
import { runWorker } from './support/worker-process.ts';

const account = { namespace: 'default', name: 'node-ready-worker' };

describe('a worker and a real API server', () => {
  let plane: ControlPlane;
  let tokenFile: string;

  beforeAll(async () => {
    plane = await startControlPlane();
    await plane.kubectl(['create', 'serviceaccount', account.name]);
    tokenFile =
      (await plane.kubeconfigFor(account, { tokenFile: true, expirationSeconds: 600 })).tokenFile ?? '';
  });
  afterAll(() => plane?.stop());

  const work = (config: object) => {
    const { hostname, port } = new URL(plane.url);
    return runWorker({
      script: musterScript,
      config: {
        nodeName: 'worker-1',
        namespace: account.namespace,
        checkTries: 1,
        kubernetesServiceHost: hostname,
        kubernetesServicePort: port,
        certificateAuthority: plane.caFile,
        tokenFile,
        checks: [{ name: 'api' }, { name: 'clock-skew' }],
        ...config,
      },
    });
  };

  it('trust each other, and their clocks agree', async () => {
    const end = await work({});
    expect(end).toMatchObject({ code: 0, report: { verdict: 'pass' } });
    expect(end.check('api')?.message).toBe('accepted as system:serviceaccount:default:node-ready-worker');
  });

  it('do not agree on an account of another namespace', async () => {
    expect((await work({ namespace: 'kube-system' })).check('api')).toMatchObject({
      verdict: 'fail',
      code: 'Unauthorized',
    });
  });

  it('do not agree on a token that the server did not issue', async () => {
    const forged = join(plane.dir, 'forged-token');
    writeFileSync(forged, 'eyJhbGciOiJSUzI1NiJ9.e30.AAAA');
    expect((await work({ tokenFile: forged })).check('api')).toMatchObject({
      verdict: 'fail',
      code: 'Unauthorized',
    });
  });

  it('part when the server is gone', async () => {
    await plane.killApiServer();
    expect((await work({})).check('api')).toMatchObject({ verdict: 'fail', code: 'Refused' });
  });
});
