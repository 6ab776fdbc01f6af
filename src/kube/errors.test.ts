import { describe, expect, it } from 'vitest';
import { apiFailure } from '../../test/support/api-failure.ts';
import { DeadlineExceeded } from '../base/clock.ts';
import type { ApiFailure } from '../runtime/ports.ts';
import {
  type Asked,
  failureOfAnswer,
  failureOfEnd,
  failureOfInterruption,
  failureOfWatchError,
  malformed,
  noAnswerWithin,
} from './errors.ts';

const read: Asked = { isWrite: false, isOfOneObject: true };
const write: Asked = { isWrite: true, isOfOneObject: true };
const list: Asked = { isWrite: false, isOfOneObject: false };

function status(reason: string, more: object = {}): string {
  return JSON.stringify({ kind: 'Status', status: 'Failure', reason, message: `it is ${reason}`, ...more });
}

function answer(code: number, body = status('Whatever'), retryAfter: string | null = null) {
  return { status: code, body, retryAfter };
}

describe('failureOfAnswer', () => {
  const table: Readonly<
    Record<string, readonly [number, string, ApiFailure['reason'], ApiFailure['effect']]>
  > = {
    'a request that makes no sense': [400, 'BadRequest', 'BadRequest', 'none'],
    'an identity that is not accepted': [401, 'Unauthorized', 'Unauthorized', 'none'],
    'a right that is missing': [403, 'Forbidden', 'Forbidden', 'none'],
    'an object that is not there': [404, 'NotFound', 'NotFound', 'none'],
    'a method that is not allowed': [405, 'MethodNotAllowed', 'BadRequest', 'none'],
    'a name that is taken': [409, 'AlreadyExists', 'AlreadyExists', 'none'],
    'an object that has changed': [409, 'Conflict', 'Conflict', 'none'],
    'a resourceVersion that is too old': [410, 'Expired', 'Expired', 'none'],
    'a continue token of the past': [410, 'Gone', 'Expired', 'none'],
    'a body that is too large': [413, 'RequestEntityTooLarge', 'TooLarge', 'none'],
    'a media type that is not known': [415, 'UnsupportedMediaType', 'BadRequest', 'none'],
    'a value that is not valid': [422, 'Invalid', 'Invalid', 'none'],
    'too many requests': [429, 'TooManyRequests', 'TooManyRequests', 'none'],
    'a broken server': [500, 'InternalError', 'ServerError', 'unknown'],
    'a gateway without its server': [502, '', 'ServerError', 'unknown'],
    'a server that is away': [503, 'ServiceUnavailable', 'ServerError', 'unknown'],
    'a server that gave up waiting': [504, 'Timeout', 'Timeout', 'unknown'],
    'a redirect, which nobody follows': [302, '', 'Malformed', 'unknown'],
  };

  it.each(Object.entries(table))('classifies %s', (_name, [code, reason, expected, effect]) => {
    expect(failureOfAnswer(answer(code, status(reason)), write)).toMatchObject({
      reason: expected,
      code,
      effect,
      message: `it is ${reason}`,
    });
    expect(failureOfAnswer(answer(code, status(reason)), read)).toMatchObject({
      reason: expected,
      effect: 'none',
    });
  });

  it('takes a 404 that is no Status for no word about the object', () => {
    const page = answer(404, '404 page not found\n');
    const message = 'nobody serves this path: 404 page not found';
    expect(failureOfAnswer(page, read)).toMatchObject({ reason: 'NotServed', retry: 'backoff', message });
    expect(failureOfAnswer(page, write)).toMatchObject({ reason: 'NotServed', effect: 'none', message });
    expect(failureOfAnswer(page, list)).toMatchObject({ reason: 'NotFound', message: '404 page not found' });
  });

  it('believes a 503 that says when to come back that nothing was done', () => {
    const failure = failureOfAnswer(answer(503, status('ServiceUnavailable'), '3'), write);
    expect(failure).toMatchObject({ reason: 'ServerError', retryAfterMs: 3000, effect: 'none' });
  });

  it.each([
    ['the header', answer(429, status('TooManyRequests'), '7'), 7000],
    ['the Status', answer(429, status('TooManyRequests', { details: { retryAfterSeconds: 2 } })), 2000],
    ['nowhere', answer(429), null],
    ['a date, which the API server never sends', answer(429, '', 'Wed, 21 Oct 2026 07:28:00 GMT'), null],
  ])('reads the time to wait from %s', (_name, given, expected) => {
    expect(failureOfAnswer(given, read).retryAfterMs).toBe(expected);
  });

  it('shortens what is not a Status', () => {
    expect(failureOfAnswer(answer(502, 'x'.repeat(5000)), read).message).toHaveLength(300);
    expect(failureOfAnswer(answer(502, ''), read).message).toBe('HTTP status 502 without a message');
  });

  it('says the same about retries as the failures that tests inject', () => {
    for (const [code, reason, expected] of Object.values(table)) {
      expect(failureOfAnswer(answer(code, status(reason)), read).retry, expected).toBe(
        apiFailure(expected).retry,
      );
    }
  });
});

describe('failureOfWatchError', () => {
  it('knows that the start is too old', () => {
    expect(
      failureOfWatchError({ kind: 'Status', code: 410, reason: 'Expired', message: 'too old' }),
    ).toMatchObject({
      reason: 'Expired',
      code: 410,
      retry: 'soon',
      message: 'too old',
    });
  });

  it.each([[undefined], [{}], [{ message: 5 }]])('takes %j for a fault of the server', (object) => {
    expect(failureOfWatchError(object)).toMatchObject({
      reason: 'ServerError',
      code: null,
      retry: 'backoff',
    });
  });
});

describe('failures without an answer', () => {
  it.each([
    ['a lost write that may have arrived', write, true, 'unknown'],
    ['a lost write that never left', write, false, 'none'],
    ['a lost read', read, true, 'none'],
  ] as const)('knows the effect of %s', (_name, asked, mayHaveArrived, effect) => {
    const lost = { kind: 'lost', mayHaveArrived, message: 'socket hang up' } as const;
    expect(failureOfEnd(lost, asked)).toMatchObject({
      reason: 'Unreachable',
      code: null,
      retry: 'backoff',
      effect,
      message: 'socket hang up',
    });
    expect(failureOfEnd({ kind: 'cancelled', mayHaveArrived }, asked)).toMatchObject({
      reason: 'Aborted',
      effect,
    });
  });

  it('counts credentials that cannot be had as unauthorized', () => {
    const end = { kind: 'noCredentials', message: 'no aws' } as const;
    expect(failureOfEnd(end, write)).toMatchObject({
      reason: 'Unauthorized',
      effect: 'none',
      message: 'no aws',
    });
  });

  it('tells a timeout from a caller that gave up', () => {
    const late = AbortSignal.abort(new DeadlineExceeded(30));
    expect(failureOfInterruption(late, 'unknown')).toMatchObject({ reason: 'Timeout', effect: 'unknown' });
    expect(failureOfInterruption(AbortSignal.abort(), 'none')).toMatchObject({
      reason: 'Aborted',
      retry: 'never',
    });
    expect(noAnswerWithin(30)).toMatchObject({ reason: 'Timeout', message: 'no answer within 30 ms' });
  });

  it('assumes that a write whose answer cannot be read was carried out', () => {
    expect(malformed('not JSON', write)).toMatchObject({ reason: 'Malformed', effect: 'unknown' });
    expect(malformed('not JSON', read)).toMatchObject({ reason: 'Malformed', effect: 'none' });
  });
});
