// What decides over gates in the whole fleet: the DisruptionPolicy, and the records of all nodes.

import { disruptionPolicyName, disruptionPolicyType, nodeLifecycleType } from '../../api/keys.ts';
import { noSharing } from '../../base/intern.ts';
import { type GatingPolicy, policySpec } from '../../runtime/gating-policy.ts';
import type { KubeApi } from '../../runtime/ports.ts';
import { type NodeRecord, readRecord } from './node-record.ts';
import { failureWords, find, listAll } from './reading.ts';

export type PolicyReading = {
  /** Null where there is none, or none that can be read. */
  readonly gating: GatingPolicy | null;
  readonly isWithoutPolicy: boolean;
  /** Null where they cannot be read. */
  readonly records: readonly NodeRecord[] | null;
  readonly blindSpots: readonly string[];
};

/** What cannot be told without the records is said in these words. */
export async function readPolicyAndRecords(api: KubeApi, untold: string): Promise<PolicyReading> {
  const [policy, lifecycles] = await Promise.all([
    find(api, { type: disruptionPolicyType, namespace: '', name: disruptionPolicyName }),
    listAll(api, { type: nodeLifecycleType }),
  ]);
  const raw = policy.kind === 'ok' ? policy.value : null;
  return {
    gating: raw === null ? null : policySpec.project(raw, noSharing).gating,
    isWithoutPolicy: policy.kind === 'ok' && raw === null,
    records: lifecycles.kind === 'ok' ? lifecycles.value.map(readRecord) : null,
    blindSpots: [
      ...(policy.kind === 'error' ? [`The DisruptionPolicy: ${failureWords(policy.error)}`] : []),
      ...(lifecycles.kind === 'error' ? [`${untold}: ${failureWords(lifecycles.error)}`] : []),
    ],
  };
}
