// One ClusterConnection and one way to speak, put together into a working KubeApi: credentials, sockets and the client. Knows no
// protocol of its own, so that who needs one does not load the other. Opens nothing until the first request.

import { err, ok, type Result } from '../base/result.ts';
import type { KubeApi } from '../runtime/ports.ts';
import { createAuthorizedTransport } from './authorized-transport.ts';
import type { ClusterConnection } from './cluster-connection.ts';
import { createCredentials } from './credentials.ts';
import { createDialer, type Dialer, type TlsMaterial } from './dial.ts';
import type { Files } from './host-ports.ts';
import { createHttpKubeApi, type HttpKubeApiOptions } from './http-kube-api.ts';
import type { Credentials, CredentialWorld } from './identity.ts';
import { readPem } from './pem.ts';
import type { Transport } from './transport.ts';

export type ConnectOverOptions = Omit<HttpKubeApiOptions, 'transport' | 'basePath' | 'host'> &
  CredentialWorld;

/** The client, and the way to end every connection it holds. */
export type ConnectedKubeApi = { readonly api: KubeApi; readonly close: () => void };

export function connectOver(
  connection: ClusterConnection,
  options: ConnectOverOptions,
  transportOver: (dialer: Dialer) => Transport,
): ConnectedKubeApi {
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
  const transport = createAuthorizedTransport(transportOver(dialer), credentials);
  const basePath = server.pathname.replace(/\/+$/, '');
  const host = hostOf(server);
  return { api: createHttpKubeApi({ ...options, transport, basePath, host }), close: () => dialer.close() };
}

/** With the port also where it is the usual one, as clients in Go name it. */
function hostOf({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'http:' ? 80 : 443)}`;
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
