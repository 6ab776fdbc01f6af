// Whether a CustomResourceDefinition can be served, told as the API server tells it. Not estimated: what rules could
// cost at worst. Refused though the API server takes it: conversion by webhook, and what our CEL cannot do.

import { isRecord, recordsIn, textOf } from '../../objects/raw.ts';
import { checkDns1035Label, checkDns1123Subdomain } from './cel/named-formats.ts';
import { checkDefaults } from './check-defaults.ts';
import { checkOpenApi } from './check-openapi.ts';
import { checkStructural } from './check-structural.ts';
import { checkVersionExtras } from './check-version-extras.ts';
import { deepEqual } from './deep-equal.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from './field-error.ts';
import { readSchema, type SchemaNode } from './schema-node.ts';

type Raw = Readonly<Record<string, unknown>>;

const limits = { ruleCostMax: 1_000_000, objectCostMax: 10_000_000 };

export function checkDefinition(definition: unknown): readonly FieldError[] {
  const crd = isRecord(definition) ? definition : {};
  const spec = isRecord(crd['spec']) ? crd['spec'] : {};
  const names = isRecord(spec['names']) ? spec['names'] : {};
  return [
    ...checkName(crd, textOf(spec['group']), textOf(names['plural'])),
    ...checkGroup(textOf(spec['group'])),
    ...checkScope(textOf(spec['scope'])),
    ...checkVersions(spec),
    ...checkNames(names),
    ...checkPolicies(spec),
  ];
}

function checkName(crd: Raw, group: string, plural: string): readonly FieldError[] {
  const name = textOf(isRecord(crd['metadata']) ? crd['metadata']['name'] : undefined);
  if (name === '') return [required('metadata.name', 'name or generateName is required')];
  const problems = [
    ...checkDns1123Subdomain(name),
    ...(name === `${plural}.${group}` ? [] : ['must be spec.names.plural+"."+spec.group']),
  ];
  return problems.map((detail) => invalid('metadata.name', name, detail));
}

function checkGroup(group: string): readonly FieldError[] {
  if (group === '') return [required('spec.group')];
  const problems = checkDns1123Subdomain(group);
  if (problems.length > 0) return [invalid('spec.group', group, problems.join(','))];
  return group.includes('.')
    ? []
    : [invalid('spec.group', group, 'should be a domain with at least one dot')];
}

function checkScope(scope: string): readonly FieldError[] {
  if (scope === '') return [required('spec.scope')];
  const scopes = ['Cluster', 'Namespaced'];
  return scopes.includes(scope) ? [] : [notSupported('spec.scope', scope, scopes)];
}

function checkVersions(spec: Raw): readonly FieldError[] {
  const versions = recordsIn(spec['versions']);
  const names = versions.map((version) => textOf(version['name']));
  const first = versions[0]?.['schema'];
  const areAlike = versions.every((version) => deepEqual(version['schema'], first));
  const errors = versions.flatMap((version, index) => {
    const at = `spec.versions[${index}]`;
    const problems = checkDns1035Label(names[index] ?? '');
    const schemaAt = areAlike ? 'spec.validation' : `${at}.schema`;
    return [
      ...(problems.length > 0 ? [invalid(`${at}.name`, names[index], problems.join(','))] : []),
      // A schema that all versions share is looked at once, as one of the whole definition.
      ...(areAlike && index > 0 ? [] : checkVersionSchema(version, { at, schemaAt })),
      ...checkVersionExtras(version, at),
    ];
  });
  const stored = versions
    .filter((version) => version['storage'] === true)
    .map((version) => textOf(version['name']));
  const firstProblems = names[0] === undefined ? [] : checkDns1035Label(names[0]);
  return [
    ...errors,
    ...(new Set(names).size === names.length
      ? []
      : [invalid('spec.versions', spec['versions'], 'must contain unique version names')]),
    ...(firstProblems.length > 0 ? [invalid('spec.version', names[0], firstProblems.join(','))] : []),
    // Of a new definition the first of them is the one that is stored.
    ...stored
      .slice(1)
      .map((name) =>
        invalid('status.storedVersions', stored.slice(0, 1), `must have the storage version ${name}`),
      ),
    ...(stored.length === 1
      ? []
      : [
          invalid(
            'spec.versions',
            spec['versions'] ?? null,
            'must have exactly one version marked as storage version',
          ),
        ]),
  ];
}

