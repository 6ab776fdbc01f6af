// The end of a worker that does not come to run: it says nothing about the node, and costs it only time. Pure.

import { workerContainer } from '../../api/custom-check.ts';
import type { ChosenCustom } from './custom-checks.ts';
import { customResults, setupFailureOf } from './custom-ends.ts';
import { customEnd, inconclusive, type WorkerEnd } from './worker-end.ts';
import type { WorkerView } from './worker-view.ts';

/** How long the scheduler is given, how long an image, and how long a worker may take to run at all. */
const waits = { scheduleMs: 60_000, imageMs: 30_000, startMs: 180_000 } as const;

/** The end of a worker that does not come to run; null while there is hope, and then when to look again. */
export function stillbirthOf(
  worker: WorkerView,
  now: number,
  custom: readonly ChosenCustom[] = [],
): WorkerEnd | { readonly recheckAt: number } {
  const ageMs = now - worker.createdAt;
  const unset = unsetIn(worker, custom);
  if (unset !== undefined && ageMs >= waits.imageMs) return unsetEnd(worker, unset, custom);
  if (worker.unscheduledMessage !== '' && ageMs >= waits.scheduleMs)
    return inconclusive('WorkerUnschedulable', worker.unscheduledMessage);
  if (ageMs >= waits.startMs)
    return inconclusive('WorkerTimedOut', `it did not start in ${waits.startMs / 1000} s`);
  const nextMs = [
    unset === undefined ? Infinity : waits.imageMs,
    worker.unscheduledMessage === '' ? Infinity : waits.scheduleMs,
    waits.startMs,
  ];
  return { recheckAt: worker.createdAt + Math.min(...nextMs) };
}

/** The container that the node has to wait for and that cannot be set up. */
export function unsetIn(worker: WorkerView, custom: readonly ChosenCustom[]): string | undefined {
  const required = custom.filter(({ severity }) => severity === 'required').map(({ name }) => name);
  return [...required, workerContainer].find((name) => setupFailureOf(worker, name) !== undefined);
}

/** The image of the worker is everybody's; that of a custom check concerns those who chose it. */
function unsetEnd(worker: WorkerView, name: string, custom: readonly ChosenCustom[]): WorkerEnd {
  const results = customResults(worker, custom);
  const result = results.find((each) => each.name === name);
  if (result === undefined) return inconclusive('WorkerImageUnavailable', setupFailureOf(worker, name) ?? '');
  return customEnd(result, results);
}

export function isEnd(value: WorkerEnd | { readonly recheckAt: number }): value is WorkerEnd {
  return 'verdict' in value;
}
