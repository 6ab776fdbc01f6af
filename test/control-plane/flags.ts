// The command line of each server, as a function of the run's layout. Everything listens on 127.0.0.1 alone.

import type { Layout } from './layout.ts';

/**
 * Without node-lifecycle-controller and taint-eviction-controller: with no kubelets they taint every node
 * unreachable after 50 s and evict its pods. A test that wants them says `[...defaultControllers, '...']`.
 */
export const defaultControllers: readonly string[] = [
  'clusterrole-aggregation-controller',
  'daemonset-controller',
  'deployment-controller',
  'garbage-collector-controller',
  'job-controller',
  'namespace-controller',
  'pod-garbage-collector-controller',
  'replicaset-controller',
  'root-ca-certificate-publisher-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'statefulset-controller',
];

export function etcdFlags({ ports, path }: Layout): readonly string[] {
  const client = `http://127.0.0.1:${ports.etcd}`;
  const peer = `http://127.0.0.1:${ports.etcdPeer}`;
  return [
    `--data-dir=${path('etcd')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--log-level=warn',
    `--quota-backend-bytes=${4 * 1024 ** 3}`,
    // A power cut would lose data, which nobody wants to keep; writes are several times faster on a slow disk.
    '--unsafe-no-fsync',
  ];
}

export function apiServerFlags({ ports, path }: Layout): readonly string[] {
  const issuer = 'https://kubernetes.default.svc.cluster.local';
  return [
    `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${ports.apiServer}`,
    ...servingFlags(path),
    `--client-ca-file=${path('ca.crt')}`,
    '--anonymous-auth=false',
    '--authorization-mode=Node,RBAC',
    // kubeadm and every cloud enable the first; OpenShift both. Off, RBAC mistakes would pass unseen here.
    '--enable-admission-plugins=NodeRestriction,OwnerReferencesPermissionEnforcement',
    `--service-account-issuer=${issuer}`,
    `--service-account-key-file=${path('service-accounts.key')}`,
    `--service-account-signing-key-file=${path('service-accounts.key')}`,
    '--service-cluster-ip-range=10.96.0.0/16',
    '--endpoint-reconciler-type=none',
    '--allow-privileged=true',
  ];
}

export function controllerManagerFlags(
  { ports, path }: Layout,
  controllers: readonly string[],
): readonly string[] {
  return [
    `--kubeconfig=${path('kube-controller-manager.kubeconfig')}`,
    ...delegationFlags(path('kube-controller-manager.kubeconfig')),
    '--bind-address=127.0.0.1',
    `--secure-port=${ports.controllerManager}`,
    ...servingFlags(path),
    '--leader-elect=false',
    '--use-service-account-credentials=true',
    `--service-account-private-key-file=${path('service-accounts.key')}`,
    `--root-ca-file=${path('ca.crt')}`,
    `--controllers=${controllers.join(',')}`,
    // The default of 20 requests a second makes a test that deletes hundreds of objects wait for the collector.
    '--kube-api-qps=200',
    '--kube-api-burst=400',
  ];
}

export function schedulerFlags({ ports, path }: Layout): readonly string[] {
  return [
    `--kubeconfig=${path('kube-scheduler.kubeconfig')}`,
    ...delegationFlags(path('kube-scheduler.kubeconfig')),
    '--bind-address=127.0.0.1',
    `--secure-port=${ports.scheduler}`,
    ...servingFlags(path),
    '--leader-elect=false',
  ];
}

function servingFlags(path: Layout['path']): readonly string[] {
  return [`--tls-cert-file=${path('serving.crt')}`, `--tls-private-key-file=${path('serving.key')}`];
}

function delegationFlags(kubeconfig: string): readonly string[] {
  return [`--authentication-kubeconfig=${kubeconfig}`, `--authorization-kubeconfig=${kubeconfig}`];
}
