// What keeps ordinary pods from a node, and who removes it. Derived from the Node alone; the words come from verdicts where
// a gate is ours.

import { leavingTaintKeys, systemTaintKeys } from '../api/keys.ts';
import type { GateKind, Remover } from '../api/lifecycle-vocabulary.ts';
import type { Reason } from '../api/reasons.ts';
import type { NodeView } from '../objects/node.ts';
import { formatTaint, keepsPodsAway, type Taint, type TaintId, taintId } from '../objects/taint.ts';
import { listedOwner } from './bounds.ts';
import type { Verdict } from './node-state.ts';

export type Gate = {
  readonly kind: GateKind;
  readonly key: string;
  readonly effect: string;
  readonly reason: string;
  readonly message: string;
};

/** Owners of the taints on this node that are ours, as they are listed, by taint. */
export type OwnTaints = ReadonlyMap<TaintId, string>;

/** Own gates first, then the platform's, then a cordon, then what others put there for good. */
export function openGates(
  node: NodeView,
  ownTaints: OwnTaints,
  verdicts: readonly Verdict[],
): readonly Gate[] {
  const gates = node.taints
    .filter(
      (taint) =>
        keepsPodsAway(taint) && !(node.isUnschedulable && taint.key === systemTaintKeys.unschedulable),
    )
    .map((taint) => gateOf(taint, ownTaints, verdicts));
  if (node.isUnschedulable) gates.push(cordon);
  return gates.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

/** Foreign taints dedicate a node to some pods; they are shown and do not make a node Gated. */
export function holdsBack(gate: Gate): boolean {
  return gate.kind !== 'Foreign';
}

const order: readonly GateKind[] = ['Own', 'System', 'Cordon', 'Foreign'];

const cordon: Gate = {
  kind: 'Cordon',
  key: 'unschedulable',
  effect: 'NoSchedule',
  reason: 'Cordoned' satisfies Reason,
  message: 'the node is cordoned; who did it is not recorded',
};

const systemKeys: ReadonlySet<string> = new Set(Object.values(systemTaintKeys));

function gateOf(taint: Taint, ownTaints: OwnTaints, verdicts: readonly Verdict[]): Gate {
  const { key, effect } = taint;
  const owner = ownTaints.get(taintId(taint));
  if (owner !== undefined) {
    const verdict = verdicts.find(
      ({ parent, outcome }) => listedOwner(parent) === owner && outcome !== 'satisfied',
    );
    const reason = verdict?.reason ?? ('OwnTaint' satisfies Reason);
    return { kind: 'Own', key, effect, reason, message: verdict?.message ?? `set by ${owner}` };
  }
  const isSystem = systemKeys.has(key);
  const reason: Reason = isSystem ? 'SystemTaint' : 'ForeignTaint';
  return { kind: isSystem ? 'System' : 'Foreign', key, effect, reason, message: formatTaint(taint) };
}

export type Departure = { readonly by: Remover; readonly reason: Reason };

/** Who removes the node, or null while it stays. A deletion under way is the strongest word. */
export function departureOf(node: NodeView): Departure | null {
  if (node.deletionTimestamp !== '') return { by: 'NodeDeletion', reason: 'NodeBeingDeleted' };
  const keys = new Set(node.taints.map(({ key }) => key));
  if (keys.has(leavingTaintKeys.clusterAutoscaler))
    return { by: 'ClusterAutoscaler', reason: 'ClusterAutoscalerTaint' };
  if (keys.has(leavingTaintKeys.karpenter)) return { by: 'Karpenter', reason: 'KarpenterDisrupted' };
  return null;
}
