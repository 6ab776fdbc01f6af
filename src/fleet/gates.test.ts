import { describe, expect, it } from 'vitest';
import { verdict } from '../../test/support/builders.ts';
import { type NodeSketch, nodeView } from '../../test/support/node-builder.ts';
import { deletionCandidateTaintKey, leavingTaintKeys, systemTaintKeys } from '../api/keys.ts';
import { listedOwner } from './bounds.ts';
import { departureOf, holdsBack, openGates } from './gates.ts';
import type { Verdict } from './node-state.ts';

const owner = verdict().parent;
const own = { key: 'example.com/cni', effect: 'NoSchedule' };
const system = { key: systemTaintKeys.notReady, effect: 'NoExecute' };
const foreign = { key: 'example.com/team', effect: 'NoSchedule', value: 'gpu' };
const ownTaints = new Map([['example.com/cni:NoSchedule', owner]]);
const gatesOf = (sketch: NodeSketch, verdicts: readonly Verdict[] = []) =>
  openGates(nodeView(sketch), ownTaints, verdicts);

describe('the open gates of a node', () => {
  it('are none on an ordinary node', () => {
    expect(gatesOf({})).toEqual([]);
  });

  it('are ours first, then those of Kubernetes, then a cordon, then those of others', () => {
    const gates = gatesOf({ taints: [foreign, system, own], isCordoned: true });
    expect(gates.map(({ kind }) => kind)).toEqual(['Own', 'System', 'Cordon', 'Foreign']);
    expect(gates.filter(holdsBack).map(({ kind }) => kind)).toEqual(['Own', 'System', 'Cordon']);
  });

  it('keep the order of the node among gates of one kind', () => {
    const taints = ['c', 'a', 'b'].map((key) => ({ key, effect: 'NoSchedule' }));
    expect(gatesOf({ taints }).map(({ key }) => key)).toEqual(['c', 'a', 'b']);
  });

  it.each<[string, NodeSketch, object]>([
    [
      'of ours say who set them when no verdict does',
      { taints: [own] },
      { ...own, kind: 'Own', reason: 'OwnTaint', message: `set by ${owner}` },
    ],
    [
      'of Kubernetes are named as such',
      { taints: [system] },
      { ...system, kind: 'System', reason: 'SystemTaint', message: `${system.key}:NoExecute` },
    ],
    [
      'of others are shown with their value',
      { taints: [foreign] },
      {
        kind: 'Foreign',
        key: foreign.key,
        effect: 'NoSchedule',
        reason: 'ForeignTaint',
        message: 'example.com/team=gpu:NoSchedule',
      },
    ],
    [
      'count an effect that a newer server knows',
      { taints: [{ key: 'a', effect: 'NoAdmit' }] },
      { kind: 'Foreign', key: 'a', effect: 'NoAdmit', reason: 'ForeignTaint', message: 'a:NoAdmit' },
    ],
    [
      'name a cordon once, not its taint as well',
      { isCordoned: true, taints: [{ key: systemTaintKeys.unschedulable, effect: 'NoSchedule' }] },
      {
        kind: 'Cordon',
        key: 'unschedulable',
        effect: 'NoSchedule',
        reason: 'Cordoned',
        message: 'the node is cordoned; who did it is not recorded',
      },
    ],
    [
      'name the taint of a cordon that is no longer one',
      { taints: [{ key: systemTaintKeys.unschedulable, effect: 'NoSchedule' }] },
      {
        kind: 'System',
        key: systemTaintKeys.unschedulable,
        effect: 'NoSchedule',
        reason: 'SystemTaint',
        message: `${systemTaintKeys.unschedulable}:NoSchedule`,
      },
    ],
  ])('%s', (_, sketch, gate) => {
    expect(gatesOf(sketch)).toEqual([gate]);
  });

  it('do not count advice to the scheduler', () => {
    expect(gatesOf({ taints: [{ ...own, effect: 'PreferNoSchedule' }] })).toEqual([]);
  });

  it('do not take another effect of our key for ours', () => {
    expect(gatesOf({ taints: [{ ...own, effect: 'NoExecute' }] })).toMatchObject([{ kind: 'Foreign' }]);
  });
});

describe('a gate of ours', () => {
  const wordsOf = (verdicts: readonly Verdict[]) => {
    const [gate] = gatesOf({ taints: [own] }, verdicts);
    return [gate?.reason, gate?.message];
  };

  it.each<[string, Verdict, readonly string[]]>([
    ['has the words of the verdict behind it', verdict(), ['ConditionMissing', 'the network is not ready']],
    [
      'has the words of a verdict that is unknown',
      verdict({ outcome: 'unknown', reason: 'R' }),
      ['R', 'the network is not ready'],
    ],
    [
      'has no words of a verdict that is satisfied',
      verdict({ outcome: 'satisfied' }),
      ['OwnTaint', `set by ${owner}`],
    ],
    [
      'has no words of another parent',
      verdict({ parent: 'readiness/NodeReadinessGateRule/csi' }),
      ['OwnTaint', `set by ${owner}`],
    ],
  ])('%s', (_, given, words) => {
    expect(wordsOf([given])).toEqual(words);
  });
});

it('a gate of an owner whose name is too long to be listed has the words of its verdict too', () => {
  const parent = `nodeconfig/NodeConfig/${'n'.repeat(400)}`;
  const listed = new Map([['example.com/cni:NoSchedule', listedOwner(parent)]]);
  const [gate] = openGates(nodeView({ taints: [own] }), listed, [verdict({ parent })]);
  expect(gate?.reason).toBe('ConditionMissing');
});

describe('a departure', () => {
  const autoscaler = { key: leavingTaintKeys.clusterAutoscaler, effect: 'NoSchedule' };
  const karpenter = { key: leavingTaintKeys.karpenter, effect: 'NoSchedule' };
  const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z' };

  it.each<[string, NodeSketch, object, string | null]>([
    ['is the deletion of the node', {}, deleted, 'NodeDeletion'],
    ['is a deletion before anything else', { taints: [autoscaler, karpenter] }, deleted, 'NodeDeletion'],
    ['is announced by Cluster Autoscaler', { taints: [autoscaler] }, {}, 'ClusterAutoscaler'],
    ['is announced by Karpenter', { taints: [karpenter] }, {}, 'Karpenter'],
    [
      'is not a mere candidate',
      { taints: [{ key: deletionCandidateTaintKey, effect: 'PreferNoSchedule' }] },
      {},
      null,
    ],
    ['is not a cordon', { isCordoned: true }, {}, null],
  ])('%s', (_, sketch, changes, by) => {
    expect(departureOf({ ...nodeView(sketch), ...changes })?.by ?? null).toBe(by);
  });
});
