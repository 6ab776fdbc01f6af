// What the proxy says in the name of the API server, and how it hangs up.

import type { Http2ServerResponse } from 'node:http2';

export type Refusal = {
  readonly code: number;
  readonly reason: string;
  readonly retryAfterSeconds?: number | undefined;
};

export function refuse(response: Http2ServerResponse, refusal: Refusal): void {
  const { code, retryAfterSeconds } = refusal;
  response.writeHead(code, {
    'content-type': 'application/json',
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  });
  response.end(JSON.stringify(statusOf(refusal)));
}

export function statusOf({ code, reason }: Refusal): object {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'a fault',
    reason,
    code,
  };
}

/** The whole connection, as when the server dies. */
export function reset(response: Http2ServerResponse): void {
  response.stream?.session?.destroy();
  response.socket?.destroy();
}
