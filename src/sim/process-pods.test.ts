import { describe, expect, it } from 'vitest';
import { podType } from '../objects/ref.ts';
import { type PodShape, type Shown, startSimScene } from '../../test/support/sim-scene.ts';
import type { Processes, ProcessEnd } from './child-processes.ts';
import type { ContainerCommand } from './container-command.ts';

const READY_MS = 5_000;
const END_MS = 10_000;
const stateOf = (pod: Shown) => pod.status.containerStatuses[0].state;
const ref = { type: podType, namespace: 'default', name: 'pod' };
const told = (outcome: string): PodShape => ({ annotations: { 'sim.muster.dev/outcome': outcome } });

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

  describe('with init containers', () => {
    const initContainers = ['first', 'second'].map((name) => ({ name, image: 'muster:1', args: [name] }));
    const initStates = (pod: Shown) => pod.status.initContainerStatuses.map(({ state }: Shown) => state);

    it('runs them one after the other while it is Pending, and then its own', async () => {
      const { clock, pod, processes } = await startProcessPod({ spec: { initContainers } });
      expect(processes.started.map(({ command }) => command.name)).toEqual(['first']);
      const before = await pod('pod');
      expect(before.status.phase).toBe('Pending');
      expect(initStates(before)).toMatchObject([{ running: {} }, { waiting: { reason: 'PodInitializing' } }]);
      expect(stateOf(before)).toMatchObject({ waiting: { reason: 'PodInitializing' } });
      processes.started[0]?.end({ code: 0, message: '' });
      await clock.advance(100);
      expect(processes.started.map(({ command }) => command.name)).toEqual(['first', 'second']);
      processes.started[1]?.end({ code: 0, message: 'well' });
      await clock.advance(100);
      const after = await pod('pod');
      expect(after.status.phase).toBe('Running');
      expect(initStates(after)).toMatchObject([
        { terminated: { exitCode: 0 } },
        { terminated: { exitCode: 0, message: 'well' } },
      ]);
      expect(stateOf(after)).toMatchObject({ running: {} });
      processes.started[2]?.end({ code: 0, message: '' });
      await clock.advance(100);
      expect((await pod('pod')).status.phase).toBe('Succeeded');
    });

    it('fails with the first of them that does not end well, and runs nothing after it', async () => {
      const { clock, pod, processes } = await startProcessPod({ spec: { initContainers } });
      processes.started[0]?.end({ code: 1, message: 'not sound' });
      await clock.advance(100);
      const failed = await pod('pod');
      expect(failed.status.phase).toBe('Failed');
      expect(initStates(failed)).toMatchObject([
        { terminated: { exitCode: 1, reason: 'Error', message: 'not sound' } },
        { waiting: { reason: 'PodInitializing' } },
      ]);
      expect(stateOf(failed)).toMatchObject({ waiting: { reason: 'PodInitializing' } });
      expect(processes.started).toHaveLength(1);
    });

    it('starts nothing more once it is to go', async () => {
      const { api, clock, pod, processes } = await startProcessPod({ spec: { initContainers } });
      await api.delete(ref);
      processes.started[0]?.end({ code: 0, message: '' });
      await clock.advance(1_000);
      expect(processes.started).toHaveLength(1);
      expect(await pod('pod')).toBeNull();
    });

    it('only pretends to run where one of them cannot be run here', async () => {
      const strange = [{ name: 'first', image: 'example/other:1' }];
      const { clock, pod, processes } = await startProcessPod({ spec: { initContainers: strange } });
      await clock.advance(END_MS);
      expect(processes.started).toEqual([]);
      expect((await pod('pod')).status.phase).toBe('Succeeded');
    });
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
