import { describe, expect, it } from 'vitest';
import { kubeconfig, readKubeconfigs } from '../../test/support/kubeconfigs.ts';
import type { ConnectionRequest } from './kubeconfig.ts';

describe('several files', () => {
  const first = kubeconfig({ user: { token: 'first' } });
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
    expect(await readKubeconfigs(files, several)).toMatchObject({
      server: 'https://c.test:6443',
      credentials: { certificate: null, token: { token: 'first' } },
    });
  });

  it('add to each other, each with paths of its own', async () => {
    expect(await readKubeconfigs(files, { ...several, context: 'two' })).toMatchObject({
      server: 'https://c2.test',
      ca: { path: '/2/ca2.crt' },
      credentials: { certificate: null, token: { token: 'first' } },
    });
  });

  it('take the current context from the first that has one', async () => {
    const nameless = { ...first, 'current-context': '' };
    expect(await readKubeconfigs({ '/1/config': nameless, '/2/config': second }, several)).toMatchObject({
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
    expect(await readKubeconfigs({ '/home/me/.kube/config': kubeconfig() }, home)).toMatchObject({
      server: 'https://c.test:6443',
    });
    expect(await readKubeconfigs({ '/home/me/.kube/config': kubeconfig() }, pod)).toMatchObject({
      server: 'https://c.test:6443',
    });
  });

  it('is the cluster of the pod when there is no file', async () => {
    const account = '/var/run/secrets/kubernetes.io/serviceaccount';
    expect(await readKubeconfigs({ [`${account}/namespace`]: 'muster\n' }, pod)).toEqual({
      server: 'https://10.0.0.1:443',
      ca: { kind: 'file', path: `${account}/ca.crt` },
      insecureSkipTlsVerify: false,
      tlsServerName: null,
      proxyUrl: null,
      credentials: { certificate: null, token: { kind: 'tokenFile', path: `${account}/token` } },
      namespace: 'muster',
    });
    const ipv6 = { ...pod, environment: { ...pod.environment, KUBERNETES_SERVICE_HOST: 'fd00::1' } };
    expect(await readKubeconfigs({}, ipv6)).toMatchObject({
      server: 'https://[fd00::1]:443',
      namespace: 'default',
    });
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
    expect(await readKubeconfigs({}, request)).toEqual([problem]);
  });
});
