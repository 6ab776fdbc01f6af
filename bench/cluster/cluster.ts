// The cluster of a bench: the real control plane of the end-to-end tests, with our definitions and exactly the generated
// rights, and a client for the bench itself. Its data lies in memory where the machine has a place for that. The embedded API
// server can stand for it (embedded-server.ts).

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildAll } from '../../scripts/build.ts';
import { systemNamespace } from '../../src/api/keys.ts';
import type { ResourceType } from '../../src/objects/ref.ts';
import type { KubeApi } from '../../src/runtime/ports.ts';
import { type ControlPlane, startControlPlane } from '../../test/control-plane/control-plane.ts';
import type { StoredBytes } from '../../test/control-plane/stored-bytes.ts';
import { leaveCore } from '../processes.ts';
import { connect } from './cluster-client.ts';
import { say } from './progress.ts';

export type Cluster = Pick<ControlPlane, 'dir' | 'adminKubeconfig' | 'launch' | 'processes' | 'stop'> & {
  /** As administrator. */
  readonly api: KubeApi;
  /** For the operator: the account that the chart gives it. */
  readonly operatorKubeconfig: string;
  /** The bundle, built from this tree. */
  readonly muster: string;
  /** All objects of a cluster-scoped type, as the server stores them. */
  readonly stored: (type: ResourceType) => Promise<StoredBytes>;
  /** The page of metrics of the API server; empty where it has none. */
  readonly serverMetrics: () => Promise<string>;
  /** The API server alone, on the same data: every watch ends, and none can go on where it was. Null where that cannot be done. */
  readonly restartServer: (() => Promise<void>) | null;
};

export type ClusterOptions = {
  readonly controllers: readonly string[];
  readonly hasScheduler: boolean;
  /** The control plane on a core of its own, and everybody else on the others. */
  readonly isApart?: boolean;
};

const memory = '/dev/shm';
const serverCore = 0;
export const benchManager = 'muster-bench';
const config = join(import.meta.dirname, '../../config');
export const definitionsDir = join(config, 'crds');
/** Longer than any run. */
const tokenSeconds = 6 * 3_600;

export function dataPlace(): string {
  return existsSync(memory) ? `in memory (${memory})` : 'on disk, without fsync';
}

export async function startCluster({
  controllers,
  hasScheduler,
  isApart = false,
}: ClusterOptions): Promise<Cluster> {
  if (isApart) leaveCore(serverCore);
  const plane = await startControlPlane({
    log: say,
    controllers,
    scheduler: hasScheduler,
    ...(isApart ? { core: serverCore } : {}),
    ...(existsSync(memory) ? { parentDir: memory } : {}),
  });
  try {
    const crds = ['-f', definitionsDir];
    await plane.kubectl(['apply', ...crds]);
    await plane.kubectl(['wait', '--for=condition=Established', '--timeout=30s', ...crds]);
    await plane.kubectl(['apply', '-f', join(config, 'rbac')]);
    const account = { namespace: systemNamespace, name: 'muster-operator' };
    const { path } = await plane.kubeconfigFor(account, { expirationSeconds: tokenSeconds });
    await buildAll(join(plane.dir, 'dist'));
    const { api, close } = await connect(plane.adminKubeconfig, benchManager);
    return {
      ...plane,
      api,
      operatorKubeconfig: path,
      muster: join(plane.dir, 'dist/muster.cjs'),
      stored: ({ group, plural }) => plane.storedBytes(`/registry/${group}/${plural}/`),
      serverMetrics: async () => String((await plane.request('GET', '/metrics')).body),
      restartServer: async () => {
        await plane.killApiServer();
        await plane.startApiServer();
      },
      stop: () => {
        close();
        return plane.stop();
      },
    };
  } catch (error) {
    await plane.stop();
    throw error;
  }
}
