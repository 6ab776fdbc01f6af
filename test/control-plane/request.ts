// One HTTPS request as a given client. No retries, no pooling: a test must see every refused connection as it is.

import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import type { KeyPair } from './certificates.ts';

export type Endpoint = { readonly url: string; readonly ca: string; readonly identity: KeyPair };

export type Call = {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly timeoutMs?: number;
};

/** The body is parsed when it is one JSON value, else the text as it came (a watch, /metrics). */
export type Reply = {
  readonly status: number;
  readonly body: unknown;
  /** The header of that name: what the server has against the request although it served it. */
  readonly warning: string;
};

const timeoutMsDefault = 30_000;

export async function send(endpoint: Endpoint, call: Call): Promise<Reply> {
  const payload = call.body === undefined ? undefined : JSON.stringify(call.body);
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const request = httpsRequest(new URL(call.path, endpoint.url), {
    method: call.method,
    ca: endpoint.ca,
    cert: endpoint.identity.certificate,
    key: endpoint.identity.key,
    agent: false,
    signal: AbortSignal.timeout(call.timeoutMs ?? timeoutMsDefault),
    headers: payload === undefined ? {} : bodyHeaders(call, payload),
  });
  request.on('error', reject);
  request.on('response', (response) => {
    const status = response.statusCode ?? 0;
    const { warning = '' } = response.headers;
    text(response).then((body) => resolve({ status, body: parsed(body), warning }), reject);
  });
  request.end(payload);
  return promise;
}

function bodyHeaders(call: Call, payload: string): Readonly<Record<string, string | number>> {
  const usual = call.method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  // Node frames no body of a DELETE by itself: without the length the server takes it for empty, and the
  // preconditions in it for absent.
  return { 'content-type': call.contentType ?? usual, 'content-length': Buffer.byteLength(payload) };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
