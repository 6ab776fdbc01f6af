import { describe, expect, it } from 'vitest';
import { startEmbeddedServer } from '../../../test/support/embedded-server.ts';

const nodes = '/api/v1/nodes';
const maps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const named = (name: string, more: object = {}) => ({ metadata: { name }, ...more });
const pod = (name: string, spec: object = {}) =>
  named(name, { spec: { containers: [{ name: 'c', image: 'i' }], ...spec } });

describe('creating', () => {
  const { call } = startEmbeddedServer();

  it('gives an identity that the client cannot choose', () => {
    const metadata = {
      name: 'own',
      uid: 'x',
      creationTimestamp: '2001-01-01T00:00:00Z',
      deletionTimestamp: '2001-01-01T00:00:00Z',
    };
    const made = call('POST', nodes, { metadata }).body.metadata;
    expect(made.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(made.creationTimestamp).toBe('2026-01-01T00:00:00Z');
    expect(made).not.toHaveProperty('deletionTimestamp');
  });

  it('makes a name from a prefix', () => {
    expect(call('POST', nodes, { metadata: { generateName: 'gen-' } }).body.metadata.name).toMatch(
      /^gen-[a-z0-9]{5}$/,
    );
  });

  it.each([
    ['no name', nodes, { metadata: {} }, 422, 'metadata.name: Required value'],
    ['a bad name', nodes, named('N_1'), 422, 'metadata.name: Invalid value'],
    ['a bad label', nodes, { metadata: { name: 'l', labels: { 'bad key': 'v' } } }, 422, 'metadata.labels'],
    [
      'an owner without uid',
      nodes,
      { metadata: { name: 'o', ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'a' }] } },
      422,
      'metadata.ownerReferences.uid',
    ],
    [
      'a finalizer without a domain',
      nodes,
      { metadata: { name: 'f', finalizers: ['mine'] } },
      422,
      'fully qualified',
    ],
    [
      'a resourceVersion',
      nodes,
      { metadata: { name: 'r', resourceVersion: '5' } },
      500,
      'resourceVersion should not be set',
    ],
    [
      'another kind',
      nodes,
      { kind: 'Pod', apiVersion: 'v1', ...named('k') },
      400,
      'cannot be handled as a Node',
    ],
    ['a value of the wrong type', nodes, named('t', { spec: { unschedulable: 'yes' } }), 400, 'of type bool'],
    ['no JSON', nodes, '{bad', 400, 'json parse error'],
    [
      'a namespace that is not there',
      '/api/v1/namespaces/nope/configmaps',
      named('a'),
      404,
      'namespaces "nope" not found',
    ],
    [
      'another namespace',
      maps,
      { metadata: { name: 'a', namespace: 'other' } },
      400,
      'does not match the namespace',
    ],
    ['a pod without containers', pods, named('p', { spec: {} }), 422, 'spec.containers: Required value'],
    [
      'a lease that lasts no time',
      leases,
      named('l', { spec: { leaseDurationSeconds: 0 } }),
      422,
      'must be greater than 0',
    ],
    [
      'a lease time without microseconds',
      leases,
      named('l', { spec: { renewTime: '2026-01-01T00:00:00Z' } }),
      400,
      'parsing time',
    ],
    [
      'a wrong taint',
      nodes,
      named('t', { spec: { taints: [{ key: 'a', effect: 'Wrong' }] } }),
      422,
      'Unsupported value: "Wrong"',
    ],
  ])('refuses %s', (_sentence, path, body, code, words) => {
    expect(call('POST', path, body)).toMatchObject({
      code,
      body: { message: expect.stringContaining(words) },
    });
  });

  it('refuses a name that is taken', () => {
    call('POST', nodes, named('twice'));
    expect(call('POST', nodes, named('twice'))).toMatchObject({
      code: 409,
      body: { reason: 'AlreadyExists' },
    });
  });

  it('taints a new node as not ready and keeps its status', () => {
    const { body } = call('POST', nodes, named('fresh', { status: { capacity: { cpu: '4' } } }));
    expect(body.spec.taints).toEqual([{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }]);
    expect(body.status).toMatchObject({ capacity: { cpu: '4' }, allocatable: { cpu: '4' } });
  });

  it('starts a pod over as pending, with what every pod has', () => {
    const { body } = call('POST', pods, { ...pod('p'), status: { phase: 'Running' } });
    expect(body).toMatchObject({
      metadata: { generation: 1 },
      spec: { restartPolicy: 'Always', serviceAccountName: 'default', priority: 0 },
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    });
    expect(body.spec.tolerations).toHaveLength(2);
  });

  it('encodes the strings of a secret', () => {
    const { body } = call(
      'POST',
      '/api/v1/namespaces/default/secrets',
      named('s', { stringData: { a: '1' } }),
    );
    expect(body).toMatchObject({ data: { a: 'MQ==' }, type: 'Opaque' });
    expect(body).not.toHaveProperty('stringData');
  });

  it('shows an event of one API in the other', () => {
    const core = { involvedObject: { kind: 'Node', name: 'n' }, message: 'm', reason: 'R', type: 'Normal' };
    call('POST', '/api/v1/namespaces/default/events', named('e', core));
    expect(call('GET', '/apis/events.k8s.io/v1/namespaces/default/events/e').body).toMatchObject({
      apiVersion: 'events.k8s.io/v1',
      regarding: { kind: 'Node', name: 'n' },
      note: 'm',
    });
    const selected = call('GET', '/api/v1/namespaces/default/events?fieldSelector=involvedObject.name%3Dn');
    expect(selected.body.items).toHaveLength(1);
  });
});

