// Those who gate nodes, one at a time on the same cluster: the operator, a client that does only the Node patches, and any
// other controller of the same rules. Each begins at a word and is a process whose use of the machine can be read.

import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { nodeReadinessEvaluationType, nodeReadinessRuleType } from '../../src/api/keys.ts';
import { ruleTypes } from '../../src/fleet/readiness-rule.ts';
import type { ResourceType } from '../../src/objects/ref.ts';
import type { KubeApi } from '../../src/runtime/ports.ts';
import { type ServerProcess, stopProcess } from '../../test/control-plane/processes.ts';
import { until } from '../../test/control-plane/until.ts';
import { bundle } from '../bundle.ts';
import { chartEnvironment } from '../chart-flags.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { type Operator, startOperator } from '../cluster/operator.ts';
import type { Sample } from '../cluster/samples.ts';
import { expectDone, ruleOf } from './fleet.ts';
import { numbersBelow, ruleName } from './gates.ts';
import type { Plan } from './plan.ts';

export type Actor = {
  readonly name: string;
  readonly pid: number;
  /** The rules come, or what stands for them. */
  readonly begin: () => Promise<void>;
  /** Null for those without a metrics page that we can read. */
  readonly scrape: (() => Promise<readonly Sample[]>) | null;
  /** Until it has written nothing for so long; at once for those that cannot be asked. */
  readonly untilCalm: (calmMs: number, withinMs: number) => Promise<void>;
  /** The rules go, and then it does. */
  readonly end: () => Promise<void>;
  /** Null for those that have no container. */
  readonly memory: Operator['memory'] | null;
};

export type OperatorActor = Actor & Pick<Operator, 'memory'>;

export const operatorFlags = ['--gate-budget=100%', '--evaluations=all'];
const syncMsMax = 120_000;
const peerStartMs = 3_000;
/** With every evaluation: fifty deletions a second, and five minutes. */
const goneMsMax = ({ nodes, rules }: Plan) => 300_000 + nodes * rules * 20;

export async function startOperatorActor(cluster: Cluster, plan: Plan): Promise<OperatorActor> {
  const { rules, profileDir, heapMiB } = plan;
  const ruleType = ruleTypes[plan.ruleKind];
  const profile = profileDir === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
  const operator = await startOperator(cluster, { flags: operatorFlags, nodeFlags: profile, heapMiB });
  return {
    name: 'muster',
    pid: operator.pid,
    begin: () => createRules(cluster.api, ruleType, rules),
    scrape: operator.scrape,
    untilCalm: operator.untilCalm,
    memory: operator.memory,
    async end() {
      await deleteRules(cluster.api, ruleType, plan);
      await until('the evaluations are gone', goneMsMax(plan), async () => {
        const { objects } = await cluster.stored(nodeReadinessEvaluationType);
        return objects === 0 ? true : undefined;
      });
      await operator.stop();
    },
  };
}

export async function startBareActor(
  cluster: Cluster,
  { rules, concurrency, heapMiB }: Plan,
): Promise<Actor> {
  const { dir, launch, operatorKubeconfig } = cluster;
  const files = await bundle({ bare: new URL('bare-client.ts', import.meta.url) }, dir);
  const client = await launch({
    name: 'bare client',
    command: process.execPath,
    args: [files.fileOf('bare'), operatorKubeconfig, String(rules), String(concurrency)],
    env: { PATH: process.env['PATH'], ...chartEnvironment(heapMiB) },
    logFile: `${files.fileOf('bare')}.log`,
  });
  await until('the bare client knows all nodes', syncMsMax, async () =>
    (await logOf(client)).includes('synced') ? true : undefined,
  );
  return {
    name: 'bare client',
    pid: client.pid,
    begin: () => Promise.resolve(client.kill('SIGUSR2')),
    scrape: null,
    untilCalm: () => Promise.resolve(),
    end: () => stopProcess(client),
    memory: null,
  };
}

export async function startPeerActor(cluster: Cluster, command: string, plan: Plan): Promise<Actor> {
  const { dir, launch, adminKubeconfig, api } = cluster;
  const peer = await launch({
    name: 'peer',
    command: 'sh',
    // The shell makes way, so that the pid is that of the peer.
    args: ['-c', `exec ${command}`],
    env: { ...process.env, KUBECONFIG: adminKubeconfig },
    logFile: `${dir}/peer.log`,
  });
  // A command that cannot run, or asks for what is not there, has said so by then.
  await pause(peerStartMs);
  await logOf(peer);
  return {
    name: 'peer',
    pid: peer.pid,
    begin: () => createRules(api, nodeReadinessRuleType, plan.rules),
    scrape: null,
    untilCalm: () => Promise.resolve(),
    async end() {
      await deleteRules(api, nodeReadinessRuleType, plan);
      await stopProcess(peer);
    },
    memory: null,
  };
}

/** What it has said so far. */
async function logOf(client: ServerProcess): Promise<string> {
  const text = await readFile(client.logFile, 'utf8');
  if (!client.isRunning()) throw new Error(`${client.name} has ended: ${text}`);
  return text;
}

async function createRules(api: KubeApi, type: ResourceType, rules: number): Promise<void> {
  const create = (rule: number) =>
    api.create({ type, namespace: '', name: ruleName(rule) }, ruleOf(type, rule)).then(expectDone);
  await Promise.all(numbersBelow(rules).map(create));
}

/** Whoever gates must let go by itself: its finalizer is waited for. */
async function deleteRules(api: KubeApi, type: ResourceType, plan: Plan): Promise<void> {
  const refs = numbersBelow(plan.rules).map((rule) => ({ type, namespace: '', name: ruleName(rule) }));
  await Promise.all(refs.map((ref) => api.delete(ref).then(expectDone)));
  await until('the rules are gone', goneMsMax(plan), async () => {
    const { items } = expectDone(await api.list({ type }));
    return items.length === 0 ? true : undefined;
  });
}
