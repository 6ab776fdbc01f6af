// A refusal as the operator's port tells it: the reasons that its client over HTTP would have read from the same Status.

import type { Refusal } from './refusal.ts';

/** Why a call did not succeed, in the words of the port. */
export type CallFailure = {
  readonly reason: FailureReason;
  readonly code: number | null;
  readonly message: string;
  readonly retry: 'soon' | 'backoff' | 'never';
  readonly retryAfterMs: number | null;
  readonly effect: 'none' | 'unknown';
};

type FailureReason =
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'NotServed'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Expired'
  | 'Invalid'
  | 'TooLarge'
  | 'TooManyRequests'
  | 'ServerError'
  | 'Timeout'
  | 'Unreachable'
  | 'Aborted'
  | 'Malformed';

export function failureOf(refusal: Refusal): CallFailure {
  const reason = reasonOf(refusal);
  const { code, message, retryAfterSeconds } = refusal;
  return {
    reason,
    code,
    message,
    retry: retryOf(reason),
    retryAfterMs: retryAfterSeconds === undefined ? null : retryAfterSeconds * 1000,
    effect: 'none',
  };
}

export function aborted(): CallFailure {
  const message = 'the call was given up before it was sent';
  return { reason: 'Aborted', code: null, message, retry: 'never', retryAfterMs: null, effect: 'none' };
}

const byCode: Readonly<Record<number, FailureReason>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  413: 'TooLarge',
  422: 'Invalid',
  429: 'TooManyRequests',
  504: 'Timeout',
};

function reasonOf({ code, reason }: Refusal): FailureReason {
  if (reason === 'AlreadyExists') return 'AlreadyExists';
  return byCode[code] ?? (code >= 500 ? 'ServerError' : 'BadRequest');
}

function retryOf(reason: FailureReason): CallFailure['retry'] {
  if (reason === 'Conflict' || reason === 'Expired') return 'soon';
  return reason === 'TooManyRequests' || reason === 'ServerError' || reason === 'Timeout'
    ? 'backoff'
    : 'never';
}
