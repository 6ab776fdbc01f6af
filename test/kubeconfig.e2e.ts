// The kubeconfig reader against kubectl: generated sets of files must mean the same to both.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { dump } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClusterConnection, TokenSource } from '../src/kube/cluster-connection.ts';
import { nodeFiles } from '../src/kube/host-ports.ts';
import { readConnection } from '../src/kube/kubeconfig.ts';
import { type Pem, readPem } from '../src/kube/pem.ts';
import { ensureBinaries } from './control-plane/build.ts';

const run = promisify(execFile);

let kubectl: string;
let dir: string;

beforeAll(async () => {
  kubectl = join(await ensureBinaries(() => undefined), 'kubectl');
  dir = await mkdtemp(join(tmpdir(), 'muster-kubeconfig-'));
});

afterAll(() => rm(dir, { recursive: true }));

type Fields = Readonly<Record<string, unknown>>;
type Named<K extends string> = readonly ({ readonly name: string } & Readonly<Record<K, Fields>>)[];

type File = {
  readonly 'current-context'?: string;
  readonly clusters: Named<'cluster'>;
  readonly contexts: Named<'context'>;
  readonly users: Named<'user'>;
};

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** At most three entries; the names are few, so that files name the same things. */
function named<T>(
  prefix: string,
  toEntry: (name: string, fields: Fields) => T,
  fields: fc.Arbitrary<Fields>,
) {
  return fc
    .subarray(['1', '2', '3'])
    .chain((numbers) => fc.tuple(...numbers.map((n) => fields.map((one) => toEntry(`${prefix}${n}`, one)))));
}

const cluster: fc.Arbitrary<Fields> = fc
  .tuple(
    fc.record({
      server: fc.constantFrom('https://a.test', 'https://b.test:6443/base', 'http://127.0.0.1:8001'),
    }),
    fc.constantFrom<Fields>(
      {},
      { 'certificate-authority': 'ca-@.crt' },
      { 'certificate-authority': '../trust/ca-@.crt' },
      { 'certificate-authority': '/etc/ca.crt' },
      { 'certificate-authority-data': base64('CA') },
      { 'insecure-skip-tls-verify': true },
    ),
    fc.constantFrom<Fields>(
      {},
      { 'tls-server-name': 'other.test' },
      { 'proxy-url': 'http://proxy.test:3128' },
    ),
  )
  .map(([server, trust, more]) => ({ ...server, ...trust, ...more }));

const exec = (fields: Fields): Fields => ({ exec: { args: ['token'], ...fields } });

const user: fc.Arbitrary<Fields> = fc.constantFrom<Fields>(
  {},
  { token: 'abc' },
  { tokenFile: 'secrets/token-@' },
  { tokenFile: '/var/token', token: 'abc' },
  { 'client-certificate': 'u-@.crt', 'client-key': '../keys/u-@.key' },
  { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') },
  { 'client-certificate-data': base64('CERT'), 'client-key': 'u-@.key', token: 'abc' },
  exec({ command: 'login', apiVersion: 'client.authentication.k8s.io/v1beta1' }),
  exec({
    command: './bin/login-@',
    apiVersion: 'client.authentication.k8s.io/v1',
    interactiveMode: 'Never',
    env: [{ name: 'REGION', value: 'north' }],
    installHint: 'get it there',
  }),
  exec({
    command: '/usr/bin/login',
    apiVersion: 'client.authentication.k8s.io/v1',
    interactiveMode: 'Always',
  }),
);

const context: fc.Arbitrary<Fields> = fc.record(
  {
    cluster: fc.constantFrom('c1', 'c2', 'c3'),
    user: fc.constantFrom('u1', 'u2', 'u3'),
    namespace: fc.constantFrom('team', 'kube-system'),
  },
  { requiredKeys: ['cluster'] },
);

const file: fc.Arbitrary<File> = fc.record(
  {
    'current-context': fc.constantFrom('x1', 'x2', 'x3', ''),
    clusters: named('c', (name, cluster) => ({ name, cluster }), cluster),
    contexts: named('x', (name, context) => ({ name, context }), context),
    users: named('u', (name, user) => ({ name, user }), user),
  },
  { requiredKeys: ['clusters', 'contexts', 'users'] },
);

const seen = new Set<string>();
const sets = fc.sample(fc.array(file, { minLength: 1, maxLength: 3 }), { numRuns: 60, seed: 20261116 });

describe('a set of kubeconfig files', () => {
  it.each(sets.map((files, index) => [index, files] as const))(
    'means the same to kubectl: set %i',
    async (index, files) => {
      const root = join(dir, `set-${index}`);
      const environment = { HOME: dir, KUBECONFIG: await writeSet(root, files) };
      const { stdout } = await run(kubectl, ['config', 'view', '--raw', '-o', 'json'], { env: environment });
      const merged = asFile(JSON.parse(absolutePaths(stdout, root)));

      const current = await readConnection({ environment, files: nodeFiles });
      expect(current.kind === 'ok' ? current.value : null).toEqual(
        expectedOf(merged, merged['current-context'] ?? ''),
      );
      seen.add(current.kind === 'ok' ? current.value.credentials.token.kind : 'refused');
      for (const { name } of merged.contexts) {
        const chosen = await readConnection({ environment, files: nodeFiles, context: name });
        expect(chosen.kind === 'ok' ? chosen.value : null, name).toEqual(expectedOf(merged, name));
      }
    },
  );
});

it('the sets hold every kind of token, and some that are refused', () => {
  expect([...seen].sort()).toEqual(['exec', 'none', 'refused', 'token', 'tokenFile']);
});

describe('relative paths', () => {
  it('lead kubectl and us to the same files', async () => {
    const root = join(dir, 'relative');
    const pair = { 'client-certificate': 'u-@.crt', 'client-key': '../keys/u-@.key' };
    const context = { cluster: 'c1', user: 'u1' };
    const holder: File = {
      'current-context': 'x1',
      clusters: [
        { name: 'c1', cluster: { server: 'https://a.test', 'certificate-authority': '../trust/ca-@.crt' } },
      ],
      contexts: [{ name: 'x1', context }],
      users: [{ name: 'u1', user: pair }],
    };
    const environment = { HOME: dir, KUBECONFIG: await writeSet(root, [holder, holder]) };
    for (const path of ['trust/ca-d0.crt', 'd0/u-d0.crt', 'keys/u-d0.key']) {
      await mkdir(join(root, path, '..'), { recursive: true });
      await writeFile(join(root, path), `content of ${path}`);
    }
    const { stdout } = await run(kubectl, ['config', 'view', '--flatten', '--raw', '-o', 'json'], {
      env: environment,
    });
    const flattened = expectedOf(asFile(JSON.parse(stdout)), 'x1');
    const read = await readConnection({ environment, files: nodeFiles });
    if (read.kind === 'error' || flattened === null) throw new Error('there is no connection');
    expect(await contents(read.value)).toEqual(await contents(flattened));
    expect(await contents(read.value)).toContainEqual({ kind: 'ok', value: 'content of keys/u-d0.key' });
  });
});

function contents({ ca, credentials: { certificate } }: ClusterConnection) {
  const pems = [ca, certificate?.certificate, certificate?.key].filter(
    (pem) => pem !== null && pem !== undefined,
  );
  return Promise.all(pems.map((pem) => readPem(pem, nodeFiles)));
}

/** Each file in a directory of its own, whose name replaces every `@`, and one in the list that does not exist. */
async function writeSet(root: string, files: readonly File[]): Promise<string> {
  const paths = files.map((_file, index) => join(root, `d${index}`, 'config'));
  for (const [index, path] of paths.entries()) {
    await mkdir(join(path, '..'), { recursive: true });
    const content = dump({ apiVersion: 'v1', kind: 'Config', ...files[index] });
    await writeFile(path, content.replaceAll('-@', `-d${index}`));
  }
  return [join(root, 'missing'), ...paths].join(delimiter);
}

/** kubectl prints paths as they stand; they start from the directory that their name tells. */
function absolutePaths(printed: string, root: string): string {
  return printed.replaceAll(/"([^"/][^"]*-(d\d)[^"]*)"/g, (_match, path: string, holder: string) =>
    JSON.stringify(join(root, holder, path)),
  );
}

