// A real reporter for end-to-end tests: the shipped bundle as a process, an endpoint for it to ask, and the credentials of a pod on a node.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Account } from '../control-plane/access.ts';
import type { ControlPlane } from '../control-plane/control-plane.ts';
import { writeKubeconfig } from '../control-plane/kubeconfig.ts';
import { textAt } from '../control-plane/text-at.ts';
import { until } from '../control-plane/until.ts';
import { musterScript } from './operator-process.ts';

export const reporterSamples = path.resolve(import.meta.dirname, '../../config/samples/reporter');
export const reporterAccount: Account = { namespace: 'muster-reporter', name: 'muster-reporter' };
export const calicoReady = 'network.k8s.io/CalicoReady';

type Environment = Readonly<Record<string, string>>;
type Condition = Readonly<Record<string, string>>;
export type Endpoint = Awaited<ReturnType<typeof startEndpoint>>;

export async function startEndpoint() {
  const answer = { status: 200, body: 'ok' };
  const server = createServer((_, reply) => reply.writeHead(answer.status).end(answer.body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/readiness`,
    /** What it answers from now on. */
    answer(status: number, body: string) {
      Object.assign(answer, { status, body });
    },
    /** Resolves when it has been asked so many times more. */
    async askedTimes(count: number): Promise<void> {
      let asked = 0;
      const heard = () => void asked++;
      server.on('request', heard);
      await until(`${count} requests`, 20_000, () => asked >= count || undefined);
      server.off('request', heard);
    },
    close: () => void server.close(),
  };
}

export function startReporter(environment: Environment) {
  const child = spawn(process.execPath, [musterScript, 'reporter'], {
    env: { ...process.env, METRICS_BIND_ADDRESS: '0', CHECK_INTERVAL: '1s', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const err = text(child.stderr);
  const exited = once(child, 'close') as Promise<[number | null]>;
  return {
    err,
    exited,
    /** The first line of its log with these words. */
    says: (words: string) =>
      until(`the reporter says ${words}`, 20_000, () => lines.find((line) => line.includes(words))),
    async stop() {
      child.kill('SIGTERM');
      const [code] = await exited;
      return code;
    },
  };
}

/** What the container of the sample's DaemonSet is given, as the API server has it. */
export async function sampleEnvironment({ request }: ControlPlane): Promise<Environment> {
  const { namespace, name } = reporterAccount;
  const { body } = await request('GET', `/apis/apps/v1/namespaces/${namespace}/daemonsets/${name}`);
  const { spec } = body as {
    spec: {
      template: { spec: { containers: { env: { name: string; value?: string }[] }[] } };
    };
  };
  const given = spec.template.spec.containers[0]?.env ?? [];
  return Object.fromEntries(given.map((variable) => [variable.name, variable.value ?? '']));
}

/** As a pod of the account on the node has it: the API server puts the name of the node into its token. */
export async function podKubeconfig(plane: ControlPlane, account: Account, node: string): Promise<string> {
  const { namespace, name: serviceAccountName } = account;
  const name = `${serviceAccountName}-${node}`;
  const pod = await plane.request('POST', `/api/v1/namespaces/${namespace}/pods`, {
    body: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: { serviceAccountName, nodeName: node, containers: [{ name: 'reporter', image: 'muster' }] },
    },
  });
  const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name, uid: textAt(pod.body, 'metadata', 'uid') };
  const tokens = `/api/v1/namespaces/${namespace}/serviceaccounts/${serviceAccountName}/token`;
  const token = await plane.request('POST', tokens, { body: { spec: { boundObjectRef } } });
  const file = path.join(plane.dir, `${namespace}-${name}.kubeconfig`);
  const caCertificate = await readFile(plane.caFile, 'utf8');
  const credential = { kind: 'token', token: textAt(token.body, 'status', 'token') } as const;
  await writeKubeconfig(file, { url: plane.url, caCertificate }, credential);
  return file;
}

export async function conditionOf({ request }: ControlPlane, node: string): Promise<Condition | undefined> {
  const { body } = await request('GET', `/api/v1/nodes/${node}`);
  const { conditions } = (body as { status: { conditions: Condition[] } }).status;
  return conditions.find((each) => each['type'] === calicoReady);
}

export function becomes(plane: ControlPlane, node: string, status: string): Promise<Condition> {
  return until(`${node} says ${status}`, 20_000, async () => {
    const found = await conditionOf(plane, node);
    return found?.['status'] === status ? found : undefined;
  });
}

type RbacRule = {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
};
type Subject = {
  readonly kind: 'ServiceAccount' | 'User';
  readonly name: string;
  readonly namespace?: string;
};

/** A ClusterRole and its binding, both of that name. */
export async function grant(
  plane: ControlPlane,
  name: string,
  { rules, subject }: { readonly rules: readonly RbacRule[]; readonly subject: Subject },
): Promise<void> {
  const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name } };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  const items = [
    { ...rbac, kind: 'ClusterRole', rules },
    { ...rbac, kind: 'ClusterRoleBinding', roleRef, subjects: [subject] },
  ];
  await plane.kubectl(['apply', '-f', '-'], {
    input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }),
  });
}
