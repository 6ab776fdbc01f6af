// One run: a scenario, a seed and a plan of faults. Ends when the story is told, every fault is over and nothing but the Lease
// has been written for a while, or when that takes too long. Judges nothing.

import { leaderLeaseName, nodeLifecycleType, systemNamespace } from '../../src/api/keys.ts';
import { type Log, type LogFields, silentLog } from '../../src/base/log.ts';
import { isRecord } from '../../src/objects/raw.ts';
import { leaseType, nodeType, resourceName } from '../../src/objects/ref.ts';
import type { Instance } from '../../src/sim/faults/instance.ts';
import type { CallRecord, EventRecord, StrikeRecord, WriteRecord } from '../../src/sim/faults/records.ts';
import type { FaultPlan } from '../../src/sim/faults/rule.ts';
import { simulatedPort } from '../../src/sim/faults/simulated-port.ts';
import type { Trace } from '../../src/sim/faults/trace.ts';
import { World } from '../../src/sim/faults/world.ts';
import { type Cluster, clusterOf } from './cluster.ts';
import { type EndState, endStateOf } from './end-state.ts';
import type { Lab } from './lab.ts';
import type { Launched, LaunchOperator } from './operator.ts';
import { capabilityOf, type Scenario } from './scenario.ts';

export type RunRequest = {
  readonly lab: Lab;
  readonly launch: LaunchOperator;
  readonly scenario: Scenario;
  readonly seed: number;
  readonly plan: FaultPlan;
};

export type AuditRecord = { readonly instance: string; readonly fields: LogFields };

export type Run = {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly plan: FaultPlan;
  /** When all was silent for the first time. */
  readonly atRest: EndState;
  /** The same, but for records that waited for a sign of life of their nodes. */
  readonly end: EndState;
  readonly writes: readonly WriteRecord[];
  readonly calls: readonly CallRecord[];
  readonly heard: readonly EventRecord[];
  readonly strikes: readonly StrikeRecord[];
  readonly audits: readonly AuditRecord[];
  readonly bugs: readonly unknown[];
  readonly trace: Trace;
  readonly isQuiet: boolean;
  readonly endedAtMs: number;
  /** When each life began. */
  readonly births: ReadonlyMap<string, number>;
  /** By slot: what is left of each replica. */
  readonly left: readonly LeftOver[];
};

export type LeftOver = {
  readonly instance: string;
  readonly isReady: boolean;
  readonly nodeStates: number;
  readonly streams: number;
};

/** Longer than any wait of the operator that ends in a write: contests, display, backoff. */
export const SILENCE_MS = 75_000;
const RUN_MS_MAX = 3 * 3_600_000;
const RESTART_MS = 1_000;

export async function run(request: RunRequest): Promise<Run> {
  const { scenario, plan, seed } = request;
  const audits: AuditRecord[] = [];
  const launched = new Map<string, Launched>();
  const boot = (instance: Instance, world: World) => {
    const operator = launchOn({ request, instance, world, audits });
    launched.set(instance.actor.name, operator);
  };
  const { snapshots, schemas } = request.lab;
  const world = new World({ seed, plan, snapshot: snapshots[capabilityOf(scenario)], schemas, boot });
  const cluster = clusterOf(world, replicasOf(world, launched));
  world.as('cluster', () => scenario.world(cluster));
  const count = plan.leaders ?? scenario.replicas;
  for (const slot of 'abcdefghi'.slice(0, count)) world.boot(slot);
  tellStory(world, scenario, cluster);
  const silence = new Silence(world, scenario, plan);
  const isAtRest = await untilSilent(world, silence);
  const atRest = endStateOf(world.server);
  const isQuiet = isAtRest && (await beatHearts(world, cluster, silence));
  world.server.stop();
  return {
    scenario,
    seed,
    plan,
    atRest,
    end: endStateOf(world.server),
    writes: world.writes,
    calls: world.calls,
    heard: world.heard,
    strikes: world.strikes,
    audits,
    bugs: world.bugs,
    trace: world.trace,
    isQuiet,
    endedAtMs: world.schedule.nowMs,
    births: new Map(world.instances.map(({ actor, bornMs }) => [actor.name, bornMs])),
    left: leftOf(world, launched),
  };
}

type Launching = {
  readonly request: RunRequest;
  readonly instance: Instance;
  readonly world: World;
  readonly audits: AuditRecord[];
};

