import { describe, expect, it } from 'vitest';
import { spokenIn } from './spoken.ts';

const lifecycles = '/apis/muster.dev/v1alpha1/nodelifecycles';

describe('a request in the words of fault rules', () => {
  it.each([
    ['GET', '/api/v1/nodes/a', { verb: 'get', resource: 'nodes', name: 'a' }],
    ['GET', '/api/v1/nodes?limit=200', { verb: 'list', resource: 'nodes', name: '' }],
    ['GET', '/api/v1/nodes?watch=true', { verb: 'watch', resource: 'nodes', name: '' }],
    ['PATCH', '/api/v1/nodes/a', { verb: 'patch', resource: 'nodes', name: 'a' }],
    [
      'PATCH',
      `${lifecycles}/a/status`,
      { verb: 'patch', resource: 'nodelifecycles.muster.dev/status', name: 'a' },
    ],
    ['DELETE', `${lifecycles}/a`, { verb: 'delete', resource: 'nodelifecycles.muster.dev', name: 'a' }],
    [
      'PUT',
      '/apis/coordination.k8s.io/v1/namespaces/muster-system/leases/muster',
      { verb: 'replace', resource: 'leases.coordination.k8s.io', name: 'muster' },
    ],
    ['GET', '/api/v1/namespaces/x', { verb: 'get', resource: 'namespaces', name: 'x' }],
  ])('%s %s', (method, url, spoken) => {
    expect(spokenIn(method, url)).toEqual(spoken);
  });

  it('knows the name of an object that is created from its body', () => {
    const body = JSON.stringify({ metadata: { name: 'a' } });
    expect(spokenIn('POST', lifecycles, body)).toEqual({
      verb: 'create',
      resource: 'nodelifecycles.muster.dev',
      name: 'a',
    });
  });

  it.each([
    ['GET', '/readyz'],
    ['GET', '/apis'],
    ['DELETE', '/api/v1/nodes'],
  ])('has none for %s %s', (method, url) => {
    expect(spokenIn(method, url)).toBeNull();
  });
});
