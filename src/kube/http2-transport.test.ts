import { once } from 'node:events';
import { constants } from 'node:http2';
import { afterEach, describe, expect, it } from 'vitest';
import { hear } from '../../test/support/heard.ts';
import { type ManualClock, manualClock, settle } from '../../test/support/manual-clock.ts';
import {
  type ScriptedResponse,
  type ScriptedServer,
  type Script,
  startRelay,
  startScriptedServer,
} from '../../test/support/scripted-server.ts';
import { seededRandom } from '../base/random.ts';
import { createDialer, type Dialer } from './dial.ts';
import { PING_INTERVAL_MS, PING_TIMEOUT_MS } from './http2-session.ts';
import { createHttp2Transport } from './http2-transport.ts';
import { CONNECTION_AGE_MS } from './transport.ts';
import type { Transport, TransportRequest } from './transport.ts';

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).toReversed()) await cleanUp();
});

type Setup = {
  readonly clock: ManualClock;
  readonly server: ScriptedServer;
  readonly dialer: Dialer;
  readonly transport: Transport;
  readonly freeze: () => void;
  readonly cut: () => void;
};

async function setUp(script: Script, streamsMax = 100): Promise<Setup> {
  const clock = manualClock();
  const server = await startScriptedServer({ protocols: 'h2', streamsMax }, script);
  const relay = await startRelay(server.port);
  const url = new URL(`https://127.0.0.1:${relay.port}`);
  const dialer = createDialer({
    server: url,
    proxy: null,
    tlsServerName: null,
    insecureSkipTlsVerify: false,
    tlsMaterial: async () => ({ kind: 'ok', value: { ca: server.authority.certificate, certificate: null } }),
    clock,
  });
  const transport = createHttp2Transport({
    server: url,
    dial: () => dialer.dial(['h2']),
    clock,
    random: seededRandom(1),
  });
  cleanups.push(server.close, relay.close, () => dialer.close());
  return { clock, server, dialer, transport, freeze: relay.freeze, cut: relay.cut };
}

function get(path: string): TransportRequest {
  return { method: 'GET', path, headers: { accept: 'application/json' }, body: null };
}

function post(path: string, text: string): TransportRequest {
  const body = Buffer.from(text);
  return { method: 'POST', path, headers: { 'content-length': String(body.length) }, body };
}

/** Sends and waits for the end. */
async function answered(transport: Transport, request: TransportRequest) {
  const heard = hear();
  transport.send(request, heard);
  const end = await heard.over;
  return { end, body: heard.body(), calls: heard.calls };
}

const greet: Script = (request, response) =>
  response.end(`${request.method} ${request.path} ${request.body}`);

/** Paths under /watch are left open after a first line; all others are answered whole. */
const watchable: Script = (request, response) => {
  if (request.path.startsWith('/watch')) response.write('line\n');
  else greet(request, response);
};

describe('requests', () => {
  it('share one connection', async () => {
    const { server, transport } = await setUp(greet);
    const first = await answered(transport, get('/a?b=c'));
    const second = await answered(transport, post('/d', 'body'));
    expect(first).toMatchObject({ end: { kind: 'complete' }, body: 'GET /a?b=c ' });
    expect(second).toMatchObject({ end: { kind: 'complete' }, body: 'POST /d body' });
    expect(first.calls).toEqual(['head 200', 'chunk', 'complete']);
    expect(server.connections()).toBe(1);
  });

  it('share one connection when they come before it is open', async () => {
    const { server, transport } = await setUp(greet);
    const all = await Promise.all(['/a', '/b', '/c'].map((path) => answered(transport, get(path))));
    expect(all.map(({ body }) => body)).toEqual(['GET /a ', 'GET /b ', 'GET /c ']);
    expect(server.connections()).toBe(1);
  });

  it('open another connection when the streams of the first are used up', async () => {
    const { server, transport } = await setUp(watchable, 2);
    await answered(transport, get('/settings-have-come'));
    const watches = [hear(), hear()];
    watches.forEach((watch, index) => transport.send(get(`/watch/${index}`), watch));
    await Promise.all(watches.map((watch) => watch.chunkCame));
    expect(await answered(transport, get('/a'))).toMatchObject({ body: 'GET /a ' });
    expect(server.connections()).toBe(2);
  });

  it('say so when there is no server', async () => {
    const { server, transport, dialer } = await setUp(greet);
    await server.close();
    cleanups.shift();
    const { end } = await answered(transport, post('/a', 'x'));
    expect(end).toMatchObject({ kind: 'lost', mayHaveArrived: false });
    dialer.close();
    expect(await answered(transport, get('/a'))).toMatchObject({
      end: { kind: 'lost', mayHaveArrived: false },
    });
  });
});

