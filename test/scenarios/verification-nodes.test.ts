// What others do to a node while it is verified, and what must not come of it: told with the whole centre.

import { describe, expect, it } from 'vitest';
import { nodeType, podType } from '../../src/objects/ref.ts';
import type { FailureReason } from '../../src/runtime/ports.ts';
import { apiFailure } from '../support/api-failure.ts';
import { isPatchOf } from '../support/centre-scene.ts';
import {
  failure,
  joined,
  unverified,
  verificationScene,
  verifiedLabel,
} from '../support/verification-scene.ts';

const taint = (key: string) => ({ key, effect: 'NoSchedule', value: 'x' });
const createdPods = (scene: { readonly api: { readonly calls: readonly { verb: string; ref: object }[] } }) =>
  scene.api.calls.filter(({ verb, ref }) => verb === 'create' && 'type' in ref && ref.type === podType)
    .length;

describe('the write that lets a node in', () => {
  it('takes every taint of the policy and no other', async () => {
    const policy = {
      taints: ['a.io/one', 'a.io/two'].map((key) => ({ key, effect: 'NoSchedule' as const })),
    };
    const scene = await joined(
      { taints: [taint('a.io/one'), taint('a.io/two'), taint('c.io/three')] },
      policy,
    );
    scene.workerEnds('a');
    await scene.run(2_000);
    expect(scene.taints('a')).toEqual([taint('c.io/three')]);
  });

  it('leaves a taint that another controller adds between our read and our write', async () => {
    const scene = await joined();
    let isAdded = false;
    scene.faults.before = (call) => {
      if (isPatchOf(nodeType, 'a')(call) && !isAdded) {
        isAdded = true;
        scene.changeNode('a', (raw) => ({ ...raw, spec: { taints: [unverified, taint('other.io/new')] } }));
      }
      return null;
    };
    scene.workerEnds('a');
    await scene.run(3_000);
    expect(isAdded).toBe(true);
    expect(scene.taints('a')).toEqual([taint('other.io/new')]);
    expect(scene.labels('a')[verifiedLabel]).toBe('true');
  });

  it.each<FailureReason>(['Conflict', 'Invalid'])(
    'is made again after it was answered with %s twice, without another worker',
    async (reason) => {
      const scene = await joined();
      let refusals = 0;
      scene.faults.before = (call) =>
        isPatchOf(nodeType, 'a')(call) && refusals++ < 2 ? apiFailure(reason) : null;
      scene.workerEnds('a');
      await scene.run(20_000);
      expect(refusals).toBeGreaterThan(2);
      expect(scene.taints('a')).toEqual([]);
      expect(scene.labels('a')[verifiedLabel]).toBe('true');
      expect(createdPods(scene)).toBe(1);
      expect(scene.verification('a')).toMatchObject({ state: 'verified', attempt: 1 });
    },
  );

  it('does not reach a node that has taken the place of the one that was checked', async () => {
    const scene = await joined();
    let isReplaced = false;
    scene.faults.before = (call) => {
      if (isPatchOf(nodeType, 'a')(call) && !isReplaced) {
        isReplaced = true;
        scene.removeNode('a');
        scene.join('a', { bootID: 'boot-2' });
      }
      return null;
    };
    scene.workerEnds('a');
    await scene.run(10_000);
    expect(isReplaced).toBe(true);
    expect(scene.taints('a')).toEqual([unverified]);
    expect(scene.labels('a')[verifiedLabel]).toBeUndefined();
    expect(scene.verification('a')).toMatchObject({ state: 'pending', attempt: 1, bootID: 'boot-2' });
    expect(scene.pods()).toHaveLength(1);
    expect(createdPods(scene)).toBe(2);
  });
});

