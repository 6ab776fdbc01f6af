import { describe, expect, it } from 'vitest';
import { formatReport, type WorkerReport } from '../../base/worker-report.ts';
import type { ChosenCustom } from './custom-checks.ts';
import { endOf, type Expected } from './worker-end.ts';
import { isEnd, stillbirthOf } from './worker-stillbirth.ts';
import { projectWorker, type WorkerView } from './worker-view.ts';

const gpu: ChosenCustom = { name: 'gpu-burn', image: 'gpu-burn:1', severity: 'required' };
const licence: ChosenCustom = { name: 'licence', image: 'licence:1', severity: 'required' };
const noise: ChosenCustom = { name: 'noise', image: 'noise:1', severity: 'advisory' };
const expected: Expected = {
  nodeName: 'a',
  nodeUID: 'uid-a',
  nonce: 'this-attempt',
  planned: [{ name: 'dns' }],
  custom: [gpu, licence, noise],
};
const dns = { id: 'dns', severity: 'required', code: '', message: '', ms: 3, tries: 1 } as const;
const report: WorkerReport = {
  nodeName: 'a',
  nodeUID: 'uid-a',
  nonce: 'this-attempt',
  verdict: 'pass',
  isComplete: true,
  isForAnnotation: false,
  checks: [{ ...dns, verdict: 'pass' }],
  problems: [],
};

type End = readonly [exitCode: number, reason?: string, message?: string];
const ended = (name: string, [exitCode, reason, message]: End) => ({
  name,
  state: {
    terminated: { exitCode, reason: reason ?? (exitCode === 0 ? 'Completed' : 'Error'), message },
  },
});
const waits = (name: string, reason: string) => ({ name, state: { waiting: { reason } } });
const runs = (name: string) => ({ name, state: { running: { startedAt: '2026-11-01T00:00:00Z' } } });

type Pod = {
  readonly phase?: string;
  readonly podReason?: string;
  readonly init: readonly object[];
  readonly containers?: readonly object[];
};
const own = ended('worker', [0, 'Completed', formatReport(report)]);
const quiet = ended('noise', [0]);
const notBegun = [waits('worker', 'PodInitializing'), waits('noise', 'PodInitializing')];
const born = '2026-11-01T00:00:00Z';

function podOf({ phase = 'Failed', podReason, init, containers = notBegun }: Pod): WorkerView {
  return projectWorker(
    {
      metadata: { name: 'worker', uid: 'pod', creationTimestamp: born },
      status: { phase, reason: podReason, initContainerStatuses: init, containerStatuses: containers },
    },
    (text) => text,
  );
}

const bothPassed = [ended('gpu-burn', [0]), ended('licence', [0])];

