import { describe, expect, it } from 'vitest';
import { startEmbeddedServer } from '../../../test/support/embedded-server.ts';
import { settle } from '../../../test/support/manual-clock.ts';
import { createFront } from './front.ts';

const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };
const partial = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' };
const strategic = { 'content-type': 'application/strategic-merge-patch+json' };
const nodes = '/api/v1/nodes';
const node = (name: string, more: object = {}) => ({ metadata: { name }, ...more });

describe('a path', () => {
  const { call } = startEmbeddedServer();

  it.each([
    ['/nope', 404, '404 page not found\n'],
    ['/apis/nope.test/v1', 404, '404 page not found\n'],
    ['/apis/nope.test/v1/things', 404, '404 page not found\n'],
    ['/healthz', 200, 'ok'],
  ])('%s is answered with %i', (path, code, body) => {
    expect(call('GET', path)).toMatchObject({ code, body });
  });

  it.each([
    '/api/v1/things',
    '/apis/coordination.k8s.io/v9/leases',
    '/api/v1/nodes/a/nothing',
    '/api/v1/namespaces/default/nodes',
  ])('%s names a resource that is not there', (path) => {
    expect(call('GET', path)).toMatchObject({ code: 404, body: { kind: 'Status', reason: 'NotFound' } });
  });

  it.each([
    ['POST', '/api/v1/nodes/a'],
    ['PUT', '/api/v1/nodes'],
    ['POST', '/api/v1/pods'],
    ['DELETE', '/api/v1/pods'],
    ['GET', '/api/v1/namespaces/default/pods/a/eviction'],
  ])('refuses %s %s as a method it does not have', (method, path) => {
    expect(call(method, path, {})).toMatchObject({ code: 405, body: { reason: 'MethodNotAllowed' } });
  });
});

describe('discovery', () => {
  const { call } = startEmbeddedServer();

  it('lists the groups, their versions and their resources', () => {
    const groups: { name: string }[] = call('GET', '/apis').body.groups;
    expect(groups.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'apps',
        'policy',
        'events.k8s.io',
        'coordination.k8s.io',
        'apiextensions.k8s.io',
      ]),
    );
    const { resources } = call('GET', '/api/v1').body;
    expect(resources).toContainEqual(
      expect.objectContaining({ name: 'nodes', shortNames: ['no'], namespaced: false }),
    );
    expect(resources).toContainEqual(expect.objectContaining({ name: 'pods/eviction', kind: 'Eviction' }));
  });

  it('says it all at once to a client that asks so', () => {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const { headers, body } = call('GET', '/apis', undefined, { accept });
    expect(headers['content-type']).toBe(accept);
    expect(body.kind).toBe('APIGroupDiscoveryList');
    expect(JSON.stringify(body)).toContain('"resource":"leases"');
  });

  it('describes kinds in OpenAPI, and that fields are validated by the server', () => {
    expect(call('GET', '/openapi/v3').body.paths).toHaveProperty('api/v1');
    const { paths, components } = call('GET', '/openapi/v3/api/v1').body;
    expect(paths['/api/v1/nodes/{name}'].patch.parameters).toContainEqual(
      expect.objectContaining({ name: 'fieldValidation' }),
    );
    expect(components.schemas['core.v1.Node'].properties.spec.properties).toHaveProperty('taints');
  });
});

describe('a token', () => {
  const { call } = startEmbeddedServer({ token: 'secret' });

  it('lets in who knows it, and asks nobody about health', () => {
    expect(call('GET', nodes).code).toBe(401);
    expect(call('GET', nodes, undefined, { authorization: 'Bearer wrong' }).code).toBe(401);
    expect(call('GET', nodes, undefined, { authorization: 'Bearer secret' }).code).toBe(200);
    expect(call('GET', '/readyz').code).toBe(200);
  });
});

