// What the end of a worker says about the node. Three-valued: only a check that ran on the node and failed is a failure, and
// nothing but a whole report about this very attempt is a pass. Pure.

import { parseReport, type WorkerReport } from '../../base/worker-report.ts';
import type { Reason } from '../../api/reasons.ts';
import type { CheckVerdict } from '../../base/worker-report.ts';
import { cut } from '../../fleet/bounds.ts';
import { lifecycleLimits as limits } from '../../api/lifecycle-vocabulary.ts';
import type { VerificationRecord } from '../../fleet/lifecycle.ts';
import type { PlannedCheck } from './policy.ts';
import type { WorkerView } from './worker-view.ts';

export type WorkerEnd = {
  readonly verdict: CheckVerdict;
  readonly reason: Reason;
  readonly message: string;
  readonly checks: NonNullable<VerificationRecord['checks']>;
};

export type Expected = {
  readonly nodeName: string;
  readonly nodeUID: string;
  readonly nonce: string;
  /** What the policy asks for; the word of the worker on what is required counts for nothing. */
  readonly planned: readonly PlannedCheck[];
};

/** The container that checks; others are custom checks that run before it. */
export const workerContainer = 'worker';

export function endOf(worker: WorkerView, expected: Expected): WorkerEnd {
  const { phase, reason, isDisrupted } = worker;
  const own = worker.ends.find(({ container }) => container === workerContainer);
  if (isDisrupted || reason === 'Evicted' || reason === 'Preempting')
    return inconclusive('WorkerEvicted', reason || 'disrupted');
  if (reason === 'DeadlineExceeded') return inconclusive('WorkerTimedOut', reason);
  if (own === undefined)
    return inconclusive('ReportUnusable', `the pod ended without a result: ${reason || 'no reason given'}`);
  const { exitCode } = own;
  if (own.reason === 'OOMKilled' || exitCode === 137)
    return inconclusive('WorkerEvicted', own.reason === 'OOMKilled' ? 'out of memory' : 'killed');
  const report = parseReport(own.message);
  if (exitCode === 2) return inconclusive('WorkerMisconfigured', problemsIn(report));
  if (report.kind === 'error')
    return inconclusive('ReportUnusable', `exit code ${exitCode}, and the report ${report.error}`);
  if ((phase === 'Succeeded') !== (exitCode === 0))
    return inconclusive('ReportUnusable', `exit code ${exitCode} in a pod that is ${phase}`);
  return judge(report.value, exitCode, expected);
}

function problemsIn(report: ReturnType<typeof parseReport>): string {
  const problems = report.kind === 'ok' ? report.value.problems.join('; ') : '';
  return problems || 'exit code 2';
}

/** How long the scheduler is given, how long an image, and how long a worker may take to run at all. */
const waits = { scheduleMs: 60_000, imageMs: 30_000, startMs: 180_000 } as const;

const setupFailures: readonly string[] = [
  'ImagePullBackOff',
  'ErrImagePull',
  'InvalidImageName',
  'ErrImageNeverPull',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
];

/** The end of a worker that does not come to run; null while there is hope, and then when to look again. */
export function stillbirthOf(worker: WorkerView, now: number): WorkerEnd | { readonly recheckAt: number } {
  const ageMs = now - worker.createdAt;
  const isUnset = setupFailures.includes(worker.waitingReason);
  if (isUnset && ageMs >= waits.imageMs) return inconclusive('WorkerImageUnavailable', worker.waitingReason);
  if (worker.unscheduledMessage !== '' && ageMs >= waits.scheduleMs)
    return inconclusive('WorkerUnschedulable', worker.unscheduledMessage);
  if (ageMs >= waits.startMs)
    return inconclusive('WorkerTimedOut', `it did not start in ${waits.startMs / 1000} s`);
  const nextMs = [
    isUnset ? waits.imageMs : Infinity,
    worker.unscheduledMessage === '' ? Infinity : waits.scheduleMs,
    waits.startMs,
  ];
  return { recheckAt: worker.createdAt + Math.min(...nextMs) };
}

export function isEnd(value: WorkerEnd | { readonly recheckAt: number }): value is WorkerEnd {
  return 'verdict' in value;
}

