// A client for whoever measures: the one of the product, over the transport of the product, without its log and metrics.

import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { silentMetrics } from '../../src/base/metrics.ts';
import { systemRandom } from '../../src/base/random.ts';
import { formatProblem } from '../../src/base/result.ts';
import { type ConnectedKubeApi, connectKubeApi } from '../../src/kube/connect.ts';
import { nodeCommands, nodeFiles } from '../../src/kube/host-ports.ts';
import { readConnection } from '../../src/kube/kubeconfig.ts';

/** As whoever writes what it writes, in the eyes of the API server, which counts fields by their writer. */
export async function connect(kubeconfig: string, fieldManager: string): Promise<ConnectedKubeApi> {
  const connection = await readConnection({ environment: {}, files: nodeFiles, kubeconfig });
  if (connection.kind === 'error') throw new Error(connection.error.map(formatProblem).join('; '));
  return connectKubeApi(connection.value, {
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    metrics: silentMetrics,
    protocol: 'auto',
    userAgent: 'muster-bench',
    fieldManager,
    files: nodeFiles,
    commands: nodeCommands,
    environment: {},
    isInteractive: false,
  });
}
