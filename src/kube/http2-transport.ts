// HTTP/2 over as few connections as the server's stream limit allows, usually one. A connection that was told to go
// away, grew old or is full takes no new requests; what runs on it, watches above all, is left alone.

import type { Cancel, Clock } from '../base/clock.ts';
import { jittered, type Random } from '../base/random.ts';
import { ok, type Result } from '../base/result.ts';
import type { DialedSocket } from './dial.ts';
import { Http2Session } from './http2-session.ts';
import { thrownMessage } from './thrown.ts';
import {
  CONNECTION_AGE_JITTER,
  CONNECTION_AGE_MS,
  Exchange,
  type Receiver,
  type Transport,
  type TransportRequest,
} from './transport.ts';

export type Http2TransportOptions = {
  readonly server: URL;
  /** A socket on which HTTP/2 was agreed. */
  readonly dial: () => Promise<Result<DialedSocket, string>>;
  readonly clock: Clock;
  readonly random: Random;
};

export function createHttp2Transport(options: Http2TransportOptions): Transport {
  return new Http2Transport(options);
}

class Http2Transport implements Transport {
  readonly #options: Http2TransportOptions;
  /** Each with the time from which it takes no new requests. */
  readonly #sessions = new Map<Http2Session, number>();
  #opening: Promise<Result<null, string>> | null = null;

  constructor(options: Http2TransportOptions) {
    this.#options = options;
  }

  send(request: TransportRequest, receiver: Receiver): Cancel {
    const exchange = new Exchange(receiver);
    let cancel: Cancel = () => exchange.endSoon({ kind: 'cancelled', mayHaveArrived: false });
    const begin = (session: Http2Session) => {
      cancel = start(session, request, exchange);
    };
    const session = this.#sessionWithRoom();
    if (session === null) void this.#beginWhenConnected(exchange, begin);
    else begin(session);
    return () => cancel();
  }

  renewConnections(): void {
    for (const session of this.#sessions.keys()) session.retire();
  }

  #sessionWithRoom(): Http2Session | null {
    const nowMs = this.#options.clock.monotonicMs();
    for (const [session, retireAtMs] of this.#sessions) {
      if (nowMs >= retireAtMs) session.retire();
      else if (session.hasRoom()) return session;
    }
    return null;
  }

  async #beginWhenConnected(exchange: Exchange, begin: (session: Http2Session) => void): Promise<void> {
    while (!exchange.isOver) {
      const session = this.#sessionWithRoom();
      // In the same turn as the look: who waits beside us must see the room we take.
      if (session !== null) return begin(session);
      this.#opening ??= this.#open();
      const opened = await this.#opening;
      if (opened.kind === 'error') {
        exchange.end({ kind: 'lost', mayHaveArrived: false, message: opened.error });
      }
    }
  }

  async #open(): Promise<Result<null, string>> {
    const { dial, server, clock, random } = this.#options;
    const dialed = await dial();
    this.#opening = null;
    if (dialed.kind === 'error') return dialed;
    const session = new Http2Session(dialed.value, {
      origin: server.origin,
      clock,
      closed: (gone) => this.#sessions.delete(gone),
    });
    const ageMs = jittered(random, CONNECTION_AGE_MS, CONNECTION_AGE_JITTER);
    this.#sessions.set(session, clock.monotonicMs() + ageMs);
    return ok(null);
  }
}

function start(session: Http2Session, request: TransportRequest, exchange: Exchange): Cancel {
  try {
    return session.send(request, exchange);
  } catch (error) {
    exchange.endSoon({ kind: 'lost', mayHaveArrived: false, message: thrownMessage(error) });
    return () => {};
  }
}
