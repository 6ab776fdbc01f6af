import { describe, expect, it } from 'vitest';
import { base64, type Config, kubeconfig, readKubeconfigs } from '../../test/support/kubeconfigs.ts';

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
    expect(await readKubeconfigs({ '/k/config': text })).toEqual({
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
    const file = { ...kubeconfig(), contexts: [{ name: 'ctx', context: { cluster: 'c' } }] };
    expect(await readKubeconfigs({ '/k/config': file })).toMatchObject({
      credentials: { certificate: null, token: { kind: 'none' } },
      namespace: 'default',
    });
  });

  it('is the one asked for rather than the current one', async () => {
    const file = {
      ...kubeconfig(),
      contexts: [
        { name: 'ctx', context: { cluster: 'c', user: 'u' } },
        { name: 'two', context: { cluster: 'c', user: 'u', namespace: 'second' } },
      ],
    };
    expect(await readKubeconfigs({ '/k/config': file }, { context: 'two' })).toMatchObject({
      namespace: 'second',
    });
  });

  it('takes a bare host for plain HTTP, as kubectl does', async () => {
    expect(
      await readKubeconfigs({ '/k/config': kubeconfig({ cluster: { server: 'localhost:8001' } }) }),
    ).toMatchObject({
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
    expect(await readKubeconfigs({ '/k/config': kubeconfig({ user }) })).toMatchObject({
      credentials: { token },
    });
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
    expect(await readKubeconfigs({ '/k/config': kubeconfig({ user: { exec }, cluster }) })).toMatchObject({
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
    expect(await readKubeconfigs({ '/k/config': kubeconfig({ user: { exec } }) })).toMatchObject({
      credentials: { token: { plugin: { command: 'login', interactiveMode: 'IfAvailable', cluster: null } } },
    });
  });

  it('lists everything that is wrong with it', async () => {
    const exec = { apiVersion: v1, args: ['a', 5], env: [{ value: 'x' }], provideClusterInfo: 'yes' };
    const at = '/k/config: users[1].user.exec';
    expect(await readKubeconfigs({ '/k/config': kubeconfig({ user: { exec } }) })).toEqual([
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
    expect(await readKubeconfigs({ '/k/config': kubeconfig({ user: { exec } }) })).toEqual([
      expect.stringMatching(/exec\.apiVersion: must be one of client\.authentication\.k8s\.io\/v1, /),
      expect.stringMatching(/exec\.interactiveMode: must be one of Never, IfAvailable, Always$/),
    ]);
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
    'another kind of object': [{ ...kubeconfig(), kind: 'Pod' }, ['/k/config: kind: must be Config']],
    'an unknown context': [
      { ...kubeconfig(), 'current-context': 'gone' },
      ['there is no context "gone"; there are: ctx'],
    ],
    'an unknown cluster and user': [
      kubeconfig({ context: { cluster: 'x', user: 'y' } }),
      [
        '/k/config: contexts[0].context.cluster: there is no cluster "x"',
        '/k/config: contexts[0].context.user: there is no user "y"',
      ],
    ],
    'a name twice': [
      { ...kubeconfig(), users: [{ name: 'u' }, { name: 'u' }, {}] },
      ['/k/config: users[1].name: is the second "u" in this file', '/k/config: users[2].name: is missing'],
    ],
    'a bad cluster': [
      kubeconfig({
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
      kubeconfig({ cluster: { server: null } }),
      ['/k/config: clusters[0].cluster.server: is missing'],
    ],
    'what we cannot honour': [
      kubeconfig({ user: { username: 'a', 'auth-provider': { name: 'gcp' }, as: 'root', token: 'a b' } }),
      [
        '/k/config: users[1].user.username: basic authentication is not supported; no API server has it any more',
        '/k/config: users[1].user.auth-provider: auth providers are not supported; use exec',
        '/k/config: users[1].user.as: impersonation is not supported; use the credentials of that user',
        '/k/config: users[1].user.token: the token holds characters that no token has',
      ],
    ],
    'half a certificate': [
      kubeconfig({ user: { 'client-certificate': 'a', 'client-certificate-data': base64('b') } }),
      [
        '/k/config: users[1].user.client-certificate: cannot be combined with client-certificate-data',
        '/k/config: users[1].user.client-key: is missing',
      ],
    ],
  };

  it.each(Object.entries(table))(
    'are all listed with their paths: %s',
    async (_name, [content, expected]) => {
      expect(await readKubeconfigs({ '/k/config': content })).toEqual(expected);
    },
  );

  it('of an entry that is not used keep nobody from working', async () => {
    const file = {
      ...kubeconfig(),
      users: [
        { name: 'old', user: { 'auth-provider': {} } },
        { name: 'u', user: {} },
      ],
    };
    expect(await readKubeconfigs({ '/k/config': file })).toMatchObject({ server: 'https://c.test:6443' });
  });

  it('never quote the text around a mistake, where secrets stand', async () => {
    const problems = await readKubeconfigs({ '/k/config': 'token: very-secret\n  bad: [' });
    expect(JSON.stringify(problems)).not.toContain('very-secret');
  });
});
