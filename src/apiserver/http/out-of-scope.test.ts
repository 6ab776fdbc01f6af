import { describe, expect, it } from 'vitest';
import { startEmbeddedServer } from '../../../test/support/embedded-server.ts';

describe('a path', () => {
  const { call } = startEmbeddedServer();

  it.each([
    ['/api/v1/namespaces/default/pods/a/exec', 'pods/exec'],
    ['/api/v1/nodes/a/proxy/metrics', 'nodes/proxy'],
    ['/api/v1/persistentvolumes', 'persistentvolumes of v1'],
    ['/apis/apps/v1/namespaces/default/deployments/a', 'deployments of apps/v1'],
    ['/apis/rbac.authorization.k8s.io/v1/clusterroles', 'clusterroles of rbac.authorization.k8s.io/v1'],
    ['/apis/batch', 'batch'],
    ['/apis/batch/v1', 'batch/v1'],
  ])('%s is said to be out of scope', (path, what) => {
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(call(method, path, {})).toMatchObject({
        code: 501,
        body: { reason: 'NotImplemented', message: expect.stringContaining(`${what} is outside`) },
      });
  });

  it.each([
    '/apis/apps/v1beta1/namespaces/default/deployments',
    '/apis/batch/v1/nopes',
    '/apis/batch/v2',
    '/apis/apps/v1/namespaces/default/daemonsets/a/scale',
  ])('%s is not there on a real server either', (path) => {
    expect(call('GET', path)).toMatchObject({ code: 404, body: { reason: 'NotFound' } });
  });
});
