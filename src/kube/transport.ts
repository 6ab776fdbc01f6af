// One HTTP exchange with the API server, whatever protocol carries it. A transport never retries, never reads a body
// and never gives meaning to a status: that is for the layers above.

import type { Cancel } from '../base/clock.ts';

/** Connections are replaced now and then, so that load spreads over API servers and rotated certificates are used. */
export const CONNECTION_AGE_MS = 30 * 60_000;
export const CONNECTION_AGE_JITTER = 0.2;

export type TransportRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its query, from the slash on. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
};

export type ResponseHead = {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

export type StreamEnd =
  /** The server said all it had to say. */
  | { readonly kind: 'complete' }
  /** The connection failed or could not be had. `mayHaveArrived`: the server may be acting on the request. */
  | { readonly kind: 'lost'; readonly mayHaveArrived: boolean; readonly message: string }
  | { readonly kind: 'cancelled'; readonly mayHaveArrived: boolean }
  /** We could not say who we are, so nothing was sent. */
  | { readonly kind: 'noCredentials'; readonly message: string };

/** Hears of one exchange: the head at most once, then chunks, then exactly one end. Must not throw. */
export interface Receiver {
  head(head: ResponseHead): void;
  chunk(bytes: Buffer): void;
  ended(end: StreamEnd): void;
}

export interface Transport {
  /** The receiver is never called before this returns. After a cancel only `ended` follows. */
  send(request: TransportRequest, receiver: Receiver): Cancel;
  /** New requests go over new connections; those under way finish where they are. */
  renewConnections(): void;
}

/** Keeps the promises made to a Receiver, in whatever order sockets report what happened to them. */
export class Exchange {
  readonly #receiver: Receiver;
  #isOver = false;

  constructor(receiver: Receiver) {
    this.#receiver = receiver;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  head(head: ResponseHead): void {
    if (!this.#isOver) this.#receiver.head(head);
  }

  chunk(bytes: Buffer): void {
    if (!this.#isOver) this.#receiver.chunk(bytes);
  }

  end(end: StreamEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#receiver.ended(end);
  }

  /** Silences the receiver at once and tells it so a moment later: nobody is called back from within a cancel. */
  endSoon(end: StreamEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    queueMicrotask(() => this.#receiver.ended(end));
  }
}
