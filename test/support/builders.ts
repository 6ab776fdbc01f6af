// States, verdicts and facts for tests: an ordinary node in service; a test names only what differs.

import type { StateChangeEvent } from '../../src/fleet/change.ts';
import { type LifecycleFacts, type NextLifecycle, nextLifecycle } from '../../src/fleet/lifecycle.ts';
import {
  hashNodeState,
  type NodeConclusion,
  type NodeState,
  type Verdict,
} from '../../src/fleet/node-state.ts';
import type { Occasion } from '../../src/fleet/store.ts';
import { nodeView } from './node-builder.ts';

/** Noon of an ordinary day, as an instant and as it is written. */
export const noon = Date.UTC(2026, 0, 1, 12);
export const noonText = '2026-01-01T12:00:00Z';
export const minutes = (count: number) => count * 60_000;

export function conclusion(changes: Partial<NodeConclusion> = {}): NodeConclusion {
  return {
    name: 'a',
    uid: 'uid-1',
    poolRef: { kind: 'Label', name: 'workers' },
    scope: 'WorkerPool',
    version: 'v1.36.3',
    desiredVersion: '',
    currentConfig: '',
    desiredConfig: '',
    conditions: [],
    phase: 'Completed',
    message: '',
    verdicts: [],
    ...changes,
  };
}

export function nodeState(changes: Partial<NodeConclusion> = {}): NodeState {
  const concluded = conclusion(changes);
  const stateHash = hashNodeState(concluded);
  return { ...concluded, lastEvaluated: noon, evaluationCount: 1, resourceVersion: '10', stateHash };
}

export function verdict(changes: Partial<Verdict> = {}): Verdict {
  return {
    capability: 'readiness',
    parent: 'readiness/NodeReadinessGateRule/cni',
    outcome: 'unsatisfied',
    reason: 'ConditionMissing',
    message: 'the network is not ready',
    ...changes,
  };
}

export function occasion(changes: Partial<Occasion> = {}): Occasion {
  return { at: noon, triggerSource: 'Node', resourceVersion: '10', ...changes };
}

/** Told from its states alone: none before is a creation, none after a deletion. */
export function change(oldState: NodeState | null, newState: NodeState | null): StateChangeEvent {
  const context = { nodeName: (newState ?? oldState)?.name ?? '', timestamp: noon, triggerSource: 'Node' };
  if (oldState !== null && newState !== null)
    return { ...context, changeType: 'Updated', oldState, newState };
  if (newState !== null) return { ...context, changeType: 'Created', oldState: null, newState };
  if (oldState !== null) return { ...context, changeType: 'Deleted', oldState, newState: null };
  throw new Error('a change needs a state before or after it');
}

export function lifecycleFacts(changes: Partial<LifecycleFacts> = {}): LifecycleFacts {
  return {
    node: nodeView(),
    state: nodeState(),
    wishes: [],
    isSettled: true,
    previous: {},
    now: noon,
    ...changes,
  };
}

/** One pass after another from noon on, each five minutes after the one before and on top of what it wrote. */
export function life(...passes: readonly Partial<LifecycleFacts>[]): NextLifecycle {
  return passes.reduce<NextLifecycle>(
    ({ status }, changes, index) =>
      nextLifecycle(lifecycleFacts({ previous: status, now: noon + minutes(5 * index), ...changes })),
    { status: {}, changed: 'nothing' },
  );
}
