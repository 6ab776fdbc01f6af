// From a change of a policy or a worker to the nodes that it touches, and only those. Pure.

import { canonical } from '../../base/hash.ts';
import { isSame } from '../../base/same.ts';
import type { ObjectView } from '../../objects/raw.ts';
import type { Route } from '../../runtime/capability.ts';
import type { CacheChange, Caches } from '../../runtime/ports.ts';
import { isEchoing } from './controls.ts';
import { selects } from './gather.ts';
import type { PolicyView } from './policy.ts';
import type { VerificationSpecs } from './specs.ts';
import type { WorkerView } from './worker-view.ts';

export function routes(specs: VerificationSpecs): readonly Route[] {
  const policyRoute: Route<PolicyView> = {
    watch: specs.policies,
    nodes(change, caches) {
      const views = viewsOf(change);
      if (change.kind === 'updated' && isSamePolicy(change.before, change.now)) return [];
      return [...caches.of(specs.nodes).values()]
        .filter((node) => views.some((view) => selects(view, node)))
        .map(({ name }) => name);
    },
  };
  const workerRoute: Route<WorkerView> = {
    watch: specs.workers,
    nodes(change, caches) {
      const views = viewsOf(change);
      if (views.some(({ isControl }) => isControl))
        return isNews(change) ? awaitingWorkers(caches, specs) : [];
      if (change.kind === 'updated' && isSame(placeless(change.before), placeless(change.now))) return [];
      return views.flatMap(({ targetNode }) => (targetNode === '' ? [] : [targetNode]));
    },
  };
  return [policyRoute, workerRoute];
}

/** Where a worker runs is known before it is made: that it was bound says nothing. */
function placeless(worker: WorkerView): Partial<WorkerView> {
  const { resourceVersion, nodeName, podIP, ...rest } = worker;
  return rest;
}

/** Whether a control worker answers now that did not, or the other way round. */
function isNews(change: CacheChange<WorkerView>): boolean {
  const [first, last] = [viewsOf(change).at(0), viewsOf(change).at(-1)].map(
    (view) => view && isEchoing(view),
  );
  return change.kind === 'updated' ? first !== last : first === true;
}

function awaitingWorkers(caches: Caches, { lifecycles }: VerificationSpecs): readonly string[] {
  return [...caches.of(lifecycles).values()]
    .filter(({ verificationState }) => verificationState === 'pending')
    .map(({ name }) => name);
}

/** A status that is written touches no node. */
function isSamePolicy(before: PolicyView, now: PolicyView): boolean {
  return before.isBeingDeleted === now.isBeingDeleted && canonical(before.policy) === canonical(now.policy);
}

function viewsOf<V extends ObjectView>(change: CacheChange<V>): readonly V[] {
  switch (change.kind) {
    case 'added':
      return [change.now];
    case 'updated':
      return [change.before, change.now];
    case 'deleted':
      return [change.before];
  }
}
