// A real Kubernetes control plane for tests: etcd, kube-apiserver with RBAC, kube-controller-manager and kube-scheduler
// on loopback, with a data directory of its own. No kubelets and no nodes but those a test creates.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Account,
  type AccountKubeconfig,
  type AccountOptions,
  accountKubeconfig,
  type KubectlOptions,
  runKubectl,
  sendAsAdmin,
  userKubeconfig,
} from './access.ts';
import { ensureBinaries } from './build.ts';
import { compact } from './compaction.ts';
import { createLayout, type User } from './layout.ts';
import type { Launch, ServerProcess } from './processes.ts';
import type { BinaryName } from './recipes.ts';
import type { Call, Reply } from './request.ts';
import { createServers, type ServerOptions } from './servers.ts';
import { type StoredBytes, storedBytes } from './stored-bytes.ts';

export type ControlPlane = {
  readonly url: string;
  /** Everything of this run, logs included (`kube-apiserver.log`, ...); removed at stop. */
  readonly dir: string;
  readonly adminKubeconfig: string;
  readonly caFile: string;
  readonly bin: (name: BinaryName) => string;
  readonly kubectl: (args: readonly string[], options?: KubectlOptions) => Promise<string>;
  /** As administrator. A PATCH is a merge patch unless the content type says otherwise. */
  readonly request: (method: string, path: string, options?: RequestOptions) => Promise<Reply>;
  /** For a service account that exists, with a token of one hour unless said otherwise. */
  readonly kubeconfigFor: (account: Account, options?: AccountOptions) => Promise<AccountKubeconfig>;
  /** For a user by client certificate, for instance `system:node:a` in group `system:nodes`. */
  readonly kubeconfigForUser: (user: User) => Promise<string>;
  readonly killApiServer: () => Promise<void>;
  /** On the same port; returns when it is ready. */
  readonly startApiServer: () => Promise<void>;
  /** Shows only after a restart of the API server: see compaction.ts. */
  readonly compactEtcd: () => Promise<void>;
  /** The bytes of all keys under a prefix and of their values, as etcd holds them. */
  readonly storedBytes: (prefix: string) => Promise<StoredBytes>;
  /** One more process of this run: stopped with it, and not left behind by a death either. */
  readonly launch: (launch: Launch) => Promise<ServerProcess>;
  /** Those that run now, the servers included. */
  readonly processes: () => readonly ServerProcess[];
  /** May be called twice. A process that ends without it leaves nothing behind either: see watchdog.ts. */
  readonly stop: () => Promise<void>;
};

type RequestOptions = Omit<Call, 'method' | 'path'>;

export type ControlPlaneOptions = ServerOptions & {
  readonly log?: (line: string) => void;
  /** Where the data directory is made: the place for temporary files unless said otherwise. */
  readonly parentDir?: string;
};

export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const log = options.log ?? (() => undefined);
  const binDir = await ensureBinaries(log);
  const startedAt = Date.now();
  const layout = await createLayout(options.parentDir);
  const servers = createServers(layout, binDir, options);
  await servers.startAll().catch(async (error: unknown) => {
    await servers.stopAll();
    throw error;
  });
  log(`control plane ready at ${layout.url} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);

  const bin = (name: BinaryName) => pathOf(binDir, name);
  const kubectl = {
    binary: bin('kubectl'),
    home: layout.dir,
    kubeconfig: layout.path('admin.kubeconfig'),
  };
  let stopped: Promise<void> | undefined;
  return {
    url: layout.url,
    dir: layout.dir,
    adminKubeconfig: layout.path('admin.kubeconfig'),
    caFile: layout.path('ca.crt'),
    bin,
    kubectl: (args, options = {}) => runKubectl(kubectl, args, options),
    request: (method, path, options = {}) => sendAsAdmin(layout, { method, path, ...options }),
    kubeconfigFor: (account, options = {}) => accountKubeconfig(layout, account, options),
    kubeconfigForUser: (user) => userKubeconfig(layout, user),
    killApiServer: servers.killApiServer,
    startApiServer: servers.startApiServer,
    compactEtcd: () => compact(`http://127.0.0.1:${layout.ports.etcd}`),
    storedBytes: (prefix) => storedBytes(`http://127.0.0.1:${layout.ports.etcd}`, prefix),
    launch: servers.launch,
    processes: servers.processes,
    stop: () => (stopped ??= servers.stopAll()),
  };
}

function pathOf(binDir: string, name: BinaryName): string {
  const path = join(binDir, name);
  if (!existsSync(path)) throw new Error(`${name} is not in ${binDir}`);
  return path;
}
