// The connection of a pod to its own cluster: service account files and two variables that every pod has.

import type { ClusterConnection } from './cluster-connection.ts';
import type { Environment, Files } from './host-ports.ts';

const DIRECTORY = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Null outside a pod. The files are only named here: the token and the authority rotate. */
export async function inClusterConnection(
  environment: Environment,
  files: Files,
): Promise<ClusterConnection | null> {
  const host = environment['KUBERNETES_SERVICE_HOST'];
  const port = environment['KUBERNETES_SERVICE_PORT'];
  if (!host || !port) return null;
  const namespace = await files.read(`${DIRECTORY}/namespace`);
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ca: { kind: 'file', path: `${DIRECTORY}/ca.crt` },
    insecureSkipTlsVerify: false,
    tlsServerName: null,
    proxyUrl: null,
    credentials: { certificate: null, token: { kind: 'tokenFile', path: `${DIRECTORY}/token` } },
    namespace: namespace.kind === 'ok' ? namespace.value.trim() : 'default',
  };
}