/** kubectl writes null for an empty list. */
function asFile(merged: { readonly [K in keyof File]: File[K] | null }): File {
  const { clusters, contexts, users } = merged;
  return {
    'current-context': merged['current-context'] ?? '',
    clusters: clusters ?? [],
    contexts: contexts ?? [],
    users: users ?? [],
  };
}

/** What kubectl would connect to; null when it would refuse. */
function expectedOf(merged: File, contextName: string): ClusterConnection | null {
  const chosen = merged.contexts.find(({ name }) => name === contextName)?.context;
  const cluster = merged.clusters.find(({ name }) => name === chosen?.['cluster'])?.cluster;
  const userName = text(chosen?.['user']);
  const user = userName === '' ? {} : merged.users.find(({ name }) => name === userName)?.user;
  if (chosen === undefined || cluster === undefined || user === undefined) return null;
  const certificate = pem(user, 'client-certificate');
  const key = pem(user, 'client-key');
  return {
    server: text(cluster['server']),
    ca: pem(cluster, 'certificate-authority'),
    insecureSkipTlsVerify: cluster['insecure-skip-tls-verify'] === true,
    tlsServerName: text(cluster['tls-server-name']) || null,
    proxyUrl: text(cluster['proxy-url']) || null,
    credentials: { certificate: certificate && key && { certificate, key }, token: token(user) },
    namespace: text(chosen['namespace']) || 'default',
  };
}

function pem(fields: Fields, field: string): Pem | null {
  const content = text(fields[`${field}-data`]);
  if (content !== '') return { kind: 'inline', text: Buffer.from(content, 'base64').toString() };
  const path = text(fields[field]);
  return path === '' ? null : { kind: 'file', path };
}

function token(user: Fields): TokenSource {
  if (user['tokenFile']) return { kind: 'tokenFile', path: text(user['tokenFile']) };
  if (user['token']) return { kind: 'token', token: text(user['token']) };
  if (!user['exec']) return { kind: 'none' };
  const { provideClusterInfo: _, env, installHint, ...plugin } = user['exec'] as Exec;
  const variables = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]));
  return {
    kind: 'exec',
    plugin: { ...plugin, env: variables, installHint: installHint ?? '', cluster: null },
  };
}

type Plugin = Extract<TokenSource, { kind: 'exec' }>['plugin'];
type Exec = Omit<Plugin, 'env' | 'installHint' | 'cluster'> & {
  readonly env: readonly { readonly name: string; readonly value: string }[] | null;
  readonly installHint?: string;
  readonly provideClusterInfo: boolean;
};

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
