import { afterEach, describe, expect, it } from 'vitest';
import { hear } from '../../test/support/heard.ts';
import { manualClock } from '../../test/support/manual-clock.ts';
import { type Protocols, startScriptedServer } from '../../test/support/scripted-server.ts';
import { seededRandom } from '../base/random.ts';
import { ok } from '../base/result.ts';
import { createDialer, type Dialer } from './dial.ts';
import { createNegotiatedTransport } from './negotiated-transport.ts';
import type { Transport } from './transport.ts';

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).toReversed()) await cleanUp();
});

async function setUp(protocols: Protocols, changeDialer = (dialer: Dialer) => dialer) {
  const clock = manualClock();
  const server = await startScriptedServer({ protocols }, ({ path, version }, response) =>
    response.end(`${path} over ${version}`),
  );
  const url = new URL(server.url);
  const real = createDialer({
    server: url,
    proxy: null,
    tlsServerName: null,
    insecureSkipTlsVerify: false,
    tlsMaterial: async () => ok({ ca: server.authority.certificate, certificate: null }),
    clock,
  });
  const dialer = changeDialer(real);
  cleanups.push(server.close, () => real.close());
  return {
    server,
    transport: createNegotiatedTransport({ server: url, dialer, clock, random: seededRandom(1) }),
  };
}

async function answered(transport: Transport, path: string): Promise<string> {
  const heard = hear();
  transport.send({ method: 'GET', path, headers: {}, body: null }, heard);
  const end = await heard.over;
  return end.kind === 'lost' ? end.message : heard.body();
}

describe('the choice of protocol', () => {
  it.each<[Protocols, string]>([
    ['h2', '2.0'],
    ['h2-and-http1', '2.0'],
    ['http1', '1.1'],
  ])('with a server that speaks %s is HTTP %s, made by one handshake', async (protocols, version) => {
    const { server, transport } = await setUp(protocols);
    expect(await answered(transport, '/a')).toBe(`/a over ${version}`);
    expect(await answered(transport, '/b')).toBe(`/b over ${version}`);
    expect(server.connections()).toBe(1);
  });

  it('is made once for all who wait for it', async () => {
    const { server, transport } = await setUp('h2');
    const bodies = await Promise.all(['/a', '/b', '/c'].map((path) => answered(transport, path)));
    expect(bodies).toEqual(['/a over 2.0', '/b over 2.0', '/c over 2.0']);
    expect(server.connections()).toBe(1);
  });

  it('is made again after a failure', async () => {
    let isDown = true;
    const { transport } = await setUp('h2', (dialer) => ({
      ...dialer,
      dial: async (protocols) => (isDown ? { kind: 'error', error: 'down' } : dialer.dial(protocols)),
    }));
    expect(await answered(transport, '/a')).toBe('down');
    isDown = false;
    expect(await answered(transport, '/a')).toBe('/a over 2.0');
  });

  it('is made again when a later handshake disagrees', async () => {
    let dials = 0;
    const { transport } = await setUp('h2-and-http1', (dialer) => ({
      ...dialer,
      dial: (protocols) => dialer.dial(++dials === 1 ? protocols : ['http/1.1']),
    }));
    expect(await answered(transport, '/a')).toBe('/a over 2.0');
    transport.renewConnections();
    expect(await answered(transport, '/b')).toMatch(/does not speak HTTP\/2 any more/);
    expect(await answered(transport, '/c')).toBe('/c over 1.1');
  });
});

it('reports a cancel that comes before the choice', async () => {
  const { server, transport } = await setUp('h2');
  const heard = hear();
  transport.send({ method: 'GET', path: '/a', headers: {}, body: null }, heard)();
  expect(await heard.over).toEqual({ kind: 'cancelled', mayHaveArrived: false });
  expect(await answered(transport, '/b')).toBe('/b over 2.0');
  expect(server.requests).toHaveLength(1);
});
