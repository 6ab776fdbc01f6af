// An echo server on a free port of loopback.

import { type EchoServer, type EchoTerms, serveEcho } from '../../src/checks/probes/echo-server.ts';

/** A port that is free for streams may be taken for datagrams by whoever runs beside us: then another one. */
export async function startEcho(terms: EchoTerms, tries = 20): Promise<EchoServer> {
  const started = await serveEcho({ address: '127.0.0.1', port: 0 }, terms);
  if (started.kind === 'ok') return started.value;
  if (tries === 1 || !started.error.includes('EADDRINUSE')) throw new Error(started.error);
  return startEcho(terms, tries - 1);
}
