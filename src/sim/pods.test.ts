import { describe, expect, it } from 'vitest';
import { parseReport } from '../base/worker-report.ts';
import { podType } from '../objects/ref.ts';
import { type PodShape, type Shown, startSimScene } from '../../test/support/sim-scene.ts';

const READY_MS = 5_000;
const END_MS = 10_000;
const stateOf = (pod: Shown) => pod.status.containerStatuses[0].state;
const ref = { type: podType, namespace: 'default', name: 'pod' };

async function afterwards(shape: PodShape, waitMs = END_MS) {
  const scene = await startSimScene({ pools: 'general=2' });
  await scene.clock.advance(READY_MS);
  await scene.createPod('pod', shape);
  await scene.clock.advance(waitMs);
  return { ...scene, shown: await scene.pod('pod') };
}

const env = [{ name: 'VERIFICATION_NONCE', value: 'attempt-1' }];
const told = (outcome: string): PodShape => ({ annotations: { 'sim.muster.dev/outcome': outcome } });

describe('a simulated pod', () => {
  it('goes from Pending over Running to Succeeded, with addresses and conditions', async () => {
    const scene = await startSimScene({ pools: 'general=2' });
    await scene.clock.advance(READY_MS);
    await scene.createPod('pod');
    expect(await scene.pod('pod')).toMatchObject({ status: { phase: 'Pending' } });
    await scene.clock.advance(1_100);
    expect(await scene.pod('pod')).toMatchObject({
      spec: { nodeName: 'general-01' },
      status: {
        phase: 'Running',
        podIP: expect.stringMatching(/^10\.244\./),
        containerStatuses: [{ name: 'main', ready: true, restartCount: 0, state: { running: {} } }],
      },
    });
    await scene.clock.advance(3_100);
    const done = await scene.pod('pod');
    expect(done.status.phase).toBe('Succeeded');
    expect(stateOf(done).terminated).toMatchObject({ exitCode: 0, reason: 'Completed' });
    expect(done.status.conditions.map(({ type }: Shown) => type).sort()).toEqual([
      'ContainersReady',
      'Initialized',
      'PodReadyToStartContainers',
      'PodScheduled',
      'Ready',
    ]);
  });

  it.each([
    ['pass', 'Succeeded', { exitCode: 0, reason: 'Completed' }],
    ['fail', 'Failed', { exitCode: 1, reason: 'Error' }],
    ['oom', 'Failed', { exitCode: 137, reason: 'OOMKilled' }],
    ['exit-2', 'Failed', { exitCode: 2, reason: 'Error' }],
    ['garbage', 'Succeeded', { exitCode: 0, message: expect.stringContaining('no report') }],
  ])('ends as told: %s', async (outcome, phase, terminated) => {
    const { shown } = await afterwards(told(outcome));
    expect(shown.status.phase).toBe(phase);
    expect(stateOf(shown).terminated).toMatchObject(terminated);
  });

  it.each([
    ['pass', { dns: 'pass', api: 'pass', network: 'pass', 'service-discovery': 'pass' }],
    ['fail', { dns: 'fail', api: 'pass', network: 'pass', 'service-discovery': 'pass' }],
  ])(
    'that is told to %s says so as a worker does, of the usual checks on its node',
    async (verdict, checks) => {
      const { shown, node } = await afterwards({ ...told(verdict), container: { env } });
      const report = parseReport(stateOf(shown).terminated.message);
      if (report.kind === 'error') throw new Error(report.error);
      expect(report.value).toMatchObject({
        nodeName: shown.spec.nodeName,
        nodeUID: (await node(shown.spec.nodeName)).metadata.uid,
        nonce: 'attempt-1',
        verdict,
        isComplete: true,
      });
      expect(Object.fromEntries(report.value.checks.map(({ id, verdict }) => [id, verdict]))).toEqual(checks);
    },
  );

  it('hangs as told', async () => {
    const { shown } = await afterwards(told('hang'), 3_600_000);
    expect(shown.status.phase).toBe('Running');
  });

  it('waits for an image that cannot be pulled, and then waits longer', async () => {
    const { shown, clock, pod } = await afterwards(told('image-pull-error'), 2_000);
    expect(shown.status.phase).toBe('Pending');
    expect(stateOf(shown).waiting).toMatchObject({
      reason: 'ErrImagePull',
      message: expect.stringContaining('"example/app:1"'),
    });
    await clock.advance(7_000);
    expect(stateOf(await pod('pod')).waiting.reason).toBe('ImagePullBackOff');
  });

  it('is evicted as told', async () => {
    const { shown } = await afterwards(told('evict'));
    expect(shown.status).toMatchObject({ phase: 'Failed', reason: 'Evicted' });
  });

  it('fails when its deadline has passed', async () => {
    const { shown } = await afterwards({ ...told('hang'), spec: { activeDeadlineSeconds: 8 } });
    expect(shown.status).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded' });
  });

  it('is gone soon after somebody deleted it', async () => {
    const { api, clock, pod } = await afterwards(told('hang'));
    await api.delete(ref);
    expect(await pod('pod')).not.toBeNull();
    await clock.advance(1_000);
    expect(await pod('pod')).toBeNull();
  });

  it('is lost when its node reboots, unless it may be restarted', async () => {
    const scene = await startSimScene({ pools: 'general=1' });
    await scene.clock.advance(READY_MS);
    await scene.createPod('once', told('hang'));
    await scene.createPod('always', { spec: { restartPolicy: 'Always' } });
    await scene.clock.advance(END_MS);
    await scene.play('general-01', 'node-reboots');
    await scene.clock.advance(5_000);
    expect((await scene.pod('once')).status.phase).toBe('Running');
    await scene.clock.advance(15_000);
    const once = await scene.pod('once');
    expect(once.status.phase).toBe('Failed');
    expect(stateOf(once).terminated.reason).toBe('ContainerStatusUnknown');
    expect(await scene.pod('always')).toMatchObject({
      status: { phase: 'Running', containerStatuses: [{ restartCount: 1, state: { running: {} } }] },
    });
  });

  it('stays as it is while its kubelet is silent, and is removed when its node is gone for good', async () => {
    const scene = await startSimScene({ pools: 'general=1' });
    await scene.clock.advance(READY_MS);
    await scene.createPod('pod', told('hang'));
    await scene.clock.advance(END_MS);
    await scene.play('general-01', 'node-goes-silent');
    await scene.clock.advance(1_000);
    await scene.api.delete(ref);
    await scene.clock.advance(60_000);
    expect((await scene.pod('pod')).metadata.deletionTimestamp).toBeDefined();
    await scene.play('general-01', 'node-is-deleted');
    await scene.clock.advance(60_000);
    expect(await scene.pod('pod')).toBeNull();
  });
});
