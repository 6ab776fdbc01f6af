// I10: what an operator holds in the end follows from what is in the cluster: one state per node, one stream per kind, all ready.

import { type CapabilityName, capabilityOf } from '../scenario.ts';
import type { Oracle } from './oracle.ts';

/**
 * Nodes and records; then stamps; or the policy, two kinds of rules, the Leases of two peers and the evaluations; or the policies
 * of verification and the workers.
 */
const streamsOf: Readonly<Record<CapabilityName, number>> = { stamp: 3, readiness: 8, verification: 4 };

export const bounded: Oracle = {
  name: 'I10 bounded',
  judge(run) {
    const wanted = streamsOf[capabilityOf(run.scenario)];
    const nodes = Object.keys(run.end).filter((name) => name.startsWith('nodes/')).length;
    // By a clock that runs too fast a stream is silent for too long before its next bookmark: it may be between two of them.
    const isHasty = run.plan.rules.some(({ action }) => action.kind === 'rate');
    return run.left.flatMap(({ instance, isReady, nodeStates, streams }) => [
      ...(isReady ? [] : [`${instance} is not ready in the end`]),
      ...(nodeStates === nodes ? [] : [`${instance} holds ${nodeStates} states of ${nodes} nodes`]),
      ...(streams === wanted || (isHasty && streams < wanted)
        ? []
        : [`${instance} has ${streams} watches of ${wanted} kinds`]),
    ]);
  },
};
