// One run at one size: a fresh control plane or embedded server, a fleet, and everybody who gates in turn. The bare client comes
// before and after the operator, so that a machine that gets slower or faster meanwhile counts for neither.

import type { Sample } from '../cluster/samples.ts';
import { sumOf } from '../cluster/samples.ts';
import { type Cluster, startCluster } from '../cluster/cluster.ts';
import { startEmbeddedServer } from '../cluster/embedded-server.ts';
import type { Memory } from '../cluster/operator.ts';
import { Pulse } from '../cluster/pulse.ts';
import { readShares } from '../cluster/shares.ts';
import { say } from '../cluster/progress.ts';
import { defaultControllers } from '../../test/control-plane/flags.ts';
import { nodeReadinessEvaluationType } from '../../src/api/keys.ts';
import { ruleTypes } from '../../src/fleet/readiness-rule.ts';
import { nodeType } from '../../src/objects/ref.ts';
import { type Actor, startBareActor, startOperatorActor, startPeerActor } from './actors.ts';
import { eachOf, expectDone, Fleet } from './fleet.ts';
import { FleetWatch } from './fleet-watch.ts';
import { type HeldRow, weighHeld } from './held.ts';
import { type PhaseFigures, type PhaseName, runPhase } from './phases.ts';
import type { Plan } from './plan.ts';
import { readServerSamples } from './server-times.ts';
import type { Stage } from './stage.ts';

export type ActorFigures = { readonly name: string; readonly phases: readonly PhaseFigures[] };

export type SizeFigures = {
  readonly nodes: number;
  readonly rules: number;
  /** Then nothing is known of etcd, nor of how long a write takes on a real API server. */
  readonly isEmbedded: boolean;
  /** Of one Node as JSON, on average. */
  readonly nodeBytes: number;
  readonly operator: ActorFigures;
  /** Before and after the operator. */
  readonly bare: readonly ActorFigures[];
  readonly peer: ActorFigures | null;
  readonly stored: StoredFigures;
  /** Of the operator. */
  readonly memory: Memory;
  readonly held: readonly HeldRow[];
};

export type StoredFigures = {
  /** The largest status of a rule, as JSON. */
  readonly statusBytesMax: number;
  readonly evaluations: number;
  /** Of one rule and all of its evaluations, as the server holds them. */
  readonly bytesPerRule: number;
  readonly statusFailures: number;
  /** Writes of the operator since its start, by action. */
  readonly samples: readonly Sample[];
};

const bursts: readonly PhaseName[] = ['add', 'remove'];
const usual: readonly PhaseName[] = [...bursts, 'churn', 'single'];
const settleMs = 3_000;

export async function measureSize(plan: Plan): Promise<SizeFigures> {
  const cluster = await (plan.isEmbedded
    ? startEmbeddedServer()
    : startCluster({ controllers: defaultControllers, hasScheduler: false, isApart: plan.isApart }));
  const pulse = new Pulse();
  try {
    const fleet = new Fleet(cluster.api, plan);
    say(`creating ${plan.nodes} nodes`);
    await eachOf(fleet.names, plan.concurrency, (name) => fleet.create(name));
    const scene: Scene = {
      plan,
      cluster,
      fleet,
      serverSamples: () => readServerSamples(cluster),
      readShares: () => readShares(cluster),
      pulse,
      restartServer: cluster.restartServer,
    };
    pulse.start();
    const before = await measureActor(scene, () => startBareActor(cluster, plan), usual);
    const measured = await measureOperator(scene);
    const after = await measureActor(scene, () => startBareActor(cluster, plan), bursts);
    const { peerCommand } = plan;
    const peer =
      peerCommand === null
        ? null
        : await measureActor(scene, () => startPeerActor(cluster, peerCommand, plan), usual);
    const nodeBytes = await nodeBytesOf(cluster);
    const { nodes, rules, isEmbedded } = plan;
    return { nodes, rules, isEmbedded, nodeBytes, ...measured, bare: [before, after], peer };
  } finally {
    pulse.stop();
    await cluster.stop();
  }
}

type Scene = Omit<Stage, 'actor' | 'watch' | 'hasStatus'> & { readonly cluster: Cluster };

type OperatorFigures = Pick<SizeFigures, 'operator' | 'stored' | 'memory' | 'held'>;

async function measureOperator(scene: Scene): Promise<OperatorFigures> {
  const { plan, cluster } = scene;
  await reset(scene);
  const actor = await startOperatorActor(cluster, plan);
  await actor.untilCalm(settleMs, 60_000 + plan.nodes * 100);
  const last: readonly PhaseName[] = cluster.restartServer === null ? ['quiet'] : ['quiet', 'relist'];
  const phases = await measurePhases(scene, actor, [...usual, ...last]);
  const stored = await storedFigures(cluster, plan, (await actor.scrape?.()) ?? []);
  const memory = await actor.memory();
  const held = await weighHeld(cluster);
  await actor.end();
  return { operator: { name: actor.name, phases }, stored, memory, held };
}

async function measureActor(
  scene: Scene,
  start: () => Promise<Actor>,
  names: readonly PhaseName[],
): Promise<ActorFigures> {
  await reset(scene);
  const actor = await start();
  const phases = await measurePhases(scene, actor, names);
  await actor.end();
  return { name: actor.name, phases };
}

async function measurePhases(
  scene: Scene,
  actor: Actor,
  names: readonly PhaseName[],
): Promise<readonly PhaseFigures[]> {
  const phases: PhaseFigures[] = [];
  // One that has just begun: an older one may still wait before it turns to a server that was started again.
  const watch = new FleetWatch(scene.cluster.api, ruleTypes[scene.plan.ruleKind]);
  try {
    await watch.start();
    for (const name of names) {
      const figures = await runPhase(name, { ...scene, actor, watch, hasStatus: actor.scrape !== null });
      phases.push(figures);
      say(`${actor.name}: ${name} took ${(figures.wallMs / 1_000).toFixed(1)} s`);
    }
    return phases;
  } finally {
    watch.stop();
  }
}

/**
 * Nobody gates now: every node says that it is not ready, and waits for whoever comes next. The API server gets dearer while it runs, so
 * that everybody has one that has just been started.
 */
async function reset({ fleet, plan, restartServer }: Scene): Promise<void> {
  await restartServer?.();
  await eachOf(fleet.names, plan.concurrency, (name) => fleet.report(name, 'False'));
}

async function storedFigures(
  { api, stored }: Cluster,
  { rules, ruleKind }: Plan,
  samples: readonly Sample[],
): Promise<StoredFigures> {
  const ruleType = ruleTypes[ruleKind];
  const { items } = expectDone(await api.list({ type: ruleType }));
  const evaluations = await stored(nodeReadinessEvaluationType);
  const own = await stored(ruleType);
  return {
    statusBytesMax: Math.max(...items.map(({ status }) => Buffer.byteLength(JSON.stringify(status ?? {})))),
    evaluations: evaluations.objects,
    bytesPerRule: (evaluations.bytes + own.bytes) / rules,
    statusFailures: sumOf(
      samples,
      'muster_writes_total',
      // A conflict is decided anew and written then.
      ({ outcome = '' }) => outcome !== 'done' && outcome !== 'conflict',
    ),
    samples,
  };
}

async function nodeBytesOf({ api }: Cluster): Promise<number> {
  const { items } = expectDone(await api.list({ type: nodeType }, { limit: 50 }));
  return Buffer.byteLength(JSON.stringify(items)) / items.length;
}
