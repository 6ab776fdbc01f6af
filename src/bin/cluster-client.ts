// How a process of ours finds its cluster and connects to it: one way for all commands that take a kubeconfig. Opens nothing
// until the first request.

import type { Problem, Result } from '../base/result.ts';
import type { ClusterConnection } from '../kube/cluster-connection.ts';
import { type ConnectedKubeApi, type ConnectOptions, connectKubeApi } from '../kube/connect.ts';
import { readConnection } from '../kube/kubeconfig.ts';
import { processPorts } from './process-ports.ts';
import { version } from './version.ts';

type ClusterFlags = { readonly kubeconfig: string; readonly context?: string };

export function findCluster(flags: ClusterFlags): Promise<Result<ClusterConnection, readonly Problem[]>> {
  return readConnection({ ...processPorts, ...flags });
}

/** What one command differs in from another. */
type Caller = Pick<ConnectOptions, 'log' | 'metrics' | 'fieldManager' | 'actsAs' | 'limits'> & {
  /** The first part of the user agent; the version follows. */
  readonly program: string;
  readonly protocol?: ConnectOptions['protocol'];
};

export function connectTo(
  connection: ClusterConnection,
  { program, protocol = 'auto', ...caller }: Caller,
): ConnectedKubeApi {
  return connectKubeApi(connection, {
    ...processPorts,
    ...caller,
    isInteractive: process.stdin.isTTY,
    userAgent: `${program}/${version}`,
    protocol,
  });
}
