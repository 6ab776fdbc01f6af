// From a ClusterConnection to a working KubeApi: credentials, sockets, the choice of protocol and the client, put
// together. Opens nothing until the first request.

import { err, ok, type Result } from '../base/result.ts';
import type { KubeApi } from '../runtime/ports.ts';
import { createAuthorizedTransport } from './authorized-transport.ts';
import type { ClusterConnection } from './cluster-connection.ts';
import { createCredentials } from './credentials.ts';
import { createDialer, type Dialer, type TlsMaterial } from './dial.ts';
import type { Files } from './host-ports.ts';
import { createHttp1Transport } from './http1-transport.ts';
import { createHttpKubeApi, type HttpKubeApiOptions } from './http-kube-api.ts';
import type { Credentials, CredentialWorld } from './identity.ts';
import { createNegotiatedTransport } from './negotiated-transport.ts';
import { readPem } from './pem.ts';
import type { Transport } from './transport.ts';

/** auto: HTTP/2 where the server agrees to it. http1 is the way around a middle box that breaks HTTP/2. */
export type Protocol = 'auto' | 'http1';

export type ConnectOptions = Omit<HttpKubeApiOptions, 'transport' | 'basePath'> &
  CredentialWorld & { readonly protocol: Protocol };

/** The client, and the way to end every connection it holds. */
export type ConnectedKubeApi = { readonly api: KubeApi; readonly close: () => void };

export function connectKubeApi(connection: ClusterConnection, options: ConnectOptions): ConnectedKubeApi {
  const server = new URL(connection.server);
  const credentials = createCredentials(connection.credentials, options);
  const dialer = createDialer({
    server,
    proxy: connection.proxyUrl === null ? null : new URL(connection.proxyUrl),
    tlsServerName: connection.tlsServerName,
    insecureSkipTlsVerify: connection.insecureSkipTlsVerify,
    tlsMaterial: () => tlsMaterialOf(connection, credentials, options.files),
    clock: options.clock,
  });
  const transport = createAuthorizedTransport(transportOf(connection, dialer, options), credentials);
  const basePath = server.pathname.replace(/\/+$/, '');
  return { api: createHttpKubeApi({ ...options, transport, basePath }), close: () => dialer.close() };
}

function transportOf(connection: ClusterConnection, dialer: Dialer, options: ConnectOptions): Transport {
  const server = new URL(connection.server);
  const { clock, random } = options;
  // Proxies are made for HTTP/1.1; one long tunnel for everything is what they cut first.
  const isHttp1 = options.protocol === 'http1' || server.protocol === 'http:' || connection.proxyUrl !== null;
  if (!isHttp1) return createNegotiatedTransport({ server, dialer, clock, random });
  return createHttp1Transport({ server, dial: () => dialer.dial(['http/1.1']), clock, random });
}

async function tlsMaterialOf(
  { server, ca }: ClusterConnection,
  credentials: Credentials,
  files: Files,
): Promise<Result<TlsMaterial, string>> {
  if (server.startsWith('http:')) return ok({ ca: null, certificate: null });
  const identity = await credentials.current();
  if (identity.kind === 'error') return identity;
  const authority = ca === null ? ok(null) : await readPem(ca, files);
  if (authority.kind === 'error') return err(`cannot read the certificate authority: ${authority.error}`);
  return ok({ ca: authority.value, certificate: identity.value.certificate });
}
