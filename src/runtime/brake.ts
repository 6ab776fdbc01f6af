// The gating brake: keeps the counters that arbitrate reads, takes the gates that are held out of a node's wishes, and wakes
// the nodes that were held when a place is free or the policy changes. Releases never pass through here.

import type { Instant } from '../base/clock.ts';
import { annotationKeys, controlPlaneRole } from '../api/keys.ts';
import type { Verdict } from '../fleet/node-state.ts';
import type { Service } from '../fleet/service.ts';
import type { NodeView } from '../objects/node.ts';
import { parseOwned } from '../objects/owned.ts';
import { ownValue } from '../objects/raw.ts';
import { findTaint, keepsPodsAway, parseTaintId } from '../objects/taint.ts';
import type { MergedKeyWish, Owner } from '../objects/wish.ts';
import { arbitrateGate, type GateCounters, type GateRuling } from './arbitrate.ts';
import type { GateRequest } from './capability.ts';
import { createGateCounts, freedBy, type GatedNode, placeInPool, placeOfOwner } from './gate-counts.ts';
import { createGateWaiters } from './gate-waiters.ts';
import type { GatingPolicy } from './gating-policy.ts';

export type BrakeOrder = {
  readonly node: NodeView;
  readonly pool: string;
  readonly service: Service;
  readonly wishes: readonly MergedKeyWish[];
  readonly requests: readonly GateRequest[];
  readonly policy: GatingPolicy;
  readonly now: Instant;
};

export type Braked = {
  readonly wishes: readonly MergedKeyWish[];
  /** One per gate that is held. */
  readonly verdicts: readonly Verdict[];
  /** When what holds one of them ends by itself. */
  readonly recheckAt: Instant | null;
};

export interface Brake {
  apply(order: BrakeOrder): Braked;
  /** Something was heard of a node, which is visited later: a place that it takes by now counts at once. */
  hears(node: NodeView, service: Service): void;
  /** Our own patch was the last that kept a node from work. It is in service from now on, whenever its record comes to say so. */
  releases(node: NodeView): void;
  forget(node: string): void;
  heldCount(): number;
  /** Every node that is held is woken: the limits are others now. */
  wakeAll(): void;
}

export function createBrake(wake: (node: string) => void): Brake {
  const counts = createGateCounts();
  const waiters = createGateWaiters(wake);
  const released = createReleased();

  return {
    apply(given) {
      const order = { ...given, service: released.serviceOf(given.node, given.service) };
      const { node, pool, policy } = order;
      const standing = standingGates(node);
      const woken = waiters.comes(node.name);
      const sizeBefore = counts.poolSize(pool);
      const isInService = order.service === 'inService';
      const before = counts.of(node.name);
      counts.put(node.name, { pool, isInService, gates: standing });
      const others = counts.without(node.name, pool);
      const gates = [...standing];
      const held: HeldGate[] = [];
      for (const gate of newGates(node, order.wishes)) {
        const ruling = ruleOn(gate, order, { gates, others });
        if (ruling.kind === 'held') held.push({ gate, ruling, deed: 'set' });
        else gates.push({ taint: gate.key, owner: gate.wish.owner });
      }
      const isAnyGranted = gates.length > standing.length;
      if (isAnyGranted) counts.put(node.name, { pool, isInService, gates });
      const freed = freedBy(before, counts.of(node.name));
      const here = placeInPool(pool);
      for (const { gate, ruling } of held)
        waiters.hold(node.name, {
          pool: here,
          owner: placeOfOwner(gate.wish.owner),
          wokenBy: ruling.wokenBy,
        });
      waiters.grows(here, sizeBefore, counts.poolSize(pool));
      for (const place of freed) waiters.wakeNext(place, 1);
      // A place that it was woken for and did not take goes to the next, until all that wait have been asked once.
      if (!isAnyGranted && woken !== null) waiters.wakeNext(woken.place, 1, woken.tries - 1);
      return braked(permitted(order.wishes, policy), [...held, ...leftAsTheyAre(order)]);
    },
    hears(node, service) {
      const before = counts.of(node.name);
      const gates = standingGates(node);
      if (before === undefined || gates.length === 0) return;
      // It may only take a place here: what was granted and is being written is not on the node yet.
      const more = gates.filter(({ taint }) => before.gates.every((known) => known.taint !== taint));
      const isInService = before.isInService || released.serviceOf(node, service) === 'inService';
      if (more.length === 0 && isInService === before.isInService) return;
      counts.put(node.name, { ...before, isInService, gates: [...before.gates, ...more] });
    },
    releases(node) {
      if (standingGates(node).length === 0) released.note(node);
    },
    forget(node) {
      released.forget(node);
      waiters.comes(node);
      for (const place of counts.delete(node)) waiters.wakeNext(place, 1);
    },
    heldCount: () => waiters.count(),
    wakeAll: () => waiters.wakeAll(),
  };
}