describe('query parameters', () => {
  const { call } = startEmbeddedServer();

  it.each([
    ['limit=abc', 400, 'BadRequest'],
    ['labelSelector=a%20b%20c', 400, 'BadRequest'],
    ['fieldSelector=foo%3Dbar', 400, 'BadRequest'],
    ['continue=zzz', 400, 'BadRequest'],
    ['resourceVersion=abc', 400, 'BadRequest'],
    ['resourceVersionMatch=Exact', 422, 'Invalid'],
    ['sendInitialEvents=true', 422, 'Invalid'],
    ['watch=1&sendInitialEvents=true', 422, 'Invalid'],
    ['resourceVersion=99999', 504, 'Timeout'],
  ])('%s is answered with %i %s', (query, code, reason) => {
    expect(call('GET', `${nodes}?${query}`)).toMatchObject({ code, body: { reason } });
  });

  it('tries a write without keeping it', () => {
    const tried = call('POST', `${nodes}?dryRun=All`, node('dry'));
    expect(tried).toMatchObject({ code: 201, body: { metadata: { name: 'dry' } } });
    expect(tried.body.metadata).not.toHaveProperty('resourceVersion');
    expect(call('GET', `${nodes}/dry`).code).toBe(404);
    expect(call('POST', `${nodes}?dryRun=Some`, node('dry'))).toMatchObject({ code: 422 });
  });

  it('warns of unknown fields, or refuses them when asked to be strict', () => {
    const body = node('strange', { spec: { foo: 1 }, bar: 2 });
    expect(call('POST', `${nodes}?fieldValidation=Strict`, body)).toMatchObject({
      code: 400,
      body: {
        message: expect.stringContaining(
          'strict decoding error: unknown field "spec.foo", unknown field "bar"',
        ),
      },
    });
    const { headers, body: made } = call('POST', nodes, body);
    expect(headers['warning']).toEqual([
      '299 - "unknown field \\"spec.foo\\""',
      '299 - "unknown field \\"bar\\""',
    ]);
    expect(made).not.toHaveProperty('bar');
    expect(
      call('POST', `${nodes}?fieldValidation=Ignore`, node('quiet', { bar: 2 })).headers,
    ).not.toHaveProperty('warning');
  });
});

describe('an answer', () => {
  const { call } = startEmbeddedServer();
  call('POST', nodes, node('a', { status: { conditions: [{ type: 'Ready', status: 'True' }] } }));

  it('is a table for who prints', () => {
    const { body } = call('GET', nodes, undefined, table);
    expect(body.kind).toBe('Table');
    expect(body.columnDefinitions.map(({ name }: { name: string }) => name).slice(0, 5)).toEqual([
      'Name',
      'Status',
      'Roles',
      'Age',
      'Version',
    ]);
    expect(body.rows[0].cells.slice(0, 4)).toEqual(['a', 'Ready', '<none>', '0s']);
    expect(body.rows[0].object.kind).toBe('PartialObjectMetadata');
  });

  it('is metadata alone for who needs no more', () => {
    expect(Object.keys(call('GET', `${nodes}/a`, undefined, partial).body)).toEqual([
      'kind',
      'apiVersion',
      'metadata',
    ]);
  });

  it('is refused in a form that the server does not write', () => {
    expect(call('GET', `${nodes}/a`, undefined, { accept: 'text/html' }).code).toBe(406);
  });
});

describe('a patch', () => {
  const { call } = startEmbeddedServer();
  call('POST', nodes, node('a', { spec: { taints: [{ key: 'k', effect: 'NoSchedule' }] } }));

  it('of an unknown form is refused', () => {
    expect(call('PATCH', `${nodes}/a`, {}, { 'content-type': 'application/foo' })).toMatchObject({
      code: 415,
      body: { reason: 'UnsupportedMediaType' },
    });
  });

  it('by server-side apply is out of scope', () => {
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    expect(call('PATCH', `${nodes}/a`, '{}', headers)).toMatchObject({ code: 501 });
  });

  it('replaces taints as a whole and merges conditions by type', () => {
    const taints = [{ key: 'other', effect: 'NoExecute' }];
    expect(call('PATCH', `${nodes}/a`, { spec: { taints } }, strategic).body.spec.taints).toEqual(taints);
    for (const type of ['Ready', 'New'])
      call('PATCH', `${nodes}/a/status`, { status: { conditions: [{ type, status: 'True' }] } }, strategic);
    const { conditions } = call('GET', `${nodes}/a`).body.status;
    expect(conditions.map(({ type }: { type: string }) => type)).toEqual(['New', 'Ready']);
  });
});

