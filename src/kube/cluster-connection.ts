// How to reach one cluster and as whom: what a kubeconfig or a pod's service account comes down to. Plain data, no I/O;
// files are named here and read when a connection is made, because they rotate.

import type { Pem } from './pem.ts';

export type ClientCertificate = { readonly certificate: Pem; readonly key: Pem };

export type ExecPlugin = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly apiVersion: ExecApiVersion;
  readonly interactiveMode: ExecInteractiveMode;
  /** What to tell people when the command is not there. */
  readonly installHint: string;
  /** What the command is told about the cluster; null when it did not ask for it. */
  readonly cluster: PluginCluster | null;
};

export type PluginCluster = ClusterAddress & {
  /** For the command alone: passed on as it stands in the kubeconfig. */
  readonly config: unknown;
};

export const execApiVersions = [
  'client.authentication.k8s.io/v1',
  'client.authentication.k8s.io/v1beta1',
] as const;
export type ExecApiVersion = (typeof execApiVersions)[number];

export const execInteractiveModes = ['Never', 'IfAvailable', 'Always'] as const;
export type ExecInteractiveMode = (typeof execInteractiveModes)[number];

export type TokenSource =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'tokenFile'; readonly path: string }
  /** May bring a client certificate instead of a token, or both. */
  | { readonly kind: 'exec'; readonly plugin: ExecPlugin };

export type CredentialSource = {
  readonly certificate: ClientCertificate | null;
  readonly token: TokenSource;
};

export type ClusterAddress = {
  /** May have a path, which then precedes every other. */
  readonly server: string;
  /** Null for the roots of the system. */
  readonly ca: Pem | null;
  readonly insecureSkipTlsVerify: boolean;
  /** The name that the server's certificate is checked against; null for the host of the server. */
  readonly tlsServerName: string | null;
  readonly proxyUrl: string | null;
};

export type ClusterConnection = ClusterAddress & {
  readonly credentials: CredentialSource;
  /** Where namespaced commands look by default. */
  readonly namespace: string;
};
