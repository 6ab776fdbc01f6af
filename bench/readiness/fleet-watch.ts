// What the bench itself sees of nodes and rules, by a watch of its own: when a node had all gates or none, and when the status
// of each rule counted how many nodes as ready.

import { performance } from 'node:perf_hooks';
import {
  fieldsOf,
  type ObjectView,
  type RawObject,
  recordsIn,
  textOf,
  viewOf,
} from '../../src/objects/raw.ts';
import { nodeType, type ResourceType } from '../../src/objects/ref.ts';
import type { KubeApi, WatchSpec } from '../../src/runtime/ports.ts';
import { until } from '../../test/control-plane/until.ts';
import { ClusterWatch } from '../cluster/cluster-watch.ts';
import { taintPrefix } from './gates.ts';
import type { CountSample } from './status-lag.ts';

type NodeGates = ObjectView & { readonly gates: number };
type RuleCounts = ObjectView & { readonly ready: number | null };

const nodeGates: WatchSpec<NodeGates> = {
  selection: { type: nodeType, unread: ['managedFields', 'images'] },
  presence: 'required',
  project: (raw) => ({ ...viewOf(raw), gates: gatesOn(raw) }),
};

const ruleCountsOf = (type: ResourceType): WatchSpec<RuleCounts> => ({
  selection: { type, unread: ['managedFields'] },
  presence: 'required',
  project: (raw) => ({ ...viewOf(raw), ready: readyIn(raw) }),
});

function gatesOn(raw: RawObject): number {
  const taints = recordsIn(fieldsOf(raw.spec)['taints']);
  return taints.filter(({ key }) => textOf(key).startsWith(taintPrefix)).length;
}

function readyIn(raw: RawObject): number | null {
  const ready = fieldsOf(fieldsOf(raw.status)['summary'])['nodesReady'];
  return typeof ready === 'number' ? ready : null;
}

export type Expected = { readonly gates: number; readonly sentAtMs: number };
export type Seen = { readonly name: string; readonly latencyMs: number; readonly atMs: number };

export class FleetWatch extends ClusterWatch {
  readonly #expected = new Map<string, Expected>();
  #seen: Seen[] = [];
  /** By rule. */
  readonly #counts = new Map<string, readonly CountSample[]>();

  constructor(api: KubeApi, ruleType: ResourceType) {
    const ruleCounts = ruleCountsOf(ruleType);
    super(api, [nodeGates, ruleCounts]);
    this.sources.subscribe(nodeGates, (change) => {
      if (change.kind !== 'deleted') this.#noteNode(change.now);
    });
    this.sources.subscribe(ruleCounts, (change) => {
      if (change.kind === 'deleted' || change.now.ready === null) return;
      const { name, ready } = change.now;
      this.#counts.set(name, [...(this.#counts.get(name) ?? []), { atMs: performance.now(), count: ready }]);
    });
  }

  /** From now on this node is waited for. */
  expect(name: string, expected: Expected): void {
    this.#expected.set(name, expected);
    const node = this.sources.of(nodeGates).get(name);
    if (node !== undefined) this.#noteNode(node);
  }

  isWaitingFor(name: string): boolean {
    return this.#expected.has(name);
  }

  /** Resolves when every expected node is as expected, with all that were seen since the last time. */
  async allSeen(withinMs: number): Promise<readonly Seen[]> {
    await until('every node is as expected', withinMs, () =>
      this.#expected.size === 0 ? true : undefined,
    ).catch((cause: Error) => {
      throw new Error(`${cause.message}; ${this.#expected.size} nodes are not`, { cause });
    });
    const seen = this.#seen;
    this.#seen = [];
    return seen;
  }

  /** Waits until the status of every rule counts so many nodes as ready, and hands over all counts of each since the last time. */
  async counted(ready: number, withinMs: number): Promise<readonly (readonly CountSample[])[]> {
    const all = () => this.#counts.values().toArray();
    // A count that never comes is a lag without end, which is a figure and not a failure of the bench.
    await until('every status says so', withinMs, () =>
      all().length > 0 && all().every((counts) => counts.at(-1)?.count === ready) ? true : undefined,
    ).catch(() => undefined);
    const counts = all();
    for (const [rule, own] of this.#counts) this.#counts.set(rule, own.slice(-1));
    return counts;
  }

  #noteNode({ name, gates }: NodeGates): void {
    const expected = this.#expected.get(name);
    if (expected === undefined || expected.gates !== gates) return;
    this.#expected.delete(name);
    const atMs = performance.now();
    this.#seen.push({ name, latencyMs: atMs - expected.sentAtMs, atMs });
  }
}
