// Checks of Services whose addresses the operator reads, because a worker may not: told with the whole centre.

import { describe, expect, it } from 'vitest';
import { fieldsOf, recordsIn } from '../../src/objects/raw.ts';
import { endpointSliceType, serviceType } from '../../src/objects/ref.ts';
import { joined, unverified } from '../support/verification-scene.ts';

type Scene = Awaited<ReturnType<typeof joined>>;

const web = { name: 'web.shop.svc.cluster.local.', port: 80 };
const checks = [
  { name: 'dns' },
  { name: 'dns-endpoints' },
  { name: 'service-discovery', params: { services: [web] } },
];

/** An EndpointSlice has no spec: its fields lie beside its metadata. */
const slice = { addressType: 'IPv4', ports: [{ name: 'dns', protocol: 'UDP', port: 53 }] };

function putDns(scene: Scene, ...addresses: readonly string[]): void {
  scene.api.put(endpointSliceType, {
    metadata: {
      name: 'kube-dns-1',
      namespace: 'kube-system',
      labels: { 'kubernetes.io/service-name': 'kube-dns' },
    },
    ...slice,
    endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
  });
}

const putWeb = (scene: Scene) =>
  scene.api.put(serviceType, {
    metadata: { name: 'web', namespace: 'shop' },
    spec: { clusterIPs: ['10.96.0.7'] },
  });

function configOf(scene: Scene, node = 'a'): unknown {
  const [container] = recordsIn(fieldsOf(scene.workerOf(node)?.spec)['containers']);
  const config = recordsIn(container?.['env']).find(({ name }) => name === 'WORKER_CONFIG');
  return JSON.parse(String(config?.['value']));
}

const wordsOf = (scene: Scene) =>
  scene.running.store.get('a')?.verdicts.find(({ capability }) => capability === 'verification');

const told = {
  checks: [
    { name: 'dns' },
    { name: 'dns-endpoints', params: { addresses: ['10.244.0.2', '10.244.1.2'], port: 53 } },
    { name: 'service-discovery', params: { services: [{ ...web, addresses: ['10.96.0.7'] }] } },
  ],
};

describe('a check of Services that a policy gives by name alone', () => {
  it('is told where they are', async () => {
    const scene = await joined({}, { checks });
    putDns(scene, '10.244.1.2', '10.244.0.2');
    putWeb(scene);
    await scene.run(12_000);
    expect(configOf(scene)).toMatchObject(told);
  });

  it('waits for them, says for what, and costs no attempt', async () => {
    const scene = await joined({}, { checks });
    await scene.run(6_000);
    expect(wordsOf(scene)).toMatchObject({
      reason: 'RequirementMissing',
      message: 'Service kube-system/kube-dns has no endpoints; Service shop/web does not exist',
    });
    putDns(scene);
    putWeb(scene);
    await scene.run(12_000);
    expect(wordsOf(scene)?.message).toBe('Service kube-system/kube-dns has no endpoint that is ready');
    expect(scene.podNames()).toEqual([]);
    expect(scene.verification('a')).toMatchObject({ state: 'unverified', attempt: 0 });
    expect(scene.taints('a')).toEqual([unverified]);
    putDns(scene, '10.244.0.2', '10.244.1.2');
    await scene.run(12_000);
    expect(configOf(scene)).toMatchObject(told);
  });

  it('is told again where the operator is replaced between the record and the pod', async () => {
    const scene = await joined({}, { checks });
    putDns(scene, '10.244.0.2', '10.244.1.2');
    putWeb(scene);
    await scene.run(12_000);
    expect(scene.podNames()).toHaveLength(1);
    // As if it had died before it made the worker: the record is written, the pod is not.
    scene.running.kill();
    scene.deleteWorker('a');
    scene.start();
    await scene.run(8_000);
    expect(scene.verification('a')).toMatchObject({ state: 'pending', attempt: 1 });
    expect(configOf(scene)).toMatchObject(told);
  });

  it('costs fifty nodes that join at once a few reads, not fifty', async () => {
    const scene = await joined({}, { checks });
    putDns(scene, '10.244.0.2');
    putWeb(scene);
    await scene.run(12_000);
    scene.asked();
    for (let index = 0; index < 50; index++) scene.join(`n${index}`);
    await scene.run(4_000);
    const reads = scene.asked().filter((words) => /^(get services|list endpointslices)/.test(words));
    expect(scene.podNames().length).toBeGreaterThan(40);
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.length).toBeLessThanOrEqual(6);
  });
});

describe('a policy without such a check', () => {
  it('has nothing read', async () => {
    const scene = await joined();
    await scene.run(10_000);
    expect(scene.podNames()).toHaveLength(1);
    expect(scene.asked().filter((words) => /services|endpointslices/.test(words))).toEqual([]);
  });
});
