// A change of a node's state, as downstream controllers learn of it.

import type { Instant } from '../base/clock.ts';
import type { NodeState } from './node-state.ts';

/** What made the centre look at a node: the kind of the object that changed, or a cause of its own. */
export type TriggerSource = string;

export const ownTriggers = {
  resync: 'Resync',
  timer: 'Timer',
  startup: 'Startup',
  leadership: 'Leadership',
} as const;

type Context = {
  readonly nodeName: string;
  readonly timestamp: Instant;
  readonly triggerSource: TriggerSource;
};

export type StateChangeEvent = Context &
  (
    | { readonly changeType: 'Created'; readonly oldState: null; readonly newState: NodeState }
    | { readonly changeType: 'Updated'; readonly oldState: NodeState; readonly newState: NodeState }
    | { readonly changeType: 'Deleted'; readonly oldState: NodeState; readonly newState: null }
  );

/** The pools whose members or summary a change touches: on a move, the old and the new one. */
export function poolsOf(change: StateChangeEvent): readonly string[] {
  const names = [change.oldState, change.newState].flatMap((state) =>
    state === null ? [] : [state.poolRef.name],
  );
  return [...new Set(names)];
}
