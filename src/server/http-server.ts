// A small HTTP server for probes and metrics: GET on fixed paths, nothing read from a request but its path.

import { createServer, type ServerResponse } from 'node:http';
import { err, ok, type Result } from '../base/result.ts';

export type Page = { readonly status: number; readonly contentType: string; readonly text: string };

export type Routes = Readonly<Record<string, () => Page | Promise<Page>>>;

export type BindAddress = { readonly host: string; readonly port: number };

export type RunningServer = { readonly port: number; close(): Promise<void> };

const HEADERS_TIMEOUT_MS = 10_000;

/** An error is the reason why the address cannot be listened on. */
export function serve(address: BindAddress, routes: Routes): Promise<Result<RunningServer, string>> {
  const server = createServer(
    { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: HEADERS_TIMEOUT_MS },
    (request, response) => {
      const path = (request.url ?? '').split('?')[0] ?? '';
      const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
      if (route === undefined) return reply(response, textPage(404, 'not found'));
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return reply(response, textPage(405, 'only GET'));
      Promise.resolve()
        .then(route)
        .then((page) => reply(response, page))
        .catch((error: unknown) => reply(response, textPage(500, String(error))));
    },
  );
  return new Promise((resolve) => {
    server.once('error', (error) =>
      resolve(err(`cannot listen on ${formatAddress(address)}: ${error.message}`)),
    );
    server.listen(address.port, address.host === '' ? undefined : address.host, () => {
      const bound = server.address();
      const port = typeof bound === 'object' && bound !== null ? bound.port : address.port;
      resolve(
        ok({
          port,
          close: () => new Promise((done) => (server.close(() => done()), server.closeAllConnections())),
        }),
      );
    });
  });
}

export function textPage(status: number, text: string): Page {
  return { status, contentType: 'text/plain; charset=utf-8', text: `${text}\n` };
}

export function formatAddress({ host, port }: BindAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function reply(response: ServerResponse, { status, contentType, text }: Page): void {
  response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text);
}
