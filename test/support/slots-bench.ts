// The places of workers at hand, with a clock that is moved by hand.

import { formatTime } from '../../src/base/timestamp.ts';
import type { VerificationRecord } from '../../src/fleet/lifecycle.ts';
import type { WorkerLimits } from '../../src/runtime/arbitrate-worker.ts';
import type { StartWorkerRequest } from '../../src/runtime/capability.ts';
import { createWorkerSlots, type SlotOrder } from '../../src/runtime/worker-slots.ts';

export const start = Date.parse('2026-11-01T00:00:00Z');
export const unverified: VerificationRecord = { state: 'unverified', attempt: 0 };
export const pending: VerificationRecord = { state: 'pending', attempt: 1 };
export const running: VerificationRecord = { state: 'in_progress', attempt: 1 };
export const verified: VerificationRecord = { state: 'verified', attempt: 1, verdict: 'pass' };

type Asked = Partial<Pick<StartWorkerRequest, 'priority' | 'spreadSince'>>;

/** Places for workers, and short words for what nodes ask and what becomes of their workers. */
export function slotsBench(limits: Partial<WorkerLimits> = {}) {
  const woken: string[] = [];
  const make = () =>
    createWorkerSlots(
      { concurrent: 2, perSecond: 50, burst: 100, ...limits },
      (node) => void woken.push(node),
    );
  let slots = make();
  let now = start;
  const visit = (node: string, rest: Partial<SlotOrder> & Asked = {}) => {
    const { priority = 0, spreadSince = now, ...order } = rest;
    const record = { ...pending, workerPod: `worker-${node}` };
    const request = { kind: 'StartWorker', owner: 'verification', priority, spreadSince, record } as const;
    return slots.apply({ node, pool: 'blue', record: unverified, request, mayGrant: true, now, ...order });
  };
  return {
    visit,
    /** A visit in which nothing is asked for. */
    sees: (node: string, record: VerificationRecord) =>
      visit(node, { record: { ...record, workerPod: `worker-${node}` }, request: undefined }),
    /** Granted, or why not. */
    asks: (node: string, rest: Parameters<typeof visit>[1] = {}) => {
      const { granted, verdicts } = visit(node, rest);
      return granted === undefined ? verdicts[0]?.reason : 'granted';
    },
    later: (ms: number) => void (now += ms),
    forget: (node: string) => slots.forget(node, now),
    counts: () => ({ inFlight: slots.inFlight(), waiting: slots.waiting() }),
    woken: () => woken.splice(0),
    restart: () => void (slots = make()),
    imageFailed: (): VerificationRecord => ({
      ...unverified,
      verdict: 'inconclusive',
      reason: 'WorkerImageUnavailable',
      attemptEndedAt: formatTime(now),
    }),
  };
}