describe('updating', () => {
  const { call } = startEmbeddedServer();
  call('POST', nodes, named('n', { spec: { providerID: 'aws:///a' } }));
  call('POST', leases, named('l', { spec: { holderIdentity: 'me' } }));

  it.each([
    ['an old resourceVersion', { metadata: { resourceVersion: '1' } }, 409, 'the object has been modified'],
    [
      'another uid',
      { metadata: { uid: 'zz' } },
      422,
      'metadata.uid: Invalid value: "zz": field is immutable',
    ],
    ['another name', { metadata: { name: 'zz' } }, 400, 'does not match the name on the URL'],
    ['another providerID', { spec: { providerID: 'b' } }, 422, 'spec.providerID: Forbidden'],
    [
      'two taints of one key and effect',
      {
        spec: {
          taints: [
            { key: 'a', effect: 'NoSchedule' },
            { key: 'a', effect: 'NoSchedule' },
          ],
        },
      },
      422,
      'taints must be unique',
    ],
    ['a value of the wrong type', { spec: { unschedulable: 'yes' } }, 422, 'patch: Invalid value'],
  ])('refuses a patch with %s', (_sentence, patch, code, words) => {
    expect(call('PATCH', `${nodes}/n`, patch)).toMatchObject({
      code,
      body: { message: expect.stringContaining(words) },
    });
  });

  it('leaves what no client may set as it was', () => {
    const before = call('GET', `${nodes}/n`).body;
    const patch = { metadata: { creationTimestamp: '2001-01-01T00:00:00Z', generation: 99 } };
    expect(call('PATCH', `${nodes}/n`, patch).body).toEqual(before);
  });

  it('writes the status through its own path alone', () => {
    expect(call('PATCH', `${nodes}/n`, { status: { phase: 'X' } }).body.status).not.toHaveProperty('phase');
    const written = call('PATCH', `${nodes}/n/status`, {
      status: { phase: 'Running' },
      spec: { unschedulable: true },
    }).body;
    expect(written.status.phase).toBe('Running');
    expect(written.spec).not.toHaveProperty('unschedulable');
  });

  it('asks for a resourceVersion where kinds demand one', () => {
    expect(call('PUT', `${leases}/l`, named('l', { spec: {} }))).toMatchObject({
      code: 422,
      body: { message: expect.stringContaining('must be specified for an update') },
    });
  });

  it('makes a lease that was put where none is', () => {
    expect(call('PUT', `${leases}/new`, named('new', { spec: {} })).code).toBe(201);
    expect(call('PUT', `${nodes}/new`, named('new')).code).toBe(404);
  });

  it('refuses to replace another incarnation', () => {
    expect(call('PUT', `${nodes}/n`, { metadata: { name: 'n', uid: 'zz' } })).toMatchObject({ code: 409 });
  });

  it('lets little of a pod change', () => {
    call('POST', pods, pod('p'));
    expect(call('PATCH', `${pods}/p`, { spec: { hostNetwork: true } })).toMatchObject({ code: 422 });
    const image = [{ op: 'replace', path: '/spec/containers/0/image', value: 'j' }];
    const patched = call('PATCH', `${pods}/p`, image, { 'content-type': 'application/json-patch+json' });
    expect(patched).toMatchObject({ code: 200, body: { metadata: { generation: 2 } } });
  });
});
