// The HTTP half of every target: requests and watches as one identity on one address. Never retries.

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { isRecord } from '../../src/objects/raw.ts';
import type { Body, Reply, RequestOptions, Target } from './target.ts';

export type HttpAccess = {
  readonly url: string;
  readonly ca?: string;
  readonly identity?:
    | { readonly kind: 'certificate'; readonly certificate: string; readonly key: string }
    | { readonly kind: 'token'; readonly token: string };
};

export type HttpTarget = Pick<Target, 'url' | 'request' | 'watch'> & { readonly close: () => void };

// The slowest answer that is right: a resourceVersion of the future, which the server waits for.
const timeoutMs = 20_000;

export function httpTarget(access: HttpAccess): HttpTarget {
  const open = opener(access);
  return {
    url: access.url,
    request: async (method, path, options = {}) => replyOf(await open.send(method, path, options)),
    watch: async (path, options = {}) => {
      const response = await open.send('GET', path, options);
      return {
        status: response.statusCode ?? 0,
        headers: response.headers,
        lines: createInterface({ input: response }),
        close: () => void response.destroy(),
      };
    },
    close: open.close,
  };
}

function opener({ url, ca, identity }: HttpAccess) {
  const isSecure = url.startsWith('https:');
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const request = isSecure ? httpsRequest : httpRequest;
  const tls = identity?.kind === 'certificate' ? { cert: identity.certificate, key: identity.key } : {};
  const authorization = identity?.kind === 'token' ? { authorization: `Bearer ${identity.token}` } : {};

  const send = (method: string, path: string, options: RequestOptions): Promise<IncomingMessage> => {
    const payload = payloadOf(options.body);
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const outgoing = request(`${url}${path}`, {
      ...tls,
      ...(ca === undefined ? {} : { ca }),
      agent,
      method,
      headers: { ...authorization, ...headersOf(method, options, payload) },
      timeout: timeoutMs,
    });
    outgoing.on('timeout', () =>
      outgoing.destroy(new Error(`${method} ${path}: no answer in ${timeoutMs} ms`)),
    );
    outgoing.on('error', reject);
    outgoing.on('response', resolve);
    outgoing.end(payload);
    return promise;
  };
  return { send, close: () => agent.destroy() };
}

function payloadOf(body: unknown): string | undefined {
  if (body === undefined || typeof body === 'string') return body;
  return JSON.stringify(body);
}

function headersOf(method: string, options: RequestOptions, payload: string | undefined) {
  const accept = options.accept === undefined ? {} : { accept: options.accept };
  if (payload === undefined) return accept;
  const usual = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  // Node frames no body of a DELETE by itself, and the server would take it for empty.
  const length = Buffer.byteLength(payload);
  return { ...accept, 'content-type': options.contentType ?? usual, 'content-length': length };
}

async function replyOf(response: IncomingMessage): Promise<Reply> {
  const said = await text(response);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: parsed(said),
    text: said,
  };
}

function parsed(said: string): Body {
  try {
    const value: unknown = JSON.parse(said);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
