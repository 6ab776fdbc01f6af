// The taints that Kubernetes' own controllers keep on a node, from its conditions and its cordon. Pure. Taints of all
// others stay as they are, in their order.

import { systemTaintKeys as keys } from '../api/keys.ts';
import type { NodeView } from '../objects/node.ts';
import { findCondition } from '../objects/condition.ts';
import { type Taint, taintId, withoutTaint, withTaint } from '../objects/taint.ts';

type Rule = { readonly taint: Taint; readonly holds: (node: NodeView) => boolean };

const isCondition = (type: string, status: string) => (node: NodeView) =>
  findCondition(node.conditions, type)?.status === status;

const noSchedule = (key: string, holds: Rule['holds']): Rule => ({
  taint: { key, value: '', effect: 'NoSchedule' },
  holds,
});
const noExecute = (key: string, holds: Rule['holds']): Rule => ({
  taint: { key, value: '', effect: 'NoExecute' },
  holds,
});

const isNotReady = isCondition('Ready', 'False');
const isUnreachable = isCondition('Ready', 'Unknown');

const rules: readonly Rule[] = [
  noSchedule(keys.notReady, isNotReady),
  noSchedule(keys.unreachable, isUnreachable),
  noSchedule(keys.memoryPressure, isCondition('MemoryPressure', 'True')),
  noSchedule(keys.diskPressure, isCondition('DiskPressure', 'True')),
  noSchedule(keys.pidPressure, isCondition('PIDPressure', 'True')),
  noSchedule(keys.networkUnavailable, isCondition('NetworkUnavailable', 'True')),
  noSchedule(keys.unschedulable, ({ isUnschedulable }) => isUnschedulable),
  noExecute(keys.notReady, isNotReady),
  noExecute(keys.unreachable, isUnreachable),
];

/** The same list when nothing has to change. A node that has not reported yet keeps the taint it was born with. */
export function taintsByCondition(node: NodeView): readonly Taint[] {
  const hasReported = findCondition(node.conditions, 'Ready') !== undefined;
  return rules.reduce<readonly Taint[]>((taints, { taint, holds }) => {
    if (holds(node)) return withTaint(taints, taint);
    return hasReported || taint.key !== keys.notReady ? withoutTaint(taints, taintId(taint)) : taints;
  }, node.taints);
}
