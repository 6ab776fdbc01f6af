// Whether a policy needs control workers now, and for nodes of which pools: while a node has been granted its place, or is between two
// attempts. Pure over read-only caches.

import {
  isRunning,
  type LifecycleView,
  verificationOf,
  type VerificationRecord,
} from '../../fleet/lifecycle.ts';
import type { NodeView } from '../../objects/node.ts';
import type { ReportView } from '../../runtime/capability.ts';
import { asksForPeers, type ControlTerms, controlTerms } from './controls.ts';
import { policyFor, selects } from './gather.ts';
import type { Policy } from './policy.ts';
import type { VerificationSpecs } from './specs.ts';

export type Demand = {
  readonly policy: Policy;
  readonly terms: ControlTerms;
  /** Of nodes that have been granted their place and have no worker that runs: only then is a control worker made. */
  readonly pools: ReadonlySet<string>;
};

/** Null where no node needs any. */
export function demandFor(
  { caches, store }: ReportView,
  specs: VerificationSpecs,
  policyName: string,
): Demand | null {
  const view = caches.of(specs.policies).get(policyName);
  const policy = view?.policy ?? null;
  if (view === undefined || policy === null || !isAskedFor(policy)) return null;
  const applies = (node: NodeView) =>
    selects(view, node) && policyFor(node, caches.of(specs.policies).values()) === policy;
  const checked = [...caches.of(specs.lifecycles).values()].flatMap((lifecycle) => {
    const node = isAtRest(lifecycle) ? undefined : caches.of(specs.nodes).get(lifecycle.name);
    if (node === undefined || !applies(node)) return [];
    const record = verificationOf(lifecycle, node.uid);
    const isChecked = record !== undefined && (isRunning(record) || isBetweenAttempts(record, policy));
    return isChecked ? [{ name: node.name, isPending: record.state === 'pending' }] : [];
  });
  if (checked.length === 0) return null;
  const pending = checked.filter(({ isPending }) => isPending);
  const pools = new Set(pending.map(({ name }) => store.get(name)?.poolRef.name ?? ''));
  return { policy, terms: controlTerms(policy), pools };
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

function isAskedFor(policy: Policy): boolean {
  return asksForPeers(policy) && !policy.isSuspended && policy.refusal === '';
}
