// Requests that are wrong before any object is looked at: paths, methods, media types, bodies.

import { expect } from 'vitest';
import { table, type Topic } from '../case.ts';
import { refusal } from '../expectations.ts';

const json = 'application/json';
const notServed = 'the server could not find the requested resource';
const notAllowed = 'the server does not allow this method on the requested resource';

export const requests: Topic = {
  name: 'requests',
  cases: {
    ...table<string>(
      {
        'answers an unknown path in plain text': '/nope',
        'answers an unknown group in plain text': '/apis/nope.test',
        'answers an unknown version of a custom resource in plain text': '/apis/conformance.test/v9/widgets',
        'answers an unknown resource of a custom group in plain text': '/apis/conformance.test/v1/nopes',
        'answers a version that is not served in plain text': '/apis/conformance.test/v1alpha1/widgets',
      },
      async ({ get }, path) => {
        expect(await get(path)).toMatchObject({ status: 404, text: '404 page not found\n' });
      },
    ),
    ...table<string>(
      {
        'says that a resource of a known group is not served': '/apis/coordination.k8s.io/v1/nopes',
        'says that an object of an unknown resource is not served': '/api/v1/nopes/a',
        'says that an unknown version of the core group is not served': '/api/v2',
        'says that a built-in subresource is not served': '/api/v1/nodes/a/nope',
      },
      async ({ get }, path) => {
        expect(await get(path)).toMatchObject(refusal(404, 'NotFound', notServed));
      },
    ),
    'takes an unknown part of a custom resource for a missing object': async ({ get, create }) => {
      const { path, name } = await create('widgets', { spec: { colour: 'red' } });
      const words = `widgets.conformance.test "${name}" not found`;
      expect(await get(`${path}/nope`)).toMatchObject(refusal(404, 'NotFound', words));
    },
    'answers a write to an unknown path as a read of it': async ({ post }) => {
      expect(await post('/apis/nope.test', {})).toMatchObject({ status: 404, text: '404 page not found\n' });
    },
    'names a missing object of a built-in kind and of a custom one': async ({ get, at }) => {
      const node = { details: { name: 'nope', kind: 'nodes' }, message: 'nodes "nope" not found' };
      expect((await get(`${at.nodes}/nope`)).body).toMatchObject({ reason: 'NotFound', code: 404, ...node });
      const lease = {
        details: { name: 'nope', group: 'coordination.k8s.io', kind: 'leases' },
        message: 'leases.coordination.k8s.io "nope" not found',
      };
      expect((await get(`${at.leases}/nope`)).body).toMatchObject({
        reason: 'NotFound',
        code: 404,
        ...lease,
      });
      const widget = {
        details: { name: 'nope', group: 'conformance.test', kind: 'widgets' },
        message: 'widgets.conformance.test "nope" not found',
      };
      expect((await get(`${at.widgets}/nope`)).body).toMatchObject({
        reason: 'NotFound',
        code: 404,
        ...widget,
      });
    },
    'lists nothing in a namespace that does not exist': async ({ get }) => {
      const reply = await get('/api/v1/namespaces/nowhere/configmaps');
      expect(reply).toMatchObject({ status: 200, body: { kind: 'ConfigMapList', items: [] } });
    },
    ...table<readonly [string, string]>(
      {
        'allows no PUT on a collection': ['PUT', '/api/v1/nodes'],
        'allows no POST on an object': ['POST', '/api/v1/nodes/a'],
        'allows no POST across namespaces': ['POST', '/api/v1/configmaps'],
        'allows no DELETE across namespaces': ['DELETE', '/api/v1/configmaps?dryRun=All'],
        'allows no DELETE of all namespaces': ['DELETE', '/api/v1/namespaces?dryRun=All'],
        'allows no POST on a status': ['POST', '/api/v1/nodes/a/status'],
      },
      async ({ send }, [method, path]) => {
        expect(await send(method, path, { body: {} })).toMatchObject(
          refusal(405, 'MethodNotAllowed', notAllowed),
        );
      },
    ),
    ...table<string>(
      {
        'refuses a body that is not JSON': '{bad',
        'refuses a body that is a list': '[]',
        'refuses an empty body': ' ',
      },
      async ({ post, at }, body) => {
        expect(await post(at.configmaps, body)).toMatchObject(refusal(400, 'BadRequest'));
      },
    ),
    'refuses a body of a type it cannot read': async ({ send, at }) => {
      const reply = await send('POST', at.configmaps, { body: 'a=b', contentType: 'text/plain' });
      expect(reply).toMatchObject(refusal(415, 'UnsupportedMediaType', 'unknown format'));
    },
    'refuses a patch that does not say its type': async ({ send, create }) => {
      const { path } = await create('configmaps');
      const reply = await send('PATCH', path, { body: {}, contentType: json });
      expect(reply).toMatchObject(refusal(415, 'UnsupportedMediaType'));
    },
    'refuses a reply of a type it cannot write': async ({ get, at }) => {
      expect(await get(at.configmaps, 'text/html')).toMatchObject(refusal(406, 'NotAcceptable'));
    },
    'takes the first of several wanted types that it can write': async ({ get, at }) => {
      const reply = await get(at.configmaps, `text/html;q=0.9,${json};q=0.8,*/*`);
      expect(reply).toMatchObject({ status: 200, body: { kind: 'ConfigMapList' } });
      expect(reply.headers['content-type']).toBe(json);
    },
    'refuses a field of the wrong type': async ({ post, at, name }) => {
      const reply = await post(at.configmaps, { metadata: { name: name() }, data: { a: 1 } });
      expect(reply).toMatchObject(refusal(400, 'BadRequest', 'cannot be handled as a ConfigMap'));
    },
    'reads and writes YAML': async ({ send, at, name, forget }) => {
      const body = `metadata:\n  name: ${name()}\ndata:\n  a: b\n`;
      const yaml = 'application/yaml';
      const reply = await send('POST', at.configmaps, { body, contentType: yaml, accept: yaml });
      expect(reply).toMatchObject({ status: 201, text: expect.stringContaining('\ndata:\n  a: b\n') });
      forget(`${at.configmaps}/${/^ {2}name: (.*)$/m.exec(reply.text)?.[1]}`);
    },
  },
};
