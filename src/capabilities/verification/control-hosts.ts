// Where control workers can run: on nodes that are verified under the same policy and that nobody is about to take away. Pure over
// read-only caches, but for the count that is remembered for a moment.

import type { Instant } from '../../base/clock.ts';
import { departureOf } from '../../fleet/gates.ts';
import type { LifecycleView } from '../../fleet/lifecycle.ts';
import { isTrue } from '../../objects/condition.ts';
import type { NodeView } from '../../objects/node.ts';
import { matches } from '../../objects/selector.ts';
import { keepsPodsAway } from '../../objects/taint.ts';
import type { Caches } from '../../runtime/ports.ts';
import { controlsMax } from './controls.ts';
import type { Policy } from './policy.ts';
import { isStartupTaint } from './policies/obstacles.ts';
import type { CentreSpecs } from './specs.ts';

export type Host = { readonly node: NodeView; readonly lifecycle: LifecycleView };

export type HostSearch = {
  readonly specs: CentreSpecs;
  readonly policy: Pick<Policy, 'owner' | 'selector'>;
  readonly policyOf: (node: NodeView) => Policy | null;
};

/** One after the other, because whoever asks how many there are looks at the first few alone. */
export function* hostsIn(caches: Caches, { specs, policy, policyOf }: HostSearch): Generator<Host> {
  const nodes = caches.of(specs.nodes);
  for (const lifecycle of caches.of(specs.lifecycles).values()) {
    if (lifecycle.verificationState !== 'verified') continue;
    const node = nodes.get(lifecycle.name);
    if (node === undefined || node.uid !== lifecycle.nodeUID) continue;
    // The cheapest first: most nodes of a large fleet are of other policies.
    if (policy.selector !== null && !matches(policy.selector, node.labels)) continue;
    // Whether nodes of different policies can reach each other nobody has said.
    if (canHost(node) && policyOf(node)?.owner === policy.owner) yield { node, lifecycle };
  }
}

export function canHost(node: NodeView): boolean {
  return (
    isTrue(node.conditions, 'Ready') &&
    !node.isUnschedulable &&
    departureOf(node) === null &&
    !node.taints.some((taint) => keepsPodsAway(taint) && isStartupTaint(taint))
  );
}

export interface HostCounts {
  /** As far as it matters: no more than control workers that anybody is told of. */
  of(caches: Caches, search: HostSearch, now: Instant): number;
}

/** Every node that is about to get a worker asks, and where there is none the whole fleet has been looked at. */
const REMEMBERED_MS = 1_000;

export function createHostCounts(): HostCounts {
  // By the policy as it stands: one that is changed is another.
  const counts = new WeakMap<HostSearch['policy'], { readonly count: number; readonly at: Instant }>();
  return {
    of(caches, search, now) {
      const known = counts.get(search.policy);
      if (known !== undefined && Math.abs(now - known.at) < REMEMBERED_MS) return known.count;
      const count = hostsIn(caches, search).take(controlsMax).toArray().length;
      counts.set(search.policy, { count, at: now });
      return count;
    },
  };
}
