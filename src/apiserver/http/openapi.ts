// OpenAPI v3 documents: enough for `kubectl explain`, and for kubectl to see that the server validates fields itself.

import { hashOf } from '../../base/hash.ts';
import type { RawObject } from '../../objects/raw.ts';
import { isRecord, recordsIn } from '../../objects/raw.ts';
import { partOf, type ResourceDefinition } from '../registry/definition.ts';
import type { Registry } from '../registry/registry.ts';
import type { Shape } from '../registry/shape.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { definitionsOf } from './discovery.ts';

type Document = Readonly<Record<string, unknown>>;

export function openapiIndex(registry: Registry, store: ObjectStore): Document {
  const entries = registry.groups().flatMap((group) =>
    registry.versionsOf(group).map((version) => {
      const path = group === '' ? `api/${version}` : `apis/${group}/${version}`;
      // The hash lets a client keep a document for as long as it is the same.
      const hash = hashOf(openapiOf({ registry, store }, group, version));
      return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }];
    }),
  );
  return { paths: Object.fromEntries(entries) };
}

type Parts = { readonly registry: Registry; readonly store: ObjectStore };

export function openapiOf({ registry, store }: Parts, group: string, version: string): Document | null {
  const definitions = definitionsOf(registry, group, version);
  if (definitions.length === 0) return null;
  return {
    openapi: '3.0.0',
    info: { title: 'Muster', version: 'v1.36.3' },
    paths: Object.fromEntries(definitions.flatMap(pathsOf)),
    components: {
      schemas: Object.fromEntries(
        definitions.map((definition) => [componentName(definition), schemaOf(definition, store)]),
      ),
    },
  };
}

function pathsOf(definition: ResourceDefinition): readonly (readonly [string, Document])[] {
  const { group, version, plural, scope } = definition.type;
  const prefix = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const base = scope === 'Cluster' ? `${prefix}/${plural}` : `${prefix}/namespaces/{namespace}/${plural}`;
  return [
    [base, { get: operation(definition), post: operation(definition, writeParameters) }],
    [
      `${base}/{name}`,
      {
        get: operation(definition),
        put: operation(definition, writeParameters),
        patch: operation(definition, writeParameters),
        delete: operation(definition, ['dryRun']),
      },
    ],
  ];
}

const writeParameters: readonly string[] = ['dryRun', 'fieldManager', 'fieldValidation'];

function operation(definition: ResourceDefinition, parameters: readonly string[] = []): Document {
  return {
    parameters: parameters.map((name) => ({ name, in: 'query', schema: { type: 'string' } })),
    responses: { 200: { description: 'OK' } },
    'x-kubernetes-group-version-kind': kindOf(definition),
  };
}

function schemaOf(definition: ResourceDefinition, store: ObjectStore): Document {
  const schema =
    definition.fields === null
      ? customSchema(definition, store)
      : shapeSchema({ kind: 'struct', fields: definition.fields });
  return { ...schema, 'x-kubernetes-group-version-kind': [kindOf(definition)] };
}

/** As its definition says, with the fields that every object has. */
function customSchema({ type, bucket }: ResourceDefinition, store: ObjectStore): Document {
  const crd: RawObject =
    store.get({ bucket: 'customresourcedefinitions.apiextensions.k8s.io', key: bucket }) ?? {};
  const version = recordsIn(partOf(crd, 'spec')['versions']).find(({ name }) => name === type.version);
  const schema = partOf(version, 'schema', 'openAPIV3Schema');
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const text = { type: 'string' };
  return {
    ...schema,
    properties: { apiVersion: text, kind: text, metadata: { type: 'object' }, ...properties },
  };
}

function shapeSchema(shape: Shape): Document {
  switch (shape.kind) {
    case 'struct':
      return {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(shape.fields).map(([name, field]) => [name, shapeSchema(field.shape)]),
        ),
      };
    case 'list':
      return { type: 'array', items: shapeSchema(shape.of) };
    case 'map':
      return { type: 'object', additionalProperties: shapeSchema(shape.of) };
    case 'int':
      return { type: 'integer' };
    case 'flag':
      return { type: 'boolean' };
    case 'time':
    case 'microTime':
      return { type: 'string', format: 'date-time' };
    case 'intOrText':
      return { 'x-kubernetes-int-or-string': true, oneOf: [{ type: 'integer' }, { type: 'string' }] };
    case 'any':
      return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    case 'text':
    case 'quantity':
    case 'bytes':
      return { type: 'string' };
  }
}

function kindOf({ type: { group, version, kind } }: ResourceDefinition): Document {
  return { group, version, kind };
}

function componentName({ type: { group, version, kind } }: ResourceDefinition): string {
  return [...(group === '' ? ['core'] : group.split('.').toReversed()), version, kind].join('.');
}
