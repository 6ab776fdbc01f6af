import { describe, expect, it } from 'vitest';
import { formatReport, type CheckResult, type WorkerReport } from '../../base/worker-report.ts';
import { endOf } from './worker-end.ts';
import { projectWorker, type WorkerView } from './worker-view.ts';

const expected = {
  nodeName: 'a',
  nodeUID: 'uid-a',
  nonce: 'this-attempt',
  planned: [{ name: 'dns' }, { name: 'api' }, { name: 'disk-space', severity: 'advisory' }],
  custom: [],
} as const;

const check = (id: string, rest: Partial<CheckResult> = {}): CheckResult => ({
  id,
  severity: id === 'disk-space' ? 'advisory' : 'required',
  verdict: 'pass',
  code: '',
  message: '',
  ms: 3,
  tries: 1,
  ...rest,
});
const bad = (id: string, rest: Partial<CheckResult> = {}) =>
  check(id, { verdict: 'fail', code: 'Timeout', message: 'no answer', ...rest });
const unsure = (id: string) => check(id, { verdict: 'inconclusive', code: 'Starved' });

const checks = [check('dns'), check('api'), check('disk-space')];
const whole: WorkerReport = {
  nodeName: 'a',
  nodeUID: 'uid-a',
  nonce: 'this-attempt',
  verdict: 'pass',
  isComplete: true,
  isForAnnotation: false,
  checks,
  problems: [],
};
const failing: Partial<WorkerReport> = { verdict: 'fail', checks: [bad('dns'), ...checks.slice(1)] };

type World = {
  readonly phase?: string;
  readonly podReason?: string;
  readonly exitCode?: number;
  /** Of the container: Completed or Error unless it says otherwise. */
  readonly containerReason?: string;
  readonly report?: Partial<WorkerReport>;
  /** In place of a report. */
  readonly message?: string;
  readonly conditions?: readonly object[];
  /** In place of the one that ended as told above. */
  readonly containers?: readonly object[];
  readonly initContainers?: readonly object[];
};

function podOf(world: World): WorkerView {
  const { exitCode = 0, phase = exitCode === 0 ? 'Succeeded' : 'Failed', report = {} } = world;
  const reason = world.containerReason ?? (exitCode === 0 ? 'Completed' : 'Error');
  const message = world.message ?? formatReport({ ...whole, ...report });
  const own = { name: 'worker', state: { terminated: { exitCode, reason, message } } };
  const status = {
    phase,
    reason: world.podReason,
    conditions: world.conditions,
    containerStatuses: world.containers ?? [own],
    initContainerStatuses: world.initContainers ?? [],
  };
  return projectWorker({ metadata: { name: 'worker', uid: 'pod' }, status }, (text) => text);
}

const disrupted = [{ type: 'DisruptionTarget', status: 'True', reason: 'EvictionByEvictionAPI' }];
const wire = JSON.parse(formatReport(whole)) as Record<string, unknown>;

/** Nothing else in the world lets a node in. */
const passes: Readonly<Record<string, World>> = {
  'ended well and said that every required check passed': {},
  'ended well although an advisory check failed': {
    report: { checks: [check('dns'), check('api'), bad('disk-space')] },
  },
  'ended well although an advisory check found nothing out': {
    report: { checks: [check('dns'), check('api'), unsure('disk-space')] },
  },
  'ended well and left an advisory check out': { report: { checks: [check('dns'), check('api')] } },
  'ended well and ran one check more than was asked for': { report: { checks: [...checks, check('mtu')] } },
  'ended well after an init container had': {
    initContainers: [{ name: 'own-check', state: { terminated: { exitCode: 0, reason: 'Completed' } } }],
  },
};

/** Nothing else in the world counts against a node. */
const failures: Readonly<Record<string, World>> = {
  'ended with 1 and named a required check that failed': { exitCode: 1, report: failing },
  'ended with 1 after all required checks failed': {
    exitCode: 1,
    report: { verdict: 'fail', checks: [bad('dns'), bad('api'), check('disk-space')] },
  },
  'ended with 1 after one failed and another found nothing out': {
    exitCode: 1,
    report: { verdict: 'fail', checks: [bad('dns'), unsure('api'), check('disk-space')] },
  },
};

