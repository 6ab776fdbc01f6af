// From a ClusterConnection to a working KubeApi, with the choice of protocol. Opens nothing until the first request.

import type { ClusterConnection } from './cluster-connection.ts';
import { type ConnectedKubeApi, connectOver, type ConnectOverOptions } from './connect-over.ts';
import type { Dialer } from './dial.ts';
import { createHttp1Transport } from './http1-transport.ts';
import { createNegotiatedTransport } from './negotiated-transport.ts';
import type { Transport } from './transport.ts';

export type { ConnectedKubeApi } from './connect-over.ts';

/** auto: HTTP/2 where the server agrees to it. http1 is the way around a middle box that breaks HTTP/2. */
export type Protocol = 'auto' | 'http1';

export type ConnectOptions = ConnectOverOptions & { readonly protocol: Protocol };

export function connectKubeApi(connection: ClusterConnection, options: ConnectOptions): ConnectedKubeApi {
  return connectOver(connection, options, (dialer) => transportOf(connection, dialer, options));
}

function transportOf(connection: ClusterConnection, dialer: Dialer, options: ConnectOptions): Transport {
  const server = new URL(connection.server);
  const { clock, random } = options;
  // Proxies are made for HTTP/1.1; one long tunnel for everything is what they cut first.
  const isHttp1 = options.protocol === 'http1' || server.protocol === 'http:' || connection.proxyUrl !== null;
  if (!isHttp1) return createNegotiatedTransport({ server, dialer, clock, random });
  return createHttp1Transport({ server, dial: () => dialer.dial(['http/1.1']), clock, random });
}
