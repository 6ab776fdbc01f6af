// A small capability for scenarios: each Stamp asks for labels and taints on the nodes it selects. It exercises routes, owner
// objects, reporters and the barrier, and a Stamp can tell it to throw, to look again or to speak.

import { canonical } from '../../src/base/hash.ts';
import type { Reason } from '../../src/api/reasons.ts';
import { annotationKeys } from '../../src/api/keys.ts';
import type { StateChangeEvent } from '../../src/fleet/change.ts';
import type { Verdict } from '../../src/fleet/node-state.ts';
import { nodesUnderSelectors } from '../../src/fleet/routes.ts';
import type { NodeStateStore } from '../../src/fleet/store.ts';
import type { NodeView } from '../../src/objects/node.ts';
import { parseOwned } from '../../src/objects/owned.ts';
import { type ObjectView, type RawObject, viewOf } from '../../src/objects/raw.ts';
import { matches, type Selector } from '../../src/objects/selector.ts';
import { findTaint } from '../../src/objects/taint.ts';
import { keyKinds, type KeyWish, type NodeWish } from '../../src/objects/wish.ts';
import type {
  Decision,
  NodeCapability,
  Reporter,
  Route,
  StatusReporter,
} from '../../src/runtime/capability.ts';
import type { WatchSpec } from '../../src/runtime/ports.ts';
import { nodeSpec } from '../../src/runtime/specs.ts';
import { stampType } from './stamp-type.ts';

export { stampType };

export type StampSpec = {
  /** The capability that follows it. */
  readonly by: string;
  /** Nodes that carry this label; all when absent. */
  readonly on?: { readonly label: string; readonly value: string };
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: Readonly<Record<string, string>>;
  /** Taints that shall go, whoever set them. */
  readonly lifts?: readonly string[];
  readonly proof?: 'object' | 'record';
  readonly throws?: boolean;
  readonly recheckEveryMs?: number;
  readonly says?: string;
};

export type StampView = ObjectView & { readonly spec: StampSpec; readonly status: unknown };

export type StampOptions = {
  readonly name?: string;
  readonly rank?: number;
  readonly reporters?: readonly Reporter[];
};

export function stampCapability(options: StampOptions = {}): NodeCapability<Facts> {
  const { name = 'stamp', rank = 1, reporters = [stampReporter(name)] } = options;
  const isFollowed = ({ spec }: StampView) => spec.by === name;
  return {
    name,
    rank,
    watches: [stampSpec],
    rbac: [],
    routes: [stampRoute],
    reporters,
    gather: (caches, node) => ({
      name,
      node,
      stamps: [...caches.of(stampSpec).values()].filter(
        (stamp) => isFollowed(stamp) && matches(selectorOf(stamp), node.labels),
      ),
    }),
    decide,
  };
}

export const stampSpec: WatchSpec<StampView> = {
  selection: { type: stampType },
  presence: 'required',
  isDeciding: true,
  project: (raw) => ({ ...viewOf(raw), spec: specOf(raw), status: raw.status }),
};

/** Counts the nodes of a Stamp, and those that carry what it asks for. */
export function stampReporter(name = 'stamp', periodMs = 5_000): StatusReporter {
  const counts = (store: NodeStateStore, stamp: string) => {
    const verdicts = store
      .getAll()
      .flatMap((state) => state.verdicts.filter(({ parent }) => parent === parentOf(name, stamp)));
    const stamped = verdicts.filter(({ outcome }) => outcome === 'satisfied');
    return { nodes: verdicts.length, stamped: stamped.length };
  };
  return {
    watch: stampSpec,
    target: (caches, key) =>
      caches.of(stampSpec).get(key)?.spec.by === name ? statusTarget(caches, key) : null,
    name: `${name}-status`,
    type: 'stamp_status',
    periodMs,
    keysOf: (change) => stampsIn(name, change),
    report: ({ store }, key) => counts(store, key),
  };
}

/** The status of a Stamp, whatever it is that is written there. */
export const statusTarget: StatusReporter['target'] = (caches, key) => {
  const stamp = caches.of(stampSpec).get(key);
  if (stamp === undefined) return null;
  const { uid, resourceVersion, status } = stamp;
  return { ref: { type: stampType, namespace: '', name: key }, uid, resourceVersion, status };
};

