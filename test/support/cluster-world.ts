// What a cluster's other actors do in end-to-end tests: install Muster's manifests, create nodes as kubelets would, look at
// the records, and read from the API server's own audit log who wrote what.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemNamespace } from '../../src/api/keys.ts';
import type { RawObject } from '../../src/objects/raw.ts';
import { type ControlPlane, startControlPlane } from '../control-plane/control-plane.ts';
import { until } from '../control-plane/until.ts';

export const operatorAccount = { namespace: systemNamespace, name: 'muster-operator' };
const operatorUser = `system:serviceaccount:${operatorAccount.namespace}:${operatorAccount.name}`;
const config = path.resolve(import.meta.dirname, '../../config');

export type AuditEntry = {
  readonly verb: string;
  readonly resource: string;
  readonly name: string;
  readonly code: number;
  readonly agent: string;
};

export type World = {
  readonly plane: ControlPlane;
  /** Writes of the operator's service account that the API server has carried out or refused so far. */
  writes(): readonly AuditEntry[];
  stop(): Promise<void>;
};

/** A control plane with the CRDs and exactly the generated RBAC, and an audit log of writes. */
export async function startWorld(): Promise<World> {
  const dir = mkdtempSync(path.join(tmpdir(), 'muster-audit-'));
  const policy = {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [{ level: 'Metadata', verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'] }],
  };
  writeFileSync(path.join(dir, 'policy.json'), JSON.stringify(policy));
  const log = path.join(dir, 'audit.log');
  const plane = await startControlPlane({
    apiServerFlags: [
      `--audit-policy-file=${path.join(dir, 'policy.json')}`,
      `--audit-log-path=${log}`,
      '--audit-log-mode=blocking',
    ],
    log: (line) => process.stderr.write(`${line}\n`),
  });
  await plane.kubectl(['apply', '-f', path.join(config, 'crds')]);
  await plane.kubectl([
    'wait',
    '--for=condition=Established',
    '--timeout=30s',
    '-f',
    path.join(config, 'crds'),
  ]);
  await plane.kubectl(['apply', '-f', path.join(config, 'rbac')]);
  return {
    plane,
    writes: () => readAudit(log),
    async stop() {
      await plane.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

type AuditLine = {
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly userAgent?: string;
  readonly objectRef?: { readonly resource?: string; readonly subresource?: string; readonly name?: string };
  readonly responseStatus?: { readonly code?: number };
};

function readAudit(file: string): readonly AuditEntry[] {
  // The last one is empty, or a line that is being written.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines
    .map((line) => JSON.parse(line) as AuditLine)
    .filter(({ user }) => user.username === operatorUser)
    .map(({ verb, objectRef = {}, responseStatus, userAgent = '' }) => {
      const resource = [
        objectRef.resource ?? '',
        ...(objectRef.subresource === undefined ? [] : [objectRef.subresource]),
      ].join('/');
      return {
        verb,
        resource,
        name: objectRef.name ?? '',
        code: responseStatus?.code ?? 0,
        agent: userAgent,
      };
    });
}

export type NodeShape = {
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly unknown[];
  readonly bootID?: string;
};

/** A ready node, as a kubelet makes one: created, then reported ready, then freed of the taint that every Node is born with. */
export async function createNode(
  plane: ControlPlane,
  name: string,
  { labels = {}, taints = [], bootID = `boot-${name}` }: NodeShape = {},
): Promise<void> {
  await expectStatus(
    plane.request('POST', '/api/v1/nodes', {
      body: { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } },
    }),
    201,
    name,
  );
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: 'KubeletReady',
    message: 'kubelet is posting ready status',
    lastTransitionTime: new Date().toISOString(),
  };
  const status = { conditions: [ready], nodeInfo: nodeInfo(bootID) };
  await expectStatus(plane.request('PATCH', `/api/v1/nodes/${name}/status`, { body: { status } }), 200, name);
  await expectStatus(
    plane.request('PATCH', `/api/v1/nodes/${name}`, { body: { spec: { taints } } }),
    200,
    name,
  );
}

function nodeInfo(bootID: string) {
  const unknown = {
    machineID: '',
    systemUUID: '',
    kernelVersion: '',
    osImage: '',
    containerRuntimeVersion: '',
    kubeProxyVersion: '',
    operatingSystem: 'linux',
    architecture: 'amd64',
  };
  return { ...unknown, bootID, kubeletVersion: 'v1.36.3' };
}

export async function createNodes(
  plane: ControlPlane,
  names: readonly string[],
  shape: NodeShape = {},
): Promise<void> {
  const waiting = [...names];
  const worker = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      await createNode(plane, name, shape);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

export function nodeNames(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${String(index + 1).padStart(3, '0')}`);
}

export type Lifecycle = RawObject & {
  readonly spec: { readonly nodeUID: string };
  readonly status?: { readonly stage?: string; readonly [field: string]: unknown };
};

const LIFECYCLES = '/apis/muster.dev/v1alpha1/nodelifecycles';

export async function listLifecycles(plane: ControlPlane): Promise<readonly Lifecycle[]> {
  const reply = await plane.request('GET', LIFECYCLES);
  // A CRD that has just been established: "storage is (re)initializing".
  if (reply.status === 429) return [];
  if (reply.status !== 200) throw new Error(`nodelifecycles: ${reply.status} ${JSON.stringify(reply.body)}`);
  return (reply.body as { items: readonly Lifecycle[] }).items;
}

export async function readLifecycle(plane: ControlPlane, name: string): Promise<Lifecycle | null> {
  const reply = await plane.request('GET', `${LIFECYCLES}/${name}`);
  return reply.status === 200 ? (reply.body as Lifecycle) : null;
}

export function waitForStage(plane: ControlPlane, name: string, stage: string): Promise<Lifecycle> {
  return until(`${name} is ${stage}`, 100_000, async () => {
    const lifecycle = await readLifecycle(plane, name);
    return lifecycle?.status?.stage === stage ? lifecycle : undefined;
  });
}

async function expectStatus<R extends { readonly status: number; readonly body: unknown }>(
  reply: Promise<R>,
  status: number,
  what: string,
): Promise<R> {
  const answer = await reply;
  if (answer.status !== status)
    throw new Error(`${what}: expected ${status}, got ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}
