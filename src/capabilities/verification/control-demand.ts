// Which policies need control workers now, and for nodes of which pools: those with a node that has been granted its place, or that is
// between two attempts. Pure over read-only caches.

import {
  isRunning,
  type LifecycleView,
  verificationOf,
  type VerificationRecord,
} from '../../fleet/lifecycle.ts';
import type { ReportView } from '../../runtime/capability.ts';
import { asksForPeers, type ControlTerms, controlTerms } from './controls.ts';
import { policyFor } from './gather.ts';
import type { Policy } from './policy.ts';
import type { VerificationSpecs } from './specs.ts';
import type { WorkerTemplate } from './worker-pod.ts';

export type ControlsPorts = { readonly specs: VerificationSpecs; readonly template: WorkerTemplate };

export type Demand = {
  readonly policy: Policy;
  readonly terms: ControlTerms;
  /** A node has been granted its place and has no worker that runs: only then is a control worker made. */
  isPending: boolean;
  /** Of nodes that have. */
  readonly pools: Set<string>;
};

/** By the name of the policy; one that no node needs now has none. */
export function demandsIn(
  { caches, store }: ReportView,
  { specs }: ControlsPorts,
): ReadonlyMap<string, Demand> {
  const demands = new Map<string, Demand>();
  const nodes = caches.of(specs.nodes);
  for (const lifecycle of caches.of(specs.lifecycles).values()) {
    const node = isAtRest(lifecycle) ? undefined : nodes.get(lifecycle.name);
    const policy = node === undefined ? null : policyFor(node, caches.of(specs.policies).values());
    if (node === undefined || policy === null || !isAskedFor(policy)) continue;
    const record = verificationOf(lifecycle, node.uid);
    if (record === undefined || !(isRunning(record) || isBetweenAttempts(record, policy))) continue;
    const demand = demands.get(policy.name) ?? {
      policy,
      terms: controlTerms(policy),
      isPending: false,
      pools: new Set(),
    };
    demands.set(policy.name, demand);
    if (record.state !== 'pending') continue;
    demand.isPending = true;
    demand.pools.add(store.get(node.name)?.poolRef.name ?? '');
  }
  return demands;
}

function isAtRest({ verificationState }: LifecycleView): boolean {
  return verificationState === '' || verificationState === 'verified';
}

/** The next one follows within seconds: it is not worth the pods to make them anew. */
function isBetweenAttempts(
  { verdict, failedAttempts = 0, inconclusiveAttempts = 0 }: VerificationRecord,
  { attemptsMax }: Policy,
): boolean {
  return verdict !== undefined && failedAttempts < attemptsMax && inconclusiveAttempts < attemptsMax;
}

export function isAskedFor(policy: Policy): boolean {
  return asksForPeers(policy) && !policy.isSuspended && policy.refusal === '';
}
