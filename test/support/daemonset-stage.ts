// Where the daemonset mode meets a real API server: the sample installed, nodes without kubelets, and workers with the token that
// a kubelet would mount in a pod of the sample on their node.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump, loadAll } from 'js-yaml';
import { systemNamespace, verificationKeys } from '../../src/api/keys.ts';
import { fieldsOf, isRecord, textOf } from '../../src/objects/raw.ts';
import { type ControlPlane, startControlPlane } from '../control-plane/control-plane.ts';
import { root } from './installed-cluster.ts';
import { musterScript } from './operator-process.ts';
import { startStubDns } from './stub-dns.ts';
import { runWorker, type WorkerEnd, type WorkerRun } from './worker-process.ts';

export const account = { namespace: systemNamespace, name: 'node-ready-daemonset' };
export const taint = { key: verificationKeys.taint, value: 'true', effect: 'NoSchedule' };
export const foreignTaint = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };
const mixedTaints = [foreignTaint, taint, { ...taint, effect: 'PreferNoSchedule' }];

type Variables = Readonly<Record<string, string>>;
type Credentials = { readonly tokenFile: string; readonly kubeconfig: string };
type NodeParts = { readonly labels?: Variables; readonly taints?: readonly object[] };

export type DaemonsetStage = {
  readonly plane: ControlPlane;
  /** For files of a test. */
  readonly folder: string;
  /** Without the conditions of a kubelet, so that nobody but the test and the worker writes to it. */
  createNode(name: string, parts?: NodeParts): Promise<unknown>;
  nodeNamed(name: string): Promise<unknown>;
  change(path: string, body: object): Promise<void>;
  /** A pod of the sample on a node, and its token as a kubelet would mount it. */
  podOn(node: string): Promise<Credentials>;
  work(name: string, environment?: Variables, run?: Partial<WorkerRun>): Promise<WorkerEnd>;
  /** Runs until the node has its label, and is then stopped as a DaemonSet does. */
  verify(name: string, environment?: Variables, run?: Partial<WorkerRun>): Promise<WorkerEnd>;
  stop(): Promise<void>;
};

export async function startDaemonsetStage(): Promise<DaemonsetStage> {
  const [plane, dns] = await Promise.all([startControlPlane(), startStubDns()]);
  const folder = mkdtempSync(join(tmpdir(), 'muster-daemonset-'));
  await plane.kubectl(['apply', '-f', join(root, 'config/rbac')]);
  await plane.kubectl(['apply', '--validate=strict', '-f', join(root, 'config/samples/daemonset-mode')]);
  const podSpec = await samplePodSpec();

  const nodeNamed = async (name: string) => (await plane.request('GET', `/api/v1/nodes/${name}`)).body;
  const podOn = (node: string) => credentialsOf({ plane, folder, podSpec, node });
  const work: DaemonsetStage['work'] = async (name, environment = {}, run = {}) => {
    const { tokenFile } = await podOn(name);
    const base = environmentOf(plane, { name, tokenFile, dnsPort: dns.port });
    const args = ['--mode=daemonset'];
    return runWorker({ script: musterScript, args, environment: { ...base, ...environment }, ...run });
  };
  return {
    plane,
    folder,
    nodeNamed,
    podOn,
    work,
    async createNode(name, { labels = {}, taints = mixedTaints } = {}) {
      const body = { apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec: { taints } };
      await expectStatus(201, plane.request('POST', '/api/v1/nodes', { body }));
      return nodeNamed(name);
    },
    change: async (path, body) => void (await expectStatus(200, plane.request('PATCH', path, { body }))),
    // Not when the node is seen with its label: by then the worker may not have heard the answer to its own patch.
    verify: (name, environment, run) =>
      work(name, environment, { ...run, stopAtLine: 'nothing is left to do' }),
    async stop() {
      dns.close();
      rmSync(folder, { recursive: true });
      await plane.stop();
    },
  };
}

async function samplePodSpec(): Promise<object> {
  const sample = await readFile(join(root, 'config/samples/daemonset-mode/worker.yaml'), 'utf8');
  const daemonSet = loadAll(sample)
    .filter(isRecord)
    .find(({ kind }) => kind === 'DaemonSet');
  return fieldsOf(fieldsOf(fieldsOf(daemonSet?.['spec'])['template'])['spec']);
}

type WorkerPlace = { readonly name: string; readonly tokenFile: string; readonly dnsPort: number };

function environmentOf(plane: ControlPlane, { name, tokenFile, dnsPort }: WorkerPlace): Variables {
  const { hostname, port } = new URL(plane.url);
  return {
    NODE_NAME: name,
    POD_NAMESPACE: account.namespace,
    KUBERNETES_SERVICE_HOST: hostname,
    KUBERNETES_SERVICE_PORT: port,
    CERTIFICATE_AUTHORITY: plane.caFile,
    TOKEN_FILE: tokenFile,
    CLUSTER_DNS_IP: `127.0.0.1:${dnsPort}`,
    CHECK_TRIES: '1',
  };
}

type Placed = {
  readonly plane: ControlPlane;
  readonly folder: string;
  readonly podSpec: object;
  readonly node: string;
};

async function credentialsOf({ plane, folder, podSpec, node }: Placed): Promise<Credentials> {
  const name = `worker-on-${node}-${randomUUID()}`;
  const namespace = `/api/v1/namespaces/${account.namespace}`;
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { ...podSpec, nodeName: node } };
  const created = await expectStatus(201, plane.request('POST', `${namespace}/pods`, { body: pod }));
  const uid = textOf(fieldsOf(fieldsOf(created)['metadata'])['uid']);
  const body = { spec: { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid } } };
  const path = `${namespace}/serviceaccounts/${account.name}/token`;
  const granted = await expectStatus(201, plane.request('POST', path, { body }));
  const token = textOf(fieldsOf(fieldsOf(granted)['status'])['token']);
  const [tokenFile, kubeconfig] = [join(folder, `${name}.token`), join(folder, `${name}.kubeconfig`)];
  writeFileSync(tokenFile, token);
  writeFileSync(kubeconfig, kubeconfigText(plane, token));
  return { tokenFile, kubeconfig };
}

function kubeconfigText({ url, caFile }: ControlPlane, token: string): string {
  return dump({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'a', cluster: { server: url, 'certificate-authority': caFile } }],
    users: [{ name: 'a', user: { token } }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    'current-context': 'a',
  });
}

async function expectStatus(
  expected: number,
  asked: Promise<{ readonly status: number; readonly body: unknown }>,
): Promise<unknown> {
  const { status, body } = await asked;
  if (status !== expected) throw new Error(`answered ${status}, not ${expected}: ${JSON.stringify(body)}`);
  return body;
}

export function labelsOf(node: unknown): Readonly<Record<string, unknown>> {
  return fieldsOf(fieldsOf(fieldsOf(node)['metadata'])['labels']);
}
