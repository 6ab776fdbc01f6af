// TCP to one address: a connection that opens, or bytes there and bytes back. Always closed by the end of the wait.

import { connect, type Socket } from 'node:net';
import { fail } from '../outcome.ts';
import type { Endpoint, Probed } from '../world.ts';
import { formatEndpoint } from './datagrams.ts';
import { type Settle, settle } from './settle.ts';
import { socketFailure } from './socket-failure.ts';

export function openAndClose(target: Endpoint, signal: AbortSignal): Probed<void> {
  return withSocket<void>(target, signal, (_socket, { done }) => done());
}

export type Talk<T> = {
  readonly target: Endpoint;
  readonly request: Buffer;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
  /** What it means that came so far; undefined: not enough yet. */
  readonly accept: (received: Buffer) => T | undefined;
};

export function talk<T>({ target, request, bytesMax, signal, accept }: Talk<T>): Probed<T> {
  const what = `TCP ${formatEndpoint(target)}`;
  return withSocket<T>(target, signal, (socket, outcome) => {
    const chunks: Buffer[] = [];
    let length = 0;
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      const value = accept(Buffer.concat(chunks));
      if (value !== undefined) outcome.done(value);
      else if (length > bytesMax) outcome.fail(fail('BadAnswer', `${what}: more than ${bytesMax} bytes`));
    });
    socket.on('end', () => outcome.fail(fail('Reset', `${what}: closed before the answer was complete`)));
    socket.write(request);
  });
}

function withSocket<T>(
  { address, port }: Endpoint,
  signal: AbortSignal,
  onOpen: (socket: Socket, outcome: Settle<T>) => void,
): Probed<T> {
  const what = `TCP ${formatEndpoint({ address, port })}`;
  return settle<T>(signal, what, (outcome) => {
    const socket = connect({ host: address, port });
    socket.on('error', (error) => outcome.fail(socketFailure(error, what)));
    socket.on('connect', () => onOpen(socket, outcome));
    return () => socket.destroy();
  });
}
