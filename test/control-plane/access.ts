// How tests reach the control plane: kubectl, plain requests as administrator, kubeconfig files for other identities.

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { writeKubeconfig } from './kubeconfig.ts';
import { clusterOf, type Layout, type User, writeUserKubeconfig } from './layout.ts';
import { type Call, type Reply, send } from './request.ts';
import { textAt } from './text-at.ts';

export type Account = { readonly namespace: string; readonly name: string };
export type AccountKubeconfig = { readonly path: string; readonly tokenFile: string | null };
export type AccountOptions = { readonly tokenFile?: boolean; readonly expirationSeconds?: number };
export type Kubectl = {
  readonly binary: string;
  /** kubectl keeps its discovery cache there, and a test must not read the one of another cluster. */
  readonly home: string;
  /** Unless a call names another one. */
  readonly kubeconfig: string;
};
export type KubectlOptions = { readonly input?: string; readonly kubeconfig?: string };

export function sendAsAdmin({ url, authority, admin }: Layout, call: Call): Promise<Reply> {
  return send({ url, ca: authority.certificate, identity: admin }, call);
}

/** What kubectl printed; an exit code other than 0 is thrown with what it said. */
export async function runKubectl(
  { binary, home, kubeconfig }: Kubectl,
  args: readonly string[],
  options: KubectlOptions,
): Promise<string> {
  const { input = '' } = options;
  const env = { ...process.env, HOME: home, KUBECONFIG: options.kubeconfig ?? kubeconfig };
  const child = spawn(binary, args, { env });
  // A kubectl that gives up early closes its input; its exit code and words say why.
  child.stdin.on('error', () => undefined).end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')} exited with ${code}: ${stderr.trim()}`);
  return stdout;
}

/** Asks the TokenRequest API, which never grants less than ten minutes. */
export async function accountKubeconfig(
  layout: Layout,
  { namespace, name }: Account,
  options: AccountOptions,
): Promise<AccountKubeconfig> {
  const { expirationSeconds = 3600 } = options;
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const reply = await sendAsAdmin(layout, { method: 'POST', path, body: { spec: { expirationSeconds } } });
  if (reply.status !== 201)
    throw new Error(`no token for service account ${namespace}/${name}: ${JSON.stringify(reply)}`);
  const token = textAt(reply.body, 'status', 'token');

  const base = layout.path(`${namespace}-${name}-${randomUUID()}`);
  const tokenFile = options.tokenFile ? `${base}.token` : null;
  if (tokenFile !== null) await writeFile(tokenFile, token, { mode: 0o600 });
  await writeKubeconfig(
    `${base}.kubeconfig`,
    clusterOf(layout),
    tokenFile === null ? { kind: 'token', token } : { kind: 'token-file', path: tokenFile },
  );
  return { path: `${base}.kubeconfig`, tokenFile };
}

export async function userKubeconfig(layout: Layout, user: User): Promise<string> {
  const path = layout.path(`user-${randomUUID()}.kubeconfig`);
  await writeUserKubeconfig(layout, path, user);
  return path;
}
