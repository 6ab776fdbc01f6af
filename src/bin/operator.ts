// `muster operator` as a process: configuration, connection, probes, signals, exit code. Decides nothing about nodes.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { fieldManager, systemNamespace } from '../api/keys.ts';
import type { Log } from '../base/log.ts';
import { err, formatProblem, type Problem, type Result } from '../base/result.ts';
import { type OperatorConfig, operatorHelp, readOperatorConfig } from '../cli/operator-config.ts';
import { createPinoLog } from '../cli/pino-log.ts';
import type { ClusterConnection } from '../kube/cluster-connection.ts';
import type { ConnectedKubeApi } from '../kube/connect.ts';
import type { LeaseTimings } from '../kube/lease-state.ts';
import { parseYaml } from '../kube/yaml.ts';
import type { NodeCapability } from '../runtime/capability.ts';
import { lifecycleSpec, nodeSpec } from '../runtime/specs.ts';
import { createHeapNotes } from '../server/heap-notes.ts';
import { createPrometheusMetrics, type PrometheusMetrics } from '../server/prometheus.ts';
import { connectTo, findCluster } from './cluster-client.ts';
import { watchHeap } from './heap-watch.ts';
import { startProbes } from './probes.ts';
import { processPorts } from './process-ports.ts';
import { verificationSettings, workerLimitsOf } from './verification-settings.ts';
import { version } from './version.ts';
import { type Operator, wireOperator } from './wire.ts';

const exitCodes = { stopped: 0, failure: 1, usage: 2 } as const;

export async function runOperator(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(operatorHelp());
    return exitCodes.stopped;
  }
  const config = await readOperatorConfig(args, { environment: process.env, read: readYamlFile });
  if (config.kind === 'error') return refuse(config.error);
  const { kubeconfig, context } = config.value;
  const connection = await findCluster({ kubeconfig, context });
  if (connection.kind === 'error') return refuse(connection.error);
  return run(config.value, connection.value);
}

function refuse(problems: readonly Problem[]): number {
  for (const problem of problems) console.error(`muster operator: ${formatProblem(problem)}`);
  return exitCodes.usage;
}

async function readYamlFile(file: string): Promise<Result<unknown, string>> {
  try {
    return parseYaml(await readFile(file, 'utf8'));
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Otherwise V8 leaves the holes between objects open: 25 of some 62 MiB of heap for 5,000 nodes. This way it moves together what
 * is left at each full collection, which costs a fifth more processor time if it collects as often as it then would by itself. With
 * growth by 50 percent that was at most a tenth; what 30 costs, with which 5,000 nodes and ten rules keep to 128 MiB, has not been measured.
 * NODE_OPTIONS does not allow these flags.
 */
const HEAP_FLAGS = ['--memory-saver-mode', '--heap-growing-percent=30'];

async function run(config: OperatorConfig, connection: ClusterConnection): Promise<number> {
  for (const flag of HEAP_FLAGS) setFlagsFromString(flag);
  const log = createPinoLog({
    level: config.logLevel,
    format: config.logFormat,
    write: (line) => void process.stdout.write(line),
  });
  const metrics = createPrometheusMetrics();
  const heap = watchHeap(createHeapNotes({ metrics, log }));
  const ending = createEnding(log);
  const identity = `${hostname()}_${randomUUID()}`;
  const { api, close } = connect(config, connection, { log, metrics });
  const namespace = await leaseNamespace(config);
  const capabilities = await capabilitiesOf(config, { log, metrics }, namespace);
  const operator = wireOperator({
    api,
    clock: processPorts.clock,
    random: processPorts.random,
    log,
    metrics,
    capabilities,
    gatingFlags: { authority: config.authority, gateBudget: config.gateBudget },
    poolLabels: config.poolLabels,
    resyncMs: config.resyncMs,
    identity,
    workerLimits: workerLimitsOf(config),
    lease: config.isElected ? { namespace, name: config.leaseName, timings: timingsOf(config) } : null,
    onLost: (reason) => ending.end({ code: exitCodes.failure, reason: `lease lost: ${reason}` }),
  });
  const probes = await startProbes({ config, operator, metrics, log });
  if (probes.kind === 'error') return refuse([{ path: '', message: probes.error }]);
  log.info('starting', {
    version,
    server: connection.server,
    identity,
    capabilities: capabilities.map(({ name }) => name),
  });
  operator.start();
  const code = await ending.ended;
  if (code === exitCodes.stopped) await stopWithin(operator, log);
  await probes.value.close();
  heap.stop();
  close();
  return code;
}

function timingsOf({ leaseDurationMs, renewDeadlineMs, leaseRetryMs }: OperatorConfig): LeaseTimings {
  return { durationSeconds: leaseDurationMs / 1000, renewDeadlineMs, retryMs: leaseRetryMs };
}

/** Each in a file of its own: what is switched off is not even loaded. */
async function capabilitiesOf(
  config: OperatorConfig,
  edges: Edges,
  ownNamespace: string,
): Promise<readonly NodeCapability[]> {
  const centre = { nodes: nodeSpec, lifecycles: lifecycleSpec };
  const { createReadiness } = await import('../capabilities/readiness/capability.ts');
  const { createVerification } = await import('../capabilities/verification/capability.ts');
  return [
    createReadiness({ centre, evaluations: config.evaluations, version, ...edges }),
    createVerification({ centre, ...verificationSettings(config, ownNamespace), ...edges }),
  ];
}

type Edges = { readonly log: Log; readonly metrics: PrometheusMetrics };

function connect(config: OperatorConfig, connection: ClusterConnection, edges: Edges): ConnectedKubeApi {
  const { writesPerSecond, writeBurst } = config;
  const writeRate =
    writesPerSecond === null
      ? null
      : { qps: writesPerSecond, burst: writeBurst ?? Math.ceil(writesPerSecond) };
  return connectTo(connection, {
    ...edges,
    program: 'muster',
    fieldManager,
    protocol: config.isHttp1 ? 'http1' : 'auto',
    limits: { writeRate },
  });
}

const NAMESPACE_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

async function leaseNamespace({ leaseNamespace }: OperatorConfig): Promise<string> {
  if (leaseNamespace !== '') return leaseNamespace;
  return readFile(NAMESPACE_FILE, 'utf8').then(
    (text) => text.trim(),
    () => systemNamespace,
  );
}

type End = { readonly code: number; readonly reason: string };

/** Why the process ends: the first cause wins. A bug that nobody caught ends it too, rather than half of it running on. */
function createEnding(log: Log): { readonly ended: Promise<number>; end(end: End): void } {
  const { promise, resolve } = Promise.withResolvers<number>();
  const end = ({ code, reason }: End) => {
    log.info('stopping', { reason });
    resolve(code);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // Not only once: a second Ctrl-C that nobody hears would end the process before it has given the lease back.
    process.on(signal, () => end({ code: exitCodes.stopped, reason: signal }));
  }
  const crash = (error: unknown) => {
    log.error('broken invariant', { error: error instanceof Error ? error.stack : String(error) });
    process.exit(exitCodes.failure);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  return { ended: promise, end };
}

const STOP_MS_MAX = 10_000;

/** A graceful stop gives the lease back; one that hangs must not keep the next leader waiting for ever. */
async function stopWithin(operator: Operator, log: Log): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = processPorts.clock.after(STOP_MS_MAX, () => {
    log.warn('stop timed out; the lease expires by itself', { afterMs: STOP_MS_MAX });
    resolve();
  });
  await Promise.race([promise, operator.stop()]);
  cancel();
}
