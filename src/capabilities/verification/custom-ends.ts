// What the containers of custom checks say about a node. Only an end with 1 counts against it; that a container did not come to
// run, was killed or ended with anything else is its own matter. Pure.

import type { CustomCode } from '../../api/custom-check.ts';
import { lifecycleLimits as limits } from '../../api/lifecycle-vocabulary.ts';
import type { CheckVerdict } from '../../base/worker-report.ts';
import { cut } from '../../fleet/bounds.ts';
import type { VerificationRecord } from '../../fleet/lifecycle.ts';
import type { ContainerEnd } from '../../objects/pod.ts';
import type { ChosenCustom } from './custom-checks.ts';
import type { WorkerView } from './worker-view.ts';

export type CustomResult = {
  readonly name: string;
  readonly severity: ChosenCustom['severity'];
  readonly verdict: CheckVerdict;
  /** Empty when it passed. */
  readonly code: CustomCode | '';
  readonly message: string;
};

const pullFailures: readonly string[] = [
  'ImagePullBackOff',
  'ErrImagePull',
  'InvalidImageName',
  'ErrImageNeverPull',
];

/** Why a container waits that will not come to run by itself. */
export const setupFailures: readonly string[] = [
  ...pullFailures,
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
];

export function customResults(worker: WorkerView, custom: readonly ChosenCustom[]): readonly CustomResult[] {
  return custom.map(({ name, severity }) => ({ name, severity, ...resultOf(worker, name) }));
}

/** The first that keeps the node from being let in; one that failed before one that found nothing out. */
export function obstacleIn(results: readonly CustomResult[]): CustomResult | undefined {
  const required = results.filter(({ severity, verdict }) => severity === 'required' && verdict !== 'pass');
  return required.find(({ verdict }) => verdict === 'fail') ?? required[0];
}

/** Every one that is not required has ended, or never will begin; then nothing is to be waited for but the worker. */
export function isStuckBeside(worker: WorkerView, custom: readonly ChosenCustom[]): boolean {
  const beside = custom.filter(({ severity }) => severity === 'advisory');
  const isStuck = (check: ChosenCustom) => setupFailureOf(worker, check.name) !== undefined;
  const isEnded = ({ name }: ChosenCustom) => worker.ends.some(({ container }) => container === name);
  return beside.some(isStuck) && beside.every((check) => isStuck(check) || isEnded(check));
}

export function setupFailureOf({ waits }: WorkerView, name: string): string | undefined {
  return waits.find(({ container, reason }) => container === name && setupFailures.includes(reason))?.reason;
}

export function recorded(results: readonly CustomResult[]): NonNullable<VerificationRecord['checks']> {
  return results.map(({ name, verdict, code, message }) => ({
    name,
    verdict,
    ...(code === '' ? {} : { reason: code }),
    ...(message === '' ? {} : { message: cut(message, limits.messageLengthMax) }),
  }));
}

export function wordsOn({ name, code, message }: CustomResult): string {
  return `${name}: ${[code, message].filter(Boolean).join(', ')}`;
}

type Result = Pick<CustomResult, 'verdict' | 'code' | 'message'>;

function resultOf(worker: WorkerView, name: string): Result {
  const end = worker.ends.find(({ container }) => container === name);
  if (end !== undefined) return resultOfEnd(end);
  const failure = setupFailureOf(worker, name);
  if (failure === undefined) return unknown('NotFinished', '');
  return unknown(pullFailures.includes(failure) ? 'ImageUnavailable' : 'NotStarted', failure);
}

/** The exit code of a container that did not run by itself to its end is not its own. */
const startFailures: readonly string[] = ['StartError', 'ContainerCannotRun'];
const killCodes: readonly number[] = [137, 143];

function resultOfEnd({ exitCode, reason, message }: ContainerEnd): Result {
  const said = lastLineOf(message);
  if (reason === 'OOMKilled') return unknown('OutOfMemory', said);
  if (startFailures.includes(reason)) return unknown('NotStarted', said);
  if (reason === 'ContainerStatusUnknown' || killCodes.includes(exitCode)) return unknown('Killed', said);
  if (exitCode === 0) return { verdict: 'pass', code: '', message: '' };
  if (exitCode === 1) return { verdict: 'fail', code: 'ExitedWith1', message: said };
  return unknown('ExitedOtherwise', [`exit code ${exitCode}`, said].filter(Boolean).join(': '));
}

function unknown(code: CustomCode, message: string): Result {
  return { verdict: 'inconclusive', code, message };
}

/** Where a container leaves no message, a kubelet takes the end of its log: what matters stands in the last line. */
function lastLineOf(message: string): string {
  const lines = message
    .split(/[\r\n]+/)
    .map((line) => line.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, ' '));
  return lines.map((line) => line.trim()).findLast((line) => line !== '') ?? '';
}
