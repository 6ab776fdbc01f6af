// `muster worker --mode=daemonset`: the earlier tool's way, in which each node verifies and releases itself. The one place
// besides the operator that writes to a node.

import { fieldManager } from '../api/keys.ts';
import type { Log } from '../base/log.ts';
import { silentMetrics } from '../base/metrics.ts';
import type { CheckVerdict, WorkerReport } from '../base/worker-report.ts';
import { type DaemonsetSettings, retiredVariables } from '../cli/daemonset-options.ts';
import { createLineLog } from '../cli/line-log.ts';
import { untilStopped, verifySelf } from '../cli/self-verification.ts';
import type { WorkerConfig } from '../cli/worker-config.ts';
import type { ClusterConnection } from '../kube/cluster-connection.ts';
import { type ConnectedKubeApi, connectOver } from '../kube/connect-over.ts';
import { createHttp1Transport } from '../kube/http1-transport.ts';
import { processPorts } from './process-ports.ts';
import { version } from './version.ts';

export type DaemonsetWorker = {
  readonly config: WorkerConfig;
  readonly settings: DaemonsetSettings;
  readonly stop: AbortSignal;
  /** One run of all checks, reported. */
  readonly check: (signal: AbortSignal) => Promise<WorkerReport>;
};

/** Once the node is released, stays until it is stopped: a pod of a DaemonSet that ends is started again. */
export async function runDaemonsetWorker(worker: DaemonsetWorker): Promise<CheckVerdict> {
  const { config, stop, check } = worker;
  const { clock, random } = processPorts;
  const { nodeName, runTimeoutMs } = config;
  const settings = { ...worker.settings, nodeName, runTimeoutMs };
  const log = createLineLog(
    {
      level: settings.logLevel,
      format: settings.logFormat,
      clock,
      write: (line) => void process.stderr.write(line),
    },
    { node: nodeName },
  );
  announce(log);
  const { api, close } = connect(config, log);
  const end = await verifySelf({ api, clock, random, log, settings, check, stop });
  close();
  if (end !== 'done') return end;
  await untilStopped(clock, stop);
  log.info('stopped');
  return 'pass';
}

function announce(log: Log): void {
  log.warn('the daemonset mode is deprecated: here a node judges itself; let muster operator verify nodes');
  for (const [variable, why] of Object.entries(retiredVariables)) {
    if ((process.env[variable] ?? '') !== '') log.info('a variable has no effect', { variable, why });
  }
}

/** To the same address and with the same credentials as the checks. HTTP/2 would cost more memory than two requests are worth. */
function connect(config: WorkerConfig, log: Log): ConnectedKubeApi {
  const { apiHost, apiPort, authorityFile, tokenFile, namespace, checkTimeoutMs } = config;
  const server = `https://${apiHost.includes(':') ? `[${apiHost}]` : apiHost}:${apiPort}`;
  const connection: ClusterConnection = {
    server,
    ca: { kind: 'file', path: authorityFile },
    insecureSkipTlsVerify: false,
    tlsServerName: null,
    proxyUrl: null,
    credentials: { certificate: null, token: { kind: 'tokenFile', path: tokenFile } },
    namespace,
  };
  const { clock, random } = processPorts;
  const options = {
    ...processPorts,
    log,
    metrics: silentMetrics,
    isInteractive: false,
    userAgent: `muster-worker/${version}`,
    fieldManager,
    limits: { timeoutMs: checkTimeoutMs },
  };
  return connectOver(connection, options, (dialer) =>
    createHttp1Transport({ server: new URL(server), dial: () => dialer.dial(['http/1.1']), clock, random }),
  );
}
