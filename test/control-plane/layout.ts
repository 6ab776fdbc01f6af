// One run of the control plane on disk and on the network: data directory, ports, certificates, kubeconfig files.

import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Authority, createAuthority, createSigningKey, issue, type KeyPair } from './certificates.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import { freePorts } from './ports.ts';

export type Layout = {
  readonly dir: string;
  /** The path of a file in the data directory. */
  readonly path: (name: string) => string;
  readonly ports: Ports;
  readonly url: string;
  readonly authority: Authority;
  readonly admin: KeyPair;
};

type Ports = {
  readonly etcd: number;
  readonly etcdPeer: number;
  readonly apiServer: number;
  readonly controllerManager: number;
  readonly scheduler: number;
};

export type User = { readonly name: string; readonly groups: readonly string[] };

const servingHosts = ['localhost', '127.0.0.1', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];

export async function createLayout(parentDir = tmpdir()): Promise<Layout> {
  const ports = await choosePorts();
  const dir = await mkdtemp(join(parentDir, 'muster-control-plane-'));
  const authority = createAuthority('muster-test-authority');
  const layout: Layout = {
    dir,
    path: (name) => join(dir, name),
    ports,
    url: `https://127.0.0.1:${ports.apiServer}`,
    authority,
    admin: issue(authority, { kind: 'client', commonName: 'admin', organizations: ['system:masters'] }),
  };
  await writeKeys(layout);
  await writeKubeconfigs(layout);
  return layout;
}

/** A kubeconfig for a user known by certificate: the name and groups are whatever the test says they are. */
export async function writeUserKubeconfig(layout: Layout, path: string, user: User): Promise<void> {
  const { authority } = layout;
  const pair = issue(authority, { kind: 'client', commonName: user.name, organizations: user.groups });
  await writeKubeconfig(path, clusterOf(layout), { kind: 'certificate', pair });
}

export function clusterOf({ url, authority }: Layout): {
  readonly url: string;
  readonly caCertificate: string;
} {
  return { url, caCertificate: authority.certificate };
}

async function choosePorts(): Promise<Ports> {
  const [etcd = 0, etcdPeer = 0, apiServer = 0, controllerManager = 0, scheduler = 0] = await freePorts(5);
  return { etcd, etcdPeer, apiServer, controllerManager, scheduler };
}

async function writeKeys({ path, authority }: Layout): Promise<void> {
  const serving = issue(authority, { kind: 'serving', commonName: 'kube-apiserver', hosts: servingHosts });
  await writeFile(path('ca.crt'), authority.certificate);
  await writeFile(path('serving.crt'), serving.certificate);
  await writeFile(path('serving.key'), serving.key, { mode: 0o600 });
  await writeFile(path('service-accounts.key'), createSigningKey(), { mode: 0o600 });
}

// The two controllers come as the users that the bootstrap RBAC policy names, not as administrators.
async function writeKubeconfigs(layout: Layout): Promise<void> {
  const { path, admin } = layout;
  await writeKubeconfig(path('admin.kubeconfig'), clusterOf(layout), { kind: 'certificate', pair: admin });
  for (const name of ['kube-controller-manager', 'kube-scheduler']) {
    await writeUserKubeconfig(layout, path(`${name}.kubeconfig`), { name: `system:${name}`, groups: [] });
  }
}
