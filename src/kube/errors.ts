// The one place that says what a failed call means: an HTTP answer, a Status inside a watch or a lost connection becomes
// an ApiFailure. Never throws and never guesses in favour of "it did not happen": a doubtful write is `unknown`.

import { DeadlineExceeded } from '../base/clock.ts';
import { fieldsOf, isRecord, textOf } from '../objects/raw.ts';
import type { ApiFailure, FailureReason } from '../runtime/ports.ts';
import type { StreamEnd } from './transport.ts';

/** What was asked, as far as it decides what a failure means. */
export type Asked = { readonly isWrite: boolean; readonly isOfOneObject: boolean };

export type FailedAnswer = {
  readonly status: number;
  /** The Retry-After header; null when there is none. */
  readonly retryAfter: string | null;
  readonly body: string;
};

export function failureOfAnswer(answer: FailedAnswer, asked: Asked): ApiFailure {
  const status = parseStatus(answer.body);
  const retryAfterMs = parseSeconds(answer.retryAfter) ?? retryAfterOf(status);
  const reason = reasonOf(answer.status, status, asked);
  return failure(reason, {
    code: answer.status,
    message: (reason === 'NotServed' ? 'nobody serves this path: ' : '') + messageOf(answer, status),
    retryAfterMs,
    effect: asked.isWrite && mayHaveActed(answer.status, retryAfterMs) ? 'unknown' : 'none',
  });
}

/** The object of an ERROR event: the HTTP answer was 200 long ago. */
export function failureOfWatchError(object: unknown): ApiFailure {
  const status = fieldsOf(object);
  const code = typeof status['code'] === 'number' ? status['code'] : null;
  return failure(code === null ? 'ServerError' : reasonOf(code, status, watching), {
    code,
    message: textOf(status['message']) || 'the watch was ended by an error without a message',
    retryAfterMs: retryAfterOf(status),
  });
}

export function failureOfEnd(end: Exclude<StreamEnd, { kind: 'complete' }>, asked: Asked): ApiFailure {
  if (end.kind === 'noCredentials') return failure('Unauthorized', { message: end.message });
  const effect = asked.isWrite && end.mayHaveArrived ? 'unknown' : 'none';
  if (end.kind === 'cancelled') return failure('Aborted', { message: 'the caller gave up', effect });
  return failure('Unreachable', { message: end.message, effect });
}

/** The caller's signal aborted: because its time was up, or because the caller wanted no answer any more. */
export function failureOfInterruption(signal: AbortSignal, effect: ApiFailure['effect']): ApiFailure {
  const { reason } = signal;
  if (reason instanceof DeadlineExceeded) return failure('Timeout', { message: reason.message, effect });
  return failure('Aborted', { message: 'the caller gave up', effect });
}

/** A watch that the server did not even begin to answer. */
export function noAnswerWithin(timeoutMs: number): ApiFailure {
  return failure('Timeout', { message: new DeadlineExceeded(timeoutMs).message });
}

/** The answer cannot be read; a write that led to it has most likely been carried out. */
export function malformed(message: string, asked: Asked): ApiFailure {
  return failure('Malformed', { message, effect: asked.isWrite ? 'unknown' : 'none' });
}

const retries: Readonly<Record<FailureReason, ApiFailure['retry']>> = {
  BadRequest: 'never',
  Unauthorized: 'backoff',
  Forbidden: 'never',
  NotFound: 'never',
  NotServed: 'backoff',
  AlreadyExists: 'never',
  Conflict: 'soon',
  Expired: 'soon',
  Invalid: 'never',
  TooLarge: 'never',
  TooManyRequests: 'backoff',
  ServerError: 'backoff',
  Timeout: 'backoff',
  Unreachable: 'backoff',
  Aborted: 'never',
  Malformed: 'backoff',
};

const watching: Asked = { isWrite: false, isOfOneObject: false };
const messageCharactersMax = 300;

function failure(
  reason: FailureReason,
  rest: Partial<ApiFailure> & { readonly message: string },
): ApiFailure {
  return { reason, code: null, retry: retries[reason], retryAfterMs: null, effect: 'none', ...rest };
}

type Status = Readonly<Record<string, unknown>> | null;

function reasonOf(code: number, status: Status, asked: Asked): FailureReason {
  switch (code) {
    case 401:
      return 'Unauthorized';
    case 403:
      return 'Forbidden';
    case 404:
      // A 404 without a Status comes from a path nobody serves or from something in between. It says nothing about
      // the object, and to take it for "deleted" would be fatal.
      return status === null && asked.isOfOneObject ? 'NotServed' : 'NotFound';
    case 409:
      return status?.['reason'] === 'AlreadyExists' ? 'AlreadyExists' : 'Conflict';
    case 410:
      return 'Expired';
    case 413:
      return 'TooLarge';
    case 422:
      return 'Invalid';
    case 429:
      return 'TooManyRequests';
    case 504:
      return 'Timeout';
    default:
      if (code >= 500) return 'ServerError';
      return code >= 400 ? 'BadRequest' : 'Malformed';
  }
}

/** 4xx are refusals. A 503 that says when to come back is one too; any other may stand for a reply that got lost. */
function mayHaveActed(code: number, retryAfterMs: number | null): boolean {
  if (code >= 400 && code < 500) return false;
  return code !== 503 || retryAfterMs === null;
}

function parseStatus(body: string): Status {
  try {
    const parsed: unknown = JSON.parse(body);
    return isRecord(parsed) && parsed['kind'] === 'Status' ? parsed : null;
  } catch {
    return null;
  }
}

function messageOf(answer: FailedAnswer, status: Status): string {
  const message = textOf(status?.['message']) || answer.body.trim().slice(0, messageCharactersMax);
  return message || `HTTP status ${answer.status} without a message`;
}

function retryAfterOf(status: Status): number | null {
  const details = status?.['details'];
  const seconds = isRecord(details) ? details['retryAfterSeconds'] : undefined;
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : null;
}

/** The API server sends whole seconds; the form with a date is for caches, not for us. */
function parseSeconds(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/.test(header.trim()) ? Number(header) * 1000 : null;
}