/** The nodes that we have released and whose record does not say so yet: in a burst records are written late. */
function createReleased() {
  const uids = new Map<string, string>();
  return {
    note: ({ name, uid }: NodeView) => void uids.set(name, uid),
    forget: (name: string) => void uids.delete(name),
    serviceOf({ name, uid }: NodeView, recorded: Service): Service {
      const isReleased = uids.get(name) === uid;
      if (isReleased && recorded === 'inService') uids.delete(name);
      return isReleased ? 'inService' : recorded;
    },
  };
}

type HeldGate = {
  readonly gate: MergedKeyWish;
  readonly ruling: Extract<GateRuling, { kind: 'held' }>;
  /** What is not done with the taint. */
  readonly deed: 'set' | 'put right' | 'taken away';
};

type Standing = {
  /** Of this node: on it, or granted by now. */
  readonly gates: GatedNode['gates'];
  /** What counts for an owner on all other nodes. */
  readonly others: (owner: Owner) => GateCounters;
};

function ruleOn(gate: MergedKeyWish, order: BrakeOrder, { gates, others }: Standing): GateRuling {
  const { owner } = gate.wish;
  const terms = order.requests.find((request) => request.taint === gate.key && request.owner === owner);
  return arbitrateGate(
    {
      node: order.node.name,
      taint: gate.key,
      terms: terms ?? { gatedMax: null, confirmedNodes: null },
      isInService: order.service === 'inService',
      isUnrecorded: order.service === 'unrecorded',
      isGated: gates.some(({ taint }) => !isLeaving(taint, order)),
      isControlPlane: order.node.labels[controlPlaneRole] !== undefined,
    },
    others(owner),
    order,
  );
}

/** Gates of ours that the node carries. One that is to go takes its place until it has gone: the patch may fail, or come late. */
function standingGates(node: NodeView): GatedNode['gates'] {
  const parsed = parseOwned(node.annotations[annotationKeys.owned]);
  const recorded = parsed.kind === 'record' ? Object.entries(parsed.record.taints) : [];
  return recorded
    .filter(([taint]) => isGate(taint) && findTaint(node.taints, taint) !== undefined)
    .map(([taint, { owner }]) => ({ taint, owner }));
}

function isLeaving(taint: string, { wishes }: BrakeOrder): boolean {
  return wishes.some(({ kind, key, wish }) => kind === 'taints' && key === taint && wish.kind === 'absent');
}

function newGates(node: NodeView, wishes: readonly MergedKeyWish[]): readonly MergedKeyWish[] {
  return wishes.filter(
    ({ kind, key, wish }) =>
      kind === 'taints' &&
      wish.kind === 'present' &&
      isGate(key) &&
      findTaint(node.taints, key) === undefined,
  );
}

/** Taints that a rule finds on the node and would change: who merely observes leaves them, and says so. */
function leftAsTheyAre({ node, wishes, policy }: BrakeOrder): readonly HeldGate[] {
  if (policy.authority !== 'observe') return [];
  const parsed = parseOwned(node.annotations[annotationKeys.owned]);
  const ownerOf = (taint: string) =>
    parsed.kind === 'record' ? ownValue(parsed.record.taints, taint)?.owner : undefined;
  return wishes.flatMap((gate): readonly HeldGate[] => {
    const { kind, key, wish } = gate;
    const current = kind === 'taints' ? findTaint(node.taints, key) : undefined;
    if (current === undefined) return [];
    if (wish.kind === 'present')
      return current.value === wish.value ? [] : [{ gate, ruling: observed, deed: 'put right' }];
    const isForeign = wish.basis === 'named' && ownerOf(key) !== wish.owner;
    return isForeign ? [{ gate, ruling: observed, deed: 'taken away' }] : [];
  });
}

const observed: HeldGate['ruling'] = {
  kind: 'held',
  reason: 'ObserveOnly',
  message: 'the authority is to observe',
  wokenBy: { kind: 'policy' },
  until: null,
};

/** Whose authority is to observe gives back what is ours, and changes nothing else. */
function permitted(wishes: readonly MergedKeyWish[], { authority }: GatingPolicy): readonly MergedKeyWish[] {
  if (authority !== 'observe') return wishes;
  return wishes.flatMap((merged) => {
    const { wish } = merged;
    if (wish.kind === 'present') return [];
    return [wish.basis === 'named' ? { ...merged, wish: { ...wish, basis: 'attested' as const } } : merged];
  });
}

function braked(wishes: readonly MergedKeyWish[], held: readonly HeldGate[]): Braked {
  if (held.length === 0) return { wishes, verdicts: [], recheckAt: null };
  const times = held.flatMap(({ ruling }) => ruling.until ?? []);
  return {
    wishes: wishes.filter((wish) => !held.some(({ gate }) => gate === wish)),
    verdicts: held.map(({ gate, ruling, deed }) => ({
      capability: gate.capability,
      parent: gate.wish.owner,
      outcome: 'unknown',
      reason: ruling.reason,
      message: `${gate.key} is not ${deed}: ${ruling.message}`,
      isKeptOff: true,
    })),
    recheckAt: times.length === 0 ? null : Math.min(...times),
  };
}

function isGate(taint: string): boolean {
  return keepsPodsAway({ ...parseTaintId(taint), value: '' });
}
