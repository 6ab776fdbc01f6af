// The same faults on a real API server: what one run does is learned through a proxy, every fault of it is planned by the same code
// as in the simulator, and a part of them strikes for real. Simulation is evidence only if reality agrees.

import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enumerateFaults, type PlannedFault } from '../src/sim/faults/enumerate.ts';
import type { Learned } from '../src/sim/faults/places.ts';
import type { FaultRule } from '../src/sim/faults/rule.ts';
import { until } from './control-plane/until.ts';
import { type FaultProxy, startFaultProxy } from './faults/proxy/fault-proxy.ts';
import { throughProxy } from './faults/proxy/through-proxy.ts';
import { operatorVictim } from './faults/proxy/victim.ts';
import {
  createNode,
  listLifecycles,
  operatorAccount,
  readLifecycle,
  startWorld,
  waitForStage,
  type World,
} from './support/cluster-world.ts';

/** How many plans of each family strike for real. Those with waits of half a minute are few. */
const shares: Readonly<Record<string, number>> = {
  crash: 12,
  'crash twice': 3,
  reset: 8,
  conflict: 6,
  refusal: 5,
  'hidden event': 3,
  'doubled event': 2,
  'cut watch': 4,
  'expired watch': 4,
  'crash at event': 3,
  'stale start': 4,
  pause: 2,
};

const WARM = 'warm';
const LEARNED = 'learn-a';
const LEARNED_AGAIN = 'learn-b';
/** A node twice: two births, each with its status, a display and some retries. */
const WRITES_MAX = 20;

describe('faults on a real API server', () => {
  let world: World;

  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world?.stop());

  it('leave the same end as a run without them, record by record', async () => {
    await untilCollected(world);
    const learned = await play(world, LEARNED, []);
    const again = await play(world, LEARNED_AGAIN, []);
    const plans = chosen(enumerateFaults(common(learned, again)));
    const missed: PlannedFault[] = [];
    for (const [index, planned] of plans.entries()) {
      const { family, plan } = planned;
      const name = `fault-${index}`;
      const { strikes } = await play(world, name, renamed(plan.rules, name));
      if (strikes.length === 0) missed.push(planned);
      const problems = problemsOf(world, name);
      expect({ family, plan, problems }).toEqual({ family, plan, problems: [] });
    }
    const families = new Set(plans.map(({ family }) => family)).size;
    const struck = plans.length - missed.length;
    console.log(
      `faults on a real API server: ${plans.length} runs of ${families} families, ${struck} struck, 0 breaches`,
    );
    for (const { family, plan } of missed) console.log(`never came: ${family} ${JSON.stringify(plan.rules)}`);
    // How many events and retries there are differs from run to run: some places that were learned do not come again.
    expect(struck).toBeGreaterThan(plans.length * 0.9);
  }, 900_000);

  it('leave nothing to be written once they are over', async () => {
    const victim = operatorVictim(world.plane);
    const { path } = await world.plane.kubeconfigFor(operatorAccount);
    victim.begin(path);
    await until('every node has its record', 60_000, async () => {
      const { body } = await world.plane.request('GET', '/api/v1/nodes');
      const nodes = (body as { items: readonly unknown[] }).items.length;
      return (await listLifecycles(world.plane)).length === nodes ? true : undefined;
    });
    const before = world.writes().length;
    await until('ten seconds pass', 15_000, secondsPassed(10));
    const after = world.writes().slice(before);
    await victim.end();
    expect(after).toEqual([]);
  });
});

/**
 * The garbage collector learns of new kinds twice a minute: until then a record outlives its node, and the operator deletes it itself,
 * which it does not need to later.
 */
async function untilCollected(world: World): Promise<void> {
  const { plane } = world;
  await play(world, WARM, []);
  await plane.kubectl(['delete', 'node', WARM]);
  await until('the record of a deleted node is collected', 120_000, async () =>
    (await readLifecycle(plane, WARM)) === null ? true : undefined,
  );
}

type Played = Learned & Pick<FaultProxy, 'strikes'>;

