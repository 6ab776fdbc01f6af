// Datagrams to one address and what comes back from it: a connected socket hears nobody else, and learns when nothing listens.

import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import type { Endpoint, Probed } from '../world.ts';
import { type Settle, settle } from './settle.ts';
import { socketFailure } from './socket-failure.ts';

/** Sent again at this pace until the signal aborts: one lost datagram is no failure. */
const RESEND_MS = 1000;

export type Exchange<T> = {
  readonly target: Endpoint;
  readonly datagram: Buffer;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** What a datagram means; undefined: not for us, wait on. */
  readonly accept: (reply: Buffer) => T | undefined;
};

export function exchange<T>({ target, datagram, clock, signal, accept }: Exchange<T>): Probed<T> {
  const what = `UDP ${formatEndpoint(target)}`;
  return settle<T>(signal, what, (outcome) => {
    let cancel = () => {};
    const socket = openSocket(target, {
      onFailure: (error) => outcome.fail(socketFailure(error, what)),
      onDatagram: (reply) => deliver(reply, accept, outcome),
      onOpen() {
        const send = () => {
          socket.send(datagram, (error) => error && outcome.fail(socketFailure(error, what)));
          cancel = clock.after(RESEND_MS, send);
        };
        send();
      },
    });
    return () => {
      cancel();
      socket.close();
    };
  });
}

function deliver<T>(reply: Buffer, accept: (reply: Buffer) => T | undefined, { done }: Settle<T>): void {
  const value = accept(reply);
  if (value !== undefined) done(value);
}

export type SocketEvents = {
  readonly onOpen: () => void;
  readonly onDatagram: (reply: Buffer) => void;
  readonly onFailure: (error: Error) => void;
};

export function openSocket({ address, port }: Endpoint, events: SocketEvents): Socket {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  socket.on('error', events.onFailure);
  socket.on('message', events.onDatagram);
  socket.on('connect', events.onOpen);
  socket.connect(port, address);
  return socket;
}

export function formatEndpoint({ address, port }: Endpoint): string {
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}
