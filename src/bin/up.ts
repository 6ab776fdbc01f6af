// `muster up`: embedded API server, simulated fleet and operator together, until Ctrl-C. Starts them in order, stops them in
// reverse, and ends with a sentence when one of them ends by itself.

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { seededRandom } from '../base/random.ts';
import { err, formatProblem, ok, type Problem, type Result } from '../base/result.ts';
import { readFlags, readValues } from '../cli/options.ts';
import { packageRoot } from '../cli/package-root.ts';
import { type UpConfig, upHelp, upOptions } from '../cli/up-options.ts';
import { endSentence, nextSteps, readySentence } from '../cli/up-words.ts';
import { createChildProcesses } from '../sim/child-processes.ts';
import { plannedNodes } from '../sim/fleet-plan.ts';
import { type Sim, startSim } from '../sim/sim.ts';
import { type EmbeddedCluster, startEmbeddedCluster } from './embedded-cluster.ts';
import { type Fleet, readFleet } from './fleet.ts';
import { FleetWatch } from './fleet-watch.ts';
import { kubeconfigText } from './kubeconfig-text.ts';
import { type OperatorChild, startOperatorChild } from './operator-child.ts';
import { ownImage, podEnvironment } from './own-image.ts';
import { type Stop, untilStopped } from './until-signal.ts';
import { createUpView, type UpView } from './up-view.ts';

const exitCodes = { stopped: 0, failure: 1, usage: 2 } as const;

export async function runUp(args: readonly string[]): Promise<number> {
  const startedAtMs = systemClock.monotonicMs();
  if (args.includes('--help') || args.includes('-h')) {
    console.log(upHelp());
    return exitCodes.stopped;
  }
  const flags = readFlags(upOptions, args);
  const config = flags.kind === 'error' ? flags : readValues(upOptions, flags.value, {});
  if (config.kind === 'error') return refuse(config.error);
  const fleet = await readFleet(config.value, ['world', 'demo']);
  if (fleet.kind === 'error') return refuse(fleet.error);
  const stopped = untilStopped(config.value.durationMs);
  const cluster = await startEmbeddedCluster(config.value.port, silentLog);
  if (cluster.kind === 'error') return refuse([{ path: '', message: cluster.error }]);
  const files = await writeFiles(config.value, cluster.value);
  if (files.kind === 'error') return refuse([{ path: '--kubeconfig-out', message: files.error }]);
  return run({
    config: config.value,
    fleet: fleet.value,
    cluster: cluster.value,
    files: files.value,
    stopped,
    startedAtMs,
  });
}

function refuse(problems: readonly Problem[]): number {
  for (const problem of problems) console.error(`muster up: ${formatProblem(problem)}`);
  return exitCodes.usage;
}

type Started = {
  readonly config: UpConfig;
  readonly fleet: Fleet;
  readonly cluster: EmbeddedCluster;
  readonly files: Files;
  readonly stopped: Promise<Stop>;
  readonly startedAtMs: number;
};

type Files = { readonly kubeconfig: string; readonly logFile: string };

async function run(started: Started): Promise<number> {
  const { config, fleet, cluster, files, startedAtMs, stopped } = started;
  const view = createUpView(config.output);
  const operator = startOperatorChild({ script: process.argv[1] ?? '', ...files });
  const watch = new FleetWatch({
    api: cluster.api,
    pools: fleet.pools,
    startedAtMs,
    onNotice: (notice) => view.notice(notice),
  });
  const sim = await startFleet(fleet, cluster, { watch, kubeconfig: files.kubeconfig });
  const world: World = { ...started, operator, sim, watch, view };
  guardAgainstCrash(world);
  await watch.start(sim.nodes);
  introduce(world);
  const ready = untilReady(world);
  const cause = await Promise.race([stopped, operator.ended.then((): Cause => 'operator')]);
  return end(world, { cause, readyMs: ready.readyMs() });
}

type World = Started & {
  readonly operator: OperatorChild;
  readonly sim: Sim;
  readonly watch: FleetWatch;
  readonly view: UpView;
};

type Cause = Stop | 'operator';

