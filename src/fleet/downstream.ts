// Downstream controllers: who is told that a node's state changed. Each has a keyed, deduplicating queue, so nothing can be
// dropped and a thousand changes of one pool are one piece of work.

import type { StateChangeEvent } from './change.ts';
import type { NodeState } from './node-state.ts';

/** Classifies downstream controllers for metrics: `node_insight`, `pool_insight`, `rule_status`. */
export type DownstreamType = string;

export type DownstreamController = {
  readonly name: string;
  readonly type: DownstreamType;
  /** Which states it cares about; all when absent. A state it cared about before or cares about now counts. */
  readonly filter?: (state: NodeState) => boolean;
  /** The keys of its own objects that a change touches. */
  keysOf(change: StateChangeEvent): readonly string[];
  enqueue(key: string, change?: StateChangeEvent): void;
};

export function notify(downstream: readonly DownstreamController[], change: StateChangeEvent): void {
  for (const controller of downstream) {
    if (!concerns(controller, change)) continue;
    for (const key of controller.keysOf(change)) controller.enqueue(key, change);
  }
}

function concerns({ filter }: DownstreamController, { oldState, newState }: StateChangeEvent): boolean {
  if (filter === undefined) return true;
  return (oldState !== null && filter(oldState)) || (newState !== null && filter(newState));
}
