import { describe, expect, it } from 'vitest';
import { err, formatProblem, ok } from '../base/result.ts';
import type { Files } from './host-ports.ts';
import { type ConnectionRequest, readConnection } from './kubeconfig.ts';

type Config = Readonly<Record<string, unknown>>;

function filesOf(contents: Readonly<Record<string, string | Config>>): Files {
  return {
    async read(path) {
      const content = contents[path];
      if (content === undefined) return err({ kind: 'missing', message: `${path} is missing` });
      return ok(typeof content === 'string' ? content : JSON.stringify(content));
    },
  };
}

function config(parts: { cluster?: Config; user?: Config; context?: Config } = {}): Config {
  return {
    'current-context': 'ctx',
    clusters: [{ name: 'c', cluster: { server: 'https://c.test:6443', ...parts.cluster } }],
    users: [
      { name: 'other', user: {} },
      { name: 'u', user: parts.user ?? {} },
    ],
    contexts: [{ name: 'ctx', context: { cluster: 'c', user: 'u', ...parts.context } }],
  };
}

async function read(
  contents: Readonly<Record<string, string | Config>>,
  request: Partial<ConnectionRequest> = {},
) {
  const result = await readConnection({
    environment: {},
    files: filesOf(contents),
    kubeconfig: '/k/config',
    ...request,
  });
  return result.kind === 'ok' ? result.value : result.error.map(formatProblem);
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('a context', () => {
  it('becomes a connection', async () => {
    const text = `
current-context: ctx
clusters:
- name: c
  cluster: {server: "https://c.test:6443/base", certificate-authority: ca.crt, tls-server-name: n.test, proxy-url: "http://p.test:3128"}
users:
- name: u
  user: {client-certificate-data: ${base64('CERT')}, client-key: ../keys/u.key, token: abc}
contexts:
- name: ctx
  context: {cluster: c, user: u, namespace: team}
`;
    expect(await read({ '/k/config': text })).toEqual({
      server: 'https://c.test:6443/base',
      ca: { kind: 'file', path: '/k/ca.crt' },
      insecureSkipTlsVerify: false,
      tlsServerName: 'n.test',
      proxyUrl: 'http://p.test:3128',
      credentials: {
        certificate: {
          certificate: { kind: 'inline', text: 'CERT' },
          key: { kind: 'file', path: '/keys/u.key' },
        },
        token: { kind: 'token', token: 'abc' },
      },
      namespace: 'team',
    });
  });

  it('without a user is nobody, in the default namespace', async () => {
    const file = { ...config(), contexts: [{ name: 'ctx', context: { cluster: 'c' } }] };
    expect(await read({ '/k/config': file })).toMatchObject({
      credentials: { certificate: null, token: { kind: 'none' } },
      namespace: 'default',
    });
  });

  it('is the one asked for rather than the current one', async () => {
    const file = {
      ...config(),
      contexts: [
        { name: 'ctx', context: { cluster: 'c', user: 'u' } },
        { name: 'two', context: { cluster: 'c', user: 'u', namespace: 'second' } },
      ],
    };
    expect(await read({ '/k/config': file }, { context: 'two' })).toMatchObject({ namespace: 'second' });
  });

  it('takes a bare host for plain HTTP, as kubectl does', async () => {
    expect(await read({ '/k/config': config({ cluster: { server: 'localhost:8001' } }) })).toMatchObject({
      server: 'http://localhost:8001',
    });
  });

  it.each([
    ['a file before a token', { tokenFile: 'tok', token: 'abc' }, { kind: 'tokenFile', path: '/k/tok' }],
    [
      'a token before a command',
      { token: 'abc', exec: { command: 'x', apiVersion: 'client.authentication.k8s.io/v1beta1' } },
      { kind: 'token', token: 'abc' },
    ],
  ])('prefers %s', async (_name, user, token) => {
    expect(await read({ '/k/config': config({ user }) })).toMatchObject({ credentials: { token } });
  });
});

describe('a credential command', () => {
  const v1 = 'client.authentication.k8s.io/v1';

  it('is read whole', async () => {
    const exec = {
      command: 'bin/login',
      apiVersion: v1,
      interactiveMode: 'Never',
      args: ['a', 'b'],
      env: [{ name: 'A', value: '1' }],
      installHint: 'get it',
      provideClusterInfo: true,
    };
    const cluster = {
      extensions: [
        { name: 'minikube', extension: { x: 1 } },
        { name: 'client.authentication.k8s.io/exec', extension: { audience: 'y' } },
      ],
    };
    expect(await read({ '/k/config': config({ user: { exec }, cluster }) })).toMatchObject({
      credentials: {
        token: {
          kind: 'exec',
          plugin: {
            command: '/k/bin/login',
            args: ['a', 'b'],
            env: { A: '1' },
            apiVersion: v1,
            interactiveMode: 'Never',
            installHint: 'get it',
            cluster: { server: 'https://c.test:6443', config: { audience: 'y' } },
          },
        },
      },
    });
  });

  it('by a bare name is left to the PATH, and v1beta1 may talk when it can', async () => {
    const exec = { command: 'login', apiVersion: 'client.authentication.k8s.io/v1beta1' };
    expect(await read({ '/k/config': config({ user: { exec } }) })).toMatchObject({
      credentials: { token: { plugin: { command: 'login', interactiveMode: 'IfAvailable', cluster: null } } },
    });
  });

  it('lists everything that is wrong with it', async () => {
    const exec = { apiVersion: v1, args: ['a', 5], env: [{ value: 'x' }], provideClusterInfo: 'yes' };
    const at = '/k/config: users[1].user.exec';
    expect(await read({ '/k/config': config({ user: { exec } }) })).toEqual([
      `${at}.command: is missing`,
      `${at}.interactiveMode: is missing`,
      `${at}.env[0].name: is missing`,
      `${at}.args[1]: must be a text`,
      `${at}.provideClusterInfo: must be true or false`,
    ]);
  });

  it('of an unknown version is refused', async () => {
    const exec = {
      command: 'x',
      apiVersion: 'client.authentication.k8s.io/v1alpha1',
      interactiveMode: 'Sometimes',
    };
    expect(await read({ '/k/config': config({ user: { exec } }) })).toEqual([
      expect.stringMatching(/exec\.apiVersion: must be one of client\.authentication\.k8s\.io\/v1, /),
      expect.stringMatching(/exec\.interactiveMode: must be one of Never, IfAvailable, Always$/),
    ]);
  });
});

describe('several files', () => {
  const first = config({ user: { token: 'first' } });
  const second = {
    'current-context': 'two',
    clusters: [
      { name: 'c', cluster: { server: 'https://hidden.test' } },
      { name: 'c2', cluster: { server: 'https://c2.test', 'certificate-authority': 'ca2.crt' } },
    ],
    users: [{ name: 'u', user: { token: 'hidden', 'client-certificate': 'hidden' } }],
    contexts: [{ name: 'two', context: { cluster: 'c2', user: 'u' } }],
  };
  const files = { '/1/config': first, '/2/config': second };
  const several = { kubeconfig: '', environment: { KUBECONFIG: '/missing::/1/config:/2/config:/1/config' } };

  it('are one: the first to name a thing wins, whole', async () => {
    expect(await read(files, several)).toMatchObject({
      server: 'https://c.test:6443',
      credentials: { certificate: null, token: { token: 'first' } },
    });
  });

  it('add to each other, each with paths of its own', async () => {
    expect(await read(files, { ...several, context: 'two' })).toMatchObject({
      server: 'https://c2.test',
      ca: { path: '/2/ca2.crt' },
      credentials: { certificate: null, token: { token: 'first' } },
    });
  });

  it('take the current context from the first that has one', async () => {
    const nameless = { ...first, 'current-context': '' };
    expect(await read({ '/1/config': nameless, '/2/config': second }, several)).toMatchObject({
      server: 'https://c2.test',
    });
  });
});

describe('the place to look', () => {
  const home = { kubeconfig: '', environment: { HOME: '/home/me' } };
  const pod = {
    kubeconfig: '',
    environment: { HOME: '/home/me', KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' },
  };

  it('is the home directory without a better word', async () => {
    expect(await read({ '/home/me/.kube/config': config() }, home)).toMatchObject({
      server: 'https://c.test:6443',
    });
    expect(await read({ '/home/me/.kube/config': config() }, pod)).toMatchObject({
      server: 'https://c.test:6443',
    });
  });

  it('is the cluster of the pod when there is no file', async () => {
    const account = '/var/run/secrets/kubernetes.io/serviceaccount';
    expect(await read({ [`${account}/namespace`]: 'muster\n' }, pod)).toEqual({
      server: 'https://10.0.0.1:443',
      ca: { kind: 'file', path: `${account}/ca.crt` },
      insecureSkipTlsVerify: false,
      tlsServerName: null,
      proxyUrl: null,
      credentials: { certificate: null, token: { kind: 'tokenFile', path: `${account}/token` } },
      namespace: 'muster',
    });
    const ipv6 = { ...pod, environment: { ...pod.environment, KUBERNETES_SERVICE_HOST: 'fd00::1' } };
    expect(await read({}, ipv6)).toMatchObject({ server: 'https://[fd00::1]:443', namespace: 'default' });
  });

  it.each<[string, Partial<ConnectionRequest>, string]>([
    ['a named file that is missing', {}, '/k/config: /k/config is missing'],
    [
      'KUBECONFIG that names nothing, even in a pod',
      { ...pod, environment: { ...pod.environment, KUBECONFIG: '/a:/b' } },
      'KUBECONFIG: none of these files exists: /a, /b',
    ],
    [
      'nothing at all',
      home,
      'no cluster is configured: name a kubeconfig file, set KUBECONFIG, or run in a pod',
    ],
  ])('is not made up: %s', async (_name, request, problem) => {
    expect(await read({}, request)).toEqual([problem]);
  });
});

describe('problems', () => {
  const table: Readonly<Record<string, readonly [string | Config, readonly string[]]>> = {
    'no YAML': [
      'a: [',
      ['/k/config: is not YAML: unexpected end of the stream within a flow collection (1:5)'],
    ],
    'two documents': ['a: 1\n---\nb: 2', ['/k/config: is not YAML: more than one document']],
    'an empty file': ['', ['no context is chosen; there are: none']],
    'a list': ['[]', ['/k/config: must be a mapping', 'no context is chosen; there are: none']],
    'another kind of object': [{ ...config(), kind: 'Pod' }, ['/k/config: kind: must be Config']],
    'an unknown context': [
      { ...config(), 'current-context': 'gone' },
      ['there is no context "gone"; there are: ctx'],
    ],
    'an unknown cluster and user': [
      config({ context: { cluster: 'x', user: 'y' } }),
      [
        '/k/config: contexts[0].context.cluster: there is no cluster "x"',
        '/k/config: contexts[0].context.user: there is no user "y"',
      ],
    ],
    'a name twice': [
      { ...config(), users: [{ name: 'u' }, { name: 'u' }, {}] },
      ['/k/config: users[1].name: is the second "u" in this file', '/k/config: users[2].name: is missing'],
    ],
    'a bad cluster': [
      config({
        cluster: {
          server: 'ftp://c.test',
          'certificate-authority': 'a',
          'certificate-authority-data': '***',
          'insecure-skip-tls-verify': true,
          'proxy-url': 'socks5://p',
        },
      }),
      [
        '/k/config: clusters[0].cluster.certificate-authority-data: must be base64',
        '/k/config: clusters[0].cluster.insecure-skip-tls-verify: cannot be combined with a certificate authority',
        '/k/config: clusters[0].cluster.server: must be an http or https URL',
        '/k/config: clusters[0].cluster.proxy-url: must be an http URL; other proxies are not supported',
      ],
    ],
    'a cluster without a server': [
      config({ cluster: { server: null } }),
      ['/k/config: clusters[0].cluster.server: is missing'],
    ],
    'what we cannot honour': [
      config({ user: { username: 'a', 'auth-provider': { name: 'gcp' }, as: 'root', token: 'a b' } }),
      [
        '/k/config: users[1].user.username: basic authentication is not supported; no API server has it any more',
        '/k/config: users[1].user.auth-provider: auth providers are not supported; use exec',
        '/k/config: users[1].user.as: impersonation is not supported; use the credentials of that user',
        '/k/config: users[1].user.token: the token holds characters that no token has',
      ],
    ],
    'half a certificate': [
      config({ user: { 'client-certificate': 'a', 'client-certificate-data': base64('b') } }),
      [
        '/k/config: users[1].user.client-certificate: cannot be combined with client-certificate-data',
        '/k/config: users[1].user.client-key: is missing',
      ],
    ],
  };

  it.each(Object.entries(table))(
    'are all listed with their paths: %s',
    async (_name, [content, expected]) => {
      expect(await read({ '/k/config': content })).toEqual(expected);
    },
  );

  it('of an entry that is not used keep nobody from working', async () => {
    const file = {
      ...config(),
      users: [
        { name: 'old', user: { 'auth-provider': {} } },
        { name: 'u', user: {} },
      ],
    };
    expect(await read({ '/k/config': file })).toMatchObject({ server: 'https://c.test:6443' });
  });

  it('never quote the text around a mistake, where secrets stand', async () => {
    const problems = await read({ '/k/config': 'token: very-secret\n  bad: [' });
    expect(JSON.stringify(problems)).not.toContain('very-secret');
  });
});
