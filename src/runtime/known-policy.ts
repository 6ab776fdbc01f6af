// The DisruptionPolicy that holds now. While the server does not know the kind, that is the one that was last seen: a pause or a
// budget must not end because its definition is being replaced. Who never saw one cannot tell that from a cluster without it.

import { disruptionPolicyName } from '../api/keys.ts';
import type { Cancel } from '../base/clock.ts';
import type { GatingPolicy, PolicyView } from './gating-policy.ts';
import type { Sources, WatchSpec } from './ports.ts';

export type KnownPolicy = { readonly now: () => GatingPolicy | undefined; readonly stop: Cancel };

export function createKnownPolicy(
  sources: Pick<Sources, 'of' | 'subscribe'>,
  spec: WatchSpec<PolicyView> | undefined,
): KnownPolicy {
  if (spec === undefined) return { now: () => undefined, stop: () => {} };
  const cache = sources.of(spec);
  let seen = cache.get(disruptionPolicyName);
  /** What a new leader has read live is held before the watch knows that the kind is back. */
  const known = () => {
    const held = cache.get(disruptionPolicyName);
    if (held !== undefined || cache.isServed()) seen = held;
    return seen;
  };
  return { now: () => known()?.gating, stop: sources.subscribe(spec, known) };
}
