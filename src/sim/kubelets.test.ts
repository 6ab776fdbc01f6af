import { describe, expect, it } from 'vitest';
import { leaseType, nodeType } from '../objects/ref.ts';
import { nodeLeaseNamespace } from './node-shape.ts';
import type { WorldApi } from './world-api.ts';
import { type Shown, startSimScene } from '../../test/support/sim-scene.ts';

const ref = { type: nodeType, namespace: '', name: 'general-01' };
const READY_MS = 5_000;
const ready = (node: Shown) => node?.status.conditions.find(({ type }: Shown) => type === 'Ready');
const taints = (node: Shown) => (node?.spec.taints ?? []).map(({ key, effect }: Shown) => `${key}:${effect}`);

/** Every single call, in words. */
function noted(api: WorldApi, calls: string[]): WorldApi {
  const note = (verb: string, { type }: { readonly type: { readonly kind: string } }) =>
    void calls.push(`${verb} ${type.kind}`);
  return {
    ...api,
    get: (each) => (note('get', each), api.get(each)),
    create: (each, ...rest) => (note('create', each), api.create(each, ...rest)),
    replace: (each, ...rest) => (note('replace', each), api.replace(each, ...rest)),
    patch: (each, ...rest) => (note('patch', each), api.patch(each, ...rest)),
  };
}

