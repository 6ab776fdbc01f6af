// The echo that a worker on a good node runs for the workers on new ones: UDP and TCP on one port, only for those who know the
// word, a bounded number of them at a time.

import { createSocket } from 'node:dgram';
import { createServer, isIPv6, type Socket } from 'node:net';
import { err, ok, type Result } from '../../base/result.ts';
import type { Endpoint } from '../world.ts';
import { echoReply } from './echo-protocol.ts';

const CONNECTIONS_MAX = 64;
const STREAM_BYTES_MAX = 65_536;
const IDLE_MS_MAX = 10_000;

export type EchoServer = { readonly port: number; close(): void };

export async function serveEcho(
  { address, port }: Endpoint,
  word: string,
): Promise<Result<EchoServer, string>> {
  const datagrams = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const streams = createServer({ allowHalfOpen: true }, (socket) => echoStream(socket, word));
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
  socket.setTimeout(IDLE_MS_MAX, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('end', () => socket.end());
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length < STREAM_BYTES_MAX) return;
    const reply = echoReply(Buffer.concat(chunks), word);
    if (reply === null || length > STREAM_BYTES_MAX) socket.destroy();
    else socket.end(reply);
  });
}

function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