function checkVersionSchema(
  version: Raw,
  { at, schemaAt }: { readonly at: string; readonly schemaAt: string },
) {
  const source = isRecord(version['schema']) ? version['schema']['openAPIV3Schema'] : undefined;
  if (!isRecord(source)) return [required(`${at}.schema.openAPIV3Schema`)];
  const hasStatus = isRecord(version['subresources']) && isRecord(version['subresources']['status']);
  const path = `${schemaAt}.openAPIV3Schema`;
  return [...(hasStatus ? checkRoot(source, path) : []), ...checkSchema(readSchema(source), path)];
}

/** The schema alone. Rules are compiled only if nothing else is wrong, because its types may make no sense then. */
export function checkSchema(schema: SchemaNode, path: string): readonly FieldError[] {
  const nullable = schema.isNullable
    ? [forbidden(`${path}.nullable`, 'nullable cannot be true at the root')]
    : [];
  const structural = checkStructural(schema, path);
  const structure = structural.length > 0 ? structural : checkDefaults(schema, path, limits);
  const openApi = checkOpenApi(schema, {
    path,
    position: 'root',
    defaultsForbidden: null,
    isInMetadata: false,
    uncorrelatable: null,
    areRulesChecked: structure.length === 0,
  });
  return [...nullable, ...structure, ...openApi.schema, ...openApi.rules];
}

const rootKeywords = [
  'Description',
  'Type',
  'Format',
  'Title',
  'Maximum',
  'ExclusiveMaximum',
  'Minimum',
  'ExclusiveMinimum',
  'MaxLength',
  'MinLength',
  'Pattern',
  'MaxItems',
  'MinItems',
  'UniqueItems',
  'MultipleOf',
  'Required',
  'Items',
  'Properties',
  'ExternalDocs',
  'Example',
  'XPreserveUnknownFields',
  'XValidations',
];
const extensionNames: ReadonlyMap<string, string> = new Map([
  ['x-kubernetes-preserve-unknown-fields', 'XPreserveUnknownFields'],
  ['x-kubernetes-validations', 'XValidations'],
]);

/** With a status subresource, nothing at the root may speak about spec and status together. */
function checkRoot(schema: Raw, path: string): readonly FieldError[] {
  if (schema['type'] !== undefined && schema['type'] !== 'object') {
    const detail =
      'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
    return [invalid(`${path}.type`, schema['type'], detail)];
  }
  const isAllowed = (keyword: string) =>
    rootKeywords.includes(extensionNames.get(keyword) ?? keyword.charAt(0).toUpperCase() + keyword.slice(1));
  if (Object.keys(schema).every(isAllowed)) return [];
  const detail = `only [${rootKeywords.join(' ')}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [invalid(path, schema, detail)];
}

function checkNames(names: Raw): readonly FieldError[] {
  const at = 'spec.names';
  const missing = ['plural', 'kind']
    .filter((field) => textOf(names[field]) === '')
    .map((field) => required(`${at}.${field}`));
  const mixed = 'may have mixed case, but should otherwise match: ';
  const labels = ['plural', 'singular', 'kind', 'listKind'].flatMap((field) => {
    const name = textOf(names[field]);
    const isKind = field === 'kind' || field === 'listKind';
    const problems = name === '' ? [] : checkDns1035Label(isKind ? name.toLowerCase() : name);
    return problems.length === 0
      ? []
      : [invalid(`${at}.${field}`, name, `${isKind ? mixed : ''}${problems.join(',')}`)];
  });
  const lists = ['shortNames', 'categories'].flatMap((field) => {
    const list = names[field];
    return (Array.isArray(list) ? list : []).flatMap((name, index) => {
      const problems = checkDns1035Label(String(name));
      return problems.length === 0 ? [] : [invalid(`${at}.${field}[${index}]`, name, problems.join(','))];
    });
  });
  const kind = textOf(names['kind']);
  const isSame = kind !== '' && kind === names['listKind'];
  return [
    ...missing,
    ...labels,
    ...lists,
    ...(isSame ? [invalid(`${at}.listKind`, kind, 'kind and listKind may not be the same')] : []),
  ];
}

function checkPolicies(spec: Raw): readonly FieldError[] {
  const conversion = isRecord(spec['conversion']) ? textOf(spec['conversion']['strategy']) : '';
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [
    ...(spec['preserveUnknownFields'] === true ? [invalid('spec.preserveUnknownFields', true, detail)] : []),
    ...(conversion === '' || conversion === 'None'
      ? []
      : [invalid('spec.conversion.strategy', conversion, 'only None is supported here')]),
  ];
}
