// The way of the daemonset mode: check the node, try again with pauses while it does not pass, and release it by oneself when it
// does. Ends when there is nothing left to do or every try is used up; never touches a node that was not checked.

import { retryPauseMs } from '../api/verification-vocabulary.ts';
import { type Clock, deadline, sleep } from '../base/clock.ts';
import type { WorkerReport } from '../base/worker-report.ts';
import type { DaemonsetSettings } from './daemonset-options.ts';
import { planRelease, readNode, type ReleasePorts, releaseNode, wordsOf } from './node-release.ts';

export type SelfVerification = ReleasePorts & {
  readonly settings: DaemonsetSettings & { readonly nodeName: string; readonly runTimeoutMs: number };
  /** One run of all checks. Ends soon after the signal. */
  readonly check: (signal: AbortSignal) => Promise<WorkerReport>;
  readonly stop: AbortSignal;
};

/** done: the node is released or needs no release. The others: every try is used up, and how the last one ended. */
export type SelfEnd = 'done' | 'fail' | 'inconclusive';

export async function verifySelf(run: SelfVerification): Promise<SelfEnd> {
  const { clock, log, settings } = run;
  const { signal, done } = deadline(clock, settings.initialTimeoutMs, run.stop);
  try {
    for (let attempt = 1; ; attempt += 1) {
      const end = await attemptOnce(run, signal);
      if (end.kind === 'done') {
        log.info('nothing is left to do', { attempt, why: end.why });
        return 'done';
      }
      const isLast = end.isFinal || attempt >= settings.attemptsMax || signal.aborted;
      log.warn('the node is not released', { attempt, verdict: end.kind, why: end.why, isLast });
      if (isLast) return end.kind;
      await sleep(clock, retryPauseMs(settings.backoff, attempt), signal);
    }
  } finally {
    done();
  }
}

type AttemptEnd = {
  readonly kind: SelfEnd;
  readonly why: string;
  /** Another try could not change anything. */
  readonly isFinal: boolean;
};

async function attemptOnce(run: SelfVerification, signal: AbortSignal): Promise<AttemptEnd> {
  const { api, settings } = run;
  const node = await readNode(api, settings.nodeName, signal);
  if (node.kind === 'error') return ended('inconclusive', wordsOf(node.error));
  const plan = planRelease(node.value, settings);
  if (plan.kind === 'done') return ended('done', plan.why);
  if (plan.kind === 'hold') return ended('inconclusive', plan.why);
  const report = await checkOnce(run, signal);
  if (report.verdict !== 'pass') return ended(report.verdict, failedChecks(report));
  const nodeUID = node.value.metadata?.uid ?? '';
  const released = await releaseNode(run, { ...settings, nodeUID }, signal);
  switch (released.kind) {
    case 'released':
      return ended('done', 'the node is released');
    case 'left':
      return ended('done', released.why);
    case 'replaced':
      return { ...ended('inconclusive', 'another node has its name now'), isFinal: true };
    case 'failed':
      return ended('inconclusive', released.why);
  }
}

function ended(kind: SelfEnd, why: string): AttemptEnd {
  return { kind, why, isFinal: false };
}

async function checkOnce(
  { clock, settings, check }: SelfVerification,
  stop: AbortSignal,
): Promise<WorkerReport> {
  const { signal, done } = deadline(clock, settings.runTimeoutMs, stop);
  try {
    return await check(signal);
  } finally {
    done();
  }
}

function failedChecks({ checks, isComplete }: WorkerReport): string {
  const failed = checks.filter(({ severity, verdict }) => severity === 'required' && verdict !== 'pass');
  if (!isComplete) return 'the checks were stopped early';
  return failed.map(({ id, code, message }) => `${id} ${code}: ${message}`).join('; ');
}

const DAY_MS = 86_400_000;

/** Waits with a timer: a handler of signals alone does not keep a process alive. */
export async function untilStopped(clock: Clock, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) await sleep(clock, DAY_MS, stop);
}
