import { describe, expect, it } from 'vitest';
import { leaseType, nodeType, podType } from '../objects/ref.ts';
import * as build from './api-request.ts';

const node = { type: nodeType, namespace: '', name: 'a' };
const lease = { type: leaseType, namespace: 'kube-node-lease', name: 'a' };

function authored(ref: build.Authored['ref'], options: build.Authored['options'] = {}): build.Authored {
  return { ref, options, fieldManager: 'muster' };
}

function line({ method, path }: build.ApiRequest): string {
  return `${method} ${path}`;
}

describe('reads', () => {
  it.each([
    ['one of the core group', build.getRequest(node), 'GET /api/v1/nodes/a'],
    [
      'one of a named group, in a namespace',
      build.getRequest(lease),
      'GET /apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/a',
    ],
    [
      'a name that needs escaping',
      build.getRequest({ ...node, name: 'a/b?c' }),
      'GET /api/v1/nodes/a%2Fb%3Fc',
    ],
    ['a list', build.listRequest({ type: podType }, {}), 'GET /api/v1/pods'],
    [
      'a page of a selection',
      build.listRequest(
        { type: podType, namespace: 'x', labelSelector: 'a=b,c', fieldSelector: 'spec.nodeName=n' },
        { limit: 500, continueToken: 'abc==' },
      ),
      'GET /api/v1/namespaces/x/pods?labelSelector=a%3Db%2Cc&fieldSelector=spec.nodeName%3Dn&limit=500&continue=abc%3D%3D',
    ],
    [
      'a watch that begins with everything',
      build.watchRequest({ type: nodeType }, { kind: 'initialEvents' }, 300),
      'GET /api/v1/nodes?watch=true&allowWatchBookmarks=true&timeoutSeconds=300&sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
    ],
    [
      'a watch that goes on',
      build.watchRequest({ type: nodeType }, { kind: 'after', resourceVersion: '5' }, 600),
      'GET /api/v1/nodes?watch=true&allowWatchBookmarks=true&timeoutSeconds=600&resourceVersion=5',
    ],
  ])('asks for %s', (_name, request, expected) => {
    expect(line(request)).toBe(expected);
    expect(request).toMatchObject({ asked: { isWrite: false }, content: null });
  });
});

describe('writes', () => {
  const body = { metadata: { name: 'a' } };

  it.each([
    [
      'creates in the collection',
      build.createRequest(authored(node), body),
      'POST /api/v1/nodes?fieldManager=muster',
    ],
    [
      'creates a subresource of an object',
      build.createRequest(
        authored({ type: podType, namespace: 'x', name: 'p' }, { subresource: 'eviction' }),
        body,
      ),
      'POST /api/v1/namespaces/x/pods/p/eviction?fieldManager=muster',
    ],
    ['replaces', build.replaceRequest(authored(node), body), 'PUT /api/v1/nodes/a?fieldManager=muster'],
    [
      'replaces the status',
      build.replaceRequest(authored(node, { subresource: 'status' }), body),
      'PUT /api/v1/nodes/a/status?fieldManager=muster',
    ],
    [
      'only tries',
      build.replaceRequest(authored(node, { dryRun: true }), body),
      'PUT /api/v1/nodes/a?fieldManager=muster&dryRun=All',
    ],
    [
      'applies without force',
      build.patchRequest(authored(node), { kind: 'apply', body }),
      'PATCH /api/v1/nodes/a?fieldManager=muster',
    ],
    [
      'applies with force',
      build.patchRequest(authored(node), { kind: 'apply', body, force: true }),
      'PATCH /api/v1/nodes/a?fieldManager=muster&force=true',
    ],
    ['deletes', build.deleteRequest(node, {}), 'DELETE /api/v1/nodes/a'],
  ])('%s', (_name, request, expected) => {
    expect(line(request)).toBe(expected);
    expect(request.asked.isWrite).toBe(true);
  });

  it.each([
    ['merge', 'application/merge-patch+json'],
    ['json', 'application/json-patch+json'],
    ['strategic', 'application/strategic-merge-patch+json'],
    ['apply', 'application/apply-patch+yaml'],
  ] as const)('sends a patch of kind %s as %s', (kind, type) => {
    expect(build.patchRequest(authored(node), { kind, body: [] }).content).toEqual({ type, value: [] });
  });

  it('guards a delete with what the caller knows', () => {
    const sent = (options: Parameters<typeof build.deleteRequest>[1]) =>
      JSON.parse(JSON.stringify(build.deleteRequest(node, options).content?.value));
    expect(sent({})).toEqual({ apiVersion: 'v1', kind: 'DeleteOptions' });
    expect(sent({ uid: 'u', resourceVersion: '5', propagation: 'Orphan', gracePeriodSeconds: 0 })).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: { uid: 'u', resourceVersion: '5' },
      propagationPolicy: 'Orphan',
      gracePeriodSeconds: 0,
    });
  });

  it('names subresources in metrics', () => {
    expect(
      build.patchRequest(authored(lease, { subresource: 'status' }), { kind: 'merge', body }).resource,
    ).toBe('leases.coordination.k8s.io/status');
  });
});