/** A node joins, is cordoned, goes and comes back under the same name. */
async function play({ plane }: World, name: string, rules: readonly FaultRule[]): Promise<Played> {
  const victim = operatorVictim(plane);
  const upstreamCa = await readFile(plane.caFile, 'utf8');
  const proxy = await startFaultProxy({ upstream: plane.url, upstreamCa, rules, victim });
  const account = await plane.kubeconfigFor(operatorAccount);
  await throughProxy(account.path, plane.url, proxy);
  victim.begin(account.path);
  try {
    await createNode(plane, name);
    await waitForStage(plane, name, 'InService');
    await plane.kubectl(['cordon', name]);
    await waitForStage(plane, name, 'Gated');
    await plane.kubectl(['delete', 'node', name]);
    await createNode(plane, name, { bootID: 'second' });
    await until(`${name} is recorded anew`, 100_000, () => isRecordedAnew(plane, name));
    const calls = proxy.calls.map(({ verb, resource, name: object }) => ({
      verb: verb as Learned['calls'][number]['verb'],
      resource,
      ref: { name: object },
    }));
    return {
      calls: calls.filter(({ ref }) => ref.name === name),
      heard: proxy.heard.filter((each) => each.name === name),
      strikes: proxy.strikes,
    };
  } finally {
    await victim.end();
    await proxy.close();
  }
}

async function isRecordedAnew(plane: World['plane'], name: string): Promise<true | undefined> {
  const { body } = await plane.request('GET', `/api/v1/nodes/${name}`);
  const { uid } = (body as { metadata: { uid: string } }).metadata;
  const lifecycle = await readLifecycle(plane, name);
  return lifecycle?.spec.nodeUID === uid && lifecycle.status?.stage === 'InService' ? true : undefined;
}

/** What came in both runs: a retry or an event that only one of them had is no place to plan for. */
function common(first: Learned, second: Learned): Learned {
  return {
    calls: bothHad(first.calls, second.calls, ({ verb, resource }) => `${verb} ${resource}`),
    heard: bothHad(first.heard, second.heard, ({ resource }) => resource),
  };
}

function bothHad<T>(first: readonly T[], second: readonly T[], keyOf: (each: T) => string): readonly T[] {
  const left = new Map<string, number>();
  for (const each of second) left.set(keyOf(each), (left.get(keyOf(each)) ?? 0) + 1);
  return first.filter((each) => {
    const count = left.get(keyOf(each)) ?? 0;
    left.set(keyOf(each), count - 1);
    return count > 0;
  });
}

/** From each family so many, spread over all of it. */
function chosen(plans: readonly PlannedFault[]): readonly PlannedFault[] {
  return Object.entries(shares).flatMap(([family, share]) => {
    const all = plans.filter((each) => each.family === family);
    const step = Math.max(1, all.length / share);
    return Array.from(
      { length: Math.min(share, all.length) },
      (_, index) => all[Math.floor(index * step)],
    ).filter((each) => each !== undefined);
  });
}

function renamed(rules: readonly FaultRule[], name: string): readonly FaultRule[] {
  return JSON.parse(JSON.stringify(rules).replaceAll(LEARNED, name)) as readonly FaultRule[];
}

/** From the API server's audit log: what the operator did to this node and its record. */
function problemsOf(world: World, name: string): readonly string[] {
  const writes = world.writes().filter((each) => each.name === name && each.code < 300);
  const births = writes.filter(({ verb, resource }) => verb === 'create' && resource === 'nodelifecycles');
  const onNode = writes.filter(({ resource }) => resource.startsWith('nodes'));
  return [
    ...(births.length === 2 ? [] : [`its record was created ${births.length} times, not twice`]),
    ...onNode.map(({ verb }) => `the node itself was written: ${verb}`),
    ...(writes.length <= WRITES_MAX ? [] : [`${writes.length} writes, more than ${WRITES_MAX}`]),
  ];
}

function secondsPassed(seconds: number): () => true | undefined {
  const endsAt = Date.now() + seconds * 1_000;
  return () => (Date.now() >= endsAt ? true : undefined);
}
