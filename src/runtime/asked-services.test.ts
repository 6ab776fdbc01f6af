import { describe, expect, it } from 'vitest';
import { apiFailure } from '../../test/support/api-failure.ts';
import { manualClock } from '../../test/support/manual-clock.ts';
import { createMemoryKubeApi } from '../../test/support/memory-kube-api.ts';
import { endpointSliceType, serviceType } from '../objects/ref.ts';
import { createServiceReader } from './asked-services.ts';

const FRESH_MS = 5_000;
const dns = { kind: 'endpoints', namespace: 'kube-system', name: 'kube-dns' } as const;
const web = { kind: 'addresses', namespace: 'shop', name: 'web' } as const;

function world() {
  const clock = manualClock();
  const state = { isDown: false };
  const api = createMemoryKubeApi({ clock, before: () => (state.isDown ? apiFailure('Timeout') : null) });
  const putSlice = (name: string, rest: object, service = 'kube-dns') =>
    api.put(endpointSliceType, {
      metadata: { name, namespace: 'kube-system', labels: { 'kubernetes.io/service-name': service } },
      ...rest,
    });
  const putService = (spec: object) =>
    api.put(serviceType, { metadata: { name: 'web', namespace: 'shop' }, spec });
  return { api, clock, state, putSlice, putService, read: createServiceReader(api, clock, FRESH_MS) };
}

const ports = [
  { name: 'metrics', protocol: 'TCP', port: 9153 },
  { name: 'dns', protocol: 'UDP', port: 5353 },
];

describe('the endpoints of a Service', () => {
  it('are the addresses of all its slices that are ready, each once, and the port for datagrams', async () => {
    const { read, putSlice } = world();
    putSlice('one', {
      addressType: 'IPv4',
      ports,
      endpoints: [
        { addresses: ['10.244.1.2'], conditions: { ready: true } },
        { addresses: ['10.244.0.2'] },
        { addresses: ['10.244.9.9'], conditions: { ready: false } },
      ],
    });
    putSlice('two', { addressType: 'IPv6', ports, endpoints: [{ addresses: ['fd00::2'], conditions: {} }] });
    putSlice('three', { addressType: 'IPv4', ports, endpoints: [{ addresses: ['10.244.0.2'] }] });
    putSlice('names', { addressType: 'FQDN', endpoints: [{ addresses: ['dns.example.com'] }] });
    putSlice('of-another', { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }] }, 'other');
    expect(await read(dns)).toEqual({
      kind: 'ok',
      value: { isThere: true, addresses: ['10.244.0.2', '10.244.1.2', 'fd00::2'], port: 5353 },
    });
  });

  it('are none where there is no slice', async () => {
    expect(await world().read(dns)).toEqual({
      kind: 'ok',
      value: { isThere: false, addresses: [], port: null },
    });
  });
});

describe('the addresses of a Service', () => {
  it.each([
    [
      'are those that the cluster gave it',
      { clusterIPs: ['10.96.0.7', 'fd00::7'] },
      ['10.96.0.7', 'fd00::7'],
    ],
    ['are none where it is headless', { clusterIP: 'None', clusterIPs: ['None'] }, []],
    ['are none where it is a name for something else', { type: 'ExternalName' }, []],
  ])('%s', async (_, spec, addresses) => {
    const { read, putService } = world();
    putService(spec);
    expect(await read(web)).toEqual({ kind: 'ok', value: { isThere: true, addresses, port: null } });
  });

  it('are none where it is not there', async () => {
    expect(await world().read(web)).toMatchObject({ kind: 'ok', value: { isThere: false } });
  });
});

describe('a question that many ask', () => {
  it('is read once for all of them, and again when the answer is old', async () => {
    const { api, clock, read, putService } = world();
    putService({ clusterIPs: ['10.96.0.7'] });
    await Promise.all(Array.from({ length: 100 }, () => read(web)));
    expect(api.calls).toHaveLength(1);
    await clock.advance(FRESH_MS - 1);
    await read(web);
    expect(api.calls).toHaveLength(1);
    putService({ clusterIPs: ['10.96.0.8'] });
    await clock.advance(1);
    expect(await read(web)).toMatchObject({ value: { addresses: ['10.96.0.8'] } });
    expect(api.calls).toHaveLength(2);
  });

  it('is asked again at once where nobody answered', async () => {
    const { state, read, putService } = world();
    putService({ clusterIPs: ['10.96.0.7'] });
    state.isDown = true;
    expect(await read(web)).toMatchObject({ kind: 'error', error: { reason: 'Timeout' } });
    state.isDown = false;
    expect(await read(web)).toMatchObject({ kind: 'ok', value: { addresses: ['10.96.0.7'] } });
  });
});
