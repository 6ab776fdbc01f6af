// Structural schemas of custom resources: pruning, defaults, validation, and rules in CEL.

import { expect } from 'vitest';
import { table, type Topic } from '../case.ts';
import { invalid, refusal } from '../expectations.ts';

const head = { apiVersion: 'conformance.test/v1', kind: 'Widget' };

export const schemas: Topic = {
  name: 'schemas',
  cases: {
    'prune what they do not name': async ({ create }) => {
      const spec = {
        colour: 'red',
        junk: 1,
        nested: { deep: 'y', junk: 1 },
        parts: [{ name: 'a', junk: 1 }],
      };
      const { object } = await create('widgets', { spec, top: 1 }, '?fieldValidation=Ignore');
      expect(object).not.toHaveProperty('top');
      expect(object.spec).toEqual({
        colour: 'red',
        size: 3,
        nested: { deep: 'y' },
        parts: [{ name: 'a', count: 1 }],
      });
    },
    'prune metadata too': async ({ create }) => {
      const metadata = { junk: 1 } as object;
      const { object } = await create(
        'widgets',
        { metadata, spec: { colour: 'red' } },
        '?fieldValidation=Ignore',
      );
      expect(object.metadata).not.toHaveProperty('junk');
    },
    'preserve what they are told to': async ({ create }) => {
      const free = { any: { thing: [1, 'two', null] } };
      expect((await create('widgets', { spec: { colour: 'red', free } })).object.spec).toMatchObject({
        free,
      });
    },
    'fill in defaults at creation, also inside': async ({ create }) => {
      const { object } = await create('widgets', { spec: { colour: 'red', parts: [{ name: 'a' }] } });
      expect(object.spec).toEqual({
        colour: 'red',
        size: 3,
        nested: { deep: 'x' },
        parts: [{ name: 'a', count: 1 }],
      });
    },
    'fill in defaults again when a patch removes a field': async ({ create, patch }) => {
      const { path } = await create('widgets', { spec: { colour: 'red', size: 5 } });
      expect((await patch(path, { spec: { size: null } })).body.spec).toMatchObject({ size: 3 });
    },
    'take null for absent where there is a default': async ({ create }) => {
      const { object } = await create('widgets', { spec: { colour: 'red', size: null } });
      expect(object.spec).toMatchObject({ size: 3 });
    },
    'keep null where it is allowed': async ({ create }) => {
      const { object } = await create('widgets', { spec: { colour: 'red', maybe: null } });
      expect(object.spec).toMatchObject({ maybe: null });
    },
    'accept integers and texts where either is allowed': async ({ create }) => {
      for (const port of [80, 'http']) {
        expect((await create('widgets', { spec: { colour: 'red', port } })).object.spec).toMatchObject({
          port,
        });
      }
    },
    'accept everything within the bounds': async ({ create }) => {
      const spec = {
        colour: 'red',
        size: 10,
        ratio: 1.5,
        isOn: false,
        tags: ['a', 'b'],
        limits: { a: 1, b: 2 },
        parts: [{ name: 'abcde', at: '2026-01-01T00:00:00Z', count: 2 }],
      };
      expect((await create('widgets', { spec })).object.spec).toMatchObject(spec);
    },
    ...table<readonly [object, string, string]>(
      {
        'refuse what is not among the values': [{ colour: 'blue' }, 'spec.colour', 'FieldValueNotSupported'],
        'refuse what is too small': [{ size: 0 }, 'spec.size', 'FieldValueInvalid'],
        'refuse what is too big': [{ size: 11 }, 'spec.size', 'FieldValueInvalid'],
        'refuse a bound that is excluded': [{ ratio: 0 }, 'spec.ratio', 'FieldValueInvalid'],
        'refuse what is no multiple': [{ ratio: 0.7 }, 'spec.ratio', 'FieldValueInvalid'],
        'refuse a text for a number': [{ size: '5' }, 'spec.size', 'FieldValueTypeInvalid'],
        'refuse a fraction for an integer': [{ size: 1.5 }, 'spec.size', 'FieldValueTypeInvalid'],
        'refuse a number for a boolean': [{ isOn: 1 }, 'spec.isOn', 'FieldValueTypeInvalid'],
        'refuse an object for a list': [{ tags: {} }, 'spec.tags', 'FieldValueTypeInvalid'],
        'refuse a boolean where an integer or a text is due': [
          { port: true },
          'spec.port',
          'FieldValueTypeInvalid',
        ],
        'refuse a text that does not match': [
          { parts: [{ name: 'A' }] },
          'spec.parts[0].name',
          'FieldValueInvalid',
        ],
        'refuse a text that is too long': [
          { parts: [{ name: 'abcdef' }] },
          'spec.parts[0].name',
          'FieldValueTooLong',
        ],
        'refuse a time that is none': [
          { parts: [{ name: 'a', at: 'noon' }] },
          'spec.parts[0].at',
          'FieldValueTypeInvalid',
        ],
        'refuse a list that is too long': [
          { parts: ['a', 'b', 'c', 'd'].map((name) => ({ name })) },
          'spec.parts',
          'FieldValueTooMany',
        ],
        'refuse a key that is missing in a list': [
          { parts: [{ count: 1 }] },
          'spec.parts[0].name',
          'FieldValueRequired',
        ],
        'refuse a key that occurs twice in a list': [
          { parts: [{ name: 'a' }, { name: 'a' }] },
          'spec.parts[1]',
          'FieldValueDuplicate',
        ],
        'refuse a value that occurs twice in a set': [
          { tags: ['a', 'a'] },
          'spec.tags[1]',
          'FieldValueDuplicate',
        ],
        'refuse a wrong value in a map': [{ limits: { a: 'x' } }, 'spec.limits.a', 'FieldValueTypeInvalid'],
        'refuse a map that is too big': [
          { limits: { a: 1, b: 2, c: 3 } },
          'spec.limits',
          'FieldValueTooMany',
        ],
        'refuse null where it is not allowed': [{ tags: [null] }, 'spec.tags[0]', 'FieldValueTypeInvalid'],
      },
      async ({ post, at, name }, [change, field, reason]) => {
        const spec = { colour: 'red', ...change };
        expect(await post(at.widgets, { ...head, metadata: { name: name() }, spec })).toMatchObject(
          invalid(field, reason),
        );
      },
    ),
    'refuse what lacks a required field': async ({ post, at, name }) => {
      const reply = await post(at.widgets, { ...head, metadata: { name: name() }, spec: {} });
      expect(reply).toMatchObject(invalid('spec.colour', 'FieldValueRequired'));
      expect(await post(at.widgets, { ...head, metadata: { name: name() } })).toMatchObject(
        invalid('spec', 'FieldValueRequired'),
      );
    },
    'name every problem at once': async ({ post, at, name }) => {
      const spec = { colour: 'blue', size: 11 };
      const reply = await post(at.widgets, { ...head, metadata: { name: name() }, spec });
      expect(reply).toMatchObject(invalid('spec.colour', 'FieldValueNotSupported'));
      expect(reply).toMatchObject(invalid('spec.size', 'FieldValueInvalid'));
    },
    'hold for patches as for new objects': async ({ create, patch }) => {
      const { path } = await create('widgets', { spec: { colour: 'red' } });
      expect(await patch(path, { spec: { size: 99 } })).toMatchObject(
        invalid('spec.size', 'FieldValueInvalid'),
      );
    },
  },
};

