// Namespaces and the plain kinds that live in them: ConfigMap, Secret, ServiceAccount.

import { labelKeys } from '../../../api/keys.ts';
import { canonical } from '../../../base/hash.ts';
import type { RawObject } from '../../../objects/raw.ts';
import { textOf } from '../../../objects/raw.ts';
import type { ResourceType } from '../../../objects/ref.ts';
import { type FieldError, forbidden, immutable, invalid } from '../../field-error.ts';
import { ageColumn, column, nameColumn } from '../column.ts';
import { builtin, clusterLabels, namespacedLabels, partOf } from '../definition.ts';
import { dnsLabel } from '../names.ts';
import { configMapFields, namespaceFields, secretFields, serviceAccountFields } from '../shapes/node.ts';

const core = (plural: string, kind: string, scope: ResourceType['scope']): ResourceType => ({
  group: '',
  version: 'v1',
  plural,
  kind,
  scope,
});

export const namespaceType = core('namespaces', 'Namespace', 'Cluster');
export const serviceAccountType = core('serviceaccounts', 'ServiceAccount', 'Namespaced');

export const namespace = builtin({
  type: namespaceType,
  fields: namespaceFields,
  shortNames: ['ns'],
  subresources: ['status', 'finalize'],
  nameRule: dnsLabel,
  isDeletedSingly: true,
  fieldLabels: { ...clusterLabels, 'status.phase': (object) => textOf(partOf(object, 'status')['phase']) },
  columns: [nameColumn, column('Status', (object) => textOf(partOf(object, 'status')['phase'])), ageColumn],
  prepareCreate: (object) => ({
    ...withNameLabel(object),
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  }),
  prepareUpdate: (object, old) => ({ ...withNameLabel(object), spec: old.spec }),
  beginDelete: (object) => ({ ...object, status: { ...partOf(object, 'status'), phase: 'Terminating' } }),
  isHeldBack: (object) => partOf(object, 'spec')['finalizers'] !== undefined,
});

export const configMap = builtin({
  type: core('configmaps', 'ConfigMap', 'Namespaced'),
  fields: configMapFields,
  shortNames: ['cm'],
  columns: [nameColumn, column('Data', countData), ageColumn],
  validate: contentErrors,
});

export const secret = builtin({
  type: core('secrets', 'Secret', 'Namespaced'),
  fields: secretFields,
  fieldLabels: { ...namespacedLabels, type: (object) => textOf(object['type']) },
  columns: [
    nameColumn,
    column('Type', (object) => textOf(object['type'])),
    column('Data', countData),
    ageColumn,
  ],
  defaults: withEncodedStrings,
  validate: (object, old) => [
    ...contentErrors(object, old),
    ...(old !== null && old['type'] !== object['type'] ? [immutable('type', object['type'])] : []),
  ],
});

export const serviceAccount = builtin({
  type: serviceAccountType,
  fields: serviceAccountFields,
  shortNames: ['sa'],
  subresources: ['token'],
  answersWithDeleted: true,
});

function withNameLabel(object: RawObject): RawObject {
  const { name = '', labels } = object.metadata ?? {};
  if (name === '') return object;
  return {
    ...object,
    metadata: { ...object.metadata, labels: { ...labels, [labelKeys.namespaceName]: name } },
  };
}

/** stringData is for writing only. */
function withEncodedStrings(object: RawObject): RawObject {
  const { stringData: _, ...rest } = object;
  const encoded = Object.entries(partOf(object, 'stringData')).map(([key, value]) => [
    key,
    Buffer.from(textOf(value)).toString('base64'),
  ]);
  const data = { ...partOf(object, 'data'), ...Object.fromEntries(encoded) };
  const type = textOf(object['type']) || 'Opaque';
  return { ...rest, ...(Object.keys(data).length > 0 ? { data } : {}), type };
}

function countData(object: RawObject): number {
  return Object.keys(partOf(object, 'data')).length + Object.keys(partOf(object, 'binaryData')).length;
}

const KEY = '[-._a-zA-Z0-9]+';

function contentErrors(object: RawObject, old: RawObject | null): readonly FieldError[] {
  const bad = Object.keys({ ...partOf(object, 'data'), ...partOf(object, 'binaryData') }).filter(
    (key) => !new RegExp(`^${KEY}$`).test(key) || key === '.' || key === '..' || key.length > 253,
  );
  const errors: FieldError[] = bad.map((key) => {
    const why = `a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '${KEY}')`;
    return invalid(`data[${key}]`, key, why);
  });
  if (old?.['immutable'] !== true) return errors;
  if (object['immutable'] !== true)
    errors.push(forbidden('immutable', 'field is immutable when `immutable` is set'));
  for (const field of ['data', 'binaryData']) {
    if (canonical(partOf(object, field)) !== canonical(partOf(old, field)))
      errors.push(forbidden(field, 'field is immutable when `immutable` is set'));
  }
  return errors;
}
