// What readiness may do in the API, beyond what every operator may.

import {
  nodeReadinessEvaluationType,
  nodeReadinessGateRuleType,
  nodeReadinessRuleType,
  peerLeaseNames,
} from '../../api/keys.ts';
import type { PolicyRule } from '../../api/rbac.ts';
import { leaseType } from '../../objects/ref.ts';

const gateRules = nodeReadinessGateRuleType.plural;
const rules = nodeReadinessRuleType.plural;
const evaluations = nodeReadinessEvaluationType.plural;

export const readinessRules: readonly PolicyRule[] = [
  // Patched for their finalizer.
  {
    apiGroups: [nodeReadinessGateRuleType.group],
    resources: [gateRules],
    verbs: ['list', 'watch', 'patch'],
    scope: 'Cluster',
  },
  {
    apiGroups: [nodeReadinessRuleType.group],
    resources: [rules],
    verbs: ['list', 'watch', 'patch'],
    scope: 'Cluster',
  },
  {
    apiGroups: [nodeReadinessGateRuleType.group],
    resources: [`${gateRules}/status`],
    verbs: ['patch'],
    scope: 'Cluster',
  },
  {
    apiGroups: [nodeReadinessRuleType.group],
    resources: [`${rules}/status`],
    verbs: ['patch'],
    scope: 'Cluster',
  },
  {
    apiGroups: [nodeReadinessEvaluationType.group],
    resources: [evaluations],
    verbs: ['list', 'watch', 'create', 'patch', 'delete'],
    scope: 'Cluster',
  },
  {
    apiGroups: [nodeReadinessEvaluationType.group],
    resources: [`${evaluations}/status`],
    verbs: ['patch'],
    scope: 'Cluster',
  },
  // To see whether another controller serves the rules; nothing but its Lease.
  {
    apiGroups: [leaseType.group],
    resources: [leaseType.plural],
    resourceNames: Object.values(peerLeaseNames),
    verbs: ['list', 'watch'],
    scope: 'Cluster',
  },
];
