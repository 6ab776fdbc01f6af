// What the end of a worker says about the node. Three-valued: only a check that ran on the node and failed is a failure, and
// nothing but a whole report about this very attempt is a pass. Pure.

import { parseReport, type WorkerReport } from '../../base/worker-report.ts';
import type { Reason } from '../../api/reasons.ts';
import type { CheckVerdict } from '../../base/worker-report.ts';
import { cut } from '../../fleet/bounds.ts';
import { workerContainer } from '../../api/custom-check.ts';
import { lifecycleLimits as limits } from '../../api/lifecycle-vocabulary.ts';
import type { VerificationRecord } from '../../fleet/lifecycle.ts';
import type { ChosenCustom } from './custom-checks.ts';
import {
  type CustomResult,
  customResults,
  obstacleIn,
  recorded,
  wordsOn as wordsOnCustom,
} from './custom-ends.ts';
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
  /** Of these, those whose failure may as well be that of the peers that they were run against. */
  readonly doubtful?: readonly string[];
  /** The same of custom checks, which have containers of their own. */
  readonly custom: readonly ChosenCustom[];
};

export function endOf(worker: WorkerView, expected: Expected): WorkerEnd {
  const { reason, isDisrupted } = worker;
  const phase = phaseOf(worker);
  const own = ownEndOf(worker);
  if (isDisrupted || reason === 'Evicted' || reason === 'Preempting')
    return inconclusive('WorkerEvicted', reason || 'disrupted');
  if (reason === 'DeadlineExceeded') return inconclusive('WorkerTimedOut', reason);
  const isClean = worker.ends.every((end) => end.exitCode === 0);
  if (phase === 'Succeeded' && !isClean)
    return inconclusive('ReportUnusable', 'a container did not end well in a pod that is Succeeded');
  const custom = customResults(worker, expected.custom);
  const obstacle = obstacleIn(custom);
  if (obstacle !== undefined && obstacle.code !== 'NotFinished') return customEnd(obstacle, custom);
  if (own === undefined)
    return inconclusive('ReportUnusable', `the pod ended without a result: ${reason || 'no reason given'}`);
  if (obstacle !== undefined) return inconclusive('ReportUnusable', `nothing is said of ${obstacle.name}`);
  const { exitCode } = own;
  if (own.reason === 'OOMKilled' || exitCode === 137)
    return inconclusive('WorkerEvicted', own.reason === 'OOMKilled' ? 'out of memory' : 'killed');
  const report = parseReport(own.message);
  if (exitCode === 2) return inconclusive('WorkerMisconfigured', problemsIn(report));
  if (report.kind === 'error')
    return inconclusive('ReportUnusable', `exit code ${exitCode}, and the report ${report.error}`);
  if (phase === 'Failed' && isClean)
    return inconclusive('ReportUnusable', `exit code ${exitCode} in a pod that is ${phase}`);
  const end = judge(report.value, exitCode, expected);
  return { ...end, checks: worstFirst([...recorded(custom), ...end.checks]) };
}

export function customEnd(obstacle: CustomResult, custom: readonly CustomResult[]): WorkerEnd {
  const isFailure = obstacle.verdict === 'fail';
  return {
    verdict: isFailure ? 'fail' : 'inconclusive',
    reason: isFailure ? 'CheckFailed' : 'CheckInconclusive',
    message: wordsOnCustom(obstacle),
    checks: worstFirst(recorded(custom)),
  };
}

export function ownEndOf({ ends }: WorkerView): WorkerView['ends'][number] | undefined {
  return ends.find(({ container }) => container === workerContainer);
}

/** Where an advisory check does not come to its end the pod has not ended either; what has, is judged. */
function phaseOf({ phase, ends }: WorkerView): 'Succeeded' | 'Failed' {
  if (phase === 'Succeeded' || phase === 'Failed') return phase;
  return ends.every(({ exitCode }) => exitCode === 0) ? 'Succeeded' : 'Failed';
}

/** Where the record has no room, what passed is left out. */
function worstFirst(checks: WorkerEnd['checks']): WorkerEnd['checks'] {
  const order: readonly CheckVerdict[] = ['fail', 'inconclusive', 'pass'];
  return checks
    .toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict))
    .slice(0, limits.checksMax);
}

function problemsIn(report: ReturnType<typeof parseReport>): string {
  const problems = report.kind === 'ok' ? report.value.problems.join('; ') : '';
  return problems || 'exit code 2';
}

export function inconclusive(reason: Reason, message: string): WorkerEnd {
  return { verdict: 'inconclusive', reason, message, checks: [] };
}

function judge(report: WorkerReport, exitCode: number, expected: Expected): WorkerEnd {
  const end = (verdict: CheckVerdict, reason: Reason, message: string): WorkerEnd => ({
    verdict,
    reason,
    message,
    checks: checksOf(report, expected),
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
  const required = requiredIds(expected);
  switch (verdict) {
    case 'pass':
      return end('pass', 'VerificationPassed', `${report.checks.length} checks`);
    case 'fail': {
      const blamed = wordsOn(
        'fail',
        report,
        required.filter((id) => !isDoubtful(id, expected)),
      );
      return blamed === ''
        ? end('inconclusive', 'CheckInconclusive', `${DOUBT}: ${wordsOn('fail', report, required)}`)
        : end('fail', 'CheckFailed', blamed);
    }
    case 'inconclusive':
      return end('inconclusive', 'CheckInconclusive', wordsOn('inconclusive', report, required));
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

function isDoubtful(id: string, { doubtful = [] }: Expected): boolean {
  return doubtful.includes(id);
}

/** First, because what follows may be cut. */
const DOUBT = 'fewer than two control workers were ready to the end, so the fault may be theirs';

function wordsOn(verdict: CheckVerdict, { checks }: WorkerReport, ids: readonly string[]): string {
  return checks
    .filter((check) => check.verdict === verdict && ids.includes(check.id))
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

function checksOf({ checks }: WorkerReport, expected: Expected): WorkerEnd['checks'] {
  return checks.map(({ id, verdict, code, message, ms }) => ({
    name: id,
    verdict: verdict === 'fail' && isDoubtful(id, expected) ? 'inconclusive' : verdict,
    ...(code === '' ? {} : { reason: cut(code, limits.reasonLengthMax) }),
    ...(message === '' ? {} : { message: cut(message, limits.messageLengthMax) }),
    durationMs: Math.max(0, Math.round(ms)),
  }));
}
