// One node through every capability: facts, decisions, one state. Pure; a capability that throws is unknown on this node and
// silent about its keys, and the others go on.

import type { Reason } from '../api/reasons.ts';
import { controlPlaneRole } from '../api/keys.ts';
import type { Instant } from '../base/clock.ts';
import type { NodeConclusion, NodeState, UpdateAssessment, Verdict } from '../fleet/node-state.ts';
import type { PoolResolver } from '../fleet/pools.ts';
import { findCondition, withCondition } from '../objects/condition.ts';
import type { NodeView } from '../objects/node.ts';
import type { Answers } from './asked.ts';
import type { Decision, NodeCapability } from './capability.ts';
import type { Caches } from './ports.ts';

export type EvaluationFacts = {
  readonly capabilities: readonly NodeCapability[];
  readonly caches: Caches;
  readonly answers: Answers;
  readonly node: NodeView;
  readonly pools: PoolResolver;
  readonly previous: NodeState | undefined;
  readonly now: Instant;
};

export type CapabilityDecision = {
  readonly capability: NodeCapability;
  readonly decision: Decision;
  /** Set when the capability threw: its keys on this node stay as they are. */
  readonly failure: Error | null;
};

export type Evaluation = {
  readonly conclusion: NodeConclusion;
  readonly decisions: readonly CapabilityDecision[];
  /** The soonest wish to look again. */
  readonly recheckAt: Instant | null;
};

export function evaluateNode(facts: EvaluationFacts): Evaluation {
  const { node, pools, previous, now } = facts;
  const decisions = facts.capabilities.map((capability) => decideSafely(capability, facts));
  const update = decisions.find(({ decision }) => decision.update !== undefined)?.decision.update;
  const rechecks = decisions.flatMap(({ decision }) => decision.recheckAt ?? []);
  return {
    conclusion: {
      ...(update ?? settledUpdate(node, previous, now)),
      name: node.name,
      uid: node.uid,
      poolRef: pools.poolOf(node.labels),
      scope: node.labels[controlPlaneRole] === undefined ? 'WorkerPool' : 'ControlPlane',
      verdicts: decisions.flatMap(({ decision }) => decision.verdicts),
    },
    decisions,
    recheckAt: rechecks.length === 0 ? null : Math.min(...rechecks),
  };
}

function decideSafely(
  capability: NodeCapability,
  { caches, answers, node, now }: EvaluationFacts,
): CapabilityDecision {
  try {
    return {
      capability,
      decision: capability.decide(capability.gather(caches, node, answers), now),
      failure: null,
    };
  } catch (thrown) {
    const failure = thrown instanceof Error ? thrown : new Error(String(thrown));
    return { capability, decision: unknownDecision(capability, failure), failure };
  }
}

function unknownDecision({ name }: NodeCapability, failure: Error): Decision {
  const reason: Reason = 'InternalError';
  const verdict: Verdict = {
    capability: name,
    parent: name,
    outcome: 'unknown',
    reason,
    message: failure.message,
  };
  return { verdicts: [verdict], wish: {}, requests: [], recheckAt: null };
}

/** Without a source of updates: the node runs what it should, and is available when its kubelet is ready. */
function settledUpdate(node: NodeView, previous: NodeState | undefined, now: Instant): UpdateAssessment {
  const ready = findCondition(node.conditions, 'Ready');
  const before = previous?.conditions ?? [];
  const isAvailable = ready?.status === 'True' && !node.isUnschedulable;
  const available = {
    type: 'Available',
    status: isAvailable ? 'True' : 'False',
    reason: ready?.reason || 'Unknown',
    message: '',
  } as const;
  const conditions = withCondition(
    withCondition(
      withCondition(before, { type: 'Updating', status: 'False', reason: 'NoUpdate', message: '' }, now),
      available,
      now,
    ),
    { type: 'Degraded', status: 'False', reason: 'AsExpected', message: '' },
    now,
  );
  const version = node.kubeletVersion;
  return {
    version,
    desiredVersion: '',
    currentConfig: '',
    desiredConfig: '',
    conditions,
    phase: 'Completed',
    message: '',
  };
}
