import { describe, expect, it } from 'vitest';
import { startEmbeddedServer } from '../../../test/support/embedded-server.ts';

const nodes = '/api/v1/nodes';
const maps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const named = (name: string, more: object = {}) => ({ metadata: { name }, ...more });
const pod = (name: string, spec: object = {}) =>
  named(name, { spec: { containers: [{ name: 'c', image: 'i' }], ...spec } });

describe('deleting', () => {
  const { call, settle } = startEmbeddedServer();

  it('is answered with a Status that names what is gone', () => {
    const { uid } = call('POST', nodes, named('a')).body.metadata;
    expect(call('DELETE', `${nodes}/a`)).toMatchObject({
      code: 200,
      body: { status: 'Success', details: { name: 'a', kind: 'nodes', uid } },
    });
  });

  it('spares another incarnation and names what differs', () => {
    call('POST', nodes, named('b'));
    expect(call('DELETE', `${nodes}/b`, { preconditions: { uid: 'zz' } })).toMatchObject({
      code: 409,
      body: { message: expect.stringContaining('the UID in the precondition (zz)') },
    });
    expect(call('DELETE', `${nodes}/b`, { preconditions: { resourceVersion: '1' } })).toMatchObject({
      code: 409,
    });
  });

  it('waits for finalizers, takes no new ones, and ends with the last', () => {
    call('POST', nodes, { metadata: { name: 'f', finalizers: ['muster.dev/a'] } });
    expect(call('DELETE', `${nodes}/f`).body).toMatchObject({
      kind: 'Node',
      metadata: { deletionGracePeriodSeconds: 0 },
    });
    const more = { metadata: { finalizers: ['muster.dev/a', 'muster.dev/b'] } };
    expect(call('PATCH', `${nodes}/f`, more)).toMatchObject({ code: 422 });
    expect(call('PATCH', `${nodes}/f`, { metadata: { finalizers: null } }).code).toBe(200);
    expect(call('GET', `${nodes}/f`).code).toBe(404);
  });

  it('gives a running pod its time, and none to one that never ran', () => {
    call('POST', pods, pod('running', { nodeName: 'n' }));
    call('POST', pods, pod('waiting'));
    expect(call('DELETE', `${pods}/running`).body.metadata).toMatchObject({
      deletionGracePeriodSeconds: 30,
      generation: 2,
    });
    expect(call('GET', `${pods}/running`).code).toBe(200);
    expect(call('DELETE', `${pods}/running?gracePeriodSeconds=0`).body.kind).toBe('Pod');
    expect(call('GET', `${pods}/running`).code).toBe(404);
    call('DELETE', `${pods}/waiting`);
    expect(call('GET', `${pods}/waiting`).code).toBe(404);
  });

  it('of a collection takes what the selector names', () => {
    for (const name of ['x', 'y']) call('POST', maps, { metadata: { name, labels: { name } } });
    expect(call('DELETE', `${maps}?labelSelector=name%3Dx`).body.items).toHaveLength(1);
    expect(
      call('GET', maps).body.items.map((item: { metadata: { name: string } }) => item.metadata.name),
    ).toEqual(['y']);
  });

  it('empties a namespace before it goes, and lets nothing new in', async () => {
    call('POST', '/api/v1/namespaces', named('ns1'));
    call('POST', '/api/v1/namespaces/ns1/configmaps', named('c'));
    expect(call('DELETE', '/api/v1/namespaces/ns1').body.status.phase).toBe('Terminating');
    expect(call('POST', '/api/v1/namespaces/ns1/configmaps', named('late'))).toMatchObject({ code: 403 });
    await settle();
    expect(call('GET', '/api/v1/namespaces/ns1').code).toBe(404);
    expect(call('GET', '/api/v1/namespaces/ns1/configmaps/c').code).toBe(404);
    expect(call('DELETE', '/api/v1/namespaces/default').code).toBe(403);
  });
});

describe('a pod', () => {
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };
  const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';

  it('is bound to one node once', () => {
    const { call } = startEmbeddedServer();
    call('POST', pods, pod('p'));
    const target = (name: string) => ({ metadata: { name: 'p' }, target: { kind: 'Node', name } });
    expect(call('POST', `${pods}/p/binding`, target('n1')).code).toBe(201);
    expect(call('GET', `${pods}?fieldSelector=spec.nodeName%3Dn1`).body.items).toHaveLength(1);
    expect(call('POST', `${pods}/p/binding`, target('n2'))).toMatchObject({
      code: 409,
      body: { message: expect.stringContaining('already assigned to node "n1"') },
    });
  });

  it('is evicted as far as its budget allows', () => {
    const { call } = startEmbeddedServer();
    call('POST', pods, { ...pod('p', { nodeName: 'n' }), metadata: { name: 'p', labels: { app: 'x' } } });
    call('PATCH', `${pods}/p/status`, { status: { phase: 'Running' } });
    call('POST', budgets, named('b', { spec: { minAvailable: 1, selector: { matchLabels: { app: 'x' } } } }));
    const evict = () => call('POST', `${pods}/p/eviction`, eviction);
    expect(evict()).toMatchObject({ code: 429, headers: { 'retry-after': '10' } });
    const allow = (disruptionsAllowed: number) =>
      call('PATCH', `${budgets}/b/status`, { status: { observedGeneration: 1, disruptionsAllowed } });
    allow(0);
    expect(evict()).toMatchObject({ code: 429, body: { reason: 'TooManyRequests' } });
    allow(1);
    expect(evict().code).toBe(201);
    expect(call('GET', `${pods}/p`).body.metadata).toHaveProperty('deletionTimestamp');
    expect(call('GET', `${budgets}/b`).body.status).toMatchObject({
      disruptionsAllowed: 0,
      disruptedPods: { p: expect.any(String) },
    });
  });
});

describe('a service account', () => {
  it('comes with its namespace and gets tokens that name it', () => {
    const { call } = startEmbeddedServer();
    const path = '/api/v1/namespaces/default/serviceaccounts/default';
    expect(call('GET', path).code).toBe(200);
    const { token } = call('POST', `${path}/token`, { spec: { expirationSeconds: 600 } }).body.status;
    const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
    expect(claims.sub).toBe('system:serviceaccount:default:default');
  });
});
