// The custom resources of the suite: a Widget with everything a definition can say, a Gadget with as little as possible,
// and the project's own kinds as they are shipped.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect } from 'vitest';
import type { RawObject } from '../../src/objects/raw.ts';
import { until } from '../control-plane/until.ts';
import type { Target } from './target.ts';

const collection = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export async function installDefinitions(target: Target): Promise<void> {
  for (const definition of await definitions()) {
    const reply = await target.request('POST', collection, { body: definition });
    expect(reply, reply.text).toMatchObject({ status: 201 });
  }
  for (const definition of await definitions()) await served(target, definition);
}

export async function removeDefinitions(target: Target): Promise<void> {
  for (const { metadata } of await definitions()) {
    await target.request('DELETE', `${collection}/${metadata?.name}`);
  }
}

/** Established comes first, the endpoint a moment later. */
export function served(target: Target, definition: RawObject): Promise<boolean> {
  const { group, names, versions } = definition.spec as {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
  const version = versions.find((candidate) => candidate.served)?.name;
  const path = `/apis/${group}/${version}/${names.plural}`;
  return until(`${path} is served`, 30_000, async () =>
    (await target.request('GET', path)).status === 200 ? true : undefined,
  );
}

/** The least that a definition must say. */
export function plainDefinition(group: string, kind: string, scope: 'Cluster' | 'Namespaced'): RawObject {
  const plural = `${kind.toLowerCase()}s`;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

async function definitions(): Promise<readonly RawObject[]> {
  const folder = join(import.meta.dirname, '../../config/crds');
  const shipped = await readFile(join(folder, 'nodelifecycles.muster.dev.yaml'), 'utf8');
  return [
    widgetDefinition,
    plainDefinition('conformance.test', 'Gadget', 'Cluster'),
    load(shipped) as RawObject,
  ];
}

const part = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', pattern: '^[a-z]+$', maxLength: 5 },
    at: { type: 'string', format: 'date-time' },
    count: { type: 'integer', default: 1 },
  },
};

const spec = {
  type: 'object',
  required: ['colour'],
  properties: {
    colour: {
      type: 'string',
      description: 'The colour it was painted with.',
      enum: ['red', 'green'],
      maxLength: 10,
      'x-kubernetes-validations': [
        { rule: 'self == oldSelf', message: 'colour is fixed', reason: 'FieldValueForbidden' },
      ],
    },
    size: { type: 'integer', minimum: 1, maximum: 10, default: 3 },
    ratio: { type: 'number', exclusiveMinimum: true, minimum: 0, multipleOf: 0.5 },
    isOn: { type: 'boolean' },
    nested: { type: 'object', default: {}, properties: { deep: { type: 'string', default: 'x' } } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    port: { 'x-kubernetes-int-or-string': true },
    parts: {
      type: 'array',
      maxItems: 3,
      items: part,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
    tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    limits: { type: 'object', maxProperties: 2, additionalProperties: { type: 'integer' } },
    maybe: { type: 'string', nullable: true },
    level: {
      type: 'integer',
      'x-kubernetes-validations': [{ rule: 'self >= oldSelf', message: 'level only rises' }],
    },
  },
  'x-kubernetes-validations': [
    { rule: "self.size < 8 || self.colour == 'red'", message: 'only red ones are big', fieldPath: '.size' },
    {
      rule: '!has(self.isOn) || !self.isOn || has(self.port)',
      messageExpression: "'on needs ' + 'a port'",
    },
  ],
};

const status = {
  type: 'object',
  properties: { phase: { type: 'string' }, count: { type: 'integer', minimum: 0 } },
};

const schema = { openAPIV3Schema: { type: 'object', required: ['spec'], properties: { spec, status } } };

// In every version: the server takes equal schemas out of the versions and then refuses fields of some versions alone.
const selectableFields = [{ jsonPath: '.spec.colour' }, { jsonPath: '.spec.size' }];

const widgetDefinition: RawObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.conformance.test' },
  spec: {
    group: 'conformance.test',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget', shortNames: ['wdg'], categories: ['toys'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        selectableFields,
        additionalPrinterColumns: [
          { name: 'Colour', type: 'string', jsonPath: '.spec.colour', description: 'What it looks like.' },
          { name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 1 },
          { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
          { name: 'Since', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
        schema,
      },
      {
        name: 'v1beta1',
        served: true,
        storage: false,
        deprecated: true,
        deprecationWarning: 'conformance.test/v1beta1 Widget is old',
        subresources: { status: {} },
        selectableFields,
        schema,
      },
      { name: 'v1alpha1', served: false, storage: false, selectableFields, schema },
    ],
  },
};
