// Several served versions of one kind, and what makes a definition a good one.

import { expect } from 'vitest';
import type { RawObject } from '../../../src/objects/raw.ts';
import { table, type Topic } from '../case.ts';
import { plainDefinition, served } from '../definitions.ts';
import { invalid, refusal, versionOf, warningsOf } from '../expectations.ts';

const warning = 'conformance.test/v1beta1 Widget is old';

export const versions: Topic = {
  name: 'versions',
  cases: {
    'show one object under each version that is served': async ({ create, get }) => {
      const { path, uid } = await create('widgets', { spec: { colour: 'red' } });
      const { body } = await get(path.replace('/v1/', '/v1beta1/'));
      expect(body).toMatchObject({
        apiVersion: 'conformance.test/v1beta1',
        metadata: { uid },
        spec: { size: 3 },
      });
    },
    'warn of every use of a deprecated one': async ({ create, get, patch, at }) => {
      const { path } = await create('widgets', { spec: { colour: 'red' } });
      const old = path.replace('/v1/', '/v1beta1/');
      expect(warningsOf(await get(old))).toEqual([warning]);
      expect(warningsOf(await get(at.widgets.replace('/v1/', '/v1beta1/')))).toEqual([warning]);
      expect(warningsOf(await patch(old, { spec: { size: 4 } }))).toEqual([warning]);
      expect(warningsOf(await get(path))).toEqual([]);
    },
    'share resourceVersion and storage': async ({ create, get, patch }) => {
      const { path } = await create('widgets', { spec: { colour: 'red' } });
      const changed = await patch(path.replace('/v1/', '/v1beta1/'), { spec: { size: 4 } });
      const seen = await get(path);
      expect(versionOf(seen)).toBe(versionOf(changed));
      expect(seen.body).toMatchObject({ apiVersion: 'conformance.test/v1', spec: { size: 4 } });
    },
    'accept new objects in an old one': async ({ post, at, name, get, forget }) => {
      const metadata = { name: name() };
      const body = {
        apiVersion: 'conformance.test/v1beta1',
        kind: 'Widget',
        metadata,
        spec: { colour: 'red' },
      };
      forget(`${at.widgets}/${metadata.name}`);
      expect((await post(at.widgets.replace('/v1/', '/v1beta1/'), body)).status).toBe(201);
      expect((await get(`${at.widgets}/${metadata.name}`)).body.apiVersion).toBe('conformance.test/v1');
    },
  },
};

const versioned = (group: string, change: object): RawObject => {
  const definition = plainDefinition(group, 'Thing', 'Cluster');
  const {
    versions: [version],
    ...spec
  } = definition.spec as { readonly versions: readonly object[] };
  return { ...definition, spec: { ...spec, versions: [{ ...version, ...change }] } };
};
const schemaOf = (openAPIV3Schema: object) => ({ schema: { openAPIV3Schema } });

export const definitions: Topic = {
  name: 'definitions',
  cases: {
    'fill in names and keep what they were given': async (bench) => {
      const definition = plainDefinition(`${bench.name('group')}.test`, 'Thing', 'Cluster');
      const { object } = await bench.create('customresourcedefinitions', definition);
      expect(object).toMatchObject({
        metadata: { generation: 1 },
        spec: {
          names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
          conversion: { strategy: 'None' },
        },
      });
    },
    'are named for their plural and group': async ({ post, at, name }) => {
      const definition = plainDefinition(`${name('group')}.test`, 'Thing', 'Cluster');
      const reply = await post(at.customresourcedefinitions, {
        ...definition,
        metadata: { name: 'others.test' },
      });
      expect(reply).toMatchObject(invalid('metadata.name', 'FieldValueInvalid'));
    },
    ...table<readonly [object, string]>(
      {
        'need a schema': [{ schema: undefined }, 'schema.openAPIV3Schema: Required value'],
        'need a type at the root of the schema': [
          schemaOf({ properties: {} }),
          'must not be empty at the root',
        ],
        'need a version that is stored': [
          { storage: false },
          'must have exactly one version marked as storage version',
        ],
        'refuse a rule that does not compile': [
          schemaOf({
            type: 'object',
            properties: { spec: { type: 'object', 'x-kubernetes-validations': [{ rule: 'self.nope > 1' }] } },
          }),
          "undefined field 'nope'",
        ],
        'refuse a default that breaks the schema': [
          schemaOf({ type: 'object', properties: { a: { type: 'integer', minimum: 5, default: 1 } } }),
          'should be greater than or equal to 5',
        ],
        'refuse fields without a type': [
          schemaOf({ type: 'object', properties: { a: { description: 'No type.' } } }),
          'properties[a].type: Required value',
        ],
      },
      async ({ post, at, name }, [change, words]) => {
        const reply = await post(at.customresourcedefinitions, versioned(`${name('group')}.test`, change));
        expect(reply).toMatchObject(refusal(422, 'Invalid', words));
      },
    ),
    'keep their scope once they are established': async (bench) => {
      const definition = plainDefinition(`${bench.name('group')}.test`, 'Thing', 'Cluster');
      const { path } = await bench.create('customresourcedefinitions', definition);
      await served(bench.target, definition);
      expect(await bench.patch(path, { spec: { scope: 'Namespaced' } })).toMatchObject(
        refusal(422, 'Invalid', 'field is immutable'),
      );
    },
  },
};