describe('a worker with custom checks', () => {
  it('lets the node in when each ended with 0 and so did the checks of the worker', () => {
    const end = endOf(podOf({ phase: 'Succeeded', init: bothPassed, containers: [own, quiet] }), expected);
    expect(end).toMatchObject({ verdict: 'pass', reason: 'VerificationPassed' });
    expect(end.checks.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['gpu-burn', 'pass'],
      ['licence', 'pass'],
      ['noise', 'pass'],
      ['dns', 'pass'],
    ]);
  });

  it('fails the node by one that ended with 1, names it, and takes its last line for its words', () => {
    const failed = ended('gpu-burn', [1, 'Error', 'burning\n\nECC errors: \u001b[31m3\n\n']);
    const end = endOf(podOf({ init: [failed, waits('licence', 'PodInitializing')] }), expected);
    expect(end).toMatchObject({
      verdict: 'fail',
      reason: 'CheckFailed',
      message: 'gpu-burn: ExitedWith1, ECC errors:  [31m3',
    });
    expect(end.checks).toEqual([
      { name: 'gpu-burn', verdict: 'fail', reason: 'ExitedWith1', message: 'ECC errors:  [31m3' },
      { name: 'licence', verdict: 'inconclusive', reason: 'NotFinished' },
      { name: 'noise', verdict: 'inconclusive', reason: 'NotFinished' },
    ]);
  });

  const nothings: Readonly<Record<string, readonly [end: End, code: string]>> = {
    'ended with 2': [[2], 'ExitedOtherwise'],
    'ended with 126, because its program cannot be run': [[126], 'ExitedOtherwise'],
    'ended with -1': [[-1], 'ExitedOtherwise'],
    crashed: [[139], 'ExitedOtherwise'],
    'ran out of memory': [[137, 'OOMKilled'], 'OutOfMemory'],
    'ran out of memory with the code of a failure': [[1, 'OOMKilled'], 'OutOfMemory'],
    'was killed': [[137], 'Killed'],
    'was asked to end': [[143], 'Killed'],
    'was lost with a reboot': [[137, 'ContainerStatusUnknown'], 'Killed'],
    'could not be started': [[128, 'StartError'], 'NotStarted'],
    'could not be started, with the code of a failure': [[1, 'ContainerCannotRun'], 'NotStarted'],
  };

  it.each(Object.entries(nothings))('says nothing about the node where one %s', (_, [how, code]) => {
    const end = endOf(podOf({ init: [ended('gpu-burn', how)] }), expected);
    expect(end).toMatchObject({ verdict: 'inconclusive', reason: 'CheckInconclusive' });
    expect(end.message).toMatch(new RegExp(`^gpu-burn: ${code}`));
    expect(end.checks[0]).toMatchObject({ name: 'gpu-burn', verdict: 'inconclusive', reason: code });
  });

  it.each([
    ['evicted', { podReason: 'Evicted' }, 'WorkerEvicted'],
    ['ended by its deadline', { podReason: 'DeadlineExceeded' }, 'WorkerTimedOut'],
  ])('says nothing about the node where it is %s after one failed', (_, rest, reason) => {
    const end = endOf(podOf({ init: [ended('gpu-burn', [1])], ...rest }), expected);
    expect(end).toMatchObject({ verdict: 'inconclusive', reason });
  });

  it('is not believed when it succeeded although one failed', () => {
    const init = [ended('gpu-burn', [1]), ended('licence', [0])];
    const end = endOf(podOf({ phase: 'Succeeded', init, containers: [own, quiet] }), expected);
    expect(end).toMatchObject({ verdict: 'inconclusive', reason: 'ReportUnusable' });
  });

  it('does not let the node in where a required one was never run', () => {
    const init = [ended('gpu-burn', [0])];
    const end = endOf(podOf({ phase: 'Succeeded', init, containers: [own, quiet] }), expected);
    expect(end).toMatchObject({
      verdict: 'inconclusive',
      reason: 'ReportUnusable',
      message: 'nothing is said of licence',
    });
  });

  it('says nothing where the kubelet refused it before anything ran', () => {
    const end = endOf(podOf({ podReason: 'OutOfcpu', init: [], containers: [] }), expected);
    expect(end).toMatchObject({ reason: 'ReportUnusable' });
    expect(end.message).toContain('OutOfcpu');
  });

  it('takes no notice of one that nobody asks for any more', () => {
    const removed = { ...expected, custom: [licence] };
    const init = [ended('gpu-burn', [1]), waits('licence', 'PodInitializing')];
    expect(endOf(podOf({ init }), removed)).toMatchObject({
      verdict: 'inconclusive',
      reason: 'ReportUnusable',
    });
  });

  it.each([
    ['failed', ended('noise', [1, 'Error', 'loud']), 'fail', 'ExitedWith1'],
    ['ran out of memory', ended('noise', [137, 'OOMKilled']), 'inconclusive', 'OutOfMemory'],
    ['cannot be pulled', waits('noise', 'ImagePullBackOff'), 'inconclusive', 'ImageUnavailable'],
    ['cannot be set up', waits('noise', 'CreateContainerConfigError'), 'inconclusive', 'NotStarted'],
    ['has not ended', runs('noise'), 'inconclusive', 'NotFinished'],
  ] as const)('lets the node in although an advisory one %s', (_, noisy, verdict, reason) => {
    const phase = 'terminated' in noisy.state ? 'Failed' : 'Pending';
    const end = endOf(podOf({ phase, init: bothPassed, containers: [own, noisy] }), expected);
    expect(end).toMatchObject({ verdict: 'pass', reason: 'VerificationPassed' });
    expect(end.checks[0]).toMatchObject({ name: 'noise', verdict, reason });
  });
});

describe('a custom check that does not come to run', () => {
  const bornAt = Date.parse(born);

  it.each([
    ['cannot be pulled', 'ImagePullBackOff', 'gpu-burn: ImageUnavailable, ImagePullBackOff'],
    ['has an image without a meaning', 'InvalidImageName', 'gpu-burn: ImageUnavailable, InvalidImageName'],
    ['cannot be set up', 'CreateContainerConfigError', 'gpu-burn: NotStarted, CreateContainerConfigError'],
  ])(
    'because it %s says nothing about the node, and nothing about the image of the worker',
    (_, reason, message) => {
      const pod = podOf({ phase: 'Pending', init: [waits('gpu-burn', reason)] });
      expect(stillbirthOf(pod, bornAt + 29_999, expected.custom)).toEqual({ recheckAt: bornAt + 30_000 });
      const end = stillbirthOf(pod, bornAt + 30_000, expected.custom);
      expect(isEnd(end) && end).toMatchObject({
        verdict: 'inconclusive',
        reason: 'CheckInconclusive',
        message,
      });
    },
  );

  it('and is advisory is not waited for', () => {
    const pod = podOf({
      phase: 'Pending',
      init: bothPassed,
      containers: [runs('worker'), waits('noise', 'ImagePullBackOff')],
    });
    expect(stillbirthOf(pod, bornAt + 30_000, expected.custom)).toEqual({ recheckAt: bornAt + 180_000 });
  });
});
