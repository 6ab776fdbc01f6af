// Requests to the API server with what is mounted in the pod: its authority and a short-lived token. Plain HTTPS over one
// connection per request, so that every request proves the whole way. Follows no redirect and reads a bounded answer.

import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request as startRequest } from 'node:https';
import type { Clock } from '../../base/clock.ts';
import { err, ok } from '../../base/result.ts';
import { fail, inconclusive } from '../outcome.ts';
import type { Api, ApiAnswer, ApiRequest, Endpoint, Probed } from '../world.ts';
import { formatEndpoint } from './datagrams.ts';
import { type Settle, settle } from './settle.ts';
import { socketFailure } from './socket-failure.ts';

export type ApiParts = {
  readonly clock: Clock;
  readonly endpoint: Endpoint;
  readonly namespace: string;
  readonly authorityFile: string;
  readonly tokenFile: string;
};

export function createApi(parts: ApiParts): Api {
  const { endpoint, namespace } = parts;
  return {
    endpoint,
    namespace,
    async request(request, { signal }) {
      const credentials = await readCredentials(parts);
      if (credentials.kind === 'error') return credentials;
      return send(parts, { request, credentials: credentials.value }, signal);
    },
  };
}

type Credentials = { readonly authority: string; readonly token: string };

async function readCredentials({ authorityFile, tokenFile }: ApiParts): Probed<Credentials> {
  try {
    const [authority, token] = await Promise.all([
      readFile(authorityFile, 'utf8'),
      readFile(tokenFile, 'utf8'),
    ]);
    if (!/^[\w.~+/=-]+$/.test(token.trim()))
      return err(inconclusive('NoCredentials', `${tokenFile} holds no token`));
    return ok({ authority, token: token.trim() });
  } catch (error) {
    return err(inconclusive('NoCredentials', error instanceof Error ? error.message : String(error)));
  }
}

type Sending = { readonly request: ApiRequest; readonly credentials: Credentials };

function send(
  { clock, endpoint }: ApiParts,
  { request, credentials }: Sending,
  signal: AbortSignal,
): Probed<ApiAnswer> {
  const what = `https://${formatEndpoint(endpoint)}${request.path}`;
  const { method, path, body } = request;
  return settle<ApiAnswer>(signal, what, (outcome) => {
    const sentAt = clock.now();
    const sending = startRequest({
      host: endpoint.address,
      port: endpoint.port,
      method,
      path,
      ca: credentials.authority,
      agent: false,
      headers: {
        authorization: `Bearer ${credentials.token}`,
        accept: 'application/json, text/plain',
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      },
    });
    sending.on('error', (error) => outcome.fail(socketFailure(error, what)));
    sending.on('response', (response) =>
      receive(response, { what, outcome, answer: { sentAt, receivedAt: clock.now() } }),
    );
    sending.end(body);
    return () => sending.destroy();
  });
}

type Receiving = {
  readonly what: string;
  readonly outcome: Settle<ApiAnswer>;
  readonly answer: Pick<ApiAnswer, 'sentAt' | 'receivedAt'>;
};

const BODY_BYTES_MAX = 65_536;

function receive(response: IncomingMessage, { what, outcome, answer }: Receiving): void {
  const chunks: Buffer[] = [];
  let length = 0;
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > BODY_BYTES_MAX)
      outcome.fail(fail('BadAnswer', `${what}: more than ${BODY_BYTES_MAX} bytes`));
  });
  response.on('error', () => outcome.fail(fail('BadAnswer', `${what}: the answer ended early`)));
  response.on('end', () =>
    outcome.done({
      ...answer,
      status: response.statusCode ?? 0,
      body: Buffer.concat(chunks).toString(),
      date: response.headers.date,
    }),
  );
}