describe('a watch', () => {
  it('begins with what is there, a marked bookmark, and goes on with what changes', async () => {
    const { call, watch } = startEmbeddedServer();
    call('POST', nodes, node('a'));
    const watching = watch(
      `${nodes}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    );
    call('PATCH', `${nodes}/a`, { metadata: { labels: { x: 'y' } } });
    call('DELETE', `${nodes}/a`);
    await settle();
    expect(watching.lines.map(({ type }) => type)).toEqual(['ADDED', 'BOOKMARK', 'MODIFIED', 'DELETED']);
    expect(watching.lines[1]?.object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
    watching.close();
    expect(watching.isOver()).toBe(true);
  });

  it('from before the window is told so as an event, and ends', async () => {
    const { call, watch } = startEmbeddedServer({ historySize: 2 });
    for (const name of ['a', 'b', 'c', 'd']) call('POST', nodes, node(name));
    const watching = watch(`${nodes}?watch=1&resourceVersion=2`);
    await settle();
    await settle();
    expect(watching.lines).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }]);
    expect(watching.isOver()).toBe(true);
  });

  it('carries what one turn changed in one write', async () => {
    const { server, call } = startEmbeddedServer();
    const front = createFront(server, { token: null });
    const query = new URLSearchParams('watch=1');
    const answer = front({ method: 'GET', path: nodes, query, headers: {}, body: '' });
    const writes: string[] = [];
    const sink = { write: (text: string) => writes.push(text) > 0, drained: settle, end() {} };
    if (answer.kind === 'stream') answer.run(sink);
    for (const name of ['a', 'b', 'c']) call('POST', nodes, node(name));
    await settle();
    await settle();
    expect(writes.map((text) => text.split('\n').length - 1)).toEqual([3]);
  });

  it('lasts as long as was asked for', async () => {
    const { watch, clock } = startEmbeddedServer();
    const watching = watch(`${nodes}?watch=1&timeoutSeconds=5`);
    await clock.advance(4_999);
    expect(watching.isOver()).toBe(false);
    await clock.advance(1);
    expect(watching.isOver()).toBe(true);
  });

  it('is sent bookmarks every minute if it wants them', async () => {
    const { watch, clock } = startEmbeddedServer();
    const watching = watch(`${nodes}?watch=1&allowWatchBookmarks=true`);
    await clock.advance(60_000);
    expect(watching.lines).toMatchObject([{ type: 'BOOKMARK', object: { kind: 'Node' } }]);
  });

  it('comes as tables for who prints', async () => {
    const { call, watch } = startEmbeddedServer();
    call('POST', nodes, node('a'));
    const watching = watch(`${nodes}?watch=1`, table);
    await settle();
    expect(watching.lines).toMatchObject([{ type: 'ADDED', object: { kind: 'Table' } }]);
    expect(watching.lines[0]?.object.rows[0].cells[0]).toBe('a');
  });
});

describe('pages', () => {
  it('show one moment, however long they take to read', () => {
    const { call } = startEmbeddedServer();
    for (const name of ['a', 'b', 'c', 'd']) call('POST', nodes, node(name));
    const first = call('GET', `${nodes}?limit=2`).body;
    call('DELETE', `${nodes}/c`);
    call('POST', nodes, node('bb'));
    const second = call('GET', `${nodes}?limit=2&continue=${first.metadata.continue}`).body;
    const names = [...first.items, ...second.items].map((item) => item.metadata.name);
    expect(names).toEqual(['a', 'b', 'c', 'd']);
    expect(second.metadata).toEqual({ resourceVersion: first.metadata.resourceVersion });
    expect(first.metadata.remainingItemCount).toBe(2);
  });

  it('end with 410 when the moment is forgotten', () => {
    const { call } = startEmbeddedServer({ historySize: 1 });
    for (const name of ['a', 'b', 'c']) call('POST', nodes, node(name));
    const { metadata } = call('GET', `${nodes}?limit=1`).body;
    for (const name of ['d', 'e']) call('POST', nodes, node(name));
    expect(call('GET', `${nodes}?limit=1&continue=${metadata.continue}`)).toMatchObject({
      code: 410,
      body: { reason: 'Expired' },
    });
  });
});
