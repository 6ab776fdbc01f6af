// Guards by resourceVersion and uid on PUT, PATCH and DELETE.

import { expect } from 'vitest';
import type { Plural } from '../bench.ts';
import { table, type Topic } from '../case.ts';
import { changed, invalid, refusal, versionOf } from '../expectations.ts';

const otherUid = '00000000-0000-4000-8000-000000000000';
const modified = 'the object has been modified; please apply your changes to the latest version';
const content = { spec: { colour: 'red' } };
const kinds: Readonly<Record<string, Plural>> = {
  'a Node': 'nodes',
  'a Lease': 'leases',
  'a custom resource': 'widgets',
};

const eachKind = (sentence: (kind: string) => string) =>
  Object.fromEntries(Object.entries(kinds).map(([kind, plural]) => [sentence(kind), plural]));
const contentOf = (plural: Plural) => (plural === 'widgets' ? content : {});

export const preconditions: Topic = {
  name: 'preconditions',
  cases: {
    ...table<Plural>(
      eachKind((kind) => `refuses a PUT to ${kind} with an old resourceVersion`),
      async ({ create, put, patch, get }, plural) => {
        const { path, object } = await create(plural, contentOf(plural));
        await patch(path, { metadata: { labels: { first: 'yes' } } });
        const reply = await put(path, changed(object, { metadata: { labels: { second: 'yes' } } }));
        expect(reply).toMatchObject(refusal(409, 'Conflict', modified));
        expect((await get(path)).body.metadata?.labels).toEqual({ first: 'yes' });
      },
    ),
    ...table<Plural>(
      eachKind((kind) => `refuses a PATCH of ${kind} with an old resourceVersion`),
      async ({ create, patch }, plural) => {
        const { path, name, resourceVersion } = await create(plural, contentOf(plural));
        await patch(path, { metadata: { labels: { first: 'yes' } } });
        const reply = await patch(path, { metadata: { resourceVersion, labels: { second: 'yes' } } });
        expect(reply).toMatchObject(refusal(409, 'Conflict', modified));
        expect(reply.body).toMatchObject({ details: { name, kind: plural } });
      },
    ),
    'accepts a PATCH with the present resourceVersion and uid': async ({ create, patch }) => {
      const { path, resourceVersion, uid } = await create('nodes');
      const reply = await patch(path, { metadata: { resourceVersion, uid, labels: { a: 'b' } } });
      expect(reply).toMatchObject({ status: 200, body: { metadata: { labels: { a: 'b' } } } });
    },
    'overwrites a Node or a ConfigMap when a PUT names no resourceVersion': async ({
      create,
      put,
      patch,
    }) => {
      for (const plural of ['nodes', 'configmaps'] as const) {
        const { path, name } = await create(plural);
        await patch(path, { metadata: { labels: { first: 'yes' } } });
        const reply = await put(path, { metadata: { name, labels: { second: 'yes' } } });
        expect(reply.body.metadata?.labels).toEqual({ second: 'yes' });
      }
    },
    'asks the PUT of a Lease or a custom resource for a resourceVersion': async ({ create, put }) => {
      for (const plural of ['leases', 'widgets'] as const) {
        const { path, object } = await create(plural, contentOf(plural));
        const { resourceVersion: _, ...metadata } = object.metadata ?? {};
        const reply = await put(path, { ...object, metadata });
        expect(reply).toMatchObject(invalid('metadata.resourceVersion', 'FieldValueInvalid'));
        expect(reply.body).toMatchObject({ details: { kind: plural } });
      }
    },
    'refuses a PUT with the uid of another incarnation as a conflict': async ({ create, put }) => {
      const { path, object } = await create('nodes');
      const { resourceVersion: _, ...metadata } = object.metadata ?? {};
      const reply = await put(path, { ...object, metadata: { ...metadata, uid: otherUid } });
      expect(reply).toMatchObject(refusal(409, 'Conflict', 'Precondition failed: UID in precondition'));
    },
    'refuses a PATCH with the uid of another incarnation as invalid': async ({ create, patch }) => {
      const { path } = await create('nodes');
      expect(await patch(path, { metadata: { uid: otherUid } })).toMatchObject(
        invalid('metadata.uid', 'FieldValueInvalid'),
      );
    },
    'prefers the conflict when both uid and resourceVersion of a PATCH are wrong': async ({
      create,
      patch,
    }) => {
      const { path } = await create('nodes');
      const reply = await patch(path, { metadata: { uid: otherUid, resourceVersion: '1' } });
      expect(reply).toMatchObject({ status: 409, body: { reason: 'Conflict' } });
    },
    'refuses a PUT to a status with an old resourceVersion': async ({ create, put, patch }) => {
      const { path, object } = await create('widgets', content);
      await patch(path, { metadata: { labels: { first: 'yes' } } });
      expect(await put(`${path}/status`, { ...object, status: { phase: 'late' } })).toMatchObject(
        refusal(409, 'Conflict', modified),
      );
    },
    'fails over a resourceVersion that is no number': async ({ create, put, patch }) => {
      const { path, object } = await create('configmaps');
      const metadata = { resourceVersion: 'x' };
      expect((await put(path, changed(object, { metadata }))).status).toBe(500);
      expect((await patch(path, { metadata })).status).toBe(500);
    },
    ...table<readonly [object, string]>(
      {
        'refuses to delete another incarnation': [{ uid: otherUid }, 'the UID in the precondition'],
        'refuses to delete another version': [
          { resourceVersion: '1' },
          'the ResourceVersion in the precondition',
        ],
      },
      async ({ create, remove, get }, [wrong, words]) => {
        const { path, name } = await create('nodes');
        const reply = await remove(path, { preconditions: wrong });
        expect(reply).toMatchObject(refusal(409, 'Conflict', words));
        expect(reply.body).toMatchObject({ details: { name, kind: 'Node' } });
        expect((await get(path)).status).toBe(200);
      },
    ),
    'deletes what meets its preconditions': async ({ create, remove, get }) => {
      const { path, uid, resourceVersion } = await create('widgets', content);
      expect((await remove(path, { preconditions: { uid, resourceVersion } })).status).toBe(200);
      expect((await get(path)).status).toBe(404);
    },
    'reads the preconditions with or without the kind of the options': async ({ create, remove }) => {
      const { path } = await create('configmaps');
      const options = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: otherUid } };
      expect(await remove(path, options)).toMatchObject(refusal(409, 'Conflict'));
    },
    'has one winner when many write at once': async ({ create, put, get }) => {
      const { path, object } = await create('leases');
      const write = (holder: string) => put(path, { ...object, spec: { holderIdentity: holder } });
      const replies = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(write));
      expect(replies.map(({ status }) => `${status}`).sort()).toEqual(['200', '409', '409', '409', '409']);
      const winner = replies.find(({ status }) => status === 200);
      expect(winner?.body).toMatchObject({ spec: (await get(path)).body.spec });
    },
    'lets unguarded patches of many at once all take effect': async ({ create, patch, get }) => {
      const { path } = await create('nodes');
      const keys = ['a', 'b', 'c', 'd', 'e'];
      const replies = await Promise.all(
        keys.map((key) => patch(path, { metadata: { labels: { [key]: 'x' } } })),
      );
      expect(new Set(replies.map(versionOf)).size).toBe(5);
      expect(Object.keys((await get(path)).body.metadata?.labels ?? {})).toEqual(keys);
    },
  },
};
