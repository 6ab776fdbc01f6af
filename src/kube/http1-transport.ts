// HTTP/1.1 over kept-alive connections, one request at a time on each: for servers and proxies that do not speak
// HTTP/2, and for plain http://. A dead peer is found by TCP keep-alive and by the callers' timeouts.

import http from 'node:http';
import type { Duplex } from 'node:stream';
import type { Cancel, Clock } from '../base/clock.ts';
import { jittered, type Random } from '../base/random.ts';
import type { Result } from '../base/result.ts';
import type { DialedSocket } from './dial.ts';
import {
  CONNECTION_AGE_JITTER,
  CONNECTION_AGE_MS,
  Exchange,
  type Receiver,
  type StreamEnd,
  type Transport,
  type TransportRequest,
} from './transport.ts';

export type Http1TransportOptions = {
  readonly server: URL;
  readonly dial: () => Promise<Result<DialedSocket, string>>;
  readonly clock: Clock;
  readonly random: Random;
};

const IDLE_CONNECTIONS_MAX = 32;

export function createHttp1Transport(options: Http1TransportOptions): Transport {
  return new Http1Transport(options);
}

class Http1Transport implements Transport {
  readonly #options: Http1TransportOptions;
  #agent: DialingAgent | null = null;
  #retireAtMs = 0;

  constructor(options: Http1TransportOptions) {
    this.#options = options;
  }

  send(request: TransportRequest, receiver: Receiver): Cancel {
    const exchange = new Exchange(receiver);
    const outgoing = http.request({
      agent: this.#currentAgent(),
      method: request.method,
      path: request.path,
      headers: { ...request.headers, host: this.#options.server.host },
    });
    outgoing.on('response', (response) => relay(response, exchange));
    outgoing.on('error', (error) => exchange.end(lost(error)));
    outgoing.end(request.body);
    return () => {
      exchange.endSoon({ kind: 'cancelled', mayHaveArrived: outgoing.socket !== null });
      outgoing.destroy();
    };
  }

  renewConnections(): void {
    this.#agent?.retire();
    this.#agent = null;
  }

  #currentAgent(): DialingAgent {
    const { clock, random, dial } = this.#options;
    if (clock.monotonicMs() >= this.#retireAtMs) this.renewConnections();
    if (this.#agent !== null) return this.#agent;
    this.#retireAtMs = clock.monotonicMs() + jittered(random, CONNECTION_AGE_MS, CONNECTION_AGE_JITTER);
    this.#agent = new DialingAgent(dial);
    return this.#agent;
  }
}

function relay(response: http.IncomingMessage, exchange: Exchange): void {
  exchange.head({ status: response.statusCode ?? 0, headers: response.headers });
  response.on('data', (bytes: Buffer) => exchange.chunk(bytes));
  response.on('error', (error) => exchange.end(lost(error)));
  response.on('end', () => exchange.end(response.complete ? { kind: 'complete' } : cutOff));
  response.on('close', () => exchange.end(cutOff));
}

const cutOff: StreamEnd = {
  kind: 'lost',
  mayHaveArrived: true,
  message: 'the connection was closed in the middle of the answer',
};

function lost(error: Error): StreamEnd {
  return { kind: 'lost', mayHaveArrived: !(error instanceof NotConnected), message: error.message };
}

/** No connection could be had, so the request went nowhere. */
class NotConnected extends Error {
  override readonly name = 'NotConnected';
}

type ConnectionDone = (error: Error | null, socket?: Duplex) => void;

/** Node's pool of idle connections, over sockets that we open. */
class DialingAgent extends http.Agent {
  readonly #dial: Http1TransportOptions['dial'];

  constructor(dial: Http1TransportOptions['dial']) {
    super({ keepAlive: true, maxFreeSockets: IDLE_CONNECTIONS_MAX });
    this.#dial = dial;
  }

  override createConnection(_options: http.ClientRequestArgs, done: ConnectionDone): undefined {
    void this.#connect(done);
  }

  async #connect(done: ConnectionDone): Promise<void> {
    const dialed = await this.#dial();
    if (dialed.kind === 'ok') done(null, dialed.value.socket);
    else done(new NotConnected(dialed.error));
  }

  /** Idle connections are closed now, busy ones when their request is over. */
  retire(): void {
    this.maxFreeSockets = 0;
    for (const sockets of Object.values(this.freeSockets))
      for (const socket of sockets ?? []) socket.destroy();
  }
}
