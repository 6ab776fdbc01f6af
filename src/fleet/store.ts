// NodeStateStore: the state of every node, by name and by pool. One thread, frozen states: readers can hold on to what they
// got. Storing an equal state changes nothing but the evaluation count.

import type { Instant } from '../base/clock.ts';
import type { StateChangeEvent, TriggerSource } from './change.ts';
import { hashNodeState, type NodeConclusion, type NodeState } from './node-state.ts';
import { createSharedConditions } from './shared-conditions.ts';
import { createSharedVerdicts } from './shared-verdicts.ts';

export type Occasion = {
  readonly at: Instant;
  readonly triggerSource: TriggerSource;
  readonly resourceVersion: string;
};

export interface NodeStateStore {
  get(name: string): NodeState | undefined;
  /** Nothing when the node's state is what it was. A new UID under an old name is a deletion and a creation. */
  set(conclusion: NodeConclusion, occasion: Occasion): readonly StateChangeEvent[];
  delete(name: string, occasion: Omit<Occasion, 'resourceVersion'>): StateChangeEvent | null;
  /** Visits until the visitor returns false. */
  range(visit: (state: NodeState) => boolean): void;
  count(): number;
  getAll(): readonly NodeState[];
  getByPool(pool: string): readonly NodeState[];
  pools(): readonly string[];
  /** How often a node has been evaluated since it was first seen. */
  evaluationsOf(name: string): number;
}

export function createNodeStateStore(): NodeStateStore {
  const states = new Map<string, NodeState>();
  const byPool = new Map<string, Map<string, NodeState>>();
  const evaluations = new Map<string, number>();
  const shareVerdicts = createSharedVerdicts();
  const shareConditions = createSharedConditions();

  const put = (state: NodeState) => {
    states.set(state.name, state);
    const members = byPool.get(state.poolRef.name) ?? new Map<string, NodeState>();
    byPool.set(state.poolRef.name, members.set(state.name, state));
  };

  const leavePool = (state: NodeState) => {
    const members = byPool.get(state.poolRef.name);
    members?.delete(state.name);
    if (members?.size === 0) byPool.delete(state.poolRef.name);
  };

  const store: NodeStateStore = {
    get: (name) => states.get(name),
    set(conclusion, { at, triggerSource, resourceVersion }) {
      const nodeName = conclusion.name;
      const before = states.get(nodeName);
      const context = { nodeName, timestamp: at, triggerSource };
      if (before !== undefined && before.uid !== conclusion.uid) {
        const deleted = store.delete(nodeName, { at, triggerSource });
        const created = store.set(conclusion, { at, triggerSource, resourceVersion });
        return deleted === null ? created : [deleted, ...created];
      }
      const evaluationCount = (evaluations.get(nodeName) ?? 0) + 1;
      evaluations.set(nodeName, evaluationCount);
      const stateHash = hashNodeState(conclusion);
      if (before?.stateHash === stateHash) return [];
      const newState = Object.freeze({
        ...conclusion,
        conditions: shareConditions(conclusion.conditions),
        verdicts: shareVerdicts(conclusion.verdicts),
        lastEvaluated: at,
        evaluationCount,
        resourceVersion,
        stateHash,
      });
      // A state that stays in its pool is replaced in place: who walks through the store meets it once.
      if (before !== undefined && before.poolRef.name !== newState.poolRef.name) leavePool(before);
      put(newState);
      return before === undefined
        ? [{ ...context, changeType: 'Created', oldState: null, newState }]
        : [{ ...context, changeType: 'Updated', oldState: before, newState }];
    },
    delete(nodeName, { at, triggerSource }) {
      const oldState = states.get(nodeName);
      evaluations.delete(nodeName);
      if (oldState === undefined) return null;
      states.delete(nodeName);
      leavePool(oldState);
      return { nodeName, timestamp: at, triggerSource, changeType: 'Deleted', oldState, newState: null };
    },
    range(visit) {
      for (const state of states.values()) if (!visit(state)) return;
    },
    count: () => states.size,
    getAll: () => [...states.values()],
    getByPool: (pool) => [...(byPool.get(pool)?.values() ?? [])],
    pools: () => [...byPool.keys()].sort(),
    evaluationsOf: (name) => evaluations.get(name) ?? 0,
  };
  return store;
}
