// Stands between an operator and a real API server, ends TLS on both sides and strikes by the same rules as the simulator:
// what is found in simulation must hold in reality. Loopback only; decides nothing, the rules do.

import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { RuleBook } from '../../../src/sim/faults/rule-book.ts';
import type { FaultRule } from '../../../src/sim/faults/rule.ts';
import { createAuthority, issue } from '../../control-plane/certificates.ts';
import { ProxiedCall } from './proxied-call.ts';
import { type Spoken, spokenIn } from './spoken.ts';

/** What faults do to the process behind the proxy, and to objects. */
export type Victim = {
  /** `a#1`: the first life of the operator. */
  instance(): string;
  crash(restartAfterMs: number): void;
  pause(ms: number): void;
  touch(path: string): Promise<void>;
};

export type FaultProxyOptions = {
  readonly upstream: string;
  readonly upstreamCa: string;
  readonly rules: readonly FaultRule[];
  readonly victim: Victim;
};

export type Heard = { readonly resource: string; readonly name: string };

export type FaultProxy = {
  readonly url: string;
  readonly ca: string;
  readonly calls: readonly Spoken[];
  readonly heard: readonly Heard[];
  /** Rules that struck, in order. */
  readonly strikes: readonly FaultRule[];
  close(): Promise<void>;
};

export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const authority = createAuthority('fault-proxy');
  const serving = issue(authority, { kind: 'serving', commonName: 'localhost', hosts: ['127.0.0.1'] });
  const strikes: FaultRule[] = [];
  const calls: Spoken[] = [];
  const heard: Heard[] = [];
  const parts: ProxyParts = {
    ...options,
    book: new RuleBook(options.rules, (rule) => strikes.push(rule)),
    agent: new https.Agent({ keepAlive: true, ca: options.upstreamCa }),
    /** Resources of which the next watch that goes on from somewhere is answered with 410. */
    expiring: new Set(),
    heard: (event) => heard.push(event),
  };
  const pass = async (request: Http2ServerRequest, response: Http2ServerResponse) => {
    const body = await bodyOf(request);
    if (body === null) return;
    const spoken = spokenIn(request.method, request.url, body.toString());
    if (spoken !== null) calls.push(spoken);
    await new ProxiedCall(parts, { request, response, body, spoken }).answer();
  };
  const server = createSecureServer(
    { cert: serving.certificate, key: serving.key, allowHTTP1: true },
    (request, response) => void pass(request, response),
  );
  const sockets = socketsOf(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca: authority.certificate,
    calls,
    heard,
    strikes,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
        parts.agent.destroy();
      }),
  };
}

export type ProxyParts = FaultProxyOptions & {
  readonly book: RuleBook;
  readonly agent: https.Agent;
  readonly expiring: Set<string>;
  readonly heard: (event: Heard) => void;
};

/** Null when who asked went away before all was said. */
async function bodyOf(request: Http2ServerRequest): Promise<Buffer | null> {
  try {
    return await buffer(request);
  } catch {
    return null;
  }
}

function socketsOf(server: Http2SecureServer): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('sessionError', () => undefined);
  return sockets;
}