describe('a worker', () => {
  it('of nodes with names as long as names can be has a name of its own that fits', async () => {
    const scene = verificationScene();
    scene.putPolicy('all');
    scene.start();
    await scene.run(1_000);
    const prefix = `${'n'.repeat(60)}.${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(57)}`;
    const nodes = ['one', 'two'].map((each) => `${prefix}.${each.repeat(4)}`.slice(0, 253));
    expect(nodes.map((name) => name.slice(0, 240))).toEqual(
      [prefix, prefix].map((each) => each.slice(0, 240)),
    );
    for (const name of nodes) scene.join(name);
    await scene.run(2_000);
    const names = scene.podNames();
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^node-ready-worker-[-.a-z0-9]{1,45}$/);
    const labels = scene.pods().map(({ metadata }) => metadata?.labels?.['node'] ?? '');
    expect(new Set(labels).size).toBe(2);
    for (const label of labels) expect(label.length).toBeLessThanOrEqual(63);
    for (const name of nodes) scene.workerEnds(name);
    await scene.run(2_000);
    expect(nodes.map((name) => scene.labels(name)[verifiedLabel])).toEqual(['true', 'true']);
  });

  it('finds its node by name, whatever the label of its host name says', async () => {
    const scene = await joined({ labels: { 'kubernetes.io/hostname': 'somebody-else' } });
    const { nodeSelector, affinity } = (scene.workerOf('a')?.spec ?? {}) as Record<string, unknown>;
    expect(nodeSelector).toBeUndefined();
    expect(JSON.stringify(affinity)).toContain('"matchFields":[{"key":"metadata.name"');
    expect(JSON.stringify(affinity)).not.toContain('somebody-else');
  });

  it('is not made twice when the word of its creation comes late', async () => {
    const scene = verificationScene();
    scene.putPolicy('all');
    scene.start();
    await scene.run(1_000);
    scene.lag('Pod');
    scene.join('a');
    await scene.run(5_000);
    expect(scene.podNames()).toHaveLength(1);
    expect(createdPods(scene)).toBe(1);
    expect(scene.verification('a')).toMatchObject({ state: 'pending', attempt: 1 });
  });

  it('goes on when another operator takes over, which did not write before that', async () => {
    const scene = verificationScene();
    scene.putPolicy('all');
    const leader = scene.start();
    await scene.run(1_000);
    scene.join('a');
    await scene.run(2_000);
    scene.workerRuns('a');
    await scene.run(1_000);
    const before = { pods: scene.podNames(), record: scene.verification('a') };
    leader.kill();
    const standby = scene.start({ isLeading: false });
    scene.wrote();
    await scene.run(20_000);
    expect(scene.wrote()).toEqual([]);
    expect(standby.centre.isReady()).toBe(true);
    standby.leads();
    await scene.run(2_000);
    expect({ pods: scene.podNames(), record: scene.verification('a') }).toEqual(before);
    scene.workerEnds('a');
    await scene.run(2_000);
    expect(scene.verification('a')).toMatchObject({ state: 'verified', attempt: 1 });
    expect(createdPods(scene)).toBe(1);
  });

  it('whose end comes while nobody leads is judged by who leads next', async () => {
    const scene = verificationScene();
    scene.putPolicy('all');
    const leader = scene.start();
    await scene.run(1_000);
    scene.join('a');
    await scene.run(2_000);
    leader.kill();
    scene.workerEnds('a', failure);
    await scene.run(60_000);
    scene.start();
    await scene.run(500);
    expect(scene.verification('a')).toMatchObject({ state: 'failed', attempt: 1, failedAttempts: 1 });
    expect(createdPods(scene)).toBe(1);
  });
});

