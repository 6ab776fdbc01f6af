// The three patch types, what they do to maps and lists, and how they fail.

import { expect } from 'vitest';
import { table, type Topic } from '../case.ts';
import { refusal, versionOf } from '../expectations.ts';

const condition = (type: string, status: string) => ({ type, status, reason: 'Test' });

export const patches: Topic = {
  name: 'patches',
  cases: {
    'of type merge add, change and remove': async ({ create, patch }) => {
      const { path } = await create('configmaps', { data: { a: '1', b: '2' } });
      expect((await patch(path, { data: { a: null, b: '3', c: '4' } })).body['data']).toEqual({
        b: '3',
        c: '4',
      });
    },
    'of type merge replace lists whole': async ({ create, patch }) => {
      const { path } = await create('widgets', { spec: { colour: 'red', tags: ['a', 'b'] } });
      expect((await patch(path, { spec: { tags: ['c'] } })).body.spec).toMatchObject({ tags: ['c'] });
    },
    'of type merge may remove what is not there': async ({ create, patch }) => {
      const { path, resourceVersion } = await create('configmaps');
      expect(versionOf(await patch(path, { data: { none: null } }))).toBe(resourceVersion);
    },
    'of type json follow their operations': async ({ create, patch }) => {
      const { path } = await create('configmaps', { data: { a: '1', b: '2', c: '3' } });
      const operations = [
        { op: 'test', path: '/data/a', value: '1' },
        { op: 'replace', path: '/data/a', value: '9' },
        { op: 'remove', path: '/data/b' },
        { op: 'move', from: '/data/c', path: '/data/d' },
        { op: 'copy', from: '/data/a', path: '/data/e' },
        { op: 'add', path: '/metadata/labels', value: { 'conformance.test/x': 'y' } },
        { op: 'add', path: '/metadata/labels/conformance.test~1z', value: 'z' },
      ];
      const { body } = await patch(path, operations, 'json');
      expect(body['data']).toEqual({ a: '9', d: '3', e: '9' });
      expect(body.metadata?.labels).toEqual({ 'conformance.test/x': 'y', 'conformance.test/z': 'z' });
    },
    'of type json insert into lists by place': async ({ create, patch }) => {
      const { path } = await create('widgets', { spec: { colour: 'red', tags: ['a', 'c'] } });
      const operations = [
        { op: 'add', path: '/spec/tags/1', value: 'b' },
        { op: 'add', path: '/spec/tags/-', value: 'd' },
        { op: 'remove', path: '/spec/tags/0' },
      ];
      expect((await patch(path, operations, 'json')).body.spec).toMatchObject({ tags: ['b', 'c', 'd'] });
    },
    ...table<object>(
      {
        'of type json fail as a whole when a test fails': { op: 'test', path: '/data/a', value: '2' },
        'of type json fail when there is nothing to remove': { op: 'remove', path: '/data/none' },
        'of type json fail when the parent is missing': { op: 'add', path: '/none/a', value: '1' },
      },
      async ({ create, patch, get }, operation) => {
        const { path, resourceVersion } = await create('configmaps', { data: { a: '1' } });
        const reply = await patch(path, [{ op: 'add', path: '/data/b', value: '1' }, operation], 'json');
        expect(reply).toMatchObject(refusal(422, 'Invalid', 'the server rejected our request'));
        expect(versionOf(await get(path))).toBe(resourceVersion);
      },
    ),
    'of type json add what they were to replace and do not find': async ({ create, patch }) => {
      const { path } = await create('configmaps', { data: { a: '1' } });
      const { body } = await patch(path, [{ op: 'replace', path: '/data/none', value: '2' }], 'json');
      expect(body['data']).toEqual({ a: '1', none: '2' });
    },
    ...table<readonly [operation: object, labels: object | undefined]>(
      {
        'of type json copy nothing from a missing key': [
          { op: 'copy', from: '/metadata/nope', path: '/metadata/labels' },
          undefined,
        ],
        'of type json take a missing key for null in a test': [
          { op: 'test', path: '/metadata/nope', value: null },
          { a: '1' },
        ],
        'of type json may leave out the value': [{ op: 'add', path: '/metadata/labels' }, undefined],
      },
      async ({ create, patch }, [operation, labels]) => {
        const { path } = await create('configmaps', { metadata: { labels: { a: '1' } } });
        const reply = await patch(path, [operation], 'json');
        expect(reply.status).toBe(200);
        expect(reply.body.metadata?.labels).toEqual(labels);
      },
    ),
    'of type json count from the end of a list': async ({ create, patch }) => {
      const { path } = await create('nodes', { spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] } });
      const { body } = await patch(path, [{ op: 'remove', path: '/spec/taints/-1' }], 'json');
      expect(body.spec).toEqual({ taints: [{ key: 'a', effect: 'NoSchedule' }] });
    },
    'of type json consist of objects': async ({ create, patch }) => {
      const { path } = await create('configmaps');
      const words = 'json: cannot unmarshal number into Go value of type handlers.jsonPatchOp';
      expect(await patch(path, [1], 'json')).toMatchObject(refusal(400, 'BadRequest', words));
    },
    'of type strategic name the items that they merge': async ({ create, patch }) => {
      const { path } = await create('nodes', { status: { conditions: [condition('A', 'True')] } });
      const reply = await patch(
        `${path}/status`,
        { status: { conditions: [{ status: 'False' }] } },
        'strategic',
      );
      expect(reply.status).toBe(500);
      expect(reply.body.message).toBe('map: map[status:False] does not contain declared merge key: type');
    },
    'of type strategic say nothing about what is not there': async ({ create, patch }) => {
      const { path } = await create('configmaps');
      const { body } = await patch(
        path,
        { metadata: { labels: { $patch: 'replace', b: '2' } } },
        'strategic',
      );
      expect(body.metadata).not.toHaveProperty('labels');
    },
    ...table<readonly [patch: object, code: number, words: string]>(
      {
        'of type strategic retain all that they change': [
          { metadata: { $retainKeys: ['labels'], labels: { a: '1' }, annotations: { b: '1' } } },
          400,
          'invalid patch format of retainKeys',
        ],
        'of type strategic know few directives': [{ $patch: 'nope' }, 500, 'unknown patch type: nope'],
      },
      async ({ create, patch }, [body, code, words]) => {
        const { path } = await create('configmaps');
        const reply = await patch(path, body, 'strategic');
        expect(reply.status).toBe(code);
        expect(reply.body.message).toContain(words);
      },
    ),
    'of type strategic merge conditions by type, new ones first': async ({ create, patch }) => {
      const conditions = [condition('A', 'True'), condition('B', 'True')];
      const { path } = await create('nodes', { status: { conditions } });
      const change = { status: { conditions: [condition('C', 'True'), condition('B', 'False')] } };
      const { body } = await patch(`${path}/status`, change, 'strategic');
      expect(body.status).toMatchObject({
        conditions: [condition('C', 'True'), condition('A', 'True'), condition('B', 'False')],
      });
    },
    'of type strategic delete by key': async ({ create, patch }) => {
      const conditions = [condition('A', 'True'), condition('B', 'True')];
      const { path } = await create('nodes', { status: { conditions } });
      const change = { status: { conditions: [{ $patch: 'delete', type: 'A' }] } };
      expect((await patch(`${path}/status`, change, 'strategic')).body.status).toMatchObject({
        conditions: [condition('B', 'True')],
      });
    },
    'of type strategic replace where told to': async ({ create, patch }) => {
      const { path } = await create('configmaps', { data: { a: '1', b: '2' } });
      expect((await patch(path, { data: { $patch: 'replace', c: '3' } }, 'strategic')).body['data']).toEqual({
        c: '3',
      });
    },
    'of type strategic replace lists that have no key': async ({ create, patch }) => {
      const taint = (key: string) => ({ key, effect: 'NoSchedule' });
      const { path } = await create('nodes', { spec: { taints: [taint('a'), taint('b')] } });
      expect((await patch(path, { spec: { taints: [taint('c')] } }, 'strategic')).body.spec).toMatchObject({
        taints: [taint('c')],
      });
    },
    'of type strategic merge finalizers as a set': async ({ create, patch }) => {
      const [one, two] = ['conformance.test/one', 'conformance.test/two'];
      const { path } = await create('configmaps', { metadata: { finalizers: [one] } });
      const added = await patch(path, { metadata: { finalizers: [two] } }, 'strategic');
      expect([...(added.body.metadata?.finalizers ?? [])].sort()).toEqual([one, two]);
      const removed = await patch(
        path,
        { metadata: { '$deleteFromPrimitiveList/finalizers': [one] } },
        'strategic',
      );
      expect(removed.body.metadata?.finalizers).toEqual([two]);
    },
    'of type strategic merge owner references by uid': async ({ create, patch }) => {
      const owner = await create('nodes');
      const reference = { apiVersion: 'v1', kind: 'Node', name: owner.name, uid: owner.uid };
      const { path } = await create('configmaps', { metadata: { ownerReferences: [reference] } });
      const change = { metadata: { ownerReferences: [{ uid: owner.uid, blockOwnerDeletion: false }] } };
      expect((await patch(path, change, 'strategic')).body.metadata?.ownerReferences).toEqual([
        { ...reference, blockOwnerDeletion: false },
      ]);
    },
    'of type strategic are not for custom resources': async ({ create, patch }) => {
      const { path } = await create('widgets', { spec: { colour: 'red' } });
      expect(await patch(path, { spec: { size: 4 } }, 'strategic')).toMatchObject(
        refusal(415, 'UnsupportedMediaType', 'application/merge-patch+json'),
      );
    },
    'that change nothing write nothing': async ({ create, patch }) => {
      const { path, resourceVersion } = await create('nodes', { metadata: { labels: { a: 'b' } } });
      const label = { metadata: { labels: { a: 'b' } } };
      expect(versionOf(await patch(path, label))).toBe(resourceVersion);
      expect(versionOf(await patch(path, label, 'strategic'))).toBe(resourceVersion);
      expect(versionOf(await patch(path, [], 'json'))).toBe(resourceVersion);
      expect(versionOf(await patch(path, {}))).toBe(resourceVersion);
    },
    'of what is not there are refused': async ({ patch, at }) => {
      expect(await patch(`${at.nodes}/nope`, {})).toMatchObject(refusal(404, 'NotFound'));
      expect(await patch(`${at.widgets}/nope`, [], 'json')).toMatchObject(refusal(404, 'NotFound'));
    },
    ...table<readonly [unknown, 'merge' | 'json']>(
      {
        'that are not JSON are refused': ['{bad', 'merge'],
        'of type merge that are a list are refused': [[1], 'merge'],
        'of type json that are no list are refused': [{ op: 'add' }, 'json'],
      },
      async ({ create, patch }, [body, type]) => {
        const { path } = await create('configmaps');
        expect(await patch(path, body, type)).toMatchObject(
          refusal(400, 'BadRequest', 'error decoding patch'),
        );
      },
    ),
    'of type apply make the object and take back what they no longer say': async ({
      send,
      at,
      name,
      forget,
    }) => {
      const metadata = { name: name() };
      const path = `${at.configmaps}/${metadata.name}`;
      forget(path);
      const apply = (data: object) =>
        send('PATCH', `${path}?fieldManager=test`, {
          body: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data },
          contentType: 'application/apply-patch+yaml',
        });
      expect(await apply({ a: '1', b: '2' })).toMatchObject({ status: 201 });
      expect((await apply({ b: '3' })).body['data']).toEqual({ b: '3' });
    },
  },
};
