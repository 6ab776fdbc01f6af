// CustomResourceDefinitions themselves: defaults, checks, the conditions of an established kind.

import type { Instant } from '../../../base/clock.ts';
import { formatTime } from '../../../base/timestamp.ts';
import { type RawObject, recordsIn, textOf } from '../../../objects/raw.ts';
import { customResourceDefinitionType } from '../../../objects/ref.ts';
import { type FieldError, immutable, invalid, notSupported, required } from '../../field-error.ts';
import type { SchemaCompiler } from '../../schema-port.ts';
import { withMetadata } from '../../store/stored-object.ts';
import { column, nameColumn } from '../column.ts';
import { builtin, partOf, type ResourceDefinition } from '../definition.ts';
import { definitionFields } from '../shapes/network.ts';

export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

const spec = (object: RawObject) => partOf(object, 'spec');
const namesOf = (object: RawObject) => partOf(object, 'spec', 'names');

export function customResourceDefinition(compiler: SchemaCompiler): ResourceDefinition {
  return builtin({
    type: customResourceDefinitionType,
    fields: definitionFields,
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    subresources: ['status'],
    allowsPlainFinalizers: true,
    countsGeneration: true,
    allowsUnguardedUpdate: false,
    statusKeepsMetadata: true,
    columns: [
      nameColumn,
      column('Created At', (object) => object.metadata?.creationTimestamp ?? '', { type: 'date' }),
    ],
    defaults: withDefinitionDefaults,
    prepareCreate: (object) => ({
      ...object,
      status: {
        conditions: null,
        acceptedNames: { plural: '', kind: '' },
        storedVersions: storageVersions(object),
      },
    }),
    prepareUpdate: withStoredVersions,
    beginDelete: (object) => withMetadata(object, { finalizers: withCleanup(object) }),
    validate: (object, old) => [
      ...definitionErrors(object),
      ...(old === null ? [] : renameErrors(object, old)),
      ...compiler.checkDefinition(object),
    ],
  });
}

/** The objects of a kind go before their definition does. */
function withCleanup(object: RawObject): readonly string[] {
  return [...new Set([...(object.metadata?.finalizers ?? []), cleanupFinalizer])];
}

/** The status of a definition whose kind can be used. */
export function establishedStatus(object: RawObject, now: Instant): Readonly<Record<string, unknown>> {
  const lastTransitionTime = formatTime(now);
  return {
    ...partOf(object, 'status'),
    conditions: [
      {
        type: 'NamesAccepted',
        status: 'True',
        lastTransitionTime,
        reason: 'NoConflicts',
        message: 'no conflicts found',
      },
      {
        type: 'Established',
        status: 'True',
        lastTransitionTime,
        reason: 'InitialNamesAccepted',
        message: 'the initial names have been accepted',
      },
    ],
    acceptedNames: namesOf(object),
  };
}

export function isEstablished(object: RawObject): boolean {
  return recordsIn(partOf(object, 'status')['conditions']).some(
    ({ type, status }) => type === 'Established' && status === 'True',
  );
}

function withDefinitionDefaults(object: RawObject): RawObject {
  const kind = textOf(namesOf(object)['kind']);
  return {
    ...object,
    spec: {
      conversion: { strategy: 'None' },
      ...spec(object),
      names: { singular: kind.toLowerCase(), listKind: `${kind}List`, ...namesOf(object) },
    },
  };
}

function storageVersions(object: RawObject): readonly string[] {
  return recordsIn(spec(object)['versions']).flatMap(({ name, storage }) =>
    storage === true ? [textOf(name)] : [],
  );
}

/** A version in which objects were stored once stays on the list until somebody has rewritten them all. */
function withStoredVersions(object: RawObject, old: RawObject): RawObject {
  const stored = partOf(old, 'status')['storedVersions'];
  const before = Array.isArray(stored) ? stored.map(textOf) : [];
  const storedVersions = [...new Set([...before, ...storageVersions(object)])];
  return { ...object, status: { ...partOf(object, 'status'), storedVersions } };
}

function definitionErrors(object: RawObject): readonly FieldError[] {
  const { group, scope, conversion } = spec(object);
  const { plural, kind } = namesOf(object);
  const errors: FieldError[] = [];
  if (object.metadata?.name !== `${textOf(plural)}.${textOf(group)}`)
    errors.push(invalid('metadata.name', object.metadata?.name, 'must be spec.names.plural+"."+spec.group'));
  if (textOf(group) === '') errors.push(required('spec.group'));
  if (textOf(plural) === '') errors.push(required('spec.names.plural'));
  if (textOf(kind) === '') errors.push(required('spec.names.kind'));
  if (scope !== 'Cluster' && scope !== 'Namespaced')
    errors.push(notSupported('spec.scope', scope, ['Cluster', 'Namespaced']));
  const strategy = partOf({ conversion }, 'conversion')['strategy'];
  if (strategy !== 'None') errors.push(notSupported('spec.conversion.strategy', strategy, ['None']));
  return [...errors, ...versionErrors(object)];
}

function versionErrors(object: RawObject): readonly FieldError[] {
  const versions = recordsIn(spec(object)['versions']);
  const errors: FieldError[] =
    storageVersions(object).length === 1
      ? []
      : [
          invalid(
            'spec.versions',
            versions.map(({ name }) => name),
            'must have exactly one version marked as storage version',
          ),
        ];
  for (const [index, version] of versions.entries()) {
    const path = `spec.versions[${index}]`;
    if (!/^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(textOf(version['name'])))
      errors.push(
        invalid(
          `${path}.name`,
          version['name'],
          'a DNS-1035 label must consist of lower case alphanumeric characters',
        ),
      );
    if (partOf(version, 'schema')['openAPIV3Schema'] === undefined)
      errors.push(required(`${path}.schema.openAPIV3Schema`, 'schemas are required'));
  }
  return errors;
}

function renameErrors(object: RawObject, old: RawObject): readonly FieldError[] {
  const fixed = ['group', 'scope'].filter((field) => spec(object)[field] !== spec(old)[field]);
  const names = ['plural', 'kind'].filter((field) => namesOf(object)[field] !== namesOf(old)[field]);
  return [
    ...fixed.map((field) => immutable(`spec.${field}`, spec(object)[field])),
    ...names.map((field) => immutable(`spec.names.${field}`, namesOf(object)[field])),
  ];
}