describe('simulated kubelets', () => {
  it('register their nodes with labels, addresses and capacity, and become ready', async () => {
    const { clock, node } = await startSimScene({ pools: 'general=2,gpu=1' });
    await clock.advance(READY_MS);
    const gpu = await node('gpu-01');
    expect(gpu.metadata.labels).toMatchObject({
      'kubernetes.io/hostname': 'gpu-01',
      'node.kubernetes.io/pool': 'gpu',
      'sim.muster.dev/simulated': 'true',
    });
    expect(gpu.status).toMatchObject({
      capacity: { cpu: '32', pods: '110' },
      nodeInfo: { kubeletVersion: 'v1.36.3', bootID: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
    expect(ready(gpu)).toMatchObject({ status: 'True', reason: 'KubeletReady' });
    expect(taints(gpu)).toEqual(['dedicated:NoSchedule']);
    expect(taints(await node('general-01'))).toEqual([]);
  });

  it('keep the taint of a new node until it is ready', async () => {
    const { clock, node } = await startSimScene({ pools: 'general=1' });
    await clock.advance(2_000);
    const early = await node('general-01');
    expect(ready(early).status).toBe('False');
    expect(taints(early)).toContain('node.kubernetes.io/not-ready:NoSchedule');
  });

  it('renew their Lease every 10 s and report their status every 5 minutes', async () => {
    const calls: string[] = [];
    const { clock } = await startSimScene({ pools: 'general=1', wrap: (api) => noted(api, calls) });
    await clock.advance(20_000);
    calls.length = 0;
    await clock.advance(600_000);
    expect(calls.filter((call) => call === 'replace Lease')).toHaveLength(60);
    expect(calls.filter((call) => call === 'patch Node')).toHaveLength(2);
    expect(calls).toHaveLength(62);
  });

  it('renew it one time after the other, however slow the server is', async () => {
    const calls: string[] = [];
    const never = new Promise<never>(() => {});
    const { clock } = await startSimScene({
      pools: 'general=1',
      wrap: (api) => ({
        ...noted(api, calls),
        replace: (each) => (calls.push(`replace ${each.type.kind}`), never),
      }),
    });
    await clock.advance(600_000);
    expect(calls.filter((call) => call === 'replace Lease')).toHaveLength(1);
  });

  it('make a Lease that somebody deleted anew, and go on where somebody else wrote it', async () => {
    const calls: string[] = [];
    const { clock, api } = await startSimScene({ pools: 'general=1', wrap: (each) => noted(each, calls) });
    const lease = { ...ref, type: leaseType, namespace: nodeLeaseNamespace };
    await clock.advance(20_000);
    await api.delete(lease);
    calls.length = 0;
    await clock.advance(10_000);
    expect(calls).toEqual(['replace Lease', 'get Lease', 'create Lease']);
    await api.patch(lease, { kind: 'merge', body: { metadata: { labels: { seen: 'yes' } } } });
    calls.length = 0;
    await clock.advance(20_000);
    expect(calls).toEqual(['replace Lease', 'get Lease', 'replace Lease', 'replace Lease']);
  });

  it('come back from a reboot under a new boot ID', async () => {
    const { clock, node, play } = await startSimScene({ pools: 'general=1' });
    await clock.advance(READY_MS);
    const before = await node('general-01');
    await play('general-01', 'node-reboots');
    await clock.advance(100);
    const down = await node('general-01');
    expect(ready(down)).toMatchObject({ status: 'False', message: 'node is shutting down' });
    expect(taints(down)).toEqual([
      'node.kubernetes.io/not-ready:NoSchedule',
      'node.kubernetes.io/not-ready:NoExecute',
    ]);
    expect(down.metadata.annotations ?? {}).toEqual({});
    await clock.advance(15_000);
    const after = await node('general-01');
    expect(ready(after).status).toBe('True');
    expect(after.metadata.uid).toBe(before.metadata.uid);
    expect(after.status.nodeInfo.machineID).toBe(before.status.nodeInfo.machineID);
    expect(after.status.nodeInfo.bootID).not.toBe(before.status.nodeInfo.bootID);
    expect(taints(after)).toEqual([]);
  });

  it('are declared unreachable when they fall silent, and ready when they answer again', async () => {
    const { clock, node, play } = await startSimScene({ pools: 'general=1' });
    await clock.advance(READY_MS);
    await play('general-01', 'node-goes-silent');
    await clock.advance(30_000);
    expect(ready(await node('general-01')).status).toBe('True');
    await clock.advance(40_000);
    const lost = await node('general-01');
    expect(ready(lost)).toMatchObject({ status: 'Unknown', reason: 'NodeStatusUnknown' });
    expect(taints(lost)).toEqual([
      'node.kubernetes.io/unreachable:NoSchedule',
      'node.kubernetes.io/unreachable:NoExecute',
    ]);
    await play('general-01', 'node-answers-again');
    await clock.advance(1_000);
    const back = await node('general-01');
    expect(ready(back).status).toBe('True');
    expect(taints(back)).toEqual([]);
  });

  it('stay away when somebody deletes their Node, and return as another machine where a stage says so', async () => {
    const plain = await startSimScene({ pools: 'general=1' });
    await plain.clock.advance(READY_MS);
    await plain.api.delete(ref);
    await plain.clock.advance(60_000);
    expect(await plain.node('general-01')).toBeNull();

    const demo = await startSimScene({ pools: 'general=1', sets: ['world', 'demo'] });
    await demo.clock.advance(READY_MS);
    const before = await demo.node('general-01');
    await demo.api.delete(ref);
    await demo.clock.advance(12_500);
    const after = await demo.node('general-01');
    expect(after.metadata.uid).not.toBe(before.metadata.uid);
    expect(after.status.nodeInfo.machineID).not.toBe(before.status.nodeInfo.machineID);
  });

  it('leave a node of the same name alone that is not simulated', async () => {
    const scene = await startSimScene({
      pools: 'general=1',
      before: (api) => api.create(ref, { metadata: { name: 'general-01' } }),
    });
    await scene.clock.advance(READY_MS);
    await scene.play('general-01', 'node-is-deleted');
    await scene.clock.advance(READY_MS);
    expect((await scene.node('general-01')).status.conditions).toBeUndefined();
    expect(scene.happenings).toEqual([]);
  });

  it('speak for the nodes that an earlier run left behind, without a reboot', async () => {
    const labels = { 'sim.muster.dev/simulated': 'true' };
    const status = { nodeInfo: { bootID: 'boot-1', machineID: 'machine-1' } };
    const scene = await startSimScene({
      pools: 'general=1',
      before: (api) => api.create(ref, { metadata: { name: 'general-01', labels }, status }),
    });
    await scene.clock.advance(READY_MS);
    const node = await scene.node('general-01');
    expect(ready(node).status).toBe('True');
    expect(node.status.nodeInfo).toMatchObject({ bootID: 'boot-1', machineID: 'machine-1' });
  });

  it('say nothing more once the world has ended', async () => {
    const scene = await startSimScene({ pools: 'general=1' });
    scene.sim.stop();
    await scene.clock.advance(READY_MS);
    expect(await scene.node('general-01')).toBeNull();
    expect(scene.clock.pendingTimers()).toBe(0);
  });

  it('taint a node for every pressure that it reports and for a cordon, and untaint it after', async () => {
    const { api, clock, node, play } = await startSimScene({ pools: 'general=1' });
    await clock.advance(READY_MS);
    await play('general-01', 'node-runs-out-of-disk');
    await api.patch(ref, { kind: 'merge', body: { spec: { unschedulable: true } } });
    await clock.advance(1_000);
    expect(taints(await node('general-01')).sort()).toEqual([
      'node.kubernetes.io/disk-pressure:NoSchedule',
      'node.kubernetes.io/unschedulable:NoSchedule',
    ]);
    await play('general-01', 'node-has-disk-again');
    await api.patch(ref, { kind: 'merge', body: { spec: { unschedulable: null } } });
    await clock.advance(1_000);
    expect(taints(await node('general-01'))).toEqual([]);
  });

  it('play what was asked of a node before they took it over', async () => {
    const asked = { 'sim.muster.dev/play': 'node-is-deleted' };
    const { clock, happenings, node } = await startSimScene({
      pools: 'general=1',
      before: async (world) => {
        const labels = { 'sim.muster.dev/simulated': 'true' };
        const metadata = { name: 'general-01', labels, annotations: asked };
        const answer = await world.create(ref, { apiVersion: 'v1', kind: 'Node', metadata });
        expect(answer.kind).toBe('ok');
      },
    });
    await clock.advance(2_000);
    expect(happenings.map(({ stage }) => stage)).toContain('node-is-deleted');
    expect(
      (await node('general-01'))?.metadata?.annotations?.['sim.muster.dev/play-refused'],
    ).toBeUndefined();
  });

  it('refuse a stage that there is none of, by name and value, and take the word back with the next one', async () => {
    const { clock, node, play } = await startSimScene({ pools: 'general=1' });
    await clock.advance(READY_MS);
    await play('general-01', 'nonsense');
    await clock.advance(1_000);
    const annotations = async () => (await node('general-01')).metadata.annotations ?? {};
    expect(await annotations()).toEqual({
      'sim.muster.dev/play-refused': expect.stringMatching(
        /^sim\.muster\.dev\/play: there is no stage "nonsense"; those on request are node-answers-again, .*node-reboots/,
      ),
    });
    await play('general-01', 'node-answers-again');
    await clock.advance(1_000);
    expect(await annotations()).toEqual({
      'sim.muster.dev/play-refused':
        'sim.muster.dev/play: "node-answers-again" cannot happen while the node is Ready',
    });
    await play('general-01', 'node-reboots');
    await clock.advance(1_000);
    expect(await annotations()).toEqual({});
  });

  it('share one timer and one watch per kind, however many there are', async () => {
    let watches = 0;
    const { clock } = await startSimScene({
      pools: 'general=200',
      wrap: (api) => ({
        ...api,
        watch: (...call) => {
          watches += 1;
          return api.watch(...call);
        },
      }),
    });
    await clock.advance(15_000);
    // Nodes, pods, leases and DaemonSets are served; Deployments are not, and are asked for again later.
    expect(watches).toBe(4);
    expect(clock.pendingTimers()).toBeLessThan(10);
  });

  it('do the same things at the same times for the same seed', async () => {
    const run = async (seed: number) => {
      const { clock, happenings } = await startSimScene({ pools: 'a=4,b=4', sets: ['world', 'demo'], seed });
      await clock.advance(180_000);
      return happenings;
    };
    const [first, second, other] = [await run(7), await run(7), await run(8)];
    expect(first).toEqual(second);
    expect(first).not.toEqual(other);
    const stages = new Set(first.map(({ stage }) => stage));
    for (const stage of [
      'node-registers',
      'node-becomes-ready',
      'node-reboots',
      'node-comes-back',
      'node-is-deleted',
      'node-is-replaced',
    ])
      expect(stages).toContain(stage);
  });
});
