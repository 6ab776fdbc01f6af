// What the operator itself may do in the API, as data: the manifests and the chart are generated from it. Each capability
// declares its own rules in the same form. Never a wildcard, and never a verb that nothing uses.

import { eventType, leaseType, nodeType, type ResourceType } from '../objects/ref.ts';
import { disruptionPolicyType, leaderLeaseName, nodeLifecycleType } from './keys.ts';

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete';

/** What can be switched on and needs rights that are granted for it alone, by the flag of the operator that does so. */
export const optionalRights = ['report-results-to-api', 'node-condition'] as const;
export type OptionalRight = (typeof optionalRights)[number];

export type PolicyRule = {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly Verb[];
  /** Namespace: only in the namespace of the operator. */
  readonly scope: 'Cluster' | 'Namespace';
  /** Granted only where this is switched on. */
  readonly only?: OptionalRight;
};

/** For nodes, their records, events and leader election: needed whatever capabilities are on. */
export const coreRules: readonly PolicyRule[] = [
  { ...on(nodeType), verbs: ['get', 'list', 'watch', 'patch'], scope: 'Cluster' },
  {
    ...on(nodeLifecycleType),
    verbs: ['get', 'list', 'watch', 'create', 'delete'],
    scope: 'Cluster',
  },
  { ...on(nodeLifecycleType, 'status'), verbs: ['patch'], scope: 'Cluster' },
  { ...on(disruptionPolicyType), verbs: ['list', 'watch'], scope: 'Cluster' },
  // An event about a node, which has no namespace, is stored in the namespace `default`.
  { ...on(eventType), verbs: ['create', 'patch'], scope: 'Cluster' },
  { ...on(leaseType), resourceNames: [leaderLeaseName], verbs: ['get', 'update'], scope: 'Namespace' },
  // A create names no object that could be compared with resourceNames.
  { ...on(leaseType), verbs: ['create'], scope: 'Namespace' },
];

function on(
  { group, plural }: ResourceType,
  subresource?: string,
): Pick<PolicyRule, 'apiGroups' | 'resources'> {
  return { apiGroups: [group], resources: [subresource === undefined ? plural : `${plural}/${subresource}`] };
}
