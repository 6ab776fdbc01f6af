import { describe, expect, it } from 'vitest';
import { nodeState, verdict } from '../../test/support/builders.ts';
import { nodeView } from '../../test/support/node-builder.ts';
import { leavingTaintKeys, systemTaintKeys } from '../api/keys.ts';
import { type UpdatePhase, updatePhases } from '../api/lifecycle-vocabulary.ts';
import type { NodeView } from '../objects/node.ts';
import { openGates } from './gates.ts';
import type { NodeConclusion } from './node-state.ts';
import { type StageFinding, stageOf } from './stage.ts';

type Given = {
  readonly node?: NodeView;
  readonly state?: Partial<NodeConclusion>;
  readonly isOwn?: boolean;
  readonly wasInService?: boolean;
};

const gate = { key: 'example.com/cni', effect: 'NoSchedule' };

function stage({ node = nodeView(), state = {}, isOwn = false, wasInService = false }: Given): StageFinding {
  const ownTaints = new Map(isOwn ? [['example.com/cni:NoSchedule', 'stamp']] : []);
  const verdicts = state.verdicts ?? [];
  return stageOf({
    node,
    state: nodeState(state),
    gates: openGates(node, ownTaints, verdicts),
    wasInService,
  });
}

const tainted = (key: string) => nodeView({ taints: [{ key, effect: 'NoSchedule' }] });
const unready = (message = '') => {
  const node = nodeView({ ready: 'False' });
  return { ...node, conditions: node.conditions.map((condition) => ({ ...condition, message })) };
};
const configuring = verdict({
  holdsIn: 'Configuring',
  reason: 'ConfigurationPending',
  message: 'label missing',
});
const verifying = verdict({ holdsIn: 'Verifying', reason: 'VerificationPending', message: 'attempt 1' });

describe('the stage of a node', () => {
  it.each<[string, Given, StageFinding]>([
    [
      'is Leaving when it is being deleted',
      { node: { ...nodeView(), deletionTimestamp: '2026-01-01T00:00:00Z' } },
      { stage: 'Leaving', reason: 'NodeBeingDeleted', message: 'removed by NodeDeletion' },
    ],
    [
      'is Leaving when Cluster Autoscaler has marked it',
      { node: tainted(leavingTaintKeys.clusterAutoscaler) },
      { stage: 'Leaving', reason: 'ClusterAutoscalerTaint', message: 'removed by ClusterAutoscaler' },
    ],
    [
      'is Leaving when Karpenter has marked it',
      { node: tainted(leavingTaintKeys.karpenter) },
      { stage: 'Leaving', reason: 'KarpenterDisrupted', message: 'removed by Karpenter' },
    ],
    [
      'is Updating while its update changes it, in the words of the update',
      { state: { phase: 'Draining', message: 'evicting 3 pods' } },
      { stage: 'Updating', reason: 'UpdateInProgress', message: 'evicting 3 pods' },
    ],
    [
      'is Joined while the kubelet has never been ready',
      { node: unready('no CNI yet') },
      { stage: 'Joined', reason: 'KubeletNotReady', message: 'no CNI yet' },
    ],
    [
      'is Joined while the kubelet gives no reason',
      { node: unready() },
      { stage: 'Joined', reason: 'KubeletNotReady', message: 'Ready is False' },
    ],
    [
      'is Joined before the kubelet has reported',
      { node: { ...nodeView(), conditions: [] } },
      { stage: 'Joined', reason: 'KubeletNotReady', message: 'the kubelet has not reported yet' },
    ],
    [
      'is Configuring while its configuration holds it',
      { state: { verdicts: [verifying, configuring] } },
      { stage: 'Configuring', reason: 'ConfigurationPending', message: 'label missing' },
    ],
    [
      'is Verifying while its verification holds it',
      { state: { verdicts: [verdict(), verifying] } },
      { stage: 'Verifying', reason: 'VerificationPending', message: 'attempt 1' },
    ],
    [
      'is Gated behind a gate of ours',
      { node: nodeView({ taints: [gate] }), isOwn: true },
      { stage: 'Gated', reason: 'OwnTaint', message: 'set by stamp' },
    ],
    [
      'is Gated behind a taint of Kubernetes',
      { node: tainted(systemTaintKeys.diskPressure) },
      { stage: 'Gated', reason: 'SystemTaint', message: `${systemTaintKeys.diskPressure}:NoSchedule` },
    ],
    [
      'is Gated when it is cordoned',
      { node: nodeView({ isCordoned: true }) },
      { stage: 'Gated', reason: 'Cordoned', message: 'the node is cordoned; who did it is not recorded' },
    ],
    [
      'is Gated when it was in service and is not ready',
      { node: unready('kubelet stopped'), wasInService: true },
      { stage: 'Gated', reason: 'KubeletNotReady', message: 'kubelet stopped' },
    ],
    [
      'is InService behind nothing but a taint of others',
      { node: nodeView({ taints: [gate] }) },
      { stage: 'InService', reason: 'NoOpenGate', message: '' },
    ],
    [
      'is InService, with the reason, where a gate that is wanted is kept off',
      {
        state: {
          verdicts: [verdict({ reason: 'GatingBudgetSpent', message: 'it is not set', isKeptOff: true })],
        },
      },
      { stage: 'InService', reason: 'GatingBudgetSpent', message: 'it is not set' },
    ],
    ['is InService otherwise', {}, { stage: 'InService', reason: 'NoOpenGate', message: '' }],
  ])('%s', (_, given, finding) => {
    expect(stage(given)).toEqual(finding);
  });

  it('is that of the first row that applies, down the table', () => {
    const leaving = { taints: [gate, { key: leavingTaintKeys.karpenter, effect: 'NoSchedule' }] };
    const verdicts = [verifying, configuring];
    const stages = [
      stage({
        node: nodeView({ ...leaving, ready: 'False' }),
        state: { phase: 'Rebooting', verdicts },
        isOwn: true,
      }),
      stage({ node: unready(), state: { phase: 'Rebooting', verdicts } }),
      stage({ node: unready(), state: { verdicts } }),
      stage({ node: unready(), state: { verdicts }, wasInService: true }),
      stage({ node: unready(), state: { verdicts: [verifying] }, wasInService: true }),
      stage({ node: unready(), wasInService: true }),
      stage({ wasInService: true }),
    ];
    expect(stages.map((found) => found.stage)).toEqual([
      'Leaving',
      'Updating',
      'Joined',
      'Configuring',
      'Verifying',
      'Gated',
      'InService',
    ]);
  });

  const stageIn: Readonly<Record<UpdatePhase, string>> = {
    Pending: 'InService',
    Draining: 'Updating',
    Updating: 'Updating',
    Rebooting: 'Updating',
    Paused: 'InService',
    Completed: 'InService',
  };

  it.each(updatePhases)('in the phase %s is Updating only if the node is being changed', (phase) => {
    expect(stage({ state: { phase } }).stage).toBe(stageIn[phase]);
  });

  it('names the phase where the update has no words', () => {
    expect(stage({ state: { phase: 'Rebooting' } }).message).toBe('Rebooting');
  });
});
