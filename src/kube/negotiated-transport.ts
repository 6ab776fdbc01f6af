// Lets the first TLS handshake choose between HTTP/2 and HTTP/1.1, and uses that connection. Asks again only when a
// later handshake disagrees, as it may behind a load balancer.

import type { Cancel, Clock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import { err, ok, type Result } from '../base/result.ts';
import type { DialedSocket, Dialer } from './dial.ts';
import { createHttp1Transport } from './http1-transport.ts';
import { createHttp2Transport } from './http2-transport.ts';
import { Exchange, type Receiver, type Transport, type TransportRequest } from './transport.ts';

export type NegotiatedTransportOptions = {
  readonly server: URL;
  readonly dialer: Dialer;
  readonly clock: Clock;
  readonly random: Random;
};

export function createNegotiatedTransport(options: NegotiatedTransportOptions): Transport {
  return new NegotiatedTransport(options);
}

class NegotiatedTransport implements Transport {
  readonly #options: NegotiatedTransportOptions;
  #chosen: Transport | null = null;
  #choosing: Promise<Result<Transport, string>> | null = null;

  constructor(options: NegotiatedTransportOptions) {
    this.#options = options;
  }

  send(request: TransportRequest, receiver: Receiver): Cancel {
    if (this.#chosen !== null) return this.#chosen.send(request, receiver);
    const waiting = new Exchange(receiver);
    let cancel: Cancel = () => waiting.endSoon({ kind: 'cancelled', mayHaveArrived: false });
    const begin = (transport: Transport) => {
      cancel = transport.send(request, receiver);
    };
    void this.#beginWhenChosen(waiting, begin);
    return () => cancel();
  }

  renewConnections(): void {
    this.#chosen?.renewConnections();
  }

  async #beginWhenChosen(waiting: Exchange, begin: (transport: Transport) => void): Promise<void> {
    this.#choosing ??= this.#choose();
    const choice = await this.#choosing;
    if (waiting.isOver) return;
    if (choice.kind === 'ok') begin(choice.value);
    else waiting.end({ kind: 'lost', mayHaveArrived: false, message: choice.error });
  }

  async #choose(): Promise<Result<Transport, string>> {
    const first = await this.#options.dialer.dial(['h2', 'http/1.1']);
    this.#choosing = null;
    if (first.kind === 'error') return first;
    const transport =
      first.value.alpn === 'h2'
        ? createHttp2Transport({ ...this.#options, dial: reusing(first.value, () => this.#dialHttp2()) })
        : createHttp1Transport({
            ...this.#options,
            dial: reusing(first.value, () => this.#options.dialer.dial(['http/1.1'])),
          });
    this.#chosen = transport;
    return ok(transport);
  }

  async #dialHttp2(): Promise<Result<DialedSocket, string>> {
    const dialed = await this.#options.dialer.dial(['h2', 'http/1.1']);
    if (dialed.kind === 'error' || dialed.value.alpn === 'h2') return dialed;
    dialed.value.socket.destroy();
    this.#chosen = null;
    return err(`${this.#options.server.host} does not speak HTTP/2 any more`);
  }
}

/** The socket of the handshake first, new ones after. */
function reusing(
  first: DialedSocket,
  dial: () => Promise<Result<DialedSocket, string>>,
): () => Promise<Result<DialedSocket, string>> {
  let unused: DialedSocket | null = first;
  return () => {
    const socket = unused;
    unused = null;
    return socket === null ? dial() : Promise.resolve(ok(socket));
  };
}
