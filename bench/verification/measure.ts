// One run: a fresh control plane, the operator, simulated kubelets. First all nodes join at once; then some leave and join
// again, wave after wave, and what the operator holds must not grow with them.

import { performance } from 'node:perf_hooks';
import { simKeys } from '../../src/api/keys.ts';
import { nodeType } from '../../src/objects/ref.ts';
import { defaultControllers } from '../../test/control-plane/flags.ts';
import { type ServerProcess, stopProcess } from '../../test/control-plane/processes.ts';
import { until } from '../../test/control-plane/until.ts';
import { type Cluster, startCluster } from '../cluster/cluster.ts';
import { readMachineFigures, stolenShare } from '../cluster/machine-figures.ts';
import { type Memory, type Operator, otherRequestsIn, startOperator, writesIn } from '../cluster/operator.ts';
import { readProcessFigures } from '../cluster/process-figures.ts';
import { readShares, type Shares, sharesIn } from '../cluster/shares.ts';
import { say } from '../cluster/progress.ts';
import {
  formatSeries,
  growthBy,
  histogramBound,
  type Pages,
  parseSamples,
  type Sample,
  sumOf,
} from '../cluster/samples.ts';
import type { Plan } from './plan.ts';
import { writeStages } from './stages.ts';
import { VerificationWatch } from './verification-watch.ts';

export type Holdings = {
  readonly rssBytes: number;
  /** Every line of the metrics page, without its value. */
  readonly series: readonly string[];
  /** In all caches. */
  readonly objects: number;
};

export type Figures = {
  readonly joinMs: readonly number[];
  readonly joinWallMs: number;
  /** Which part of that the machine did not have. */
  readonly joinStolen: number;
  /** Who spent processor time until then. */
  readonly joinShares: Shares;
  /** Until all were verified: by the operator, and by everybody, by verb and resource. */
  readonly ownWrites: ReadonlyMap<string, number>;
  readonly ownOtherRequests: ReadonlyMap<string, number>;
  readonly allWrites: ReadonlyMap<string, number>;
  readonly workersMax: number;
  readonly attemptsNotPassed: number;
  readonly reconcileSecondsP99: number;
  readonly rejoined: number;
  readonly rejoinWallMs: number;
  /** After the first wave, when every series has been used once, and after the last. */
  readonly before: Holdings;
  readonly after: Holdings;
  readonly cpuMs: number;
  readonly rssPeakBytes: number;
  readonly memory: Memory;
};

/** Pods of this image never run: the stage files say how they end. */
const workerImage = 'bench.example.com/worker:1';
const waveWorkerSeconds = 1;
const calmMs = 5_000;

type Scene = {
  readonly plan: Plan;
  readonly cluster: Cluster;
  readonly operator: Operator;
  readonly watch: VerificationWatch;
};

