import { afterEach, describe, expect, it } from 'vitest';
import { type StubDns, startStubDns } from '../../../test/support/stub-dns.ts';
import { deadline, systemClock } from '../../base/clock.ts';
import { seededRandom } from '../../base/random.ts';
import { ok } from '../../base/result.ts';
import { candidates, createDns } from './dns-client.ts';
import { parseResolvConf, type ResolverSettings } from './resolv-conf.ts';

const servers: StubDns[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function stub(options: Parameters<typeof startStubDns>[0]): Promise<StubDns> {
  const server = await startStubDns(options);
  servers.push(server);
  return server;
}

async function resolve(name: string, settings: Partial<ResolverSettings>, timeoutMs = 2000) {
  const whole = { servers: [], search: [], ndots: 5, ...settings };
  const dns = createDns({ clock: systemClock, random: seededRandom(7), settings: async () => ok(whole) });
  const { signal, done } = deadline(systemClock, timeoutMs);
  const answer = await dns.resolve(name, { signal, timeoutMs });
  done();
  return answer;
}

describe('the resolver of a pod', () => {
  it('asks the next server when one stays silent', async () => {
    const [silent, good] = [await stub({ manner: 'silent' }), await stub({})];
    const answer = await resolve('kubernetes.default.svc.cluster.local.', { servers: [silent, good] }, 800);
    expect(answer).toEqual({ kind: 'ok', value: ['127.0.0.1'] });
  });

  it('believes the first server that says that a name does not exist', async () => {
    const [first, second] = [await stub({ manner: 'nxdomain' }), await stub({})];
    const answer = await resolve('kubernetes.default.svc.cluster.local.', { servers: [first, second] });
    expect(answer).toMatchObject({ kind: 'error', error: { code: 'NameNotFound' } });
    expect(second.asked).toEqual([]);
  });

  it('sends a lost question again', async () => {
    const server = await stub({ manner: 'second-time' });
    const answer = await resolve('kubernetes.default.svc.cluster.local.', { servers: [server] });
    expect(answer.kind).toBe('ok');
    expect(server.asked).toHaveLength(2);
  });

  it('asks for IPv6 where there is no IPv4', async () => {
    const server = await stub({ zone: { 'a.b.': ['fd00:0000:0000:0000:0000:0000:0000:0001'] } });
    expect(await resolve('a.b.', { servers: [server] })).toEqual({ kind: 'ok', value: ['fd00::1'] });
    expect(server.asked).toEqual(['udp A a.b.', 'udp AAAA a.b.']);
  });

  it('asks by TCP for what does not fit a datagram', async () => {
    const server = await stub({ manner: 'cut', zone: { 'a.b.': ['10.0.0.9'] } });
    expect(await resolve('a.b.', { servers: [server] })).toEqual({ kind: 'ok', value: ['10.0.0.9'] });
    expect(server.asked).toEqual(['udp A a.b.', 'tcp A a.b.']);
  });

  it('goes through the search list for a short name', async () => {
    const server = await stub({ zone: { 'kubernetes.default.svc.cluster.local.': ['10.96.0.1'] } });
    const search = ['default.svc.cluster.local.', 'svc.cluster.local.'];
    const answer = await resolve('kubernetes.default', { servers: [server], search });
    expect(answer).toEqual({ kind: 'ok', value: ['10.96.0.1'] });
  });

  it('asks for a name with its last dot and nothing else', () => {
    const settings = { servers: [], search: ['svc.cluster.local.'], ndots: 5 };
    expect(candidates('a.b.', settings)).toEqual(['a.b.']);
    expect(candidates('a.b', settings)).toEqual(['a.b.svc.cluster.local.', 'a.b']);
    expect(candidates('a.b.c.d.e.f', settings)).toEqual(['a.b.c.d.e.f', 'a.b.c.d.e.f.svc.cluster.local.']);
  });
});

describe('resolv.conf', () => {
  it('names servers, search list and ndots', () => {
    const text = [
      'search default.svc.cluster.local svc.cluster.local cluster.local',
      'nameserver 10.96.0.10 # the cluster',
      'nameserver not-an-address',
      'nameserver fd00::a',
      'options timeout:1 ndots:5',
    ].join('\n');
    expect(parseResolvConf(text)).toEqual({
      servers: [
        { address: '10.96.0.10', port: 53 },
        { address: 'fd00::a', port: 53 },
      ],
      search: ['default.svc.cluster.local.', 'svc.cluster.local.', 'cluster.local.'],
      ndots: 5,
    });
  });

  it('has one dot and nothing else by default', () => {
    expect(parseResolvConf('; nothing here\n')).toEqual({ servers: [], search: [], ndots: 1 });
  });
});
