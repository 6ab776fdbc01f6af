// Puts a front on a socket: plain HTTP/1.1, or TLS with HTTP/2 and HTTP/1.1. Reads bodies up to a bound, gives way while it
// writes long answers, and ends every open watch when it is closed.

import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import http2, { type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { internalError, type Refusal } from '../refusal.ts';
import { answerRefusal } from './answer.ts';
import type { HttpAnswer, LineSink } from './exchange.ts';
import type { Handle } from './front.ts';
import { PacedWriter } from './pace.ts';
import { jsonOfProtobuf, protobufMediaType } from './protobuf.ts';

export type ListenOptions = {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly tls: { readonly certificate: string; readonly key: string } | null;
  readonly clock: Clock;
  readonly log: Log;
};

export type Listening = { readonly port: number; readonly url: string; close(): Promise<void> };

type Incoming = IncomingMessage | Http2ServerRequest;
type Outgoing = ServerResponse | Http2ServerResponse;

const BODY_BYTES_MAX = 3 * 1024 * 1024;
/** A client that was busy with itself for a while must not have its connection closed under the write that it sends then. */
const IDLE_MS = 90_000;

export async function listen(handle: Handle, options: ListenOptions): Promise<Listening> {
  const sockets = new Set<Socket>();
  const onRequest = (request: Incoming, response: Outgoing) =>
    void serve({ handle, options }, request, response);
  const { tls } = options;
  const server =
    tls === null
      ? http.createServer({ keepAliveTimeout: IDLE_MS }, onRequest)
      : http2.createSecureServer({ allowHTTP1: true, cert: tls.certificate, key: tls.key }, onRequest);
  server.on(tls === null ? 'connection' : 'secureConnection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const address = server.address();
  const port = isAddress(address) ? address.port : options.port;
  return {
    port,
    url: `${tls === null ? 'http' : 'https'}://${options.host}:${port}`,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

type Serving = { readonly handle: Handle; readonly options: ListenOptions };

async function serve({ handle, options }: Serving, request: Incoming, response: Outgoing): Promise<void> {
  response.on('error', () => undefined);
  try {
    const body = await readBody(request);
    const answer = body === null ? answerRefusal(TOO_LARGE) : handle(requestOf(request, body));
    await send(answer, response, options.clock);
  } catch (error) {
    options.log.error('a request could not be answered', { method: request.method, url: request.url, error });
    if (!response.headersSent)
      await send(answerRefusal(internalError('the embedded API server failed')), response, options.clock);
    else response.end();
  }
}

const TOO_LARGE: Refusal = {
  code: 413,
  reason: 'RequestEntityTooLarge',
  message: `Request entity too large: limit is ${BODY_BYTES_MAX}`,
};

/** Null for a body beyond the bound; it is read to its end, so that the client gets to read the answer. */
function readBody(request: Incoming): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
    });
    request.once('end', () => resolve(bytes > BODY_BYTES_MAX ? null : Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => {
      if (!request.complete) reject(new Error('the request was cut off'));
    });
  });
}

/** A body in protobuf that can be read becomes JSON here; one that cannot keeps its media type and is refused for it. */
function requestOf(request: Incoming, body: Buffer): Parameters<Handle>[0] {
  const [path = '/', query = ''] = (request.url ?? '/').split(/\?(.*)/s);
  const isProtobuf = request.headers['content-type']?.startsWith(protobufMediaType) === true;
  const converted = isProtobuf ? jsonOfProtobuf(body) : null;
  return {
    method: request.method ?? 'GET',
    path,
    query: new URLSearchParams(query),
    headers:
      converted === null ? request.headers : { ...request.headers, 'content-type': 'application/json' },
    body: converted ?? body.toString('utf8'),
  };
}

async function send(answer: HttpAnswer, response: Outgoing, clock: Clock): Promise<void> {
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : [...value],
    ]),
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both kinds of responses have the same methods, but not the same types
  const respond = response as ServerResponse;
  if (answer.kind === 'whole') {
    // With its length known the answer goes out in one piece instead of in chunks.
    respond.writeHead(answer.code, { ...headers, 'content-length': Buffer.byteLength(answer.text) });
    return void respond.end(answer.text);
  }
  respond.writeHead(200, headers);
  const sink = sinkOf(respond);
  if (answer.kind === 'pieces') return sendPieces(answer.pieces, sink, clock);
  respond.flushHeaders();
  const stop = answer.run(sink);
  respond.once('close', stop);
}

async function sendPieces(pieces: Iterable<string>, sink: LineSink, clock: Clock): Promise<void> {
  const writer = new PacedWriter(sink, clock);
  for (const piece of pieces) if (writer.add(piece)) await writer.flush();
  await writer.flush();
  sink.end();
}

function sinkOf(response: ServerResponse): LineSink {
  return {
    write: (text) => response.destroyed || response.write(text),
    drained: () =>
      new Promise((resolve) => {
        if (response.destroyed) return resolve();
        const done = () => {
          response.off('drain', done);
          response.off('close', done);
          resolve();
        };
        response.once('drain', done);
        response.once('close', done);
      }),
    end: () => void response.end(),
  };
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
