// Where control workers can run: on nodes that are verified under the same policy and that nobody is about to take away. Pure over
// read-only caches.

import { departureOf } from '../../fleet/gates.ts';
import type { LifecycleView } from '../../fleet/lifecycle.ts';
import { isTrue } from '../../objects/condition.ts';
import type { NodeView } from '../../objects/node.ts';
import { keepsPodsAway } from '../../objects/taint.ts';
import type { Caches } from '../../runtime/ports.ts';
import type { Policy } from './policy.ts';
import { isStartupTaint } from './policies/obstacles.ts';
import type { CentreSpecs } from './specs.ts';

export type Host = { readonly node: NodeView; readonly lifecycle: LifecycleView };

export type HostSearch = {
  readonly specs: CentreSpecs;
  readonly policy: Pick<Policy, 'owner'>;
  readonly policyOf: (node: NodeView) => Policy | null;
};

/** One after the other, because whoever asks whether there is any looks at the first alone. */
export function* hostsIn(caches: Caches, { specs, policy, policyOf }: HostSearch): Generator<Host> {
  const nodes = caches.of(specs.nodes);
  for (const lifecycle of caches.of(specs.lifecycles).values()) {
    if (lifecycle.verificationState !== 'verified') continue;
    const node = nodes.get(lifecycle.name);
    if (node === undefined || node.uid !== lifecycle.nodeUID || !canHost(node)) continue;
    // Whether nodes of different policies can reach each other nobody has said.
    if (policyOf(node)?.owner === policy.owner) yield { node, lifecycle };
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
