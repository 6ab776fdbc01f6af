// The part of the Kubernetes API that following Nodes takes: list in pages, watch with and without initial events. Its
// answers are bytes made beforehand, so that the client is what is measured. Keeps no history: a watch goes on from now.

import { once } from 'node:events';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Corpus } from './corpus.ts';

export type NodeApi = {
  readonly answer: (request: Http2ServerRequest, response: Http2ServerResponse) => void;
  /** Writes to every open watch. */
  readonly write: (bytes: Buffer) => void;
  /** Ends every open watch with an event of code 410. */
  readonly expire: () => void;
  /** Resolves as soon as somebody watches. */
  readonly whenWatched: () => Promise<void>;
};

export type NodeApiOptions = {
  readonly corpus: Corpus;
  /** Of the fleet as it is served at the start. */
  readonly resourceVersion: string;
  /** Whether initial events are streamed or refused, as by servers that cannot do it. */
  readonly start: 'stream' | 'pages';
};

/** Large enough that the server is not what is measured, small enough for both ends to breathe. */
const sliceBytes = 256 * 1024;

export function createNodeApi(options: NodeApiOptions): NodeApi {
  const watches = new Set<Http2ServerResponse>();
  let watched = Promise.withResolvers<void>();

  const join = (response: Http2ServerResponse) => {
    watches.add(response);
    watched.resolve();
    response.once('close', () => leave(response));
  };
  const leave = (response: Http2ServerResponse) => {
    if (watches.delete(response) && watches.size === 0) watched = Promise.withResolvers();
  };

  return {
    answer(request, response) {
      const url = new URL(request.url, 'https://localhost');
      if (url.pathname !== '/api/v1/nodes') return refuse(response, 404, 'NotFound');
      if (!isTrue(url.searchParams.get('watch'))) return sendPage(response, url.searchParams, options);
      if (!isTrue(url.searchParams.get('sendInitialEvents'))) return void openWatch(response).then(join);
      if (options.start === 'pages') return refuse(response, 422, 'Invalid');
      void sendInitialEvents(response, options).then(join);
    },
    write(bytes) {
      for (const response of watches) response.write(bytes);
    },
    expire() {
      // The bookmark tells the client that all was well: an expiry right after a full sync would mean a broken server.
      const bytes = Buffer.concat([bookmark(options.resourceVersion, {}), expired]);
      for (const response of watches) {
        response.end(bytes);
        leave(response);
      }
    },
    whenWatched: () => watched.promise,
  };
}

async function openWatch(response: Http2ServerResponse): Promise<Http2ServerResponse> {
  response.writeHead(200, { 'content-type': 'application/json' });
  // Without a body the head would wait for the first event.
  response.write('');
  return response;
}

async function sendInitialEvents(
  response: Http2ServerResponse,
  { corpus, resourceVersion }: NodeApiOptions,
): Promise<Http2ServerResponse> {
  await openWatch(response);
  await writeAll(response, corpus.added);
  response.write(bookmark(resourceVersion, { 'k8s.io/initial-events-end': 'true' }));
  return response;
}

function sendPage(
  response: Http2ServerResponse,
  query: URLSearchParams,
  { corpus, resourceVersion }: NodeApiOptions,
): void {
  const from = Number(query.get('continue') ?? 0);
  const to = Math.min(corpus.size, from + Number(query.get('limit') ?? corpus.size));
  const rest = to < corpus.size ? { continue: String(to), remainingItemCount: corpus.size - to } : {};
  const metadata = JSON.stringify({ resourceVersion, ...rest });
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(`{"kind":"NodeList","apiVersion":"v1","metadata":${metadata},"items":[`);
  void writeAll(response, corpus.items(from, to)).then(() => response.end(']}\n'));
}

async function writeAll(response: Http2ServerResponse, bytes: Buffer): Promise<void> {
  const closed = once(response, 'close');
  for (let from = 0; from < bytes.length; from += sliceBytes) {
    if (response.stream?.destroyed) return;
    const isTaken = response.write(bytes.subarray(from, from + sliceBytes));
    if (!isTaken) await Promise.race([once(response, 'drain'), closed]);
  }
}

function bookmark(resourceVersion: string, annotations: Readonly<Record<string, string>>): Buffer {
  const object = { kind: 'Node', apiVersion: 'v1', metadata: { resourceVersion, annotations } };
  return Buffer.from(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`);
}

const expired = Buffer.from(`${JSON.stringify({ type: 'ERROR', object: statusOf(410, 'Expired') })}\n`);

function refuse(response: Http2ServerResponse, code: number, reason: string): void {
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify(statusOf(code, reason)));
}

function statusOf(code: number, reason: string) {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: reason, reason, code };
}

function isTrue(value: string | null): boolean {
  return value === 'true' || value === '1';
}
