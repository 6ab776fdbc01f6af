import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { issue } from '../../test/control-plane/certificates.ts';
import { hear } from '../../test/support/heard.ts';
import { manualClock, settle } from '../../test/support/manual-clock.ts';
import { type Protocols, startScriptedServer } from '../../test/support/scripted-server.ts';
import { seededRandom } from '../base/random.ts';
import { err, ok } from '../base/result.ts';
import { CONNECT_TIMEOUT_MS, createDialer, type DialerOptions } from './dial.ts';
import { createHttp1Transport } from './http1-transport.ts';

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).toReversed()) await cleanUp();
});

async function setUp(changes: Partial<DialerOptions> = {}, protocols: Protocols = 'h2-and-http1') {
  const server = await startScriptedServer({ protocols }, ({ clientName, path }, response) =>
    response.end(`${path} for ${clientName ?? 'nobody'}`),
  );
  const options: DialerOptions = {
    server: new URL(server.url),
    proxy: null,
    tlsServerName: null,
    insecureSkipTlsVerify: false,
    tlsMaterial: async () => ok({ ca: server.authority.certificate, certificate: null }),
    clock: manualClock(),
    ...changes,
  };
  const dialer = createDialer(options);
  cleanups.push(server.close, () => dialer.close());
  return { server, options, dialer };
}

async function listen(server: net.Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => server.close());
  const address = server.address();
  return address === null || typeof address === 'string' ? 0 : address.port;
}

describe('TLS', () => {
  it.each([
    [['h2', 'http/1.1'], 'h2'],
    [['http/1.1'], 'http/1.1'],
  ])('agrees on a protocol: of %j on %s', async (offered, agreed) => {
    const { dialer } = await setUp();
    expect(await dialer.dial(offered)).toMatchObject({ kind: 'ok', value: { alpn: agreed } });
  });

  it('agrees on HTTP/1.1 with a server that speaks nothing else', async () => {
    const { dialer } = await setUp({}, 'http1');
    expect(await dialer.dial(['h2', 'http/1.1'])).toMatchObject({ kind: 'ok', value: { alpn: 'http/1.1' } });
  });

  it('refuses a server whose certificate nobody we trust has signed', async () => {
    const { dialer } = await setUp({ tlsMaterial: async () => ok({ ca: null, certificate: null }) });
    const dialed = await dialer.dial(['h2']);
    expect(dialed).toMatchObject({ kind: 'error', error: expect.stringContaining('certificate') });
  });

  it('refuses a server of another name', async () => {
    const { dialer } = await setUp({ tlsServerName: 'other.test' });
    expect(await dialer.dial(['h2'])).toMatchObject({ error: expect.stringContaining('other.test') });
  });

  it('checks the certificate against the name that was given', async () => {
    const { dialer } = await setUp({ tlsServerName: 'scripted.test' });
    expect(await dialer.dial(['h2'])).toMatchObject({ kind: 'ok' });
  });

  it('trusts anybody only when told to', async () => {
    const tlsMaterial = async () => ok({ ca: null, certificate: null });
    const { dialer } = await setUp({ insecureSkipTlsVerify: true, tlsMaterial });
    expect(await dialer.dial(['h2'])).toMatchObject({ kind: 'ok' });
  });

  it('shows the client certificate it is given', async () => {
    const { server, options } = await setUp();
    const pair = issue(server.authority, { kind: 'client', commonName: 'alice', organizations: [] });
    const tlsMaterial = async () => ok({ ca: server.authority.certificate, certificate: pair });
    const dialer = createDialer({ ...options, tlsMaterial });
    cleanups.push(() => dialer.close());
    expect(await fetchOver(options.server, () => dialer.dial(['http/1.1']))).toBe('/ for alice');
  });

  it.each([
    ['that cannot be read', err('cannot read the file')],
    ['that is no certificate', ok({ ca: null, certificate: { certificate: 'x', key: 'y' } })],
  ])('fails with a sentence over material %s', async (_name, material) => {
    const { dialer } = await setUp({ tlsMaterial: async () => material });
    expect(await dialer.dial(['h2'])).toMatchObject({
      kind: 'error',
      error: expect.stringMatching(/cannot/),
    });
  });
});

async function fetchOver(
  server: URL,
  dial: Parameters<typeof createHttp1Transport>[0]['dial'],
): Promise<string> {
  const transport = createHttp1Transport({ server, dial, clock: manualClock(), random: seededRandom(1) });
  const heard = hear();
  transport.send({ method: 'GET', path: '/', headers: {}, body: null }, heard);
  const end = await heard.over;
  return end.kind === 'lost' ? end.message : heard.body();
}

describe('a proxy', () => {
  async function startProxy(answer: string) {
    const seen: string[] = [];
    const proxy = http.createServer();
    proxy.on('connect', (request, near) => {
      seen.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`);
      near.write(`HTTP/1.1 ${answer}\r\n\r\n`);
      const [host, port] = (request.url ?? '').split(':');
      const far = net.connect(Number(port), host, () => near.pipe(far).pipe(near));
      near.on('error', () => far.destroy());
      far.on('error', () => near.destroy());
      cleanups.push(
        () => far.destroy(),
        () => near.destroy(),
      );
    });
    return { seen, port: await listen(proxy) };
  }

  it('is asked for a tunnel, in which the handshake is with the server itself', async () => {
    const proxy = await startProxy('200 Connection established');
    const { dialer, server, options } = await setUp({
      proxy: new URL(`http://me:s%40cret@127.0.0.1:${proxy.port}`),
    });
    expect(await fetchOver(options.server, () => dialer.dial(['http/1.1']))).toBe('/ for nobody');
    const authorization = `Basic ${Buffer.from('me:s@cret').toString('base64')}`;
    expect(proxy.seen).toEqual([`127.0.0.1:${server.port} ${authorization}`]);
  });

  it('that refuses is named', async () => {
    const proxy = await startProxy('407 Proxy Authentication Required');
    const { dialer } = await setUp({ proxy: new URL(`http://127.0.0.1:${proxy.port}`) });
    expect(await dialer.dial(['http/1.1'])).toMatchObject({
      kind: 'error',
      error: expect.stringContaining(`the proxy 127.0.0.1:${proxy.port} answered 407 to CONNECT`),
    });
  });
});

describe('a dialer', () => {
  it('gives up on a server that accepts and then says nothing', async () => {
    const clock = manualClock();
    const silent = net.createServer((socket) => cleanups.push(() => socket.destroy()));
    const accepted = once(silent, 'connection');
    const port = await listen(silent);
    const { dialer } = await setUp({ clock, server: new URL(`https://127.0.0.1:${port}`) });
    const dialing = dialer.dial(['h2']);
    await accepted;
    await settle();
    await clock.advance(CONNECT_TIMEOUT_MS);
    expect(await dialing).toEqual(err(`cannot connect to 127.0.0.1:${port}: no answer within 15000 ms`));
    expect(clock.pendingTimers()).toBe(0);
  });

  it('opens nothing after it was closed', async () => {
    const { dialer } = await setUp();
    dialer.close();
    expect(await dialer.dial(['h2'])).toEqual(err('the client was closed'));
  });

  it('destroys what it opened when it is closed', async () => {
    const { dialer } = await setUp();
    const dialed = await dialer.dial(['h2']);
    if (dialed.kind === 'error') throw new Error(dialed.error);
    const closed = once(dialed.value.socket, 'close');
    dialer.close();
    await closed;
    expect(dialed.value.socket.destroyed).toBe(true);
  });
});
