// The namespace, account and roles of the operator as manifests, for a cluster without Helm; what is granted only for
// something that is switched on, apart from them.

import { labelKeys, systemNamespace, workerServiceAccount } from '../../src/api/keys.ts';
import type { OptionalRight, PolicyRule } from '../../src/api/rbac.ts';

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

/** Roles for one thing that can be switched on, in each scope in which it needs some. */
export function optionalManifests(rules: readonly PolicyRule[], right: OptionalRight): readonly object[] {
  const suffixed = `${name}-${right}`;
  return scopes.flatMap(({ scope, role }) => {
    const granted = rulesOf(rules, scope, right);
    if (granted.length === 0) return [];
    const metadata = {
      name: suffixed,
      labels,
      ...(scope === 'Namespace' ? { namespace: systemNamespace } : {}),
    };
    return [
      { ...authorization(role), metadata, rules: granted },
      { ...authorization(`${role}Binding`), metadata, roleRef: roleRef(role, suffixed), subjects },
    ];
  });
}

const scopes = [
  { scope: 'Cluster', role: 'ClusterRole' },
  { scope: 'Namespace', role: 'Role' },
] as const;

/** The rules of one scope, as Kubernetes writes them: what is always granted, or what is for one thing alone. */
export function rulesOf(
  rules: readonly PolicyRule[],
  scope: PolicyRule['scope'],
  right?: OptionalRight,
): readonly object[] {
  return rules
    .filter((rule) => rule.scope === scope && rule.only === right)
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

function roleRef(kind: string, roleName = name): object {
  return { apiGroup: 'rbac.authorization.k8s.io', kind, name: roleName };
}
