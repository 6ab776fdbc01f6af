// Writes that are only tried, and fields that nobody knows.

import { expect } from 'vitest';
import { table, type Topic } from '../case.ts';
import { changed, invalid, refusal, versionOf, warningsOf } from '../expectations.ts';

export const dryRun: Topic = {
  name: 'dry run',
  cases: {
    'creates nothing and shows what would be': async ({ post, get, at, name }) => {
      const metadata = { name: name() };
      const widget = { apiVersion: 'conformance.test/v1', kind: 'Widget', metadata, spec: { colour: 'red' } };
      const reply = await post(`${at.widgets}?dryRun=All`, widget);
      expect(reply).toMatchObject({
        status: 201,
        body: { spec: { size: 3 }, metadata: { uid: expect.any(String) } },
      });
      expect(reply.body.metadata).not.toHaveProperty('resourceVersion');
      expect((await get(`${at.widgets}/${metadata.name}`)).status).toBe(404);
    },
    'says that a name is taken': async ({ create, post, at }) => {
      const { name } = await create('configmaps');
      expect(await post(`${at.configmaps}?dryRun=All`, { metadata: { name } })).toMatchObject(
        refusal(409, 'AlreadyExists'),
      );
    },
    'replaces and patches nothing': async ({ create, put, patch, get }) => {
      const { path, object, resourceVersion } = await create('configmaps');
      const replaced = await put(`${path}?dryRun=All`, { ...object, data: { a: '1' } });
      expect(replaced).toMatchObject({
        status: 200,
        body: { data: { a: '1' }, metadata: { resourceVersion } },
      });
      const patched = await patch(`${path}?dryRun=All`, { data: { a: '2' } });
      expect(patched).toMatchObject({ status: 200, body: { data: { a: '2' } } });
      const stored = await get(path);
      expect(stored.body).not.toHaveProperty('data');
      expect(versionOf(stored)).toBe(resourceVersion);
    },
    'keeps to preconditions and rules': async ({ create, put, patch }) => {
      const { path, object } = await create('configmaps');
      await patch(path, { data: { a: '1' } });
      expect(await put(`${path}?dryRun=All`, object)).toMatchObject(refusal(409, 'Conflict'));
      const bad = { metadata: { labels: { 'bad key': 'x' } } };
      expect(await patch(`${path}?dryRun=All`, bad)).toMatchObject(
        invalid('metadata.labels', 'FieldValueInvalid'),
      );
    },
    'deletes nothing': async ({ create, remove, get }) => {
      const { path } = await create('configmaps');
      expect(await remove(`${path}?dryRun=All`)).toMatchObject({ status: 200, body: { status: 'Success' } });
      expect(await remove(path, { dryRun: ['All'] })).toMatchObject({ status: 200 });
      expect((await get(path)).body.metadata).not.toHaveProperty('deletionTimestamp');
    },
    'knows All and nothing else': async ({ post, at, name }) => {
      const reply = await post(`${at.configmaps}?dryRun=Some`, { metadata: { name: name() } });
      expect(reply).toMatchObject(invalid('dryRun', 'FieldValueNotSupported'));
    },
  },
};

const unknownField = { metadata: { unknown: 1 }, data: {}, bogus: 1 };

export const fieldValidation: Topic = {
  name: 'field validation',
  cases: {
    ...table<string>(
      {
        'warns of unknown fields unless told otherwise': '',
        'warns of unknown fields': 'fieldValidation=Warn',
      },
      async ({ post, at, name, forget }, query) => {
        const metadata = { ...unknownField.metadata, name: name() };
        forget(`${at.configmaps}/${metadata.name}`);
        const reply = await post(`${at.configmaps}?${query}`, { ...unknownField, metadata });
        expect(reply.status).toBe(201);
        expect(warningsOf(reply)).toEqual(['unknown field "metadata.unknown"', 'unknown field "bogus"']);
        expect(reply.body).not.toHaveProperty('bogus');
      },
    ),
    'refuses unknown fields when strict': async ({ post, get, at, name }) => {
      const metadata = { ...unknownField.metadata, name: name() };
      const reply = await post(`${at.configmaps}?fieldValidation=Strict`, { ...unknownField, metadata });
      const words = 'strict decoding error: unknown field "metadata.unknown", unknown field "bogus"';
      expect(reply).toMatchObject(refusal(400, 'BadRequest', words));
      expect((await get(`${at.configmaps}/${metadata.name}`)).status).toBe(404);
    },
    'says nothing when told to ignore': async ({ post, at, name, forget }) => {
      const metadata = { name: name() };
      forget(`${at.configmaps}/${metadata.name}`);
      const reply = await post(`${at.configmaps}?fieldValidation=Ignore`, { ...unknownField, metadata });
      expect(reply.status).toBe(201);
      expect(warningsOf(reply)).toEqual([]);
    },
    'knows three ways and no other': async ({ post, at, name }) => {
      const reply = await post(`${at.configmaps}?fieldValidation=Loud`, { metadata: { name: name() } });
      expect(reply).toMatchObject(invalid('fieldValidation', 'FieldValueNotSupported'));
    },
    'finds fields that are said twice': async ({ post, at, name, forget }) => {
      const own = name();
      forget(`${at.configmaps}/${own}`);
      const body = `{"metadata":{"name":"${own}"},"data":{"a":"1","a":"2"}}`;
      expect(await post(`${at.configmaps}?fieldValidation=Strict`, body)).toMatchObject(
        refusal(400, 'BadRequest', 'duplicate field "data.a"'),
      );
      const reply = await post(at.configmaps, body);
      expect(reply).toMatchObject({ status: 201, body: { data: { a: '2' } } });
      expect(warningsOf(reply)).toEqual(['duplicate field "data.a"']);
    },
    'finds unknown fields of custom resources by their schema': async ({ post, at, name, forget }) => {
      const metadata = { name: name() };
      const spec = { colour: 'red', junk: 1, free: { any: 1 }, parts: [{ name: 'a', junk: 2 }] };
      const widget = { apiVersion: 'conformance.test/v1', kind: 'Widget', metadata, spec, top: 1 };
      const unknown = ['spec.junk', 'spec.parts[0].junk', 'top'].map((path) => `unknown field "${path}"`);
      expect(await post(`${at.widgets}?fieldValidation=Strict`, widget)).toMatchObject(
        refusal(400, 'BadRequest', `strict decoding error: ${unknown.join(', ')}`),
      );
      forget(`${at.widgets}/${metadata.name}`);
      const reply = await post(at.widgets, widget);
      expect(reply.status).toBe(201);
      expect(warningsOf(reply)).toEqual(unknown);
    },
    'calls a strict patch invalid': async ({ create, patch }) => {
      for (const made of [await create('configmaps'), await create('widgets', { spec: { colour: 'red' } })]) {
        const reply = await patch(`${made.path}?fieldValidation=Strict`, { bogus: 1 });
        expect(reply).toMatchObject(refusal(422, 'Invalid', 'strict decoding error: unknown field "bogus"'));
        expect(reply.body).toMatchObject({ details: { causes: [{ field: 'patch' }] } });
      }
    },
    'judges a PUT like a POST': async ({ create, put }) => {
      const { path, object } = await create('widgets', { spec: { colour: 'red' } });
      const body = changed(object, { spec: { colour: 'red', junk: 1 } });
      expect(await put(`${path}?fieldValidation=Strict`, body)).toMatchObject(
        refusal(400, 'BadRequest', 'unknown field "spec.junk"'),
      );
      expect(warningsOf(await put(path, body))).toEqual(['unknown field "spec.junk"']);
    },
  },
};
