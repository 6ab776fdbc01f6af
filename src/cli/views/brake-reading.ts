// Why nodes of a rule are held: what the DisruptionPolicy says, and how much of their pools is gated already. Counts as the
// brake counts, from the records that it counts from.

import type { NodeLifecycleStatus } from '../../api/node-lifecycle.ts';
import type { Instant } from '../../base/clock.ts';
import { listedOwner } from '../../fleet/bounds.ts';
import type { OwnedKey } from '../../fleet/owned-keys.ts';
import { nodesWithin } from '../../fleet/node-limit.ts';
import type { RuleView } from '../../fleet/readiness-rule.ts';
import type { BrakeFacts, PoolPressure } from '../../present/rule-brake.ts';
import type { GatingPolicy } from '../../runtime/gating-policy.ts';
import type { KubeApi } from '../../runtime/ports.ts';
import type { NodeRecord } from './node-record.ts';
import { readPolicyAndRecords } from './policy-reading.ts';

export type NodesOfRule = {
  readonly view: RuleView;
  readonly held: readonly string[];
  /** By the evaluations of the rule: a record may show a gate half a minute later. */
  readonly gated: readonly string[];
  readonly now: Instant;
};
export type BrakeReading = { readonly brake: BrakeFacts; readonly blindSpots: readonly string[] };

export async function readBrake(api: KubeApi, rule: NodesOfRule): Promise<BrakeReading> {
  const { view, held, now } = rule;
  const { gating, isWithoutPolicy, records, blindSpots } = await readPolicyAndRecords(
    api,
    'How much of each pool is gated',
  );
  const gatesOf = gatesBy(rule);
  const isGatedByRule = (record: NodeRecord) => gatesOf(record).includes(listedOwner(view.owner));
  const isHeld = ({ name }: NodeRecord) => held.includes(name);
  const limit = view.rule?.gatedMax ?? null;
  const leftAlone = held.filter((name) => standing(holdsOf(gating, name), now).length > 0);
  return {
    brake: {
      pools: records === null ? null : pressures(records, { held: new Set(held), gatesOf }),
      wantedNodes: held.length + (records ?? []).filter(isGatedByRule).length,
      isWithinOwnBudget:
        limit === null ||
        poolsOf(records ?? []).some(
          ([, some]) =>
            some.some(isHeld) && some.filter(isGatedByRule).length < nodesWithin(limit, some.length),
        ),
      isWithoutPolicy,
      isObserving: gating?.authority === 'observe',
      pauses: standing(gating?.pauses ?? [], now).map(({ by, reason }) => `${by}: ${reason}`),
      leftAlone,
      areOthersHeld: leftAlone.length < held.length,
    },
    blindSpots,
  };
}

type GatesOf = (record: NodeRecord) => readonly string[];

/** Owners of the gates of ours on a node in service: before its first release no node counts. */
function gatesBy({ view, gated }: NodesOfRule): GatesOf {
  const isGated = new Set(gated);
  return ({ name, status }) => {
    if (status.firstReleasedAt === undefined) return [];
    return isGated.has(name) ? [...shownGates(status), listedOwner(view.owner)] : shownGates(status);
  };
}

/** What is listed and not there is no gate. */
function shownGates({ owned = [], gates = [] }: NodeLifecycleStatus): readonly string[] {
  const isThere = ({ key, effect }: OwnedKey) =>
    gates.some((gate) => gate.key === key && gate.effect === effect);
  return owned
    .filter((entry) => entry.kind === 'Taint' && entry.effect !== 'PreferNoSchedule' && isThere(entry))
    .map(({ owner }) => owner);
}

type Counting = { readonly held: ReadonlySet<string>; readonly gatesOf: GatesOf };

/** The pools in which a node is held. */
function pressures(records: readonly NodeRecord[], { held, gatesOf }: Counting): readonly PoolPressure[] {
  return poolsOf(records)
    .map(([name, some]) => ({
      name,
      nodes: some.length,
      gated: some.filter((record) => gatesOf(record).length > 0).length,
      held: some.filter((record) => held.has(record.name)).length,
    }))
    .filter((pool) => pool.held > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function poolsOf(records: readonly NodeRecord[]): readonly [string, readonly NodeRecord[]][] {
  return [...Map.groupBy(records, ({ status }) => status.pool ?? '')];
}

type Standing = GatingPolicy['pauses'][number];

function holdsOf(gating: GatingPolicy | null, node: string): readonly Standing[] {
  return gating !== null && Object.hasOwn(gating.holds, node)
    ? [gating.holds[node]].flatMap((hold) => hold ?? [])
    : [];
}

function standing(wishes: readonly Standing[], now: Instant): readonly Standing[] {
  return wishes.filter(({ until }) => until === null || until > now);
}
