// The stage of a node's life: derived from facts on every pass and never read back as truth.

import type { Stage } from '../api/lifecycle-vocabulary.ts';
import type { Reason } from '../api/reasons.ts';
import { findCondition } from '../objects/condition.ts';
import type { NodeView } from '../objects/node.ts';
import { departureOf, type Gate, holdsBack } from './gates.ts';
import type { NodeState } from './node-state.ts';
import { isUnderWay } from './update-phase.ts';

export type StageFinding = { readonly stage: Stage; readonly reason: string; readonly message: string };

export type StageFacts = {
  readonly node: NodeView;
  readonly state: NodeState;
  readonly gates: readonly Gate[];
  readonly wasInService: boolean;
};

/**
 * The first row that applies:
 *
 * | stage       | when                                                                          |
 * | Leaving     | it is being deleted, or an autoscaler has marked it for removal               |
 * | Updating    | its update is draining, updating or rebooting it                              |
 * | Joined      | the kubelet is not ready and the node was never in service                    |
 * | Configuring | nodeconfig holds it                                                           |
 * | Verifying   | verification holds it                                                         |
 * | Gated       | a gate of ours, of the platform or a cordon keeps pods away, or it is not ready |
 * | InService   | otherwise                                                                     |
 */
export function stageOf(facts: StageFacts): StageFinding {
  return (
    leaving(facts) ??
    updating(facts) ??
    joined(facts) ??
    heldByVerdict(facts) ??
    gated(facts) ??
    inService(facts)
  );
}

type Row<F = StageFinding | null> = (facts: StageFacts) => F;

const leaving: Row = ({ node }) => {
  const departure = departureOf(node);
  return departure === null ? null : finding('Leaving', departure.reason, `removed by ${departure.by}`);
};

const updating: Row = ({ state }) =>
  isUnderWay(state.phase) ? finding('Updating', 'UpdateInProgress', state.message || state.phase) : null;

const joined: Row = ({ node, wasInService }) =>
  isReady(node) || wasInService ? null : finding('Joined', 'KubeletNotReady', readyMessage(node));

const heldByVerdict: Row = ({ state }) => {
  const holding = (stage: Stage) => state.verdicts.find(({ holdsIn }) => holdsIn === stage);
  const verdict = holding('Configuring') ?? holding('Verifying');
  return verdict?.holdsIn === undefined
    ? null
    : { stage: verdict.holdsIn, reason: verdict.reason, message: verdict.message };
};

const gated: Row = ({ node, gates }) => {
  const gate = gates.find(holdsBack);
  if (gate !== undefined) return { stage: 'Gated', reason: gate.reason, message: gate.message };
  return isReady(node) ? null : finding('Gated', 'KubeletNotReady', readyMessage(node));
};

/** Why it is not gated although somebody wants it to be, where that is so. */
const inService: Row<StageFinding> = ({ state }) => {
  const kept = state.verdicts.find(({ isKeptOff }) => isKeptOff);
  return kept === undefined
    ? finding('InService', 'NoOpenGate', '')
    : { stage: 'InService', reason: kept.reason, message: kept.message };
};

function isReady(node: NodeView): boolean {
  return findCondition(node.conditions, 'Ready')?.status === 'True';
}

function readyMessage(node: NodeView): string {
  const ready = findCondition(node.conditions, 'Ready');
  if (ready === undefined) return 'the kubelet has not reported yet';
  return ready.message === '' ? `Ready is ${ready.status}` : ready.message;
}

function finding(stage: Stage, reason: Reason, message: string): StageFinding {
  return { stage, reason, message };
}
