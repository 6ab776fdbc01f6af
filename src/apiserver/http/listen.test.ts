import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { createAuthority, issue } from '../../../test/control-plane/certificates.ts';
import { describeKubeApi } from '../../../test/contracts/kube-api.ts';
import { openSchemas } from '../../../test/support/open-schemas.ts';
import { systemClock } from '../../base/clock.ts';
import { silentLog } from '../../base/log.ts';
import { silentMetrics } from '../../base/metrics.ts';
import { seededRandom } from '../../base/random.ts';
import { connectKubeApi } from '../../kube/connect.ts';
import { nodeCommands, nodeFiles } from '../../kube/host-ports.ts';
import { createApiServer } from '../api-server.ts';
import { createFront } from './front.ts';
import { listen } from './listen.ts';

const authority = createAuthority('embedded-authority');
const serving = issue(authority, { kind: 'serving', commonName: 'embedded', hosts: ['127.0.0.1'] });

async function start(form: 'plain' | 'secure', token: string | null) {
  const server = createApiServer({ clock: systemClock, random: seededRandom(1), schemas: openSchemas });
  const tls = form === 'secure' ? serving : null;
  const options = { host: '127.0.0.1', port: 0, tls, clock: systemClock, log: silentLog };
  return { server, listening: await listen(createFront(server, { token }), options) };
}

function connect(url: string, token: string) {
  const connection = {
    server: url,
    ca: { kind: 'inline', text: authority.certificate },
    insecureSkipTlsVerify: false,
    tlsServerName: null,
    proxyUrl: null,
    credentials: { certificate: null, token: { kind: 'token', token } },
    namespace: 'default',
  } as const;
  return connectKubeApi(connection, {
    clock: systemClock,
    random: seededRandom(1),
    log: silentLog,
    metrics: silentMetrics,
    files: nodeFiles,
    commands: nodeCommands,
    environment: {},
    isInteractive: false,
    userAgent: 'muster/test',
    fieldManager: 'muster',
    protocol: 'auto',
  });
}

for (const form of ['plain', 'secure'] as const) {
  const make = async () => {
    const { server, listening } = await start(form, 'secret');
    const { api, close } = connect(listening.url, 'secret');
    return {
      api,
      namespace: 'default',
      async cleanUp() {
        close();
        await listening.close();
        server.stop();
      },
    };
  };
  describeKubeApi(`the embedded server over ${form} HTTP`, make, { lacks: ['apply'] });
}

describe('a listening server', async () => {
  const { server, listening } = await start('plain', null);
  afterAll(async () => {
    await listening.close();
    server.stop();
  });

  it('refuses a body beyond its bound', async () => {
    const data = { a: 'x'.repeat(3 * 1024 * 1024) };
    const reply = await fetch(`${listening.url}/api/v1/namespaces/default/configmaps`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { name: 'big' }, data }),
    });
    expect(reply.status).toBe(413);
    expect(await reply.json()).toMatchObject({ reason: 'RequestEntityTooLarge' });
  });

  it('sends an answer that it has whole with its length, counted in bytes', async () => {
    const reply = await fetch(`${listening.url}/api/v1/namespaces/default/configmaps`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { name: 'whole' }, data: { a: 'größer' } }),
    });
    const text = await reply.text();
    expect(JSON.parse(text)).toMatchObject({ data: { a: 'größer' } });
    expect(reply.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
  });

  it('keeps a connection open that is not used for some seconds', async () => {
    const reply = await fetch(`${listening.url}/api/v1/nodes`);
    expect(reply.headers.get('keep-alive')).toBe('timeout=90');
    await reply.text();
  });

  it('outlives a client that leaves in the middle of its request', async () => {
    const socket = connectSocket(listening.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST /api/v1/nodes HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{');
    socket.destroy();
    await once(socket, 'close');
    expect((await fetch(`${listening.url}/api/v1/nodes`)).status).toBe(200);
  });

  it('says that its port is taken', async () => {
    const options = {
      host: '127.0.0.1',
      port: listening.port,
      tls: null,
      clock: systemClock,
      log: silentLog,
    };
    await expect(listen(createFront(server, { token: null }), options)).rejects.toThrow('EADDRINUSE');
  });
});
