// Failures as a client over HTTP would report them for what a fault does to a call.

import type { CallFailure } from '../../apiserver/port-failure.ts';
import type { FaultAction } from './rule.ts';

/** The connection broke. Whoever sent a write cannot know whether it arrived. */
export function unreachable(isWrite: boolean): CallFailure {
  return failure('Unreachable', { code: null, retry: 'backoff', effect: isWrite ? 'unknown' : 'none' });
}

export function timedOut(isWrite: boolean): CallFailure {
  return failure('Timeout', { code: null, retry: 'backoff', effect: isWrite ? 'unknown' : 'none' });
}

export function givenUp(isWrite: boolean): CallFailure {
  return failure('Aborted', { code: null, retry: 'never', effect: isWrite ? 'unknown' : 'none' });
}

/** A path that nobody serves: of a kind it says that there is none, of one object it says nothing. */
export function unserved(isOfOneObject: boolean): CallFailure {
  return isOfOneObject
    ? failure('NotServed', { code: 404, retry: 'backoff' })
    : failure('NotFound', { code: 404, retry: 'never' });
}

export function expired(): CallFailure {
  return failure('Expired', { code: 410, retry: 'soon' });
}

type Status = Extract<FaultAction, { kind: 'status' }>;

export function refused(
  { code, retryAfterSeconds }: Status,
  asked: { readonly isWrite: boolean; readonly isCreate: boolean },
): CallFailure {
  const retryAfterMs = retryAfterSeconds === undefined ? null : retryAfterSeconds * 1000;
  const [reason, retry] =
    code === 409 && asked.isCreate ? (['AlreadyExists', 'never'] as const) : answers[code];
  // A 5xx may stand for a reply that got lost, unless it says when to come back.
  const mayHaveActed = code >= 500 && (code !== 503 || retryAfterMs === null);
  return failure(reason, {
    code,
    retry,
    retryAfterMs,
    effect: asked.isWrite && mayHaveActed ? 'unknown' : 'none',
  });
}

type Verdict = readonly [CallFailure['reason'], CallFailure['retry']];

const answers: Readonly<Record<Status['code'], Verdict>> = {
  401: ['Unauthorized', 'backoff'],
  403: ['Forbidden', 'never'],
  404: ['NotFound', 'never'],
  409: ['Conflict', 'soon'],
  410: ['Expired', 'soon'],
  422: ['Invalid', 'never'],
  429: ['TooManyRequests', 'backoff'],
  500: ['ServerError', 'backoff'],
  503: ['ServerError', 'backoff'],
  504: ['Timeout', 'backoff'],
};

function failure(
  reason: CallFailure['reason'],
  rest: Partial<CallFailure> & Pick<CallFailure, 'code' | 'retry'>,
): CallFailure {
  return { reason, message: `injected ${reason}`, retryAfterMs: null, effect: 'none', ...rest };
}
