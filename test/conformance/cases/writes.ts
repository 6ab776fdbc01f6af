// The plain life of an object: create, get, replace, delete.

import { expect } from 'vitest';
import type { Topic } from '../case.ts';
import { changed, refusal, versionOf } from '../expectations.ts';

export const writes: Topic = {
  name: 'create, get, update, delete',
  cases: {
    'gives a new object an identity': async ({ create, namespace }) => {
      const { object } = await create('configmaps', { data: { text: 'größe €' } });
      expect(object).toMatchObject({
        metadata: {
          namespace,
          uid: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
          resourceVersion: expect.stringMatching(/^\d+$/),
          creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        },
        data: { text: 'größe €' },
      });
    },
    'gets back what it answered to the creation': async ({ create, get }) => {
      const { path, object } = await create('configmaps', { data: { a: 'b' } });
      expect(await get(path)).toMatchObject({ status: 200, body: object });
    },
    'ignores an identity that the client brings': async ({ create }) => {
      const metadata = {
        uid: 'mine',
        creationTimestamp: '2001-01-01T00:00:00Z',
        deletionTimestamp: '2001-01-01T00:00:00Z',
      };
      const { object } = await create('configmaps', { metadata });
      expect(object.metadata?.uid).not.toBe('mine');
      expect(object.metadata?.creationTimestamp).not.toBe(metadata.creationTimestamp);
      expect(object.metadata).not.toHaveProperty('deletionTimestamp');
    },
    'fails to create an object that has a resourceVersion already': async ({ post, at, name }) => {
      const reply = await post(at.configmaps, { metadata: { name: name(), resourceVersion: '5' } });
      expect(reply).toMatchObject({
        status: 500,
        body: { message: 'resourceVersion should not be set on objects to be created' },
      });
    },
    'replaces the whole object with a PUT': async ({ create, put }) => {
      const { path, object } = await create('configmaps', {
        metadata: { labels: { a: 'b' } },
        data: { a: '1', b: '2' },
      });
      const { labels: _, ...metadata } = object.metadata ?? {};
      const reply = await put(path, { ...object, metadata, data: { b: '3' } });
      expect(reply.status).toBe(200);
      expect(reply.body['data']).toEqual({ b: '3' });
      expect(reply.body.metadata).not.toHaveProperty('labels');
    },
    'raises the resourceVersion with every change': async ({ create, put }) => {
      const { path, object, resourceVersion } = await create('configmaps');
      const reply = await put(path, { ...object, data: { a: '1' } });
      expect(Number(versionOf(reply))).toBeGreaterThan(Number(resourceVersion));
    },
    'keeps the resourceVersion when a PUT changes nothing': async ({ create, put }) => {
      const { path, object, resourceVersion } = await create('configmaps', { data: { a: '1' } });
      expect(versionOf(await put(path, object))).toBe(resourceVersion);
    },
    'keeps uid and creation time for ever': async ({ create, put, name }) => {
      const { path, object, uid } = await create('configmaps', { metadata: { name: name() } });
      const metadata = { creationTimestamp: '2001-01-01T00:00:00Z' };
      const reply = await put(path, changed(object, { metadata }));
      expect(reply).toMatchObject({
        status: 200,
        body: { metadata: { uid, creationTimestamp: object.metadata?.creationTimestamp } },
      });
    },
    'does not create with a PUT': async ({ put, at, name }) => {
      const missing = name();
      for (const path of [at.nodes, at.configmaps]) {
        expect(await put(`${path}/${missing}`, { metadata: { name: missing } })).toMatchObject(
          refusal(404, 'NotFound'),
        );
      }
      const widget = {
        apiVersion: 'conformance.test/v1',
        kind: 'Widget',
        metadata: { name: missing },
        spec: { colour: 'red' },
      };
      expect(await put(`${at.widgets}/${missing}`, widget)).toMatchObject(refusal(404, 'NotFound'));
    },
    'does create a Lease with a PUT': async ({ put, at, name, forget }) => {
      const missing = name();
      forget(`${at.leases}/${missing}`);
      const reply = await put(`${at.leases}/${missing}`, { metadata: { name: missing } });
      expect(reply).toMatchObject({ status: 201, body: { kind: 'Lease', metadata: { name: missing } } });
    },
    'answers a delete with a Status that names the object': async ({ create, remove, get }) => {
      const { path, name, uid } = await create('leases');
      const reply = await remove(path);
      expect(reply.status).toBe(200);
      const details = { name, group: 'coordination.k8s.io', kind: 'leases', uid };
      expect(reply.body).toEqual({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details,
      });
      expect(await get(path)).toMatchObject(refusal(404, 'NotFound'));
      expect(await remove(path)).toMatchObject(refusal(404, 'NotFound'));
    },
    'answers the delete of a service account with the account': async ({ create, remove }) => {
      const { path, name } = await create('serviceaccounts');
      expect(await remove(path)).toMatchObject({
        status: 200,
        body: { kind: 'ServiceAccount', metadata: { name } },
      });
    },
    'gives a re-created object a new uid': async ({ create, remove }) => {
      const first = await create('configmaps');
      await remove(first.path);
      const second = await create('configmaps', { metadata: { name: first.name } });
      expect(second.uid).not.toBe(first.uid);
    },
    'deletes a selected collection and answers with its list': async ({ create, send, get, at, name }) => {
      const labels = { doomed: name() };
      const doomed = [
        await create('configmaps', { metadata: { labels } }),
        await create('configmaps', { metadata: { labels } }),
      ];
      const spared = await create('configmaps');
      const reply = await send('DELETE', `${at.configmaps}?labelSelector=doomed%3D${labels.doomed}`);
      expect(reply).toMatchObject({ status: 200, body: { kind: 'ConfigMapList' } });
      expect(reply.body.items).toHaveLength(2);
      for (const { path } of doomed) expect((await get(path)).status).toBe(404);
      expect((await get(spared.path)).status).toBe(200);
    },
    'turns the stringData of a Secret into data': async ({ create }) => {
      const { object } = await create('secrets', { stringData: { a: 'b' } });
      expect(object).toMatchObject({ type: 'Opaque', data: { a: 'Yg==' } });
      expect(object).not.toHaveProperty('stringData');
    },
    'keeps an immutable ConfigMap as it is': async ({ create, patch }) => {
      const { path } = await create('configmaps', { immutable: true, data: { a: '1' } });
      expect(await patch(path, { data: { a: '2' } })).toMatchObject(
        refusal(422, 'Invalid', 'field is immutable when `immutable` is set'),
      );
      expect((await patch(path, { metadata: { labels: { a: 'b' } } })).status).toBe(200);
    },
  },
};
