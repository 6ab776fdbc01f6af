// I10: what an operator holds in the end follows from what is in the cluster: one state per node, one stream per kind, all ready.

import type { Oracle } from './oracle.ts';

/** Nodes, records and stamps. */
const STREAMS = 3;

export const bounded: Oracle = {
  name: 'I10 bounded',
  judge(run) {
    const nodes = Object.keys(run.end).filter((name) => name.startsWith('nodes/')).length;
    return run.left.flatMap(({ instance, isReady, nodeStates, streams }) => [
      ...(isReady ? [] : [`${instance} is not ready in the end`]),
      ...(nodeStates === nodes ? [] : [`${instance} holds ${nodeStates} states of ${nodes} nodes`]),
      ...(streams === STREAMS ? [] : [`${instance} has ${streams} watches of ${STREAMS} kinds`]),
    ]);
  },
};
