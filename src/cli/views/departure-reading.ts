// What a rule that is being deleted has left: the nodes with its taint, by their records, and whether the policy lets anybody take it away.

import { disruptionPolicyName, disruptionPolicyType, nodeLifecycleType } from '../../api/keys.ts';
import { noSharing } from '../../base/intern.ts';
import type { RuleView } from '../../fleet/readiness-rule.ts';
import { parseTaintId } from '../../objects/taint.ts';
import type { DepartureFacts } from '../../present/rule-departure.ts';
import { policySpec } from '../../runtime/gating-policy.ts';
import type { KubeApi } from '../../runtime/ports.ts';
import { type NodeRecord, readRecord } from './node-record.ts';
import { failureWords, find, listAll } from './reading.ts';

export type DepartureReading = {
  readonly departure: DepartureFacts;
  readonly blindSpots: readonly string[];
};

export async function readDeparture(api: KubeApi, { rule }: RuleView): Promise<DepartureReading> {
  const policyRef = { type: disruptionPolicyType, namespace: '', name: disruptionPolicyName };
  const [policy, lifecycles] = await Promise.all([
    find(api, policyRef),
    listAll(api, { type: nodeLifecycleType }),
  ]);
  const taint = parseTaintId(rule?.taint ?? '');
  const isCarrier = ({ status: { gates = [] } }: NodeRecord) =>
    gates.some(({ key, effect }) => key === taint.key && effect === taint.effect);
  const isObserving =
    policy.kind === 'ok' &&
    policy.value !== null &&
    policySpec.project(policy.value, noSharing).gating.authority === 'observe';
  return {
    departure: {
      carriers:
        lifecycles.kind === 'ok' && rule !== null
          ? lifecycles.value
              .map(readRecord)
              .filter(isCarrier)
              .map(({ name }) => name)
          : null,
      isObserving,
    },
    blindSpots: [
      ...(policy.kind === 'error' ? [`The DisruptionPolicy: ${failureWords(policy.error)}`] : []),
      ...(lifecycles.kind === 'error'
        ? [`Which nodes carry its taint: ${failureWords(lifecycles.error)}`]
        : []),
    ],
  };
}
