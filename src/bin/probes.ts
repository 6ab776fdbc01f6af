// The operator's two listeners: health on one address, metrics on the other.

import { systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { ok, type Result } from '../base/result.ts';
import type { OperatorConfig } from '../cli/operator-config.ts';
import { type HealthCheck, healthPage } from '../server/health.ts';
import { type Routes, type RunningServer, serve } from '../server/http-server.ts';
import type { PrometheusMetrics } from '../server/prometheus.ts';
import { watchLoop } from '../server/loop-watch.ts';
import type { Operator } from './wire.ts';

export type ProbeParts = {
  readonly config: Pick<OperatorConfig, 'healthAddress' | 'metricsAddress'>;
  readonly operator: Operator;
  readonly metrics: PrometheusMetrics;
  readonly log: Log;
};

/** A visit of one node makes a few calls of at most 30 s each; one that lasts longer than this hangs. */
const VISIT_MS_MAX = 300_000;

export async function startProbes({
  config,
  operator,
  metrics,
  log,
}: ProbeParts): Promise<Result<{ close(): Promise<void> }, string>> {
  const loop = watchLoop(systemClock);
  const servers: RunningServer[] = [];
  const close = async () => {
    loop.stop();
    await Promise.all(servers.map((server) => server.close()));
  };
  const pages = [
    { name: 'health', address: config.healthAddress, routes: healthRoutes(operator, loop.check) },
    { name: 'metrics', address: config.metricsAddress, routes: metricsRoutes(metrics) },
  ];
  for (const { name, address, routes } of pages) {
    if (address === null) continue;
    const server = await serve(address, routes);
    if (server.kind === 'error') {
      await close();
      return server;
    }
    servers.push(server.value);
    log.info('listening', { for: name, port: server.value.port });
  }
  return ok({ close });
}

function healthRoutes(operator: Operator, loop: HealthCheck): Routes {
  const { centre } = operator;
  const visits: HealthCheck = {
    name: 'node-visits',
    problem() {
      const oldestMs = centre.oldestVisitMs();
      return oldestMs > VISIT_MS_MAX ? `a visit has lasted ${Math.round(oldestMs / 1000)} s` : null;
    },
  };
  const barriers: HealthCheck = {
    name: 'barriers',
    problem: () => (centre.isReady() ? null : waitingFor(operator.unsynced())),
  };
  const progress: HealthCheck = { name: 'progress', problem: () => centre.problem() };
  return {
    '/healthz': () => healthPage([loop, visits]),
    '/readyz': () => healthPage([barriers, progress]),
  };
}

function waitingFor(kinds: readonly string[]): string {
  if (kinds.length === 0) return 'not every node has been looked at yet';
  return `waiting for the first full list of ${kinds.join(', ')}; are the CRDs of this version installed (muster crds)?`;
}

function metricsRoutes(metrics: PrometheusMetrics): Routes {
  return { '/metrics': async () => ({ status: 200, ...(await metrics.expose()) }) };
}