describe('a node that is taken away while it is checked', () => {
  const departures = {
    'is cordoned': (raw: object) => ({ ...raw, spec: { taints: [unverified], unschedulable: true } }),
    'is removed by the cluster autoscaler': (raw: object) => ({
      ...raw,
      spec: { taints: [unverified, taint('ToBeDeletedByClusterAutoscaler')] },
    }),
    'is removed by Karpenter': (raw: object) => ({
      ...raw,
      spec: { taints: [unverified, taint('karpenter.sh/disrupted')] },
    }),
    'is being deleted': (raw: { metadata?: object }) => ({
      ...raw,
      metadata: { ...raw.metadata, deletionTimestamp: '2026-01-01T00:00:10Z', finalizers: ['x.io/wait'] },
    }),
  };

  it.each(Object.entries(departures))(
    'because it %s loses its worker, and nothing is concluded',
    async (_, leave) => {
      const scene = await joined();
      scene.workerRuns('a');
      await scene.run(1_000);
      scene.changeNode('a', leave);
      await scene.run(60_000);
      expect(scene.podNames()).toEqual([]);
      const record = scene.verification('a');
      expect(record).toMatchObject({ state: 'unverified', attempt: 1, reason: 'NodeInUse' });
      expect([record?.verdict, record?.failedAttempts, record?.inconclusiveAttempts]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      expect(scene.labels('a')[verifiedLabel]).toBeUndefined();
      expect(scene.api.calls.filter(({ verb, ref }) => verb === 'delete' && ref.type === nodeType)).toEqual(
        [],
      );
    },
  );

  it('is checked again when it stays after all', async () => {
    const scene = await joined();
    scene.changeNode('a', departures['is cordoned']);
    await scene.run(10_000);
    scene.changeNode('a', (raw) => ({ ...raw, spec: { taints: [unverified] } }));
    await scene.run(5_000);
    expect(scene.verification('a')).toMatchObject({ state: 'pending', attempt: 2 });
  });
});

describe('a ready node with the taint of one that is not', () => {
  const notReady = (effect: string) => ({ key: 'node.kubernetes.io/not-ready', effect });

  it('is checked by a worker that tolerates it: only a controller has yet to take it away', async () => {
    const scene = await joined({ taints: [unverified, notReady('NoSchedule')] });
    expect(scene.verification('a')).toMatchObject({ state: 'pending', attempt: 1 });
    const [pod] = scene.pods();
    expect(pod?.spec).toMatchObject({
      tolerations: expect.arrayContaining([{ ...notReady('NoSchedule'), operator: 'Exists' }]),
    });
  });

  it('waits while pods would be evicted from it', async () => {
    const scene = await joined({ taints: [unverified, notReady('NoExecute')] });
    expect(scene.podNames()).toEqual([]);
    expect(scene.status('a')).toMatchObject({ stageReason: 'StartupTaint' });
  });
});

describe('a taint by whose key an autoscaler knows that it passes', () => {
  it('is not one to wait for where it is that of the policy itself', async () => {
    const key = 'startup-taint.cluster-autoscaler.kubernetes.io/unverified';
    const scene = await joined({ taints: [taint(key)] }, { taints: [{ key, effect: 'NoSchedule' }] });
    scene.workerEnds('a');
    await scene.run(2_000);
    expect(scene.taints('a')).toEqual([]);
    expect(scene.labels('a')[verifiedLabel]).toBe('true');
  });
});

describe('a node of Karpenter', () => {
  it('waits until it is registered, without an attempt', async () => {
    const labels = { 'karpenter.sh/nodepool': 'blue' };
    const scene = await joined({ labels });
    await scene.run(60_000);
    expect(scene.podNames()).toEqual([]);
    expect(scene.verification('a')).toMatchObject({ state: 'unverified', attempt: 0 });
    scene.changeNode('a', (raw) => ({
      ...raw,
      metadata: { ...raw.metadata, labels: { ...labels, 'karpenter.sh/registered': 'true' } },
    }));
    await scene.run(2_000);
    expect(scene.podNames()).toHaveLength(1);
  });

  it('that gets its startup taint back when it is registered is freed of it again, without another worker', async () => {
    // Its labels come with the registration: until then nothing says that it is one of Karpenter.
    const scene = await joined();
    scene.workerEnds('a');
    await scene.run(2_000);
    expect(scene.taints('a')).toEqual([]);
    const labels = { 'karpenter.sh/nodepool': 'blue', 'karpenter.sh/registered': 'true' };
    scene.changeNode('a', (raw) => ({
      ...raw,
      metadata: { ...raw.metadata, labels: { ...raw.metadata?.labels, ...labels } },
      spec: { taints: [unverified, taint('example.com/other')] },
    }));
    await scene.run(5_000);
    expect(scene.taints('a')).toEqual([taint('example.com/other')]);
    expect(scene.labels('a')).toMatchObject({ ...labels, [verifiedLabel]: 'true' });
    await scene.run(600_000);
    expect(createdPods(scene)).toBe(1);
    expect(scene.verification('a')).toMatchObject({ state: 'verified', round: 1, attempt: 1 });
  });
});
