// What a phase is played on: a fleet, those who watch it, whoever gates it, and an API server that can be started anew.

import { setTimeout as pause } from 'node:timers/promises';
import type { Pulse } from '../cluster/pulse.ts';
import type { Shares } from '../cluster/shares.ts';
import { type Sample, sumOf } from '../cluster/samples.ts';
import { nodeLifecycleType, nodeReadinessEvaluationType } from '../../src/api/keys.ts';
import { nodeType, resourceName } from '../../src/objects/ref.ts';
import { until } from '../../test/control-plane/until.ts';
import type { Actor } from './actors.ts';
import type { Fleet } from './fleet.ts';
import type { FleetWatch } from './fleet-watch.ts';
import type { Plan } from './plan.ts';

export type Stage = {
  readonly plan: Plan;
  readonly fleet: Fleet;
  readonly watch: FleetWatch;
  readonly actor: Actor;
  /** The API server's own samples. */
  readonly serverSamples: () => Promise<readonly Sample[]>;
  readonly readShares: () => Promise<Shares>;
  readonly pulse: Pulse;
  /** Null for a server that keeps nothing when it ends. */
  readonly restartServer: (() => Promise<void>) | null;
  /** Whether the status of a rule is waited for. */
  readonly hasStatus: boolean;
};

const settleMs = 3_000;
const lookMs = 1_000;

/** Far beyond what is measured: one node every quarter of a second, and a minute. */
export const patienceMs = ({ nodes, rules }: Plan) => 60_000 + nodes * rules * 250;

export function untilSettled({ actor, plan }: Stage): Promise<void> {
  return actor.untilCalm(settleMs, patienceMs(plan));
}

/** Until whoever can be asked has listed everything anew. */
export async function startServerAnew(stage: Stage): Promise<void> {
  const { restartServer, actor, plan } = stage;
  if (restartServer === null) return;
  const before = await relistsOf(stage);
  await restartServer();
  if (actor.scrape !== null)
    await until('everything has been listed again', patienceMs(plan), async () => {
      // Each look at its metrics is work for the operator.
      await pause(lookMs);
      return isMoreOfEach(await relistsOf(stage), before) ? true : undefined;
    });
  await untilSettled(stage);
}

/** The kinds of which there is one object for each node, or for each node and rule. */
const perNode = [nodeType, nodeLifecycleType, nodeReadinessEvaluationType].map(resourceName);

async function relistsOf({ actor: { scrape } }: Stage): Promise<readonly number[]> {
  const samples = (await scrape?.()) ?? [];
  return perNode.map((name) => sumOf(samples, 'muster_relists_total', ({ resource }) => resource === name));
}

function isMoreOfEach(after: readonly number[], before: readonly number[]): boolean {
  return after.every((count, index) => count > (before[index] ?? 0));
}