async function writeFiles(
  { kubeconfigOut, port }: UpConfig,
  { url }: EmbeddedCluster,
): Promise<Result<Files, string>> {
  // Another port means that another one may run: each has a folder of its own.
  const own = port === upOptions.port.fallback ? [] : [new URL(url).port];
  const kubeconfig = path.resolve(kubeconfigOut || path.join(packageRoot(), '.muster', ...own, 'kubeconfig'));
  try {
    await mkdir(path.dirname(kubeconfig), { recursive: true });
    await writeFile(kubeconfig, kubeconfigText(url), { mode: 0o600 });
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
  return ok({ kubeconfig, logFile: path.join(path.dirname(kubeconfig), 'operator.log') });
}

function startFleet(
  { pools, stages, seed }: Fleet,
  cluster: EmbeddedCluster,
  { watch, kubeconfig }: { readonly watch: FleetWatch; readonly kubeconfig: string },
): Promise<Sim> {
  return startSim({
    api: cluster.api,
    clock: systemClock,
    random: seededRandom(seed),
    log: silentLog,
    pools,
    stages,
    processes: createChildProcesses(podEnvironment(kubeconfig, cluster.url)),
    resolveImage: ownImage(),
    logs: cluster.logs,
    tell: (happening) => watch.happened(happening),
    controllers: 'all',
  });
}

/** The server and the fleet live in this process: what nobody caught ends all of it, the operator included. */
function guardAgainstCrash({ operator, sim, view }: World): void {
  const crash = async (error: unknown) => {
    view.end();
    sim.stop();
    console.error('muster up: the embedded server or the fleet crashed; everything is stopped');
    console.error(error);
    await operator.stop();
    process.exit(exitCodes.failure);
  };
  process.on('uncaughtException', (error) => void crash(error));
  process.on('unhandledRejection', (error) => void crash(error));
}

function introduce({ cluster, config, files, fleet, view, watch }: World): void {
  const names = plannedNodes(fleet.pools).map(({ name }) => name);
  const [first, last] = [names[0], names.at(-1)];
  const nodes = first === undefined || last === undefined ? null : ([first, last] as const);
  view.say(`Muster on an embedded Kubernetes API: ${names.length} simulated nodes, seed ${fleet.seed}.`);
  view.say('');
  for (const line of nextSteps({ ...files, workingFolder: process.cwd(), url: cluster.url, nodes }))
    view.say(line);
  view.say('');
  if (config.output === 'text' && process.stdout.isTTY) view.show(() => watch.facts());
}

const READY_POLL_MS = 50;

function untilReady({ fleet, startedAtMs, view, watch }: World): { readyMs(): number | null } {
  let readyMs: number | null = null;
  const timer = setInterval(() => {
    if (!watch.isReady()) return;
    clearInterval(timer);
    readyMs = Math.round(systemClock.monotonicMs() - startedAtMs);
    const nodes = plannedNodes(fleet.pools).length;
    view.show(() => watch.facts());
    watch.ready(readySentence({ nodes, pools: fleet.pools.length, failed: watch.failed() }, readyMs));
  }, READY_POLL_MS);
  return { readyMs: () => readyMs };
}

async function end(
  world: World,
  { cause, readyMs }: { cause: Cause; readyMs: number | null },
): Promise<number> {
  const { cluster, config, operator, sim, startedAtMs, view, watch, files } = world;
  view.end();
  const durationMs = Math.round(systemClock.monotonicMs() - startedAtMs);
  const summary = summaryOf(world, { cause, readyMs, durationMs });
  watch.stop();
  sim.stop();
  const { code, complaint } = await operator.stop();
  await cluster.close();
  const isFine = cause !== 'operator' && code === 0;
  if (isFine) view.say(endSentence(durationMs));
  else
    console.error(
      `muster up: the operator ended with code ${code}${complaint === '' ? '' : ` (${complaint})`}; everything is stopped, its log is ${files.logFile}`,
    );
  if (config.output === 'json') console.log(JSON.stringify({ ...summary, operator: { exitCode: code } }));
  return isFine ? exitCodes.stopped : exitCodes.failure;
}

function summaryOf(
  { cluster, fleet, files, watch }: World,
  times: { readonly cause: Cause; readonly readyMs: number | null; readonly durationMs: number },
): Readonly<Record<string, unknown>> {
  return {
    endedBy: times.cause,
    durationMs: times.durationMs,
    readyMs: times.readyMs,
    seed: fleet.seed,
    pools: Object.fromEntries(fleet.pools.map(({ name, size }) => [name, size])),
    nodes: watch.facts().pools.reduce((sum, { nodes }) => sum + nodes, 0),
    records: watch.records(),
    stages: watch.byStage(),
    happenings: watch.happenings(),
    samples: cluster.samples,
    server: cluster.url,
    kubeconfig: files.kubeconfig,
  };
}
