import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { hear } from '../../test/support/heard.ts';
import { manualClock } from '../../test/support/manual-clock.ts';
import {
  type Protocols,
  type Script,
  type ScriptedResponse,
  startRelay,
  startScriptedServer,
} from '../../test/support/scripted-server.ts';
import { seededRandom } from '../base/random.ts';
import { createDialer } from './dial.ts';
import { createHttp1Transport } from './http1-transport.ts';
import { CONNECTION_AGE_MS } from './transport.ts';
import type { Transport, TransportRequest } from './transport.ts';

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).toReversed()) await cleanUp();
});

async function setUp(script: Script, protocols: Protocols = 'http1') {
  const clock = manualClock();
  const server = await startScriptedServer({ protocols }, script);
  const relay = await startRelay(server.port);
  const url = new URL(server.url.replace(String(server.port), String(relay.port)));
  const dialer = createDialer({
    server: url,
    proxy: null,
    tlsServerName: null,
    insecureSkipTlsVerify: false,
    tlsMaterial: async () => ({ kind: 'ok', value: { ca: server.authority.certificate, certificate: null } }),
    clock,
  });
  const dialed: Socket[] = [];
  const transport = createHttp1Transport({
    server: url,
    async dial() {
      const result = await dialer.dial(['http/1.1']);
      if (result.kind === 'ok') dialed.push(result.value.socket);
      return result;
    },
    clock,
    random: seededRandom(1),
  });
  cleanups.push(server.close, relay.close, () => dialer.close());
  return { clock, server, relay, dialer, dialed, transport };
}

function request(method: TransportRequest['method'], path: string, text = ''): TransportRequest {
  const body = text === '' ? null : Buffer.from(text);
  return { method, path, headers: body === null ? {} : { 'content-length': String(body.length) }, body };
}

async function answered(transport: Transport, sent: TransportRequest) {
  const heard = hear();
  transport.send(sent, heard);
  const end = await heard.over;
  return { end, body: heard.body(), calls: heard.calls };
}

const greet: Script = ({ method, path, body }, response) => response.end(`${method} ${path} ${body}`);

const watchable: Script = (seen, response) => {
  if (seen.path.startsWith('/watch')) response.write('line\n');
  else greet(seen, response);
};

describe.each<Protocols>(['http1', 'plain'])('over %s', (protocols) => {
  it('sends requests one after the other over one connection', async () => {
    const { server, transport } = await setUp(greet, protocols);
    expect(await answered(transport, request('GET', '/a?b=c'))).toEqual({
      end: { kind: 'complete' },
      body: 'GET /a?b=c ',
      calls: ['head 200', 'chunk', 'complete'],
    });
    expect(await answered(transport, request('POST', '/d', 'body'))).toMatchObject({ body: 'POST /d body' });
    expect(server.requests.map(({ version }) => version)).toEqual(['1.1', '1.1']);
    expect(server.connections()).toBe(1);
  });
});

describe('requests', () => {
  it('name the server they are for', async () => {
    const { server, transport, relay } = await setUp(greet);
    await answered(transport, request('GET', '/a'));
    expect(server.requests[0]?.headers).toMatchObject({ host: `127.0.0.1:${relay.port}` });
  });

  it('that cannot be sent are known not to have arrived', async () => {
    const { transport, dialer } = await setUp(greet);
    dialer.close();
    const { end } = await answered(transport, request('POST', '/a', 'x'));
    expect(end).toEqual({ kind: 'lost', mayHaveArrived: false, message: 'the client was closed' });
  });

  it('that are cut off before the answer may have arrived', async () => {
    const { transport, relay } = await setUp(() => relay.cut());
    expect(await answered(transport, request('POST', '/a', 'x'))).toMatchObject({
      end: { kind: 'lost', mayHaveArrived: true },
      calls: ['lost'],
    });
  });

  it('that are cut off in the middle of the answer are lost, not complete', async () => {
    const { transport, relay } = await setUp((_request, response) => response.write('{"half":'));
    const heard = hear();
    transport.send(request('GET', '/a'), heard);
    await heard.chunkCame;
    relay.cut();
    expect(await heard.over).toMatchObject({ kind: 'lost', mayHaveArrived: true });
    expect(heard.calls).toEqual(['head 200', 'chunk', 'lost']);
  });

  it('that are cancelled are silenced but for their end', async () => {
    const { transport } = await setUp(watchable);
    const watch = hear();
    const cancel = transport.send(request('GET', '/watch'), watch);
    await watch.chunkCame;
    cancel();
    cancel();
    expect(await watch.over).toEqual({ kind: 'cancelled', mayHaveArrived: true });
    await answered(transport, request('GET', '/a'));
    expect(watch.calls).toEqual(['head 200', 'chunk', 'cancelled']);
  });

  it('that are cancelled before there is a connection were not sent', async () => {
    const { server, transport } = await setUp(greet);
    const heard = hear();
    transport.send(request('POST', '/a', 'x'), heard)();
    expect(await heard.over).toEqual({ kind: 'cancelled', mayHaveArrived: false });
    await answered(transport, request('GET', '/b'));
    expect(server.requests.map(({ path }) => path)).toEqual(['/b']);
  });
});

describe('connections', () => {
  it('that are idle are closed when new ones are wanted', async () => {
    const { server, transport, dialed } = await setUp(greet);
    await answered(transport, request('GET', '/a'));
    const closed = once(dialed[0]!, 'close');
    transport.renewConnections();
    await closed;
    await answered(transport, request('GET', '/b'));
    expect(server.connections()).toBe(2);
  });

  it('that are busy when new ones are wanted finish first, then close', async () => {
    const open: ScriptedResponse[] = [];
    const { transport, dialed } = await setUp((_seen, response) => {
      open.push(response);
      response.write('line\n');
    });
    const watch = hear();
    transport.send(request('GET', '/watch'), watch);
    await watch.chunkCame;
    transport.renewConnections();
    const closed = once(dialed[0]!, 'close');
    open[0]?.end('last\n');
    expect(await watch.over).toEqual({ kind: 'complete' });
    expect(watch.body()).toBe('line\nlast\n');
    await closed;
  });

  it('grow old: then new requests use new ones', async () => {
    const { clock, server, transport } = await setUp(greet);
    await answered(transport, request('GET', '/a'));
    await clock.advance(CONNECTION_AGE_MS * 1.2);
    await answered(transport, request('GET', '/b'));
    expect(server.connections()).toBe(2);
  });
});