function launchOn({ request, instance, world, audits }: Launching): Launched {
  const { scenario, plan } = request;
  const isElected = scenario.leadership === 'lease' && plan.leaders === undefined;
  const { name } = instance.actor;
  return request.launch({
    api: simulatedPort(world, instance),
    clock: instance.clock,
    random: instance.random,
    log: auditLog((fields) => audits.push({ instance: name, fields })),
    capability: capabilityOf(scenario),
    identity: name,
    lease: isElected ? { namespace: systemNamespace, name: leaderLeaseName } : null,
    onLost(reason) {
      world.trace.note(name, `ends: ${reason}`);
      world.crash(instance, RESTART_MS);
    },
  });
}

/** Keeps the lines that say what was written. */
function auditLog(take: (fields: LogFields) => void): Log {
  const log: Log = {
    ...silentLog,
    info: (message, fields = {}) => void (message === 'write' && take(fields)),
    warn: (message, fields = {}) => void (message === 'write' && take(fields)),
    with: () => log,
  };
  return log;
}

function replicasOf(world: World, launched: ReadonlyMap<string, Launched>) {
  return {
    /** Who the Lease names; without one, the first replica. */
    leader() {
      const holder = world.leaseHolder();
      return (holder === '' ? 'a' : holder.split('#')[0]) ?? null;
    },
    stop(slot: string) {
      const instance = world.living(slot);
      const operator = instance && launched.get(instance.actor.name);
      if (instance === undefined || operator === undefined) return;
      world.trace.note(instance.actor.name, 'is asked to stop');
      const end = async () => {
        await operator.stop();
        world.crash(instance, RESTART_MS);
      };
      void end();
    },
  };
}

function tellStory(world: World, { story }: Scenario, cluster: Cluster): void {
  for (const { atMs, by, does } of story) {
    world.schedule.after(atMs, () => world.as(by, () => does(cluster)));
  }
}

async function untilSilent(world: World, silence: Silence): Promise<boolean> {
  while (world.schedule.nowMs < RUN_MS_MAX && world.bugs.length === 0) {
    if (!(await world.schedule.step())) return false;
    if (silence.lastsMs() >= silence.enoughMs) return true;
  }
  return false;
}

/** A key stays in the record while a write of it may still arrive: until the node is written next, by its kubelet if by nobody else. */
async function beatHearts(world: World, cluster: Cluster, silence: Silence): Promise<boolean> {
  const isAwaited = cluster.objects(nodeLifecycleType).some((record) => {
    const node = world.server.store.get({ bucket: resourceName(nodeType), key: record.metadata?.name ?? '' });
    const asOf = isRecord(record.status) ? record.status['ownedAsOf'] : undefined;
    return asOf !== undefined && asOf === node?.metadata?.resourceVersion;
  });
  if (!isAwaited) return true;
  world.as('kubelet', () => cluster.heartbeat());
  return untilSilent(world, silence);
}

/** Since when nothing but the Lease was written and nothing is still to come. */
class Silence {
  readonly enoughMs: number;
  readonly #world: World;
  #seen = 0;
  #sinceMs: number;

  constructor(world: World, { story, silenceMs = SILENCE_MS }: Scenario, { rules }: FaultPlan) {
    this.#world = world;
    // Who has a slow clock waits for longer.
    const rates = rules.map(({ action }) => (action.kind === 'rate' ? action.percent : 100));
    this.enoughMs = (silenceMs * 100) / Math.min(100, ...rates);
    this.#sinceMs = Math.max(0, ...story.map(({ atMs }) => atMs));
  }

  lastsMs(): number {
    const { writes, schedule } = this.#world;
    for (; this.#seen < writes.length; this.#seen++) {
      const write = writes[this.#seen];
      if (write !== undefined && write.resource !== leases)
        this.#sinceMs = Math.max(this.#sinceMs, write.atMs);
    }
    if (schedule.nowMs > this.#sinceMs && !this.#world.isWhole()) this.#sinceMs = schedule.nowMs;
    return schedule.nowMs - this.#sinceMs;
  }
}

const leases = resourceName(leaseType);

function leftOf(world: World, launched: ReadonlyMap<string, Launched>): readonly LeftOver[] {
  return world.instances.flatMap(({ actor, streams }) => {
    const operator = launched.get(actor.name);
    if (actor.state === 'dead' || operator === undefined) return [];
    const { name } = actor;
    return [
      {
        instance: name,
        isReady: operator.isReady(),
        nodeStates: operator.nodeStates(),
        streams: streams.size,
      },
    ];
  });
}
