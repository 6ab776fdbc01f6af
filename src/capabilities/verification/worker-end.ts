// What the end of a worker says about the node. Three-valued: only a check that ran on the node and failed is a failure, and
// nothing but a whole report about this very attempt is a pass. Pure.

import { parseReport, type WorkerReport } from '../../base/worker-report.ts';
import type { Reason } from '../../api/reasons.ts';
import type { CheckVerdict } from '../../base/worker-report.ts';
import { cut } from '../../fleet/bounds.ts';
import { lifecycleLimits as limits } from '../../api/lifecycle-vocabulary.ts';
import type { VerificationRecord } from '../../fleet/lifecycle.ts';
import type { Policy } from './policy.ts';
import type { WorkerView } from './worker-view.ts';

export type WorkerEnd = {
  readonly verdict: CheckVerdict;
  readonly reason: Reason;
  readonly message: string;
  readonly checks: NonNullable<VerificationRecord['checks']>;
  /** Nobody's fault: the next attempt need not wait. */
  readonly isPatient: boolean;
};

export type Expected = {
  readonly nodeName: string;
  readonly nodeUID: string;
  readonly nonce: string;
  readonly policy: Policy;
};

/** The container that checks; others are custom checks that run before it. */
export const workerContainer = 'worker';

export function endOf(worker: WorkerView, expected: Expected): WorkerEnd {
  const own = worker.ends.find(({ container }) => container === workerContainer);
  if (worker.isDisrupted || worker.reason === 'Evicted' || worker.reason === 'Preempting')
    return inconclusive('WorkerEvicted', worker.reason || 'disrupted', 'patient');
  if (own === undefined)
    return inconclusive(
      'ReportUnusable',
      `the pod ended without a result: ${worker.reason || 'no reason given'}`,
    );
  if (own.reason === 'OOMKilled' || own.exitCode === 137)
    return inconclusive('WorkerEvicted', own.reason === 'OOMKilled' ? 'out of memory' : 'killed', 'patient');
  const report = parseReport(own.message);
  if (own.exitCode === 2)
    return inconclusive(
      'WorkerMisconfigured',
      report.kind === 'ok' ? report.value.problems.join('; ') : 'exit code 2',
    );
  if (report.kind === 'error')
    return inconclusive('ReportUnusable', `exit code ${own.exitCode}, and the report ${report.error}`);
  return judge(report.value, own.exitCode, expected);
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

export function inconclusive(
  reason: Reason,
  message: string,
  patience: 'patient' | 'wary' = 'wary',
): WorkerEnd {
  return { verdict: 'inconclusive', reason, message, checks: [], isPatient: patience === 'patient' };
}

function judge(report: WorkerReport, exitCode: number, expected: Expected): WorkerEnd {
  const checks = checksOf(report);
  const end = (verdict: CheckVerdict, reason: Reason, message: string): WorkerEnd => ({
    verdict,
    reason,
    message,
    checks,
    isPatient: false,
  });
  const stranger = strangenessOf(report, expected);
  if (stranger !== null) return end('inconclusive', 'ReportUnusable', stranger);
  const words = (verdict: CheckVerdict) =>
    report.checks
      .filter((check) => check.verdict === verdict && check.severity === 'required')
      .map(({ id, code, message }) => `${id}: ${[code, message].filter(Boolean).join(', ')}`)
      .join('; ');
  if (exitCode === 1 && report.verdict === 'fail' && words('fail') !== '')
    return end('fail', 'CheckFailed', words('fail'));
  if (exitCode !== 0 || report.verdict !== 'pass')
    return end(
      'inconclusive',
      report.isComplete ? 'CheckInconclusive' : 'WorkerEvicted',
      words('inconclusive') || `exit code ${exitCode}`,
    );
  const missing = missingChecks(report, expected.policy);
  if (missing.length > 0)
    return end('inconclusive', 'ReportUnusable', `nothing is said of ${missing.join(', ')}`);
  return end('pass', 'VerificationPassed', `${report.checks.length} checks`);
}

/** A report that is not about this node and this attempt says nothing, whatever it says. */
function strangenessOf(report: WorkerReport, { nodeName, nodeUID, nonce }: Expected): string | null {
  if (report.nodeName !== nodeName)
    return `the report is about the node ${JSON.stringify(cut(report.nodeName, 64))}`;
  if (report.nodeUID !== nodeUID) return 'the report is about another node of this name';
  return report.nonce === nonce ? null : 'the report is of another attempt';
}

/** Every required check must have passed: one that is missing may have been left out by whoever wrote the report. */
function missingChecks({ checks, isComplete }: WorkerReport, { checks: planned }: Policy): readonly string[] {
  const passed = new Set(checks.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id));
  if (!isComplete) return ['the checks that were interrupted'];
  if (planned === null) return passed.size === 0 ? ['any check'] : [];
  return planned
    .filter(({ severity }) => severity !== 'advisory')
    .map(({ name, id = name }) => id)
    .filter((id) => !passed.has(id));
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
