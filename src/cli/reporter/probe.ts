// Asks the endpoint once. Whatever happens is an outcome, never a throw; of an answer no more than a line is kept.

import { request as httpRequest } from 'node:http';
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
    if (timeout.aborted)
      return outcome('error', 'HealthCheckFailed', `no answer within ${timeoutMs / 1000} s`);
    return failure(error);
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
        const { location } = answer.headers;
        if (status >= 300 && status < 400 && location !== undefined && URL.canParse(location, url.href)) {
          answer.resume();
          if (redirectsLeft === 0) return reject(new Unreadable(`more than ${REDIRECTS_MAX} redirects`));
          return resolve(answerOf(new URL(location, url), signal, redirectsLeft - 1));
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
        answer.on('error', reject);
      },
    );
    asked.on('error', reject);
    asked.end();
  });
}

class Unreadable extends Error {}

function failure(error: unknown): Outcome {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // The parser of Node names what it cannot read so.
  const isUnreadable =
    error instanceof Unreadable || code.startsWith('HPE_') || code === 'ERR_INVALID_PROTOCOL';
  return outcome('error', isUnreadable ? 'HealthCheckFailed' : 'EndpointConnectionError', firstLine(message));
}

function outcome(result: Outcome['result'], reason: Outcome['reason'], message: string): Outcome {
  return { result, reason, message };
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return line.slice(0, MESSAGE_LENGTH_MAX).toWellFormed();
}
