// Runs a plan: all checks at once, each with its own time and tries. Ends within the longest of them whatever a check does,
// and never throws: a check that breaks, hangs or starves is a result like any other.

import { type Clock, deadline, sleep } from '../base/clock.ts';
import type { CheckResult, CheckVerdict } from '../base/worker-report.ts';
import { aborted, inconclusive, type Outcome } from './outcome.ts';
import type { PlannedCheck } from './plan.ts';
import type { World } from './world.ts';

export type RunParts = {
  readonly plan: readonly PlannedCheck[];
  readonly world: World;
  /** Aborts when the worker has to stop: what has not ended by then is inconclusive. */
  readonly stop: AbortSignal;
};

const PAUSE_MS = 1000;
/** How long a check may take to notice that its time is over. */
const GRACE_MS = 200;
/** A deadline noticed later than this means that the worker itself did not get to run. */
const LAG_MS_MAX = 1000;

export function runPlan({ plan, world, stop }: RunParts): Promise<readonly CheckResult[]> {
  return Promise.all(plan.map((check) => runCheck(check, world, stop)));
}

export function verdictOf(results: readonly CheckResult[], isComplete: boolean): CheckVerdict {
  const required = results.filter(({ severity }) => severity === 'required');
  if (!isComplete) return 'inconclusive';
  if (required.some(({ verdict }) => verdict === 'fail')) return 'fail';
  return required.some(({ verdict }) => verdict === 'inconclusive') ? 'inconclusive' : 'pass';
}

async function runCheck(check: PlannedCheck, world: World, stop: AbortSignal): Promise<CheckResult> {
  const { clock } = world;
  const startedMs = clock.monotonicMs();
  let tries = 1;
  let outcome = await tryOnce(check, world, stop);
  while (outcome.kind !== 'pass' && tries < check.triesMax && !stop.aborted) {
    await sleep(clock, PAUSE_MS, stop);
    tries += 1;
    outcome = stop.aborted ? aborted(stop, 'the next try') : await tryOnce(check, world, stop);
  }
  return {
    id: check.id,
    severity: check.severity,
    verdict: outcome.kind,
    code: outcome.kind === 'pass' ? '' : outcome.code,
    message: outcome.message,
    ms: clock.monotonicMs() - startedMs,
    tries,
  };
}

async function tryOnce(check: PlannedCheck, world: World, stop: AbortSignal): Promise<Outcome> {
  const { clock } = world;
  const startedMs = clock.monotonicMs();
  const { signal, done } = deadline(clock, check.timeoutMs, stop);
  try {
    const limits = { signal, timeoutMs: check.timeoutMs };
    const outcome = await Promise.race([safely(check, { ...world, limits }), giveUp(clock, signal)]);
    if (stop.aborted && outcome.kind !== 'pass') return aborted(signal, 'the check');
    const lateMs = clock.monotonicMs() - startedMs - check.timeoutMs;
    return outcome.kind === 'fail' && lateMs > LAG_MS_MAX
      ? inconclusive('Starved', `the worker was ${Math.round(lateMs)} ms late; ${outcome.message}`)
      : outcome;
  } finally {
    done();
  }
}

async function safely(check: PlannedCheck, context: Parameters<PlannedCheck['run']>[0]): Promise<Outcome> {
  try {
    return await check.run(context);
  } catch (error) {
    return inconclusive('InternalError', error instanceof Error ? error.message : String(error));
  }
}

/** The end of a check that does not end by itself: a system call that hangs cannot be called back. */
async function giveUp(clock: Clock, signal: AbortSignal): Promise<Outcome> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await sleep(clock, GRACE_MS);
  return aborted(signal, 'the check');
}