/** Everything else: whether it lies, was hindered or is of another time, it says nothing about the node. */
const nothings: Readonly<Record<string, readonly [World, reason: string]>> = {
  'ended well and said nothing': [{ message: '' }, 'ReportUnusable'],
  'ended well and said words': [{ message: 'all good' }, 'ReportUnusable'],
  'ended well and said half a report': [{ message: formatReport(whole).slice(0, 60) }, 'ReportUnusable'],
  'ended well and said a list': [{ message: '[]' }, 'ReportUnusable'],
  'ended well and said null': [{ message: 'null' }, 'ReportUnusable'],
  'ended well and said too much': [{ message: formatReport(whole) + ' '.repeat(4096) }, 'ReportUnusable'],
  'speaks another version of the report': [
    { message: JSON.stringify({ ...wire, version: 2 }) },
    'ReportUnusable',
  ],
  'has no verdict': [{ message: JSON.stringify({ ...wire, verdict: undefined }) }, 'ReportUnusable'],
  'has a verdict of its own': [{ message: JSON.stringify({ ...wire, verdict: 'fine' }) }, 'ReportUnusable'],
  'has two verdicts on one check': [
    { message: JSON.stringify({ ...wire, fail: { dns: { code: 'Timeout' } } }) },
    'ReportUnusable',
  ],
  'garbles a check': [{ message: JSON.stringify({ ...wire, pass: { dns: 'yes' } }) }, 'ReportUnusable'],
  'speaks of another node': [{ report: { nodeName: 'b' } }, 'ReportUnusable'],
  'speaks of no node': [{ report: { nodeName: '' } }, 'ReportUnusable'],
  'speaks of an earlier node of this name': [{ report: { nodeUID: 'uid-before' } }, 'ReportUnusable'],
  'repeats the report of another attempt': [{ report: { nonce: 'last-attempt' } }, 'ReportUnusable'],
  'fails another node': [{ exitCode: 1, report: { ...failing, nodeName: 'b' } }, 'ReportUnusable'],
  'repeats the failure of another attempt': [
    { exitCode: 1, report: { ...failing, nonce: 'last-attempt' } },
    'ReportUnusable',
  ],
  'leaves a required check out': [{ report: { checks: [check('dns')] } }, 'ReportUnusable'],
  'leaves every check out': [{ report: { checks: [] } }, 'ReportUnusable'],
  'fails one required check and leaves another out': [
    { exitCode: 1, report: { verdict: 'fail', checks: [bad('dns')] } },
    'ReportUnusable',
  ],
  'passes although a required check failed': [
    { report: { checks: [bad('dns'), check('api')] } },
    'ReportUnusable',
  ],
  'passes although a required check that it calls advisory failed': [
    { report: { checks: [bad('dns', { severity: 'advisory' }), check('api')] } },
    'ReportUnusable',
  ],
  'passes although a check that nobody asked for failed, and is required by its own word': [
    { report: { checks: [...checks, bad('mtu')] } },
    'ReportUnusable',
  ],
  'passes although a required check found nothing out': [
    { report: { checks: [unsure('dns'), check('api')] } },
    'ReportUnusable',
  ],
  'ends with 1 and a report that passed': [{ exitCode: 1 }, 'ReportUnusable'],
  'ends with 0 and a report that failed': [{ report: failing }, 'ReportUnusable'],
  'fails and names no check that failed': [{ exitCode: 1, report: { verdict: 'fail' } }, 'ReportUnusable'],
  'fails for an advisory check alone': [
    { exitCode: 1, report: { verdict: 'fail', checks: [check('dns'), check('api'), bad('disk-space')] } },
    'ReportUnusable',
  ],
  'fails for an advisory check that it calls required': [
    {
      exitCode: 1,
      report: {
        verdict: 'fail',
        checks: [check('dns'), check('api'), bad('disk-space', { severity: 'required' })],
      },
    },
    'ReportUnusable',
  ],
  'fails for a check that nobody asked for': [
    { exitCode: 1, report: { verdict: 'fail', checks: [...checks, bad('mtu')] } },
    'ReportUnusable',
  ],
  'found nothing out': [
    { exitCode: 3, report: { verdict: 'inconclusive', checks: [unsure('dns'), check('api')] } },
    'CheckInconclusive',
  ],
  'was interrupted': [
    {
      exitCode: 3,
      report: { verdict: 'inconclusive', isComplete: false, checks: [unsure('dns'), check('api')] },
    },
    'WorkerEvicted',
  ],
  'was interrupted and says that all passed': [{ report: { isComplete: false } }, 'WorkerEvicted'],
  'was interrupted after a check had failed': [
    { exitCode: 1, report: { ...failing, isComplete: false } },
    'WorkerEvicted',
  ],
  'refuses its configuration': [
    { exitCode: 2, report: { verdict: 'inconclusive', checks: [], problems: ['checks: must not be empty'] } },
    'WorkerMisconfigured',
  ],
  'refuses its configuration without a word': [{ exitCode: 2, message: '' }, 'WorkerMisconfigured'],
  'refuses its configuration and claims a failure': [{ exitCode: 2, report: failing }, 'WorkerMisconfigured'],
  'ends with a code that we do not know': [{ exitCode: 42, message: '' }, 'ReportUnusable'],
  'ends with a code that we do not know and a report that failed': [
    { exitCode: 42, report: failing },
    'ReportUnusable',
  ],
  crashes: [{ exitCode: 139, message: '' }, 'ReportUnusable'],
  'runs out of memory': [{ exitCode: 137, containerReason: 'OOMKilled', message: '' }, 'WorkerEvicted'],
  'runs out of memory after it wrote a failure': [
    { exitCode: 137, containerReason: 'OOMKilled', report: failing },
    'WorkerEvicted',
  ],
  'runs out of memory with the code of a failure': [
    { exitCode: 1, containerReason: 'OOMKilled', report: failing },
    'WorkerEvicted',
  ],
  'is killed': [{ exitCode: 137, message: '' }, 'WorkerEvicted'],
  'is evicted by its kubelet': [{ phase: 'Failed', podReason: 'Evicted', containers: [] }, 'WorkerEvicted'],
  'is evicted by a drain': [{ exitCode: 143, message: '', conditions: disrupted }, 'WorkerEvicted'],
  'is disrupted after it wrote a failure': [
    { exitCode: 1, report: failing, conditions: disrupted },
    'WorkerEvicted',
  ],
  'is disrupted after it wrote a pass': [{ conditions: disrupted }, 'WorkerEvicted'],
  'is preempted': [{ phase: 'Failed', podReason: 'Preempting', containers: [] }, 'WorkerEvicted'],
  'is ended by its deadline': [
    { phase: 'Failed', podReason: 'DeadlineExceeded', containers: [] },
    'WorkerTimedOut',
  ],
  'is ended by its deadline after it wrote a failure': [
    { exitCode: 1, podReason: 'DeadlineExceeded', report: failing },
    'WorkerTimedOut',
  ],
  'is killed by its deadline': [
    { exitCode: 137, podReason: 'DeadlineExceeded', message: '' },
    'WorkerTimedOut',
  ],
  'ends with a shutdown of its node': [
    { phase: 'Failed', podReason: 'Terminated', containers: [] },
    'ReportUnusable',
  ],
  'is refused by its kubelet': [{ phase: 'Failed', podReason: 'OutOfcpu', containers: [] }, 'ReportUnusable'],
  'ends without a word about its containers': [{ phase: 'Failed', containers: [] }, 'ReportUnusable'],
  'never ran because an init container failed': [
    {
      phase: 'Failed',
      containers: [{ name: 'worker', state: { waiting: { reason: 'PodInitializing' } } }],
      initContainers: [
        { name: 'own-check', state: { terminated: { exitCode: 1, message: formatReport(whole) } } },
      ],
    },
    'ReportUnusable',
  ],
  'lets another container speak': [
    {
      containers: [{ name: 'sidecar', state: { terminated: { exitCode: 0, message: formatReport(whole) } } }],
    },
    'ReportUnusable',
  ],
  'ended well in a pod that failed': [{ phase: 'Failed' }, 'ReportUnusable'],
  'failed in a pod that ended well': [{ phase: 'Succeeded', exitCode: 1, report: failing }, 'ReportUnusable'],
  'ended with a code that is no number': [
    {
      containers: [
        { name: 'worker', state: { terminated: { exitCode: '0', message: formatReport(whole) } } },
      ],
    },
    'ReportUnusable',
  ],
};

