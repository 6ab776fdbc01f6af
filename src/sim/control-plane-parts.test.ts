import { describe, expect, it } from 'vitest';
import { leaseType, nodeType } from '../objects/ref.ts';
import { type Shown, startSimScene } from '../../test/support/sim-scene.ts';
import { daemonSetType } from './workloads.ts';

const READY_MS = 5_000;

describe('the binder', () => {
  it('spreads pods over the nodes that fit', async () => {
    const scene = await startSimScene({ pools: 'general=3,gpu=2' });
    await scene.clock.advance(READY_MS);
    for (let each = 0; each < 6; each++) await scene.createPod(`pod-${each}`);
    await scene.clock.advance(500);
    const pods = await Promise.all([0, 1, 2, 3, 4, 5].map((each) => scene.pod(`pod-${each}`)));
    expect(pods.map(({ spec }: Shown) => spec.nodeName)).toEqual([
      'general-01',
      'general-02',
      'general-03',
      'general-01',
      'general-02',
      'general-03',
    ]);
  });

  it('says why a pod fits nowhere, and binds it when a node becomes free for it', async () => {
    const scene = await startSimScene({ pools: 'gpu=2' });
    await scene.clock.advance(READY_MS);
    await scene.createPod('pod');
    await scene.clock.advance(500);
    expect((await scene.pod('pod')).status.conditions).toMatchObject([
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        message: '0/2 nodes are available: 2 node(s) had untolerated taint(s).',
      },
    ]);
    await scene.api.patch(
      { type: nodeType, namespace: '', name: 'gpu-02' },
      { kind: 'merge', body: { spec: { taints: null } } },
    );
    await scene.clock.advance(500);
    expect((await scene.pod('pod')).spec.nodeName).toBe('gpu-02');
  });

  it('leaves pods of other schedulers alone', async () => {
    const scene = await startSimScene();
    await scene.clock.advance(READY_MS);
    await scene.createPod('other', { spec: { schedulerName: 'mine' } });
    await scene.clock.advance(500);
    expect((await scene.pod('other')).spec.nodeName).toBeUndefined();
  });
});

describe('a taint that evicts', () => {
  const ref = { type: nodeType, namespace: '', name: 'general-01' };
  const taint = (taints: readonly object[] | null) =>
    ({ kind: 'merge', body: { spec: { taints } } }) as const;
  const evicting = { key: 'broken', value: 'true', effect: 'NoExecute' };
  const patient = { tolerations: [{ key: 'broken', operator: 'Exists', tolerationSeconds: 60 }] };

  it('removes pods that do not tolerate it, and patient ones after their time', async () => {
    const scene = await startSimScene({ pools: 'general=1' });
    await scene.clock.advance(READY_MS);
    await scene.createPod('hasty', { spec: { restartPolicy: 'Always' } });
    await scene.createPod('patient', { spec: { restartPolicy: 'Always', ...patient } });
    await scene.clock.advance(READY_MS);
    await scene.api.patch(ref, taint([evicting]));
    await scene.clock.advance(READY_MS);
    expect(await scene.pod('hasty')).toBeNull();
    expect((await scene.pod('patient')).status.phase).toBe('Running');
    await scene.clock.advance(60_000);
    expect(await scene.pod('patient')).toBeNull();
  });

  it('removes nobody who was patient until it was gone', async () => {
    const scene = await startSimScene({ pools: 'general=1' });
    await scene.clock.advance(READY_MS);
    await scene.createPod('patient', { spec: { restartPolicy: 'Always', ...patient } });
    await scene.clock.advance(READY_MS);
    await scene.api.patch(ref, taint([evicting]));
    await scene.clock.advance(30_000);
    await scene.api.patch(ref, taint(null));
    await scene.clock.advance(120_000);
    expect((await scene.pod('patient')).status.phase).toBe('Running');
  });
});

describe('a DaemonSet', () => {
  const daemonSet = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent', namespace: 'default' },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      template: {
        metadata: { labels: { app: 'agent' } },
        spec: { containers: [{ name: 'agent', image: 'example/agent:1' }] },
      },
    },
  };
  const ref = { type: daemonSetType, namespace: 'default', name: 'agent' };

  it('has one pod on every node that it tolerates, a cordoned one included, and counts them', async () => {
    const scene = await startSimScene({ pools: 'general=3,gpu=1' });
    await scene.clock.advance(READY_MS);
    const cordoned = { type: nodeType, namespace: '', name: 'general-02' };
    await scene.api.patch(cordoned, { kind: 'merge', body: { spec: { unschedulable: true } } });
    await scene.api.create(ref, daemonSet);
    await scene.clock.advance(READY_MS);
    const pods: Shown[] = [...scene.sim.pods.values()];
    expect(pods.map(({ spec }): string => spec.nodeName).sort()).toEqual([
      'general-01',
      'general-02',
      'general-03',
    ]);
    expect(pods.every(({ status }) => status.phase === 'Running')).toBe(true);
    const found = await scene.api.get(ref);
    expect(found).toMatchObject({
      value: { status: { desiredNumberScheduled: 3, numberReady: 3, observedGeneration: 1 } },
    });
  });

  it('replaces its pods when its template changes', async () => {
    const scene = await startSimScene({ pools: 'general=1' });
    await scene.clock.advance(READY_MS);
    await scene.api.create(ref, daemonSet);
    await scene.clock.advance(READY_MS);
    const template = { spec: { containers: [{ name: 'agent', image: 'example/agent:2' }] } };
    await scene.api.patch(ref, { kind: 'merge', body: { spec: { template } } });
    await scene.clock.advance(READY_MS);
    const pods: Shown[] = [...scene.sim.pods.values()];
    expect(pods.map(({ spec }) => spec.containers[0].image)).toEqual(['example/agent:2']);
  });

  it('is left to a manager that elects nobody, and nodes are still taken care of', async () => {
    const rootCa = {
      group: '',
      version: 'v1',
      plural: 'configmaps',
      kind: 'ConfigMap',
      scope: 'Namespaced',
    } as const;
    const metadata = { name: 'kube-root-ca.crt', namespace: 'kube-system' };
    const scene = await startSimScene({
      pools: 'general=1',
      controllers: 'ask',
      before: (api) => api.create({ type: rootCa, ...metadata }, { metadata }),
    });
    await scene.clock.advance(READY_MS);
    await scene.api.create(ref, daemonSet);
    await scene.clock.advance(READY_MS);
    expect([...scene.sim.pods.values()]).toEqual([]);
    expect((await scene.node('general-01')).spec.taints).toBeUndefined();
  });
});

describe('parts that a real control plane plays', () => {
  it('are left to it', async () => {
    const lease = (name: string) => ({ type: leaseType, namespace: 'kube-system', name });
    const scene = await startSimScene({
      pools: 'general=1',
      controllers: 'ask',
      before: async (api) => {
        for (const name of ['kube-controller-manager', 'kube-scheduler'])
          await api.create(lease(name), { metadata: { name, namespace: 'kube-system' } });
      },
    });
    await scene.clock.advance(READY_MS);
    await scene.createPod('pod');
    await scene.clock.advance(READY_MS);
    expect((await scene.pod('pod')).spec.nodeName).toBeUndefined();
    expect((await scene.node('general-01')).spec.taints).toMatchObject([{ effect: 'NoSchedule' }]);
  });
});
