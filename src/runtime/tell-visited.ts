// After a visit: tells each capability that was heard in it what it concluded before and now, and how long it took. For metrics alone.

import type { Clock } from '../base/clock.ts';
import type { NodeState, Verdict } from '../fleet/node-state.ts';
import type { CapabilityDecision } from './evaluate.ts';
import type { Caches } from './ports.ts';

export type Visited = {
  readonly state: NodeState;
  readonly before: readonly Verdict[];
  readonly speaking: readonly CapabilityDecision[];
  readonly startedMs: number;
};

export function tellVisited(
  { sources, clock }: { readonly sources: Caches; readonly clock: Clock },
  { state, before, speaking, startedMs }: Visited,
): void {
  const tookMs = clock.monotonicMs() - startedMs;
  for (const { capability } of speaking) {
    const own = ({ capability: name }: Verdict) => name === capability.name;
    const verdicts = { verdicts: state.verdicts.filter(own), before: before.filter(own) };
    capability.visited?.({ ...verdicts, caches: sources, tookMs, now: clock.now() });
  }
}
