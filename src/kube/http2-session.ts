// One HTTP/2 connection: sends requests as streams, asks the peer now and then whether it is alive, and leaves by
// draining. Never opened again: a new one takes its place.

import http2 from 'node:http2';
import type { Cancel, Clock } from '../base/clock.ts';
import type { DialedSocket } from './dial.ts';
import type { Exchange, StreamEnd, TransportRequest } from './transport.ts';

export type Http2SessionOptions = {
  readonly origin: string;
  readonly clock: Clock;
  /** Told once, when the connection is gone. */
  readonly closed: (session: Http2Session) => void;
};

/** A dead peer is found at the latest after one interval and one timeout. */
export const PING_INTERVAL_MS = 15_000;
export const PING_TIMEOUT_MS = 15_000;

/** With the default of 64 KiB a watch of many objects falls behind, and the API server closes it. */
const STREAM_WINDOW_BYTES = 1024 * 1024;
const CONNECTION_WINDOW_BYTES = 8 * 1024 * 1024;

/** What a server allows that has not yet said so. */
const STREAMS_MAX_DEFAULT = 100;

const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM } = http2.constants;

export class Http2Session {
  readonly #session: http2.ClientHttp2Session;
  readonly #options: Http2SessionOptions;
  #cancelTimer: Cancel = () => {};
  #streams = 0;
  #streamsMax = STREAMS_MAX_DEFAULT;
  #isRetired = false;
  #closeReason = 'the connection was closed';

  constructor({ socket }: DialedSocket, options: Http2SessionOptions) {
    this.#options = options;
    this.#session = http2.connect(options.origin, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: STREAM_WINDOW_BYTES },
    });
    this.#session.once('connect', () => this.#session.setLocalWindowSize(CONNECTION_WINDOW_BYTES));
    this.#session.on('remoteSettings', (settings) => {
      this.#streamsMax = settings.maxConcurrentStreams ?? STREAMS_MAX_DEFAULT;
    });
    this.#session.on('goaway', () => this.retire());
    this.#session.on('error', (error) => {
      this.#closeReason = error.message;
    });
    this.#session.once('close', () => {
      this.#isRetired = true;
      this.#cancelTimer();
      options.closed(this);
    });
    this.#pingLater();
  }

  hasRoom(): boolean {
    return !this.#isRetired && !this.#session.closed && this.#streams < this.#streamsMax;
  }

  send(request: TransportRequest, exchange: Exchange): Cancel {
    const stream = this.#session.request(
      { ...request.headers, ':method': request.method, ':path': request.path },
      { endStream: request.body === null },
    );
    this.#streams += 1;
    stream.on('response', (headers) => exchange.head({ status: headers[':status'] ?? 0, headers }));
    stream.on('data', (bytes: Buffer) => exchange.chunk(bytes));
    stream.on('error', waitForClose);
    stream.once('close', () => {
      this.#streams -= 1;
      exchange.end(this.#endOf(stream));
      if (this.#isRetired) this.#closeIfIdle();
    });
    if (request.body !== null) stream.end(request.body);
    return () => {
      exchange.endSoon({ kind: 'cancelled', mayHaveArrived: hasArrived(stream) });
      stream.close(NGHTTP2_CANCEL);
    };
  }

  /** Takes no more requests; the connection is closed when the last one on it is over. */
  retire(): void {
    this.#isRetired = true;
    this.#closeIfIdle();
  }

  destroy(reason: string): void {
    this.#closeReason = reason;
    this.#session.destroy(new Error(reason));
  }

  #closeIfIdle(): void {
    if (this.#streams === 0 && !this.#session.closed) this.#session.close();
  }

  /** A stream that is cut off ends like a whole one; only the code tells them apart. */
  #endOf(stream: http2.ClientHttp2Stream): StreamEnd {
    if (stream.rstCode === NGHTTP2_NO_ERROR && stream.readableEnded) return { kind: 'complete' };
    const message = stream.errored?.message ?? this.#closeReason;
    return { kind: 'lost', mayHaveArrived: hasArrived(stream), message };
  }

  #pingLater(): void {
    this.#cancelTimer = this.#options.clock.after(PING_INTERVAL_MS, () => this.#ping());
  }

  #ping(): void {
    this.#cancelTimer = this.#options.clock.after(PING_TIMEOUT_MS, () =>
      this.destroy(`the server did not answer a PING within ${PING_TIMEOUT_MS / 1000} s`),
    );
    this.#session.ping((error) => {
      if (error !== null) return;
      this.#cancelTimer();
      this.#pingLater();
    });
  }
}

/** A refused stream was not looked at; one without an id never left. */
function hasArrived(stream: http2.ClientHttp2Stream): boolean {
  return stream.id !== undefined && stream.rstCode !== NGHTTP2_REFUSED_STREAM;
}

/** An error is always followed by a close, which reports it. */
function waitForClose(): void {}