describe('a request that is cut off', () => {
  it.each<[string, (response: ScriptedResponse | undefined, setup: Setup) => unknown]>([
    ['by a reset of the stream', (response) => response?.stream?.destroy(new Error('reset'))],
    ['by a reset of the connection', (_response, { cut }) => cut()],
  ])('is lost, not complete: %s', async (_name, breakOff) => {
    const open: ScriptedResponse[] = [];
    const setup = await setUp((request, response) => {
      if (request.path === '/after') return response.end('fine');
      open.push(response);
      return response.write('{"half":');
    });
    const heard = hear();
    setup.transport.send(post('/a', 'x'), heard);
    await heard.chunkCame;
    breakOff(open[0], setup);
    expect(await heard.over).toMatchObject({ kind: 'lost', mayHaveArrived: true });
    expect(await answered(setup.transport, get('/after'))).toMatchObject({ body: 'fine' });
  });

  it('is known not to have arrived when the server refuses the stream', async () => {
    const { transport } = await setUp((_request, response) => {
      response.stream?.close(constants.NGHTTP2_REFUSED_STREAM);
    });
    const { end } = await answered(transport, post('/a', 'x'));
    expect(end).toMatchObject({ kind: 'lost', mayHaveArrived: false });
  });
});

describe('a cancel', () => {
  it('silences the receiver but for the end, and leaves the connection alone', async () => {
    const { server, transport } = await setUp(watchable);
    const watch = hear();
    const cancel = transport.send(get('/watch'), watch);
    await watch.chunkCame;
    cancel();
    cancel();
    expect(await watch.over).toEqual({ kind: 'cancelled', mayHaveArrived: true });
    await answered(transport, get('/a'));
    expect(watch.calls).toEqual(['head 200', 'chunk', 'cancelled']);
    expect(server.connections()).toBe(1);
  });

  it('before there is a connection means that nothing was sent', async () => {
    const { server, transport } = await setUp(greet);
    const heard = hear();
    const cancel = transport.send(post('/a', 'x'), heard);
    cancel();
    expect(await heard.over).toEqual({ kind: 'cancelled', mayHaveArrived: false });
    await answered(transport, get('/b'));
    expect(server.requests.map(({ path }) => path)).toEqual(['/b']);
  });
});

