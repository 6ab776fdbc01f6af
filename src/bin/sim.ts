// `muster sim`: simulated nodes on any cluster that a kubeconfig leads to.

import { fieldManager } from '../api/keys.ts';
import { systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { silentMetrics } from '../base/metrics.ts';
import { seededRandom } from '../base/random.ts';
import { err, formatProblem, ok, type Problem, type Result } from '../base/result.ts';
import { readFlags, readValues } from '../cli/options.ts';
import { createPinoLog } from '../cli/pino-log.ts';
import { type SimConfig, simHelp, simOptions } from '../cli/sim-options.ts';
import type { ConnectedKubeApi } from '../kube/connect.ts';
import { nodeType } from '../objects/ref.ts';
import { createChildProcesses } from '../sim/child-processes.ts';
import { PodLogs } from '../sim/pod-logs.ts';
import { startSim } from '../sim/sim.ts';
import { connectTo, findCluster } from './cluster-client.ts';
import { type Fleet, readFleet } from './fleet.ts';
import { ownImage, podEnvironment } from './own-image.ts';
import { untilStopped } from './until-signal.ts';

const exitCodes = { stopped: 0, failure: 1, usage: 2 } as const;

export async function runSim(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(simHelp());
    return exitCodes.stopped;
  }
  const flags = readFlags(simOptions, args);
  const config = flags.kind === 'error' ? flags : readValues(simOptions, flags.value, {});
  if (config.kind === 'error') return refuse(config.error);
  const fleet = await readFleet(config.value, ['world']);
  if (fleet.kind === 'error') return refuse(fleet.error);
  const log = createPinoLog({
    level: config.value.logLevel,
    format: config.value.logFormat,
    write: (line) => void process.stdout.write(line),
  });
  const connected = await connect(config.value, log);
  if (connected.kind === 'error') return refuse(connected.error);
  return run(config.value, fleet.value, { ...connected.value, log });
}

function refuse(problems: readonly Problem[]): number {
  for (const problem of problems) console.error(`muster sim: ${formatProblem(problem)}`);
  return exitCodes.usage;
}

type Connected = ConnectedKubeApi & { readonly server: string };

async function connect(
  { kubeconfig, context }: SimConfig,
  log: Log,
): Promise<Result<Connected, readonly Problem[]>> {
  const connection = await findCluster({ kubeconfig, context });
  if (connection.kind === 'error') return err(connection.error);
  const connected = connectTo(connection.value, {
    program: 'muster-sim',
    fieldManager: `${fieldManager}-sim`,
    log,
    metrics: silentMetrics,
    limits: { inFlightMax: requestsMax },
  });
  return ok({ ...connected, server: connection.value.server });
}

/** Many kubelets over one connection: what one of them says must not wait for renewals of all others. */
const requestsMax = 90;

const controllers = { auto: 'ask', on: 'all', off: 'none' } as const;

async function run(
  config: SimConfig,
  { pools, stages, seed }: Fleet,
  { api, close, server, log }: Connected & { readonly log: Log },
): Promise<number> {
  const stopped = untilStopped(config.durationMs);
  const reached = await api.list({ type: nodeType }, { limit: 1 });
  if (reached.kind === 'error') {
    console.error(`muster sim: the API server cannot be used: ${reached.error.message}`);
    return exitCodes.failure;
  }
  const kubeconfig = config.kubeconfig || (process.env['KUBECONFIG'] ?? '');
  const sim = await startSim({
    api,
    clock: systemClock,
    random: seededRandom(seed),
    log,
    pools,
    stages,
    processes: createChildProcesses(podEnvironment(kubeconfig, server)),
    resolveImage: ownImage(),
    logs: new PodLogs(systemClock),
    tell: ({ stage, subject }) => log.info('happened', { stage, subject }),
    controllers: controllers[config.controllers],
  });
  const nodes = pools.reduce((sum, { size }) => sum + size, 0);
  log.info('simulating', { nodes, pools: pools.map(({ name, size }) => `${name}=${size}`).join(','), seed });
  log.info('stopping', { reason: await stopped });
  sim.stop();
  close();
  return exitCodes.stopped;
}
