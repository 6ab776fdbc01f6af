// Before a real socket: an endpoint that answers well, badly, late, without end, in no language, or not at all.

import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createRawServer, type Server as RawServer } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { askEndpoint } from './probe.ts';

const servers: (Server | RawServer)[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  }
});

async function listening(server: Server | RawServer): Promise<string> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`;
}

const endpoint = (listener: RequestListener) => listening(createServer(listener));
const ask = (url: string, timeoutMs = 5_000) =>
  askEndpoint({ url: new URL(url), timeoutMs, signal: new AbortController().signal });

describe('an endpoint that answers', () => {
  it.each([200, 204])('%d is healthy', async (status) => {
    const url = await endpoint((_, answer) => answer.writeHead(status).end());
    expect(await ask(url)).toEqual({
      result: 'healthy',
      reason: 'EndpointOK',
      message: `the endpoint answered ${status}`,
    });
  });

  it('503 is not ready, with the first line of what it says', async () => {
    const url = await endpoint((_, answer) => answer.writeHead(503).end('BGP not established\nmore\n'));
    expect(await ask(url)).toEqual({
      result: 'unhealthy',
      reason: 'EndpointNotReady',
      message: 'the endpoint answered 503: BGP not established',
    });
  });

  it('with a redirect is followed', async () => {
    const url = await endpoint((request, answer) =>
      request.url === '/' ? answer.writeHead(302, { location: '/there' }).end() : answer.writeHead(200).end(),
    );
    expect(await ask(url)).toMatchObject({ result: 'healthy' });
  });

  it.each([
    ['in a circle', '/', 'more than 10 redirects'],
    ['out of HTTP', 'ftp://there/', 'redirected to ftp://there/'],
  ])('with redirects %s fails', async (_name, location, message) => {
    const url = await endpoint((_, answer) => answer.writeHead(302, { location }).end());
    expect(await ask(url)).toEqual({ result: 'error', reason: 'EndpointConnectionError', message });
  });

  it('without end is judged by its status', async () => {
    const url = await endpoint((_, answer) => {
      answer.writeHead(500);
      const more = () => answer.write('x'.repeat(16_384), () => !answer.destroyed && more());
      more();
    });
    const { reason, message } = await ask(url);
    expect(reason).toBe('EndpointNotReady');
    expect(message.length).toBeLessThan(300);
  });
});

describe('an endpoint that does not', () => {
  it('is a connection error when it is late', async () => {
    const url = await endpoint(() => undefined);
    expect(await ask(url, 100)).toEqual({
      result: 'error',
      reason: 'EndpointConnectionError',
      message: 'no answer within 0.1 s',
    });
  });

  it('is a connection error when it begins and does not end', async () => {
    const url = await endpoint((_, answer) => void answer.writeHead(200).write('a'));
    expect(await ask(url, 100)).toMatchObject({ result: 'error', reason: 'EndpointConnectionError' });
  });

  it.each(['127.0.0.1', 'localhost'])('is a connection error when nobody listens on %s', async (host) => {
    const url = await endpoint(() => undefined);
    const server = servers.splice(0)[0];
    server?.close();
    if (server !== undefined) await once(server, 'close');
    expect(await ask(url.replace('127.0.0.1', host))).toEqual({
      result: 'error',
      reason: 'EndpointConnectionError',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('is a connection error when it hangs up', async () => {
    const url = await endpoint((request) => request.socket.destroy());
    expect(await ask(url)).toMatchObject({ result: 'error', reason: 'EndpointConnectionError' });
  });

  it('is a connection error when it speaks no HTTP', async () => {
    const url = await listening(
      createRawServer((socket) => socket.end('220 mail.example.com ESMTP\r\n\r\n')),
    );
    expect(await ask(url)).toMatchObject({ result: 'error', reason: 'EndpointConnectionError' });
  });
});

describe('an endpoint that cannot be asked', () => {
  it('is a check that failed, which is not the fault of the endpoint', async () => {
    expect(await ask('ftp://127.0.0.1/')).toMatchObject({ result: 'error', reason: 'HealthCheckFailed' });
  });
});