export function inconclusive(reason: Reason, message: string): WorkerEnd {
  return { verdict: 'inconclusive', reason, message, checks: [] };
}

function judge(report: WorkerReport, exitCode: number, expected: Expected): WorkerEnd {
  const end = (verdict: CheckVerdict, reason: Reason, message: string): WorkerEnd => ({
    verdict,
    reason,
    message,
    checks: checksOf(report),
  });
  const useless = strangenessOf(report, expected);
  if (useless !== null) return end('inconclusive', 'ReportUnusable', useless);
  if (!report.isComplete) return end('inconclusive', 'WorkerEvicted', 'it was interrupted');
  const missing = missingChecks(report, expected);
  if (missing.length > 0)
    return end('inconclusive', 'ReportUnusable', `nothing is said of ${missing.join(', ')}`);
  const { verdict } = report;
  if (exitCode !== exitCodes[verdict] || verdict !== verdictOf(report, expected))
    return end(
      'inconclusive',
      'ReportUnusable',
      `exit code ${exitCode} and ${verdict} contradict the checks`,
    );
  switch (verdict) {
    case 'pass':
      return end('pass', 'VerificationPassed', `${report.checks.length} checks`);
    case 'fail':
      return end('fail', 'CheckFailed', wordsOn('fail', report, expected));
    case 'inconclusive':
      return end('inconclusive', 'CheckInconclusive', wordsOn('inconclusive', report, expected));
  }
}

const exitCodes: Readonly<Record<CheckVerdict, number>> = { pass: 0, fail: 1, inconclusive: 3 };

/** What the checks come to, whatever the worker says that they do; null where one that nobody asked for has a say in it. */
function verdictOf({ checks }: WorkerReport, expected: Expected): CheckVerdict | null {
  const required = requiredIds(expected);
  const planned = new Set(expected.planned.map(idOf));
  const verdicts = new Set(checks.filter(({ id }) => required.includes(id)).map(({ verdict }) => verdict));
  if (verdicts.has('fail')) return 'fail';
  if (verdicts.has('inconclusive')) return 'inconclusive';
  const isUnasked = checks.some(
    ({ id, severity, verdict }) => !planned.has(id) && severity === 'required' && verdict !== 'pass',
  );
  return isUnasked ? null : 'pass';
}

function wordsOn(verdict: CheckVerdict, { checks }: WorkerReport, expected: Expected): string {
  const required = requiredIds(expected);
  return checks
    .filter((check) => check.verdict === verdict && required.includes(check.id))
    .map(({ id, code, message }) => `${id}: ${[code, message].filter(Boolean).join(', ')}`)
    .join('; ');
}

function idOf({ name, id = name }: PlannedCheck): string {
  return id;
}

function requiredIds({ planned }: Expected): readonly string[] {
  return planned.filter(({ severity }) => severity !== 'advisory').map(idOf);
}

/** A report that is not about this node and this attempt says nothing, whatever it says. */
function strangenessOf(report: WorkerReport, { nodeName, nodeUID, nonce }: Expected): string | null {
  if (report.nodeName !== nodeName)
    return `the report is about the node ${JSON.stringify(cut(report.nodeName, 64))}`;
  if (report.nodeUID !== nodeUID) return 'the report is about another node of this name';
  return report.nonce === nonce ? null : 'the report is of another attempt';
}

/** One that is missing may have been left out by whoever wrote the report. */
function missingChecks({ checks }: WorkerReport, expected: Expected): readonly string[] {
  if (checks.length === 0) return ['any check'];
  return requiredIds(expected).filter((id) => !checks.some((check) => check.id === id));
}

/** Failures first: where the record has no room, what passed is left out. */
function checksOf({ checks }: WorkerReport): WorkerEnd['checks'] {
  return checks.slice(0, limits.checksMax).map(({ id, verdict, code, message, ms }) => ({
    name: id,
    verdict,
    ...(code === '' ? {} : { reason: cut(code, limits.reasonLengthMax) }),
    ...(message === '' ? {} : { message: cut(message, limits.messageLengthMax) }),
    durationMs: Math.max(0, Math.round(ms)),
  }));
}
