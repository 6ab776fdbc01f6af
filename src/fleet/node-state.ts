// NodeState: what the centre concluded about one node. Pure data with a hash over its canonical form; equal hash means that
// nothing is stored, notified or written.

import type { Instant } from '../base/clock.ts';
import { type Hash, hashFields } from '../base/hash.ts';
import type { Problem } from '../base/result.ts';
import { type UpdatePhase, updatePhases } from '../api/lifecycle-vocabulary.ts';
import type { Condition } from '../objects/condition.ts';

export const scopes = ['ControlPlane', 'WorkerPool'] as const;
export type Scope = (typeof scopes)[number];

export type PoolRef = { readonly kind: string; readonly name: string };

/** What a capability concluded about a node on behalf of one parent object. */
export type Verdict = {
  readonly capability: string;
  /** The owner named in wishes: `readiness/NodeReadinessGateRule/cni`. */
  readonly parent: string;
  readonly outcome: 'satisfied' | 'unsatisfied' | 'unknown';
  readonly reason: string;
  readonly message: string;
  /** What else the capability's own reporters need, packed: there is one of these per node and rule. */
  readonly detail?: string;
  /** The stage in which this verdict holds the node, where it does. */
  readonly holdsIn?: 'Configuring' | 'Verifying';
  /** It is about a gate that is wished for and that the brake or the policy keeps off. */
  readonly isKeptOff?: true;
};

/** Who speaks of a node that cannot be written: no capability is at fault. */
export const writerName = 'node-writer';

/** What is known of a node's update. Without a source of updates a node runs what it should. */
export type UpdateAssessment = {
  readonly version: string;
  readonly desiredVersion: string;
  readonly currentConfig: string;
  readonly desiredConfig: string;
  readonly conditions: readonly Condition[];
  readonly phase: UpdatePhase;
  readonly message: string;
};

export type NodeState = UpdateAssessment & {
  readonly name: string;
  readonly uid: string;
  readonly poolRef: PoolRef;
  readonly scope: Scope;
  readonly verdicts: readonly Verdict[];
  /** Tracking, not part of the hash: as they were when this state was first reached. */
  readonly lastEvaluated: Instant;
  readonly evaluationCount: number;
  /** The Node's resourceVersion that led to this state: a string, because a number would lose digits. */
  readonly resourceVersion: string;
  readonly stateHash: Hash;
};

export type NodeConclusion = Omit<
  NodeState,
  'lastEvaluated' | 'evaluationCount' | 'resourceVersion' | 'stateHash'
>;

export function hashNodeState(state: NodeConclusion): Hash {
  return hashFields(canonicalFields(state));
}

function* canonicalFields(state: NodeConclusion): Generator<string> {
  yield* [
    state.name,
    state.uid,
    state.poolRef.kind,
    state.poolRef.name,
    state.scope,
    state.phase,
    state.message,
  ];
  yield* [state.version, state.desiredVersion, state.currentConfig, state.desiredConfig];
  yield String(state.conditions.length);
  for (const { type, status, reason, message } of state.conditions) yield* [type, status, reason, message];
  for (const { capability, parent, outcome, reason, message, holdsIn = '', detail = '' } of state.verdicts) {
    yield* [capability, parent, outcome, reason, message, holdsIn, detail];
  }
}

const SEMVER = /^v?\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/;

/** Everything wrong with a state; a state with problems is shown as such, never acted upon blindly. */
export function validateNodeState(
  state: NodeConclusion,
  isKnownPool: (name: string) => boolean,
): readonly Problem[] {
  const problems: Problem[] = [];
  if (state.name === '') problems.push({ path: 'name', message: 'must not be empty' });
  if (!isKnownPool(state.poolRef.name)) {
    problems.push({
      path: 'poolRef.name',
      message: `${JSON.stringify(state.poolRef.name)} is not a known pool`,
    });
  }
  if (!scopes.includes(state.scope))
    problems.push({ path: 'scope', message: `must be one of ${scopes.join(', ')}` });
  if (!updatePhases.includes(state.phase)) {
    problems.push({ path: 'phase', message: `must be one of ${updatePhases.join(', ')}` });
  }
  if (state.version !== '' && !SEMVER.test(state.version)) {
    problems.push({ path: 'version', message: `${JSON.stringify(state.version)} is not a semantic version` });
  }
  return problems;
}
