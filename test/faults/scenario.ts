// A scenario: a small world, a story that happens in it, and what must be true in the end. Everything else, the faults included,
// is added by the harness.

import type { Cluster } from './cluster.ts';
import type { EndState } from './end-state.ts';

/** stamp: a small capability that exists in tests alone. The others are those that ship. */
export type CapabilityName = 'stamp' | 'readiness' | 'verification';

export type Scenario = {
  readonly name: string;
  /** Folders whose change makes every fault of this scenario worth running again. */
  readonly folders: readonly string[];
  readonly replicas: number;
  /** lease: they elect a leader. alone: a single replica that always leads. */
  readonly leadership: 'lease' | 'alone';
  /** What the operator does; stamps unless the scenario says otherwise. */
  readonly capability?: CapabilityName;
  /** Why random schedules do not combine other faults with several leaders here; each alone is enumerated all the same. */
  readonly isForOneLeader?: string;
  /** Whether faults strike at an object of this name, where many are alike and a few can stand for them. */
  readonly isPlace?: (name: string) => boolean;
  /** How long nothing may be written before the run is over, where the operator waits for longer than it does elsewhere. */
  readonly silenceMs?: number;
  world(cluster: Cluster): void;
  readonly story: readonly Chapter[];
  /** Keys on nodes that the operator may write here, beside its own prefix. */
  readonly ours: { readonly labels: readonly string[]; readonly taints: readonly string[] };
  /** What is wrong with the end; nothing when all is well. */
  expect(end: EndState): readonly string[];
};

export function capabilityOf({ capability = 'stamp' }: Scenario): CapabilityName {
  return capability;
}

export type Chapter = {
  readonly atMs: number;
  readonly by: 'kubelet' | 'person' | 'controller' | 'cluster';
  does(cluster: Cluster): void;
};
