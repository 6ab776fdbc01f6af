// What objects may be called, and whether a body fits the path it is sent to.

import { expect } from 'vitest';
import { table, type Topic } from '../case.ts';
import { invalid, refusal } from '../expectations.ts';

export const names: Topic = {
  name: 'names',
  cases: {
    ...table<string>(
      {
        'refuses capital letters': 'Bad',
        'refuses an underscore': 'not_good',
        'refuses a leading dash': '-bad',
        'refuses more than 253 characters': 'a'.repeat(254),
      },
      async ({ post, at }, name) => {
        expect(await post(at.nodes, { metadata: { name } })).toMatchObject(
          invalid('metadata.name', 'FieldValueInvalid'),
        );
      },
    ),
    'allows dots in the name of a Node and none in that of a Namespace': async ({
      create,
      post,
      at,
      name,
    }) => {
      const dotted = `${name()}.example.test`;
      expect((await create('nodes', { metadata: { name: dotted } })).name).toBe(dotted);
      expect(await post(at.namespaces, { metadata: { name: dotted } })).toMatchObject(
        invalid('metadata.name', 'FieldValueInvalid'),
      );
    },
    'asks for a name or the beginning of one': async ({ post, at }) => {
      expect(await post(at.configmaps, { metadata: {} })).toMatchObject(
        invalid('metadata.name', 'FieldValueRequired'),
      );
    },
    'completes a generateName with five characters': async ({ create, name }) => {
      const generateName = `${name('generated')}-`;
      const { object } = await create('configmaps', { metadata: { name: '', generateName } as object });
      expect(object.metadata).toMatchObject({
        generateName,
        name: expect.stringMatching(new RegExp(`^${generateName}[bcdfghjklmnpqrstvwxz2456789]{5}$`)),
      });
    },
    'takes the name over the beginning of one': async ({ create, name }) => {
      const own = name('own');
      const { object } = await create('configmaps', {
        metadata: { name: own, generateName: 'other-' } as object,
      });
      expect(object.metadata?.name).toBe(own);
    },
    'refuses a name that is taken': async ({ create, post, at }) => {
      const { name } = await create('nodes');
      const reply = await post(at.nodes, { metadata: { name } });
      expect(reply).toMatchObject(refusal(409, 'AlreadyExists', `nodes "${name}" already exists`));
      expect(reply.body).toMatchObject({ details: { name, kind: 'nodes' } });
    },
    'refuses another namespace than that of the path': async ({ post, at, name }) => {
      const reply = await post(at.configmaps, { metadata: { name: name(), namespace: 'default' } });
      expect(reply).toMatchObject(refusal(400, 'BadRequest', 'does not match the namespace'));
    },
    'refuses another name than that of the path': async ({ create, put, patch }) => {
      const { path } = await create('configmaps');
      const words = 'does not match the name on the URL';
      expect(await put(path, { metadata: { name: 'other' } })).toMatchObject(
        refusal(400, 'BadRequest', words),
      );
      expect(await patch(path, { metadata: { name: 'other' } })).toMatchObject(
        refusal(400, 'BadRequest', words),
      );
    },
    'asks a PUT for the name': async ({ create, put }) => {
      const { path } = await create('configmaps');
      expect(await put(path, { metadata: {} })).toMatchObject(
        refusal(400, 'BadRequest', 'name must be provided'),
      );
    },
    'refuses another kind of the same group': async ({ post, at, name }) => {
      const reply = await post(at.configmaps, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: name() },
      });
      expect(reply).toMatchObject(refusal(400, 'BadRequest', 'cannot be handled as a ConfigMap'));
    },
    'refuses another version of a built-in kind': async ({ post, at, name }) => {
      const reply = await post(at.nodes, { apiVersion: 'v9', kind: 'Node', metadata: { name: name() } });
      expect(reply).toMatchObject(
        refusal(400, 'BadRequest', 'no kind "Node" is registered for version "v9"'),
      );
    },
    'refuses another version of a custom kind': async ({ post, at, name }) => {
      const body = { apiVersion: 'conformance.test/v1beta1', kind: 'Widget', metadata: { name: name() } };
      expect(await post(at.widgets, body)).toMatchObject(
        refusal(400, 'BadRequest', 'does not match the expected API version (conformance.test/v1)'),
      );
    },
    'asks a custom resource for its kind': async ({ post, at, name }) => {
      const reply = await post(at.widgets, { metadata: { name: name() }, spec: { colour: 'red' } });
      expect(reply).toMatchObject(refusal(400, 'BadRequest', "Object 'Kind' is missing"));
    },
    'calls another kind of a custom group invalid': async ({ post, at, name }) => {
      const body = { apiVersion: 'conformance.test/v1', kind: 'Gizmo', metadata: { name: name() }, spec: {} };
      expect(await post(at.widgets, body)).toMatchObject(invalid('kind', 'FieldValueInvalid'));
    },
    'knows a built-in kind by the path alone': async ({ create }) => {
      expect((await create('configmaps')).object).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    },
    ...table<object>(
      {
        'refuses a label key with a blank': { labels: { 'bad key': 'x' } },
        'refuses a label value with a blank': { labels: { key: 'bad value' } },
        'refuses a label value of 64 characters': { labels: { key: 'x'.repeat(64) } },
      },
      async ({ post, at, name }, metadata) => {
        const reply = await post(at.configmaps, { metadata: { name: name(), ...metadata } });
        expect(reply).toMatchObject(invalid('metadata.labels', 'FieldValueInvalid'));
      },
    ),
    'refuses an annotation key with a blank': async ({ post, at, name }) => {
      const reply = await post(at.configmaps, {
        metadata: { name: name(), annotations: { 'bad key': 'x' } },
      });
      expect(reply).toMatchObject(invalid('metadata.annotations', 'FieldValueInvalid'));
    },
    'refuses more than 256 KiB of annotations': async ({ post, at, name }) => {
      const annotations = { much: 'x'.repeat(256 * 1024) };
      const reply = await post(at.configmaps, { metadata: { name: name(), annotations } });
      expect(reply).toMatchObject(invalid('metadata.annotations', 'FieldValueTooLong'));
    },
  },
};
