// An API server on loopback as far as a worker sees it: /readyz, /version and SelfSubjectReview over TLS, healthy or ill as told.

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority, issue, type KeyPair, type Validity } from '../control-plane/certificates.ts';

export type StubApiOptions = {
  readonly readyz?: number;
  readonly review?: number;
  readonly reviewBody?: string;
  readonly user?: string;
  /** By how much its clock is ahead of ours; null: it sends no date. */
  readonly aheadMs?: number | null;
  readonly certificate?:
    | 'good'
    | 'expired'
    | 'too-early'
    | 'of-an-expired-authority'
    | 'of-a-stranger'
    | 'of-another-host';
  readonly body?: 'whole' | 'cut' | 'endless' | 'not-http';
  /** Accepts, and then says nothing: not even TLS, or no HTTP. */
  readonly silent?: 'tls' | 'http';
};

export type StubApi = {
  readonly address: string;
  readonly port: number;
  readonly authorityFile: string;
  readonly tokenFile: string;
  /** What was asked for, as `GET /readyz`. */
  readonly asked: readonly string[];
  /** What the Authorization headers said. */
  readonly tokens: ReadonlySet<string>;
  close(): void;
};

export const workerUser = 'system:serviceaccount:muster-system:worker';
const dayMs = 86_400_000;

export async function startStubApi(options: StubApiOptions = {}): Promise<StubApi> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-stub-api-'));
  const isSpent = options.certificate === 'of-an-expired-authority';
  const authority = createAuthority('stub-authority', isSpent ? yesterday() : undefined);
  const [authorityFile, tokenFile] = [join(folder, 'ca.crt'), join(folder, 'token')];
  writeFileSync(authorityFile, authority.certificate);
  writeFileSync(tokenFile, 'a.short-lived.token\n');
  const asked: string[] = [];
  const tokens = new Set<string>();
  const sockets = new Set<Socket>();
  const server =
    options.silent === 'tls'
      ? createServer()
      : tlsServer(serving(authority, options), options, { asked, tokens });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(folder, { recursive: true });
  };
  return { address: '127.0.0.1', port, authorityFile, tokenFile, asked, tokens, close };
}

function serving(own: ReturnType<typeof createAuthority>, { certificate = 'good' }: StubApiOptions): KeyPair {
  const now = Date.now();
  const validities: Record<string, Validity> = {
    expired: yesterday(),
    'too-early': { from: new Date(now + dayMs), to: new Date(now + 2 * dayMs) },
  };
  const authority = certificate === 'of-a-stranger' ? createAuthority('stranger') : own;
  const host = certificate === 'of-another-host' ? '192.0.2.1' : '127.0.0.1';
  return issue(authority, { kind: 'serving', commonName: 'stub', hosts: [host] }, validities[certificate]);
}

function yesterday(): Validity {
  const now = Date.now();
  return { from: new Date(now - 2 * dayMs), to: new Date(now - dayMs) };
}

type Heard = { readonly asked: string[]; readonly tokens: Set<string> };

function tlsServer({ certificate, key }: KeyPair, options: StubApiOptions, heard: Heard): Server {
  return createTlsServer({ cert: certificate, key }, (request, response) => {
    heard.asked.push(`${request.method} ${request.url}`);
    heard.tokens.add(request.headers.authorization ?? '');
    request.resume();
    if (options.silent === 'http') return;
    response.sendDate = false;
    const { aheadMs = 0 } = options;
    if (aheadMs !== null) response.setHeader('date', new Date(Date.now() + aheadMs).toUTCString());
    const isReview = request.method === 'POST';
    const status = (isReview ? options.review : options.readyz) ?? (isReview ? 201 : 200);
    if (status >= 300 && status < 400) response.setHeader('location', 'https://127.0.0.1:1/');
    answer(response, { status, text: isReview ? reviewText(options) : 'ok', body: options.body ?? 'whole' });
  });
}

function reviewText({ reviewBody, user = workerUser }: StubApiOptions): string {
  return (
    reviewBody ?? JSON.stringify({ kind: 'SelfSubjectReview', status: { userInfo: { username: user } } })
  );
}

type Answer = {
  readonly status: number;
  readonly text: string;
  readonly body: NonNullable<StubApiOptions['body']>;
};

function answer(response: ServerResponse, { status, text, body }: Answer): void {
  if (body === 'not-http') {
    response.socket?.end('220 smtp ready\r\n\r\n');
    return;
  }
  if (body === 'cut') response.setHeader('content-length', text.length + 100);
  response.writeHead(status);
  if (body === 'whole') response.end(text);
  else if (body === 'cut') response.write(text, () => response.socket?.destroy());
  else response.end('x'.repeat(200_000));
}
