// `muster reporter` as a process: configuration, connection, metrics page, signals, exit code.

import { fieldManager, nodeUserPrefix } from '../api/keys.ts';
import { silentMetrics } from '../base/metrics.ts';
import { formatProblem, ok, type Problem } from '../base/result.ts';
import { createPinoLog } from '../cli/pino-log.ts';
import { type ReporterConfig, readReporterConfig, reporterHelp } from '../cli/reporter/options.ts';
import { askEndpoint } from '../cli/reporter/probe.ts';
import { runReporter } from '../cli/reporter/reporter.ts';
import type { ClusterConnection } from '../kube/cluster-connection.ts';
import { serve, textPage } from '../server/http-server.ts';
import { createPrometheusMetrics, type PrometheusMetrics } from '../server/prometheus.ts';
import { connectTo, findCluster } from './cluster-client.ts';
import { processPorts } from './process-ports.ts';
import { version } from './version.ts';

const exitCodes = { stopped: 0, usage: 2 } as const;

export async function runReporterCommand(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(reporterHelp());
    return exitCodes.stopped;
  }
  const config = readReporterConfig({ args, environment: process.env });
  if (config.kind === 'error') return refuse(config.error);
  const connection = await findCluster({ kubeconfig: config.value.kubeconfig });
  if (connection.kind === 'error') return refuse(connection.error);
  return run(config.value, connection.value);
}

function refuse(problems: readonly Problem[]): number {
  for (const problem of problems) console.error(`muster reporter: ${formatProblem(problem)}`);
  return exitCodes.usage;
}

async function run(config: ReporterConfig, connection: ClusterConnection): Promise<number> {
  const log = createPinoLog({
    level: config.logLevel,
    format: config.logFormat,
    write: (line) => void process.stdout.write(line),
  });
  const metrics = createPrometheusMetrics();
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());
  const pages = await servePages(config, metrics);
  if (pages.kind === 'error') return refuse([{ path: '', message: pages.error }]);
  const { api, close } = connectTo(connection, {
    program: 'muster-reporter',
    fieldManager: `${fieldManager}-reporter`,
    log,
    // Its own few metrics are what matters of a process that makes one call in minutes.
    metrics: silentMetrics,
    ...(config.isImpersonating ? { actsAs: `${nodeUserPrefix}${config.nodeName}` } : {}),
  });
  const { nodeName: node, conditionType, endpoint, timeoutMs } = config;
  log.info('starting', { version, node, conditionType, endpoint: endpoint.href, server: connection.server });
  const ask = (signal: AbortSignal) => askEndpoint({ url: endpoint, timeoutMs, signal });
  const { clock, random } = processPorts;
  await runReporter({ api, clock, random, log, metrics, config, ask }, stop.signal);
  log.info('stopping', { reason: 'signal' });
  await pages.value?.close();
  close();
  return exitCodes.stopped;
}

async function servePages({ metricsAddress }: ReporterConfig, metrics: PrometheusMetrics) {
  metrics
    .gauge({
      name: 'node_readiness_reporter_build_info',
      help: 'Of muster reporter: always 1, with the version that runs',
      labels: ['version'],
    })
    .set(1, { version });
  if (metricsAddress === null) return ok(null);
  return serve(metricsAddress, {
    '/healthz': () => textPage(200, 'ok'),
    '/metrics': async () => ({ status: 200, ...(await metrics.expose()) }),
  });
}
