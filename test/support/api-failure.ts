// Failures as the client reports them, for fault hooks and fakes: a reason is enough to get a whole ApiFailure.

import type { ApiFailure, FailureReason } from '../../src/runtime/ports.ts';

export function apiFailure(reason: FailureReason, changes: Partial<ApiFailure> = {}): ApiFailure {
  return {
    reason,
    code: codes[reason] ?? null,
    message: `injected ${reason}`,
    retry: soon.has(reason) ? 'soon' : ill.has(reason) ? 'backoff' : 'never',
    retryAfterMs: null,
    effect: 'none',
    ...changes,
  };
}

const codes: Partial<Record<FailureReason, number>> = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  NotServed: 404,
  AlreadyExists: 409,
  Conflict: 409,
  Expired: 410,
  Invalid: 422,
  TooLarge: 413,
  TooManyRequests: 429,
  ServerError: 500,
};

const soon: ReadonlySet<FailureReason> = new Set(['Conflict', 'Expired']);
const ill: ReadonlySet<FailureReason> = new Set([
  'Unauthorized',
  'TooManyRequests',
  'ServerError',
  'Timeout',
  'Unreachable',
  'Malformed',
  'NotServed',
]);
