// One call from admission to answer: waits for its turn, sends, collects the body, and turns whatever happened into an
// Answer. Never retries: the caller decides on fresh data.

import { type Clock, deadline } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { err, ok } from '../base/result.ts';
import type { Answer, ApiFailure, CallOptions } from '../runtime/ports.ts';
import type { Admission } from './admission.ts';
import { type ApiMetrics, codeOf, type Verb } from './api-metrics.ts';
import { type Asked, failureOfAnswer, failureOfEnd, failureOfInterruption, malformed } from './errors.ts';
import type { ResponseHead, StreamEnd, Transport, TransportRequest } from './transport.ts';

export type ApiCall = {
  readonly verb: Verb;
  /** For metrics. */
  readonly resource: string;
  readonly request: TransportRequest;
  readonly asked: Asked;
  readonly options: CallOptions;
};

export type CallWorld = {
  readonly transport: Transport;
  readonly admission: Admission;
  readonly metrics: ApiMetrics;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeoutMs: number;
};

/** More than any page of a list; a server that ignores `limit` must not take our memory. */
export const BODY_BYTES_MAX = 64 * 1024 * 1024;

export async function callApi(call: ApiCall, world: CallWorld): Promise<Answer<unknown>> {
  const startedMs = world.clock.monotonicMs();
  const limit = deadline(world.clock, call.options.timeoutMs ?? world.timeoutMs, call.options.signal);
  const reply = await replyOf(call, world, limit.signal);
  limit.done();
  world.metrics.answered(call, reply.kind === 'ok' ? String(reply.value.status) : codeOf(reply.error));
  world.metrics.took(call.verb, world.clock.monotonicMs() - startedMs);
  return reply.kind === 'ok' ? parsedBody(reply.value, call.asked) : reply;
}

/** A 429 speaks for all requests, not only for the one that heard it. */
export function heedPause(
  failure: ApiFailure,
  { admission, log }: Pick<CallWorld, 'admission' | 'log'>,
): void {
  if (failure.reason !== 'TooManyRequests' || failure.retryAfterMs === null) return;
  admission.holdBack(failure.retryAfterMs);
  log.warn('the API server asked for a pause', { retryAfterMs: failure.retryAfterMs });
}

type Reply = { readonly status: number; readonly body: string };

async function replyOf(call: ApiCall, world: CallWorld, signal: AbortSignal): Promise<Answer<Reply>> {
  const { asked, options } = call;
  const { admission } = world;
  const leave = options.isUrgent
    ? admission.enterAtOnce()
    : await admission.enter(asked.isWrite ? 'write' : 'read', signal);
  if (leave === null) return err(failureOfInterruption(signal, 'none'));
  const exchanged = await exchange(world.transport, call.request, signal);
  leave();
  const answer = answerOf(exchanged, asked, signal);
  if (answer.kind === 'error') heedPause(answer.error, world);
  return answer;
}

type Exchanged = {
  readonly head: ResponseHead | null;
  readonly chunks: readonly Buffer[];
  readonly end: Ending;
};
type Ending = StreamEnd | { readonly kind: 'tooLarge' };

function exchange(transport: Transport, request: TransportRequest, signal: AbortSignal): Promise<Exchanged> {
  return new Promise((resolve) => {
    let head: ResponseHead | null = null;
    let isTooLarge = false;
    let bytesTotal = 0;
    const chunks: Buffer[] = [];
    const cancel = transport.send(request, {
      head: (received) => {
        head = received;
      },
      chunk: (bytes) => {
        bytesTotal += bytes.length;
        isTooLarge ||= bytesTotal > BODY_BYTES_MAX;
        if (isTooLarge) cancel();
        else chunks.push(bytes);
      },
      ended: (end) => {
        signal.removeEventListener('abort', cancel);
        resolve({ head, chunks, end: isTooLarge ? { kind: 'tooLarge' } : end });
      },
    });
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
  });
}

function answerOf({ head, chunks, end }: Exchanged, asked: Asked, signal: AbortSignal): Answer<Reply> {
  if (end.kind === 'tooLarge') return err(malformed(`the answer exceeds ${BODY_BYTES_MAX} bytes`, asked));
  if (end.kind === 'cancelled' && signal.aborted) {
    return err(failureOfInterruption(signal, failureOfEnd(end, asked).effect));
  }
  if (end.kind !== 'complete') return err(failureOfEnd(end, asked));
  if (head === null) return err(malformed('the answer has no head', asked));
  const body = Buffer.concat(chunks).toString('utf8');
  if (head.status >= 200 && head.status < 300) return ok({ status: head.status, body });
  return err(failureOfAnswer({ status: head.status, retryAfter: retryAfterOf(head), body }, asked));
}

export function retryAfterOf(head: ResponseHead): string | null {
  const value = head.headers['retry-after'];
  return typeof value === 'string' ? value : null;
}

function parsedBody({ body }: Reply, asked: Asked): Answer<unknown> {
  try {
    return ok(JSON.parse(body));
  } catch {
    return err(malformed('the answer is not JSON', asked));
  }
}
