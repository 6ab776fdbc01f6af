// What verification may do in the API, beyond what every operator may. Pods only in the namespace of the workers.

import { nodeVerificationType } from '../../api/keys.ts';
import type { PolicyRule } from '../../api/rbac.ts';
import { csiNodeType, endpointSliceType, nodeType, podType, serviceType } from '../../objects/ref.ts';

export const verificationRules: readonly PolicyRule[] = [
  {
    apiGroups: [nodeVerificationType.group],
    resources: [nodeVerificationType.plural],
    verbs: ['list', 'watch'],
    scope: 'Cluster',
  },
  {
    apiGroups: [nodeVerificationType.group],
    resources: [`${nodeVerificationType.plural}/status`],
    verbs: ['patch'],
    scope: 'Cluster',
  },
  {
    apiGroups: [podType.group],
    resources: [podType.plural],
    verbs: ['watch', 'create', 'delete'],
    scope: 'Namespace',
  },
  {
    apiGroups: [podType.group],
    resources: [podType.plural],
    verbs: ['patch'],
    scope: 'Namespace',
    only: 'report-results-to-api',
  },
  {
    apiGroups: [nodeType.group],
    resources: [`${nodeType.plural}/status`],
    verbs: ['patch'],
    scope: 'Cluster',
    only: 'node-condition',
  },
  // The agents of one node, where a policy requires them, in whatever namespace they are: workers are listed by the same right.
  { apiGroups: [podType.group], resources: [podType.plural], verbs: ['list'], scope: 'Cluster' },
  { apiGroups: [csiNodeType.group], resources: [csiNodeType.plural], verbs: ['get'], scope: 'Cluster' },
  // Where Services are that a check is about: a worker has no rights to find out.
  { apiGroups: [serviceType.group], resources: [serviceType.plural], verbs: ['get'], scope: 'Cluster' },
  {
    apiGroups: [endpointSliceType.group],
    resources: [endpointSliceType.plural],
    verbs: ['list'],
    scope: 'Cluster',
  },
];
