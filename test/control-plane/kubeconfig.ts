// Writes kubeconfig files. They carry their certificates inside, so that a copy works anywhere on this machine.

import { writeFile } from 'node:fs/promises';
import type { KeyPair } from './certificates.ts';

export type Cluster = { readonly url: string; readonly caCertificate: string };

export type Credential =
  | { readonly kind: 'certificate'; readonly pair: KeyPair }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'token-file'; readonly path: string };

export async function writeKubeconfig(path: string, cluster: Cluster, credential: Credential): Promise<void> {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'muster-test',
        cluster: { server: cluster.url, 'certificate-authority-data': base64(cluster.caCertificate) },
      },
    ],
    users: [{ name: 'user', user: userOf(credential) }],
    contexts: [{ name: 'muster-test', context: { cluster: 'muster-test', user: 'user' } }],
    'current-context': 'muster-test',
  };
  // JSON is YAML too, and every reader of kubeconfig files takes it.
  await writeFile(path, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
}

function userOf(credential: Credential): Readonly<Record<string, string>> {
  if (credential.kind === 'token') return { token: credential.token };
  if (credential.kind === 'token-file') return { tokenFile: credential.path };
  const { certificate, key } = credential.pair;
  return { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
