// The namespace, account and roles of the operator as manifests, for a cluster without Helm.

import { labelKeys, systemNamespace, workerServiceAccount } from '../../src/api/keys.ts';
import type { PolicyRule } from '../../src/api/rbac.ts';

const name = 'muster-operator';
const labels = { [labelKeys.appName]: 'muster' };
const subjects = [{ kind: 'ServiceAccount', name, namespace: systemNamespace }];

/** In an order in which they can be created. */
export function rbacManifests(rules: readonly PolicyRule[]): readonly object[] {
  return [
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name: systemNamespace,
        labels: { ...labels, [labelKeys.podSecurityEnforce]: 'restricted' },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: inNamespace,
      // The Deployment asks for its token by itself; another pod under this account does not get one unasked.
      automountServiceAccountToken: false,
    },
    {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      // Of the workers that check nodes: it has no rights at all, and its token is given to them for minutes.
      metadata: { name: workerServiceAccount, namespace: systemNamespace, labels },
      automountServiceAccountToken: false,
    },
    { ...authorization('ClusterRole'), metadata: inCluster, rules: rulesOf(rules, 'Cluster') },
    {
      ...authorization('ClusterRoleBinding'),
      metadata: inCluster,
      roleRef: roleRef('ClusterRole'),
      subjects,
    },
    { ...authorization('Role'), metadata: inNamespace, rules: rulesOf(rules, 'Namespace') },
    { ...authorization('RoleBinding'), metadata: inNamespace, roleRef: roleRef('Role'), subjects },
  ];
}

/** The rules of one scope, as Kubernetes writes them. */
export function rulesOf(rules: readonly PolicyRule[], scope: PolicyRule['scope']): readonly object[] {
  return rules
    .filter((rule) => rule.scope === scope)
    .map(({ apiGroups, resources, resourceNames, verbs }) => ({
      apiGroups,
      resources,
      ...(resourceNames === undefined ? {} : { resourceNames }),
      verbs,
    }));
}

const inCluster = { name, labels };
const inNamespace = { ...inCluster, namespace: systemNamespace };

function authorization(kind: string): object {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind };
}

function roleRef(kind: string): object {
  return { apiGroup: 'rbac.authorization.k8s.io', kind, name };
}