export const rules: Topic = {
  name: 'rules in CEL',
  cases: {
    'refuse a combination, at the field they name': async ({ post, at, name }) => {
      const spec = { colour: 'green', size: 9 };
      const reply = await post(at.widgets, { ...head, metadata: { name: name() }, spec });
      expect(reply).toMatchObject(invalid('spec.size', 'FieldValueInvalid'));
      expect(reply.body.message).toContain('only red ones are big');
    },
    'see defaults': async ({ create }) => {
      expect((await create('widgets', { spec: { colour: 'green' } })).object.spec).toMatchObject({ size: 3 });
    },
    'compute their message': async ({ post, at, name }) => {
      const spec = { colour: 'red', isOn: true };
      const reply = await post(at.widgets, { ...head, metadata: { name: name() }, spec });
      expect(reply).toMatchObject(refusal(422, 'Invalid', 'on needs a port'));
      expect(reply).toMatchObject(invalid('spec', 'FieldValueInvalid'));
    },
    'compare with the old value, with the reason they name': async ({ create, patch }) => {
      const { path } = await create('widgets', { spec: { colour: 'red' } });
      const reply = await patch(path, { spec: { colour: 'green' } });
      expect(reply).toMatchObject(invalid('spec.colour', 'FieldValueForbidden'));
      expect(reply.body.message).toContain('colour is fixed');
    },
    'that compare do not hold back a first value': async ({ create, patch }) => {
      const { path } = await create('widgets', { spec: { colour: 'red' } });
      expect((await patch(path, { spec: { level: 5 } })).status).toBe(200);
      expect(await patch(path, { spec: { level: 4 } })).toMatchObject(
        invalid('spec.level', 'FieldValueInvalid'),
      );
      expect((await patch(path, { spec: { level: 6 } })).status).toBe(200);
      expect((await patch(path, { spec: { level: null } })).status).toBe(200);
    },
    'are left out where a type is wrong already': async ({ post, at, name }) => {
      const spec = { colour: 'green', size: 9, isOn: 'yes' };
      const reply = await post(at.widgets, { ...head, metadata: { name: name() }, spec });
      expect(reply.body.message).toContain('some validation rules were not checked');
      expect(reply.body.message).not.toContain('only red ones are big');
    },
    'are checked where only a bound is broken': async ({ post, at, name }) => {
      const spec = { colour: 'green', size: 99 };
      const reply = await post(at.widgets, { ...head, metadata: { name: name() }, spec });
      expect(reply.body.message).toContain('should be less than or equal to 10');
      expect(reply.body.message).toContain('only red ones are big');
    },
    'of the project keep a record at its node': async ({ post, target, name }) => {
      const path = '/apis/muster.dev/v1alpha1/nodelifecycles';
      const metadata = { name: name() };
      const record = { apiVersion: 'muster.dev/v1alpha1', kind: 'NodeLifecycle', metadata };
      const reply = await post(path, { ...record, spec: { nodeName: 'another', nodeUID: 'u' } });
      expect(reply).toMatchObject(refusal(422, 'Invalid', 'metadata.name must be spec.nodeName'));
      expect((await target.request('GET', `${path}/${metadata.name}`)).status).toBe(404);
    },
  },
};