describe('a worker that', () => {
  it.each(Object.entries(passes))('%s lets the node in', (_, world) => {
    expect(endOf(podOf(world), expected)).toMatchObject({ verdict: 'pass', reason: 'VerificationPassed' });
  });

  it.each(Object.entries(failures))('%s fails the node', (_, world) => {
    const end = endOf(podOf(world), expected);
    expect(end).toMatchObject({ verdict: 'fail', reason: 'CheckFailed' });
    expect(end.message).toContain('dns: Timeout, no answer');
  });

  it.each(Object.entries(nothings))('%s says nothing about the node', (_, [world, reason]) => {
    const end = endOf(podOf(world), expected);
    expect(end).toMatchObject({ verdict: 'inconclusive', reason });
    expect(end.message).not.toBe('');
  });

  it('was asked for advisory checks alone has to have run one', () => {
    const advisory = { ...expected, planned: [{ name: 'disk-space', severity: 'advisory' }] } as const;
    const said = (report: Partial<WorkerReport>) => endOf(podOf({ report }), advisory).verdict;
    expect(said({ checks: [bad('disk-space')] })).toBe('pass');
    expect(said({ checks: [] })).toBe('inconclusive');
  });

  it('was asked for one check twice has to pass both', () => {
    const twice = { ...expected, planned: [{ name: 'dns' }, { name: 'dns', id: 'dns-public' }] };
    const said = (...ids: readonly string[]) =>
      endOf(podOf({ report: { checks: ids.map((id) => check(id)) } }), twice).verdict;
    expect(said('dns', 'dns-public')).toBe('pass');
    expect(said('dns')).toBe('inconclusive');
    expect(said('dns-public')).toBe('inconclusive');
  });
});
