// The echo that a worker on a good node runs for the workers on new ones: UDP and TCP on one port, only for those who know the
// word, a bounded number of them at a time. Sends back what it got, to where it came from, and nothing else.

import { createSocket } from 'node:dgram';
import { createServer, isIPv6, type Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { Endpoint } from '../world.ts';
import { echoHeadBytes, echoReply, isEchoRequest } from './echo-protocol.ts';

/** As many as an operator starts workers at once, twice over. */
const CONNECTIONS_MAX = 256;
const STREAM_BYTES_MAX = 65_536;
/** Longer than a worker takes, and too short to hold connections that others need. */
const CONNECTION_MS_MAX = 10_000;

export type EchoServer = { readonly port: number; close(): void };

export type EchoTerms = { readonly clock: Clock; readonly word: string };

export async function serveEcho(
  { address, port }: Endpoint,
  { clock, word }: EchoTerms,
): Promise<Result<EchoServer, string>> {
  const datagrams = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const streams = createServer({ allowHalfOpen: true }, (socket) => {
    const cancel = clock.after(CONNECTION_MS_MAX, () => socket.destroy());
    socket.once('close', cancel);
    echoStream(socket, word);
  });
  streams.maxConnections = CONNECTIONS_MAX;
  const close = () => {
    datagrams.close();
    streams.close();
  };
  try {
    await new Promise<void>((resolve, reject) => {
      streams.once('error', reject);
      streams.listen(port, address, resolve);
    });
    const bound = portOf(streams.address());
    await new Promise<void>((resolve, reject) => {
      datagrams.once('error', reject);
      datagrams.bind(bound, address, resolve);
    });
    datagrams.on('message', (packet, sender) => {
      const reply = echoReply(packet, word);
      if (reply !== null) datagrams.send(reply, sender.port, sender.address, () => {});
    });
    return ok({ port: bound, close });
  } catch (error) {
    close();
    return err(error instanceof Error ? error.message : String(error));
  }
}

function echoStream(socket: Socket, word: string): void {
  const chunks: Buffer[] = [];
  let length = 0;
  socket.on('error', () => socket.destroy());
  socket.on('end', () => socket.end());
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    // A stranger is not listened to for longer than it takes to tell.
    const isKnown = length < echoHeadBytes || isEchoRequest(headOf(chunks), word);
    if (!isKnown) return void socket.destroy();
    if (length < STREAM_BYTES_MAX) return;
    const reply = echoReply(Buffer.concat(chunks), word);
    if (reply === null || length > STREAM_BYTES_MAX) socket.destroy();
    else socket.end(reply);
  });
}

function headOf([first = Buffer.alloc(0), ...rest]: readonly Buffer[]): Buffer {
  return first.length >= echoHeadBytes ? first : Buffer.concat([first, ...rest]);
}

function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