function stampsIn(name: string, { oldState, newState }: StateChangeEvent): readonly string[] {
  const verdicts = [...(oldState?.verdicts ?? []), ...(newState?.verdicts ?? [])];
  const prefix = parentOf(name, '');
  const parents = verdicts.map(({ parent }) => parent).filter((parent) => parent.startsWith(prefix));
  return [...new Set(parents)].map((parent) => parent.slice(prefix.length));
}

const stampRoute: Route<StampView> = {
  watch: stampSpec,
  nodes(change, caches) {
    // A status that we wrote ourselves touches no node.
    const isSameSpec =
      change.kind === 'updated' && canonical(change.before.spec) === canonical(change.now.spec);
    if (isSameSpec) return [];
    const before = change.kind === 'added' ? null : selectorOf(change.before);
    const now = change.kind === 'deleted' ? null : selectorOf(change.now);
    return nodesUnderSelectors({ before, now }, caches.of(nodeSpec).values());
  },
};

type Facts = { readonly name: string; readonly node: NodeView; readonly stamps: readonly StampView[] };

function decide({ name, node, stamps }: Facts, now: number): Decision {
  const broken = stamps.find(({ spec }) => spec.throws);
  if (broken) throw new Error(`stamp ${broken.name} is broken`);
  const rechecks = stamps.flatMap(({ spec }) => spec.recheckEveryMs ?? []);
  return {
    verdicts: stamps.map((stamp) => verdictOf(name, node, stamp)),
    wish: wishOf(name, node, stamps),
    requests: stamps.flatMap(({ spec: { says } }) => (says === undefined ? [] : [eventRequest(node, says)])),
    recheckAt: rechecks.length === 0 ? null : now + Math.min(...rechecks),
  };
}

function verdictOf(name: string, node: NodeView, { name: stamp, spec }: StampView): Verdict {
  const isStamped =
    Object.entries(spec.labels ?? {}).every(([key, value]) => node.labels[key] === value) &&
    Object.entries(spec.taints ?? {}).every(([id, value]) => findTaint(node.taints, id)?.value === value);
  const outcome = isStamped ? 'satisfied' : 'unsatisfied';
  return { capability: name, parent: parentOf(name, stamp), outcome, reason: 'Stamp', message: '' };
}

function wishOf(name: string, node: NodeView, stamps: readonly StampView[]): NodeWish {
  const wish = leftovers(name, node);
  for (const { name: stamp, spec } of stamps) {
    const owner = parentOf(name, stamp);
    const present = (value: string): KeyWish => ({
      kind: 'present',
      owner,
      value,
      prior: 'restore',
      proof: spec.proof ?? 'object',
    });
    for (const [key, value] of Object.entries(spec.labels ?? {})) wish.labels[key] = present(value);
    for (const [id, value] of Object.entries(spec.taints ?? {})) wish.taints[id] = present(value);
    for (const id of spec.lifts ?? []) wish.taints[id] = { kind: 'absent', owner, basis: 'named' };
  }
  return wish;
}

/** What the record says that a Stamp of ours asked for once: given back unless one still does. */
function leftovers(name: string, node: NodeView) {
  const wish: Record<'labels' | 'annotations' | 'taints', Record<string, KeyWish>> = {
    labels: {},
    annotations: {},
    taints: {},
  };
  const parsed = parseOwned(node.annotations[annotationKeys.owned]);
  if (parsed.kind === 'unreadable') return wish;
  for (const kind of keyKinds) {
    for (const [key, { owner }] of Object.entries(parsed.record[kind])) {
      const isOurs = owner.startsWith(parentOf(name, ''));
      if (isOurs) wish[kind][key] = { kind: 'absent', owner, basis: 'recorded' };
    }
  }
  return wish;
}

function eventRequest(node: NodeView, note: string): Decision['requests'][number] {
  const reason: Reason = 'ConfigurationPending';
  return { kind: 'RecordEvent', event: { node, type: 'Normal', reason, action: 'Stamp', note } };
}

function parentOf(name: string, stamp: string): string {
  return `${name}/Stamp/${stamp}`;
}

function selectorOf({ spec: { on } }: StampView): Selector {
  return on === undefined ? [] : [{ kind: 'in', key: on.label, values: [on.value] }];
}

function specOf(raw: RawObject): StampSpec {
  return raw.spec as StampSpec;
}
