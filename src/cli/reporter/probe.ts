// Asks the endpoint once. Whatever happens is an outcome, never a throw; of an answer no more than a line is kept.

import { type IncomingMessage, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Outcome } from './outcome.ts';

export type Question = { readonly url: URL; readonly timeoutMs: number; readonly signal: AbortSignal };

const REDIRECTS_MAX = 10;
const BODY_BYTES_MAX = 64 * 1024;
const MESSAGE_LENGTH_MAX = 256;

export async function askEndpoint({ url, timeoutMs, signal }: Question): Promise<Outcome> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([timeout, signal]);
  try {
    const { status, body } = await answerOf(url, either, REDIRECTS_MAX);
    if (status >= 200 && status < 300)
      return outcome('healthy', 'EndpointOK', `the endpoint answered ${status}`);
    const words = firstLine(body);
    return outcome(
      'unhealthy',
      'EndpointNotReady',
      `the endpoint answered ${status}${words === '' ? '' : `: ${words}`}`,
    );
  } catch (error) {
    return failure(timeout.aborted ? new CallFailed(`no answer within ${timeoutMs / 1000} s`) : error);
  }
}

type Answer = { readonly status: number; readonly body: string };

function answerOf(url: URL, signal: AbortSignal, redirectsLeft: number): Promise<Answer> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const asked = send(
      url,
      { signal, agent: false, headers: { 'user-agent': 'muster-reporter' } },
      (answer) => {
        const status = answer.statusCode ?? 0;
        const target = redirectOf(answer, url);
        if (target !== null) {
          answer.resume();
          if (redirectsLeft === 0) return reject(new CallFailed(`more than ${REDIRECTS_MAX} redirects`));
          if (!/^https?:$/.test(target.protocol))
            return reject(new CallFailed(`redirected to ${target.href}`));
          return resolve(answerOf(target, signal, redirectsLeft - 1));
        }
        const chunks: Buffer[] = [];
        let bytes = 0;
        const done = () => resolve({ status, body: Buffer.concat(chunks).toString('utf8') });
        answer.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          bytes += chunk.length;
          // The status is known, and of the words one line is enough: an endless body must not fill the memory.
          if (bytes < BODY_BYTES_MAX) return;
          done();
          asked.destroy();
        });
        answer.on('end', done);
        answer.on('error', (error) => reject(callFailed(error)));
      },
    );
    asked.on('error', (error) => reject(callFailed(error)));
    asked.end();
  });
}

function redirectOf({ statusCode = 0, headers: { location } }: IncomingMessage, from: URL): URL | null {
  const isRedirect = statusCode >= 300 && statusCode < 400 && location !== undefined;
  return isRedirect && URL.canParse(location, from.href) ? new URL(location, from) : null;
}

/** The endpoint was asked, and no whole answer in HTTP came back. */
class CallFailed extends Error {}

function callFailed(error: Error & { readonly code?: string }): CallFailed {
  // A name with several addresses, of which none answers, fails without a word of its own.
  return new CallFailed(error.message || error.code || error.name);
}

/** What keeps the endpoint from being asked at all says nothing of it, and has another reason. */
function failure(error: unknown): Outcome {
  const reason = error instanceof CallFailed ? 'EndpointConnectionError' : 'HealthCheckFailed';
  return outcome('error', reason, firstLine(error instanceof Error ? error.message : String(error)));
}

function outcome(result: Outcome['result'], reason: Outcome['reason'], message: string): Outcome {
  return { result, reason, message };
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.slice(0, MESSAGE_LENGTH_MAX).toWellFormed();
}