export async function measure(plan: Plan): Promise<Figures> {
  const controllers = [...defaultControllers, 'node-lifecycle-controller'];
  const cluster = await startCluster({ controllers, hasScheduler: true });
  const watch = new VerificationWatch(cluster.api);
  try {
    const profile = plan.profileDir === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${plan.profileDir}`];
    const flags = ['--verify-nodes', `--worker-image=${workerImage}`, ...plan.operatorFlags];
    const operator = await startOperator(cluster, {
      flags,
      nodeFlags: profile,
    });
    await watch.start();
    const scene = { plan, cluster, operator, watch };
    const joined = await measureJoin(scene);
    const waves = await measureWaves(scene);
    const { cpuMs, rssPeakBytes } = await readProcessFigures(operator.pid);
    const memory = await operator.memory();
    await operator.stop();
    return { ...joined, ...waves, workersMax: watch.workersMax(), cpuMs, rssPeakBytes, memory };
  } finally {
    watch.stop();
    await cluster.stop();
  }
}

async function measureJoin({ plan, cluster, operator, watch }: Scene) {
  say(`${plan.nodes} nodes join`);
  const before = await marksOf(cluster, operator);
  const startedMs = performance.now();
  const sim = await startSim(cluster, plan, plan.workerSeconds);
  const rounds = Math.ceil(plan.nodes / plan.workersMax);
  await allVerified(watch, plan.nodes, 300_000 + rounds * plan.workerSeconds * 4_000);
  const joinWallMs = performance.now() - startedMs;
  const joinMs = watch.latenciesMs();
  const verified = await marksOf(cluster, operator);
  say(`all are verified after ${(joinWallMs / 1_000).toFixed(1)} s`);
  await operator.untilCalm(calmMs, 300_000);
  const samples = await operator.scrape();
  await stopProcess(sim);
  return {
    joinMs,
    joinWallMs,
    joinStolen: stolenShare(before.machine, verified.machine),
    joinShares: sharesIn(before.shares, verified.shares),
    ownWrites: writesIn({ before: before.own, after: verified.own }),
    ownOtherRequests: otherRequestsIn({ before: before.own, after: verified.own }),
    allWrites: serverWritesIn({ before: before.server, after: verified.server }),
    attemptsNotPassed: sumOf(
      samples,
      'kube_node_ready_node_verification_total',
      ({ result }) => result !== 'success',
    ),
    reconcileSecondsP99: reconcileBound(samples),
  };
}

async function marksOf(cluster: Cluster, { scrape }: Operator) {
  const machine = await readMachineFigures();
  const shares = await readShares(cluster);
  return { machine, shares, own: await scrape(), server: parseSamples(await cluster.serverMetrics()) };
}

const serverVerbs = ['POST', 'PUT', 'PATCH', 'DELETE'];

function serverWritesIn(pages: Pages): ReadonlyMap<string, number> {
  return growthBy(
    'apiserver_request_total',
    pages,
    ({ verb = '', resource = '', subresource = '', code = '' }) => {
      if (!serverVerbs.includes(verb) || !code.startsWith('2')) return null;
      return `${verb} ${resource}${subresource === '' ? '' : `/${subresource}`}`;
    },
  );
}

function reconcileBound(samples: readonly Sample[]): number {
  return histogramBound(samples, {
    name: 'muster_work_duration_seconds',
    share: 0.99,
    counts: ({ queue }) => queue === 'nodes',
  });
}

async function measureWaves(scene: Scene) {
  const { plan, cluster } = scene;
  const sim = await startSim(cluster, plan, waveWorkerSeconds);
  const waves = Math.ceil(plan.joins / plan.wave);
  await playWave(scene, 0);
  const before = await holdingsOf(scene);
  const startedMs = performance.now();
  for (let wave = 1; wave < waves; wave += 1) {
    await playWave(scene, wave);
    say(`wave ${wave + 1} of ${waves} has left and joined again`);
  }
  const rejoinWallMs = performance.now() - startedMs;
  const after = await holdingsOf(scene);
  await stopProcess(sim);
  return { rejoined: waves * plan.wave, rejoinWallMs, before, after };
}

/** Nodes are taken in turn, so that every name comes back as often as any other. */
async function playWave({ plan, cluster, watch }: Scene, wave: number): Promise<void> {
  const all = watch.names().toSorted();
  const names = Array.from(
    { length: plan.wave },
    (_, index) => all[(wave * plan.wave + index) % all.length] ?? '',
  );
  const uids = new Map(names.map((name) => [name, watch.uidOf(name)]));
  const body = { metadata: { annotations: { [simKeys.play]: 'node-is-deleted' } } };
  for (const name of names) {
    const answer = await cluster.api.patch({ type: nodeType, namespace: '', name }, { kind: 'merge', body });
    if (answer.kind === 'error') throw new Error(`${name} cannot be sent away: ${answer.error.message}`);
  }
  const isBack = (name: string) => watch.uidOf(name) !== uids.get(name) && watch.isVerified(name);
  await until('the wave is back and verified', 300_000, () => (names.every(isBack) ? true : undefined));
}

async function holdingsOf({ plan, operator, watch }: Scene): Promise<Holdings> {
  await until('the workers are gone', 180_000, () => (watch.workersLeft() === 0 ? true : undefined));
  await operator.untilCalm(plan.areBudgetsChecked ? 35_000 : calmMs, 300_000);
  const samples = await operator.scrape();
  const { rssBytes } = await readProcessFigures(operator.pid);
  return { rssBytes, series: samples.map(formatSeries), objects: sumOf(samples, 'muster_cache_objects') };
}

async function allVerified(watch: VerificationWatch, nodes: number, withinMs: number): Promise<void> {
  const verified = () => watch.names().filter((name) => watch.isVerified(name)).length;
  await until('all nodes are verified', withinMs, () => (verified() >= nodes ? true : undefined)).catch(
    (cause: Error) => {
      throw new Error(`${cause.message}; ${verified()} of ${nodes} are`, { cause });
    },
  );
}

/** Kubelets only: the scheduler and the controllers are real ones. */
async function startSim(
  { dir, launch, adminKubeconfig, muster }: Cluster,
  { nodes }: Plan,
  workerSeconds: number,
): Promise<ServerProcess> {
  const stages = await writeStages(dir, workerSeconds);
  const flags = ['--controllers=off', '--log-level=warn', '--seed=7', `--stages=${stages}`];
  return launch({
    name: 'sim',
    command: process.execPath,
    args: [muster, 'sim', `--kubeconfig=${adminKubeconfig}`, `--pools=bench=${nodes}`, ...flags],
    logFile: `${dir}/sim.log`,
  });
}
