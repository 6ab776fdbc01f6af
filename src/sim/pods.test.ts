import { describe, expect, it } from 'vitest';
import { parseReport } from '../base/worker-report.ts';
import { podType } from '../objects/ref.ts';
import { type PodShape, type Shown, startSimScene } from '../../test/support/sim-scene.ts';
import type { Processes, ProcessEnd } from './child-processes.ts';
import type { ContainerCommand } from './container-command.ts';

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

type Started = { readonly command: ContainerCommand; end(end: ProcessEnd): void; readonly stops: string[] };

function scriptedProcesses(): Processes & { readonly started: Started[] } {
  const started: Started[] = [];
  return {
    started,
    start(command, onText) {
      const { promise, resolve } = Promise.withResolvers<ProcessEnd>();
      const stops: string[] = [];
      started.push({ command, end: resolve, stops });
      onText('hello\n');
      return {
        ended: promise,
        stop(how) {
          stops.push(how);
          if (how === 'now') resolve({ code: 137, message: '' });
        },
      };
    },
    stopAll() {},
  };
}

const ours = (image: string) =>
  image.startsWith('muster') ? { argv: ['node', 'muster.cjs'], names: ['muster'] } : null;

async function startProcessPod(shape: PodShape) {
  const processes = scriptedProcesses();
  const scene = await startSimScene({ pools: 'general=1', processes, resolveImage: ours });
  await scene.clock.advance(READY_MS);
  await scene.createPod('pod', { ...shape, container: { image: 'muster:1', ...shape.container } });
  await scene.clock.advance(2_000);
  return { ...scene, processes };
}

describe('a pod of an image that can be run here', () => {
  const env = [
    { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
    { name: 'GREETING', value: 'hello $(NODE_NAME)' },
  ];

  it('runs as a process with its arguments and environment, and ends as the process does', async () => {
    const { clock, logs, pod, processes } = await startProcessPod({
      container: { args: ['worker', '--node=$(NODE_NAME)', '$$(NODE_NAME)'], env },
    });
    const [process] = processes.started;
    expect(process?.command).toEqual({
      name: 'main',
      argv: ['node', 'muster.cjs', 'worker', '--node=general-01', '$(NODE_NAME)'],
      env: { NODE_NAME: 'general-01', GREETING: 'hello general-01' },
    });
    expect((await pod('pod')).status.phase).toBe('Running');
    process?.end({ code: 1, message: 'x'.repeat(5000) });
    await clock.advance(100);
    const ended = await pod('pod');
    expect(ended.status.phase).toBe('Failed');
    expect(stateOf(ended).terminated).toMatchObject({
      exitCode: 1,
      reason: 'Error',
      message: 'x'.repeat(4096),
    });
    expect(logs.read({ namespace: 'default', pod: 'pod', container: 'main' })).toBe('hello\n');
  });

  it('takes the end of the log for its message where it asked for that', async () => {
    const policy = { terminationMessagePolicy: 'FallbackToLogsOnError' };
    const { clock, pod, processes } = await startProcessPod({ container: policy });
    processes.started[0]?.end({ code: 1, message: '' });
    await clock.advance(100);
    expect(stateOf(await pod('pod')).terminated.message).toBe('hello\n');
  });

  it('is asked to end when it is deleted, and ended when its time is up', async () => {
    const { api, clock, pod, processes } = await startProcessPod({
      spec: { terminationGracePeriodSeconds: 5 },
    });
    await api.delete(ref);
    await clock.advance(4_900);
    expect(processes.started[0]?.stops).toEqual(['politely']);
    expect(await pod('pod')).not.toBeNull();
    await clock.advance(200);
    expect(processes.started[0]?.stops.slice(0, 2)).toEqual(['politely', 'now']);
    expect(await pod('pod')).toBeNull();
  });

  it('is restarted with growing patience where its policy says so', async () => {
    const { clock, pod, processes } = await startProcessPod({ spec: { restartPolicy: 'Always' } });
    processes.started[0]?.end({ code: 1, message: '' });
    await clock.advance(100);
    const waiting = await pod('pod');
    expect(stateOf(waiting).waiting.reason).toBe('CrashLoopBackOff');
    expect(waiting.status.containerStatuses[0].lastState.terminated.exitCode).toBe(1);
    await clock.advance(11_000);
    expect(processes.started).toHaveLength(2);
    processes.started[1]?.end({ code: 1, message: '' });
    await clock.advance(15_000);
    expect(processes.started).toHaveLength(2);
    await clock.advance(6_000);
    expect(processes.started).toHaveLength(3);
  });

  it('waits with a reason when its environment cannot be had here', async () => {
    const secret = [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } }];
    const { pod, processes } = await startProcessPod({ container: { env: secret } });
    expect(processes.started).toEqual([]);
    expect(stateOf(await pod('pod')).waiting).toMatchObject({
      reason: 'CreateContainerConfigError',
      message: 'env TOKEN cannot be resolved here',
    });
  });

  it('only pretends to run when its outcome was chosen by annotation', async () => {
    const { clock, pod, processes } = await startProcessPod(told('pass'));
    await clock.advance(END_MS);
    expect(processes.started).toEqual([]);
    expect((await pod('pod')).status.phase).toBe('Succeeded');
  });

  it('is killed when its node reboots, and fails', async () => {
    const { clock, pod, play, processes } = await startProcessPod({});
    await play('general-01', 'node-reboots');
    await clock.advance(20_000);
    expect(processes.started[0]?.stops).toEqual(['now']);
    expect(stateOf(await pod('pod')).terminated.reason).toBe('ContainerStatusUnknown');
  });
});
