// What the bench itself sees of nodes and rules, by a watch of its own: when a node had all gates or none, and when the status
// of the first rule counted how many nodes as ready.

import { performance } from 'node:perf_hooks';
import { nodeReadinessGateRuleType } from '../../src/api/keys.ts';
import {
  fieldsOf,
  type ObjectView,
  type RawObject,
  recordsIn,
  textOf,
  viewOf,
} from '../../src/objects/raw.ts';
import { nodeType } from '../../src/objects/ref.ts';
import type { KubeApi, WatchSpec } from '../../src/runtime/ports.ts';
import { until } from '../../test/control-plane/until.ts';
import { ClusterWatch } from '../cluster/cluster-watch.ts';
import { ruleName, taintPrefix } from './gates.ts';
import type { CountSample } from './status-lag.ts';

type NodeGates = ObjectView & { readonly gates: number };
type RuleCounts = ObjectView & { readonly ready: number | null };

const nodeGates: WatchSpec<NodeGates> = {
  selection: { type: nodeType, unread: ['managedFields', 'images'] },
  presence: 'required',
  project: (raw) => ({ ...viewOf(raw), gates: gatesOn(raw) }),
};

const ruleCounts: WatchSpec<RuleCounts> = {
  selection: { type: nodeReadinessGateRuleType, unread: ['managedFields'] },
  presence: 'required',
  project: (raw) => ({ ...viewOf(raw), ready: readyIn(raw) }),
};

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
  #counts: CountSample[] = [];

  constructor(api: KubeApi) {
    super(api, [nodeGates, ruleCounts]);
    this.sources.subscribe(nodeGates, (change) => {
      if (change.kind !== 'deleted') this.#noteNode(change.now);
    });
    this.sources.subscribe(ruleCounts, (change) => {
      if (change.kind === 'deleted' || change.now.name !== ruleName(0) || change.now.ready === null) return;
      this.#counts.push({ atMs: performance.now(), count: change.now.ready });
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

  /** Waits for a status that counts so many nodes as ready, and hands over all counts since the last time. */
  async counted(ready: number, withinMs: number): Promise<readonly CountSample[]> {
    // A count that never comes is a lag without end, which is a figure and not a failure of the bench.
    await until('the status says so', withinMs, () =>
      this.#counts.at(-1)?.count === ready ? true : undefined,
    ).catch(() => undefined);
    const counts = this.#counts;
    this.#counts = counts.slice(-1);
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