describe('a connection', () => {
  it('that falls silent is given up after a PING without an answer', async () => {
    const { clock, transport, freeze } = await setUp(watchable);
    const watch = hear();
    transport.send(get('/watch'), watch);
    await watch.chunkCame;
    freeze();
    await clock.advance(PING_INTERVAL_MS + PING_TIMEOUT_MS - 1);
    expect(watch.calls).toEqual(['head 200', 'chunk']);
    await clock.advance(1);
    expect(await watch.over).toEqual({
      kind: 'lost',
      mayHaveArrived: true,
      message: 'the server did not answer a PING within 15 s',
    });
    expect(PING_INTERVAL_MS + PING_TIMEOUT_MS).toBeLessThanOrEqual(45_000);
    expect(clock.pendingTimers()).toBe(0);
  });

  it('that answers its PINGs is kept', async () => {
    const { clock, server, transport } = await setUp(watchable);
    await answered(transport, get('/a'));
    const [session] = server.sessions;
    for (let round = 0; round < 4; round++) {
      const pinged = once(session!, 'ping');
      await clock.advance(PING_INTERVAL_MS);
      await pinged;
      // Answers come in order: after this one the PING's has come too.
      await answered(transport, get('/b'));
    }
    expect(server.connections()).toBe(1);
  });

  it('that the server sends away takes no new requests, and finishes the old ones', async () => {
    const release: ScriptedResponse[] = [];
    const { server, transport } = await setUp((request, response) => {
      if (request.path !== '/watch') return greet(request, response);
      response.write('line\n');
      return release.push(response);
    });
    const watch = hear();
    transport.send(get('/watch'), watch);
    await watch.chunkCame;
    const [old] = server.sessions;
    old!.goaway(0, 2 ** 31 - 1);
    // A reply on the same connection comes after the farewell.
    release[0]!.write('another\n');
    await expect.poll(() => watch.body()).toBe('line\nanother\n');
    expect(await answered(transport, get('/a'))).toMatchObject({ body: 'GET /a ' });
    expect(server.connections()).toBe(2);
    release[0]!.end('last\n');
    expect(await watch.over).toEqual({ kind: 'complete' });
    expect(watch.body()).toBe('line\nanother\nlast\n');
  });

  it('that grew old is replaced for new requests while its watches go on', async () => {
    const { clock, server, transport } = await setUp(watchable);
    const watch = hear();
    const cancel = transport.send(get('/watch'), watch);
    await watch.chunkCame;
    await passTime(clock, { server, transport }, CONNECTION_AGE_MS * 1.2);
    await answered(transport, get('/a'));
    expect(server.connections()).toBe(2);
    expect(watch.calls).toEqual(['head 200', 'chunk']);
    const [old] = server.sessions;
    const closed = once(old!, 'close');
    cancel();
    await closed;
    expect(server.sessions.size).toBe(1);
  });

  it('is replaced on demand, at once when nothing runs on it', async () => {
    const { server, transport } = await setUp(greet);
    await answered(transport, get('/a'));
    const [old] = server.sessions;
    const closed = once(old!, 'close');
    transport.renewConnections();
    await closed;
    await answered(transport, get('/b'));
    expect(server.connections()).toBe(2);
  });

  it('has windows wide enough for a watch of many objects', async () => {
    const { server, transport } = await setUp(greet);
    await answered(transport, get('/a'));
    const [session] = server.sessions;
    expect(session?.remoteSettings.initialWindowSize).toBe(1024 * 1024);
    expect(session?.state.remoteWindowSize).toBeGreaterThanOrEqual(8 * 1024 * 1024 - 1024);
  });

  it('leaves neither timer nor socket behind when the dialer is closed', async () => {
    const { clock, server, dialer, transport } = await setUp(watchable);
    const watch = hear();
    transport.send(get('/watch'), watch);
    await watch.chunkCame;
    const [session] = server.sessions;
    const closed = once(session!, 'close');
    dialer.close();
    expect(await watch.over).toMatchObject({ kind: 'lost' });
    await closed;
    await settle();
    expect(clock.pendingTimers()).toBe(0);
  });
});

/** In steps that leave room for each PING to be answered. */
async function passTime(
  clock: ManualClock,
  { server, transport }: Pick<Setup, 'server' | 'transport'>,
  totalMs: number,
): Promise<void> {
  const [session] = server.sessions;
  for (let passed = 0; passed < totalMs - PING_INTERVAL_MS; passed += PING_INTERVAL_MS) {
    const pinged = once(session!, 'ping');
    await clock.advance(PING_INTERVAL_MS);
    await pinged;
    await answered(transport, get('/after-the-answer-to-the-ping'));
  }
  await clock.advance(PING_INTERVAL_MS);
}
