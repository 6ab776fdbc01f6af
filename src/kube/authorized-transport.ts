// Puts our identity on every request. When the server answers 401 the identity is read again and, if it is another one,
// the request is sent once more: a 401 proves that nothing was done. Never sends a third time.

import type { Cancel } from '../base/clock.ts';
import { type Credentials, type Identity, isSameIdentity, isSamePair } from './identity.ts';
import {
  Exchange,
  type Receiver,
  type ResponseHead,
  type Transport,
  type TransportRequest,
} from './transport.ts';

export function createAuthorizedTransport(inner: Transport, credentials: Credentials): Transport {
  let shown: Identity | null = null;
  return {
    send(request, receiver) {
      const attempts = new Attempts(new Exchange(receiver), credentials, (identity, heard) => {
        // A certificate is shown when a connection is made, so a new one needs new connections.
        if (shown !== null && !isSamePair(identity.certificate, shown.certificate)) inner.renewConnections();
        shown = identity;
        return inner.send(withAuthorization(request, identity), heard);
      });
      void attempts.first();
      return () => attempts.cancel();
    },
    renewConnections: () => inner.renewConnections(),
  };
}

type SendAs = (identity: Identity, receiver: Receiver) => Cancel;
type Refusal = {
  readonly identity: Identity;
  readonly head: ResponseHead;
  readonly chunks: readonly Buffer[];
};

/** One request, sent once or twice. */
class Attempts {
  readonly #exchange: Exchange;
  readonly #credentials: Credentials;
  readonly #sendAs: SendAs;
  #cancelSent: Cancel | null = null;

  constructor(exchange: Exchange, credentials: Credentials, sendAs: SendAs) {
    this.#exchange = exchange;
    this.#credentials = credentials;
    this.#sendAs = sendAs;
  }

  async first(): Promise<void> {
    const identity = await this.#identity();
    if (identity !== null) this.#cancelSent = this.#sendAs(identity, this.#holdingBackRefusal(identity));
  }

  cancel(): void {
    // What is on its way reports its own end, and knows whether it may have arrived.
    if (this.#cancelSent === null) this.#exchange.endSoon({ kind: 'cancelled', mayHaveArrived: false });
    else this.#cancelSent();
  }

  async #second(refusal: Refusal): Promise<void> {
    this.#cancelSent = null;
    this.#credentials.refused(refusal.identity);
    const identity = await this.#identity();
    if (identity === null) return;
    if (isSameIdentity(identity, refusal.identity)) this.#report(refusal);
    else this.#cancelSent = this.#sendAs(identity, passingOn(this.#exchange));
  }

  async #identity(): Promise<Identity | null> {
    const identity = await this.#credentials.current();
    if (this.#exchange.isOver) return null;
    if (identity.kind === 'ok') return identity.value;
    this.#exchange.end({ kind: 'noCredentials', message: identity.error });
    return null;
  }

  #holdingBackRefusal(identity: Identity): Receiver {
    let head: ResponseHead | null = null;
    const chunks: Buffer[] = [];
    return {
      head: (received) => {
        if (received.status === 401) head = received;
        else this.#exchange.head(received);
      },
      chunk: (bytes) => {
        if (head === null) this.#exchange.chunk(bytes);
        else chunks.push(bytes);
      },
      ended: (end) => {
        if (head === null || end.kind === 'cancelled') this.#exchange.end(end);
        else void this.#second({ identity, head, chunks });
      },
    };
  }

  #report({ head, chunks }: Refusal): void {
    this.#exchange.head(head);
    for (const bytes of chunks) this.#exchange.chunk(bytes);
    this.#exchange.end({ kind: 'complete' });
  }
}

function passingOn(exchange: Exchange): Receiver {
  return {
    head: (head) => exchange.head(head),
    chunk: (bytes) => exchange.chunk(bytes),
    ended: (end) => exchange.end(end),
  };
}

function withAuthorization(request: TransportRequest, { authorization }: Identity): TransportRequest {
  return authorization === null ? request : { ...request, headers: { ...request.headers, authorization } };
}
