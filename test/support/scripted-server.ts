// A server on loopback that answers as a test tells it to, over TLS with HTTP/2, HTTP/1.1 or both, or in plain HTTP/1.1.
// Speaks no Kubernetes: what it says is the test's.
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import net from 'node:net';
import { buffer } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';
import { type Authority, createAuthority, issue } from '../control-plane/certificates.ts';

export type Protocols = 'h2' | 'h2-and-http1' | 'http1' | 'plain';

export type SeenRequest = {
  readonly method: string;
  readonly path: string;
  readonly version: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** Who the client is by its certificate; undefined without one. */
  readonly clientName: string | undefined;
};

/** Both protocols answer alike; the stream is there with HTTP/2 alone. */
export type ScriptedResponse = http.ServerResponse & { readonly stream?: http2.ServerHttp2Stream };
export type Script = (request: SeenRequest, response: ScriptedResponse) => void;

export type ScriptedServer = {
  readonly url: string;
  readonly port: number;
  /** Signs the serving certificate, and client certificates for those who ask it to. */
  readonly authority: Authority;
  readonly requests: readonly SeenRequest[];
  /** Open HTTP/2 connections. */
  readonly sessions: ReadonlySet<http2.ServerHttp2Session>;
  /** Connections accepted so far. */
  readonly connections: () => number;
  readonly close: () => Promise<void>;
};

export type ScriptedServerOptions = { readonly protocols: Protocols; readonly streamsMax?: number };

export async function startScriptedServer(
  options: ScriptedServerOptions,
  script: Script,
): Promise<ScriptedServer> {
  const authority = createAuthority('scripted-authority');
  const requests: SeenRequest[] = [];
  const sessions = new Set<http2.ServerHttp2Session>();
  const sockets = new Set<net.Socket>();
  let connections = 0;

  const server = createServer(options, authority);
  server.on('connection', (socket: net.Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', ignore).once('close', () => sockets.delete(socket));
  });
  server.on('session', (session: http2.ServerHttp2Session) => {
    sessions.add(session);
    session.on('error', ignore).once('close', () => sessions.delete(session));
  });
  server.on('sessionError', ignore);
  server.on('request', (request: http.IncomingMessage, response: ScriptedResponse) => {
    response.on('error', ignore);
    void seen(request).then((request) => {
      requests.push(request);
      return script(request, response);
    }, ignore);
  });
  const port = await listen(server);
  const scheme = options.protocols === 'plain' ? 'http' : 'https';
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    port,
    authority,
    requests,
    sessions,
    connections: () => connections,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

export type Relay = {
  readonly port: number;
  /** Falls silent without closing anything: a half-open connection. */
  readonly freeze: () => void;
  /** Breaks every connection that passes through. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;
};

/** Stands between client and server, as a network does. */
export async function startRelay(targetPort: number): Promise<Relay> {
  const sockets = new Set<net.Socket>();
  const relay = net.createServer((near) => {
    const far = net.connect(targetPort, '127.0.0.1');
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) sockets.add(socket.setNoDelay().on('error', ignore));
    far.once('close', () => near.destroy());
  });
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const port = await listen(relay);
  return {
    port,
    freeze() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    cut,
    async close() {
      const closed = once(relay, 'close');
      relay.close();
      cut();
      await closed;
    },
  };
}

async function listen(server: net.Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}

function createServer(
  { protocols, streamsMax = 100 }: ScriptedServerOptions,
  authority: Authority,
): net.Server {
  if (protocols === 'plain') return http.createServer();
  const pair = issue(authority, {
    kind: 'serving',
    commonName: 'scripted',
    hosts: ['127.0.0.1', 'scripted.test'],
  });
  const tls = {
    cert: pair.certificate,
    key: pair.key,
    ca: authority.certificate,
    requestCert: true,
    rejectUnauthorized: false,
  };
  if (protocols === 'http1') return https.createServer(tls);
  return http2.createSecureServer({
    ...tls,
    allowHTTP1: protocols === 'h2-and-http1',
    settings: { maxConcurrentStreams: streamsMax },
  });
}

async function seen(request: http.IncomingMessage): Promise<SeenRequest> {
  const { method = '', url = '', httpVersion, headers } = request;
  const body = await buffer(request);
  return {
    method,
    path: url,
    version: httpVersion,
    headers,
    body: body.toString(),
    clientName: clientOf(request),
  };
}

function clientOf({ socket }: http.IncomingMessage): string | undefined {
  const name = socket instanceof TLSSocket ? socket.getPeerCertificate().subject?.CN : undefined;
  return typeof name === 'string' ? name : undefined;
}

function ignore(): void {}
