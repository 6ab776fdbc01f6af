// Opens one connection to the API server: TCP, through an HTTP proxy when there is one, then TLS. Knows no HTTP beyond
// the proxy's CONNECT, and never reports success before the server has proved who it is.

import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import tls from 'node:tls';
import { type Clock, deadline } from '../base/clock.ts';
import { err, ok, type Result } from '../base/result.ts';
import { thrownMessage } from './thrown.ts';

export interface Dialer {
  dial(protocols: readonly string[]): Promise<Result<DialedSocket, string>>;
  /** Destroys every connection it ever opened, and opens no more. */
  close(): void;
}

/** `alpn` is what both sides agreed to speak; empty without TLS or without agreement. */
export type DialedSocket = { readonly socket: net.Socket; readonly alpn: string };

export type TlsMaterial = {
  /** Null for the roots of the system. */
  readonly ca: string | null;
  readonly certificate: { readonly certificate: string; readonly key: string } | null;
};

export type DialerOptions = {
  readonly server: URL;
  /** An http: URL. */
  readonly proxy: URL | null;
  readonly tlsServerName: string | null;
  readonly insecureSkipTlsVerify: boolean;
  /** Read for each connection, so that rotated files are picked up. */
  readonly tlsMaterial: () => Promise<Result<TlsMaterial, string>>;
  readonly clock: Clock;
};

export const CONNECT_TIMEOUT_MS = 15_000;

/** How long a quiet connection may be before TCP asks whether the peer is still there. */
const KEEP_ALIVE_MS = 15_000;

export function createDialer(options: DialerOptions): Dialer {
  const open = new Set<net.Socket>();
  let isClosed = false;
  return {
    async dial(protocols) {
      const dialed = await dial(options, protocols);
      if (dialed.kind === 'error') return dialed;
      const { socket } = dialed.value;
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      if (!isClosed) return dialed;
      socket.destroy();
      return err('the client was closed');
    },
    close() {
      isClosed = true;
      for (const socket of open) socket.destroy();
    },
  };
}

async function dial(
  options: DialerOptions,
  protocols: readonly string[],
): Promise<Result<DialedSocket, string>> {
  const material = await options.tlsMaterial();
  if (material.kind === 'error') return material;
  const limit = deadline(options.clock, CONNECT_TIMEOUT_MS);
  try {
    const path = await openPath(options, limit.signal);
    if (options.server.protocol === 'http:') return ok({ socket: path, alpn: '' });
    const socket = await secure(path, tlsOptions(options, material.value, protocols), limit.signal);
    return ok({ socket, alpn: socket.alpnProtocol || '' });
  } catch (error) {
    const cause = thrownMessage(limit.signal.aborted ? limit.signal.reason : error);
    return err(`cannot connect to ${options.server.host}: ${cause}`);
  } finally {
    limit.done();
  }
}

/** A connection whose other end is the server: straight, or the inside of a proxy's tunnel. */
async function openPath({ server, proxy }: DialerOptions, signal: AbortSignal): Promise<net.Socket> {
  if (proxy === null) return openTcp(server, signal);
  return tunnel(await openTcp(proxy, signal), { server, proxy }, signal);
}

async function openTcp(url: URL, signal: AbortSignal): Promise<net.Socket> {
  const socket = net.connect({
    host: hostOf(url),
    port: portOf(url),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_MS,
  });
  return whenReady(socket, 'connect', signal);
}

async function secure(
  socket: net.Socket,
  options: tls.ConnectionOptions,
  signal: AbortSignal,
): Promise<tls.TLSSocket> {
  return whenReady(tls.connect({ ...options, socket }), 'secureConnect', signal);
}

async function whenReady<S extends net.Socket>(socket: S, event: string, signal: AbortSignal): Promise<S> {
  // Between one owner and the next nobody listens; an error then shows when the socket is used.
  socket.on('error', ignore);
  try {
    await once(socket, event, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function tunnel(
  socket: net.Socket,
  { server, proxy }: { readonly server: URL; readonly proxy: URL },
  signal: AbortSignal,
): Promise<net.Socket> {
  const target = `${server.hostname}:${portOf(server)}`;
  const request = http.request({
    method: 'CONNECT',
    path: target,
    headers: { host: target, ...proxyAuthorization(proxy) },
    createConnection: () => socket,
    signal,
  });
  request.end();
  const status = await new Promise<number>((resolve, reject) => {
    request.once('connect', (response) => resolve(response.statusCode ?? 0));
    request.once('error', reject);
  });
  if (status === 200) return socket;
  socket.destroy();
  throw new Error(`the proxy ${proxy.host} answered ${status} to CONNECT`);
}

function proxyAuthorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

function tlsOptions(
  options: DialerOptions,
  material: TlsMaterial,
  protocols: readonly string[],
): tls.ConnectionOptions {
  const host = hostOf(options.server);
  return {
    host,
    ...serverNameOf(options.tlsServerName ?? host),
    ALPNProtocols: [...protocols],
    rejectUnauthorized: !options.insecureSkipTlsVerify,
    ...(material.ca === null ? {} : { ca: material.ca }),
    ...(material.certificate === null
      ? {}
      : { cert: material.certificate.certificate, key: material.certificate.key }),
  };
}

/** An address is not a name: SNI must not carry it. The certificate is then checked against `host`. */
function serverNameOf(name: string): { readonly servername?: string } {
  return net.isIP(name) === 0 ? { servername: name } : {};
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function ignore(): void {}
