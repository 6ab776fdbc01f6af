// What makes a schema structural: every field has a type outside of allOf, anyOf, oneOf and not, and those only narrow
// values. In the API server's words.

import { type FieldError, forbidden, invalid, required } from './field-error.ts';
import { goJson } from './go-text.ts';
import { compileRegExp } from './regular-expression.ts';
import type { SchemaNode } from './schema-node.ts';

type Level = 'root' | 'item' | 'field';
type Visited = { readonly schema: SchemaNode; readonly level: Level; readonly path: string };

export function checkStructural(schema: SchemaNode, path: string): readonly FieldError[] {
  const errors = [
    ...checkInvariants({ schema, level: 'root', path }),
    ...checkCompleteness(schema, schema, { structure: path, validation: path }),
  ];
  return errors.sort((a, b) => (`${a.path} ${a.message}` < `${b.path} ${b.message}` ? -1 : 1));
}

function checkInvariants(visited: Visited): readonly FieldError[] {
  const { schema, level, path } = visited;
  const { items, additional } = schema;
  return [
    ...(schema.type === 'array' && items === null ? [required(`${path}.items`, 'must be specified')] : []),
    ...(items === null ? [] : checkInvariants({ schema: items, level: 'item', path: `${path}.items` })),
    ...[...schema.properties].flatMap(([name, inner]) =>
      checkInvariants({ schema: inner, level: 'field', path: `${path}.properties[${name}]` }),
    ),
    ...(additional !== null && level === 'root'
      ? [forbidden(`${path}.additionalProperties`, 'must not be used at the root')]
      : []),
    ...(additional?.kind === 'schema'
      ? checkInvariants({ schema: additional.schema, level: 'field', path: `${path}.additionalProperties` })
      : []),
    ...checkExtensions(schema, path),
    ...checkValidations(schema, path),
    ...checkTypes(visited),
    ...checkMetadata(visited),
  ];
}

function checkExtensions(schema: SchemaNode, path: string): readonly FieldError[] {
  if (!schema.isIntOrString) return [];
  const detail = 'must be false if x-kubernetes-int-or-string is true';
  return [
    ...(schema.keepsUnknown ? [invalid(`${path}.x-kubernetes-preserve-unknown-fields`, true, detail)] : []),
    ...(schema.isEmbedded ? [invalid(`${path}.x-kubernetes-embedded-resource`, true, detail)] : []),
  ];
}

const missingType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function checkTypes({ schema, level, path }: Visited): readonly FieldError[] {
  const { type, isEmbedded } = schema;
  const embedded = 'must be object if x-kubernetes-embedded-resource is true';
  const errors: FieldError[] = [];
  if (isEmbedded && type !== 'object')
    errors.push(type === '' ? required(`${path}.type`, embedded) : invalid(`${path}.type`, type, embedded));
  else if (type === '' && !schema.isIntOrString && !schema.keepsUnknown)
    errors.push(required(`${path}.type`, missingType[level]));
  if (isEmbedded && schema.additional !== null)
    errors.push(
      forbidden(`${path}.additionalProperties`, 'must not be used if x-kubernetes-embedded-resource is set'),
    );
  if (level === 'root' && type !== '' && type !== 'object')
    errors.push(invalid(`${path}.type`, type, 'must be object at the root'));
  if (isEmbedded && !schema.keepsUnknown && schema.properties.size === 0)
    errors.push(
      required(
        `${path}.properties`,
        'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ),
    );
  return errors;
}

function checkMetadata({ schema, level, path }: Visited): readonly FieldError[] {
  if (level !== 'root' && !schema.isEmbedded) return [];
  const typed = ['kind', 'apiVersion'].flatMap((name) => {
    const inner = schema.properties.get(name);
    return inner === undefined || inner.type === 'string'
      ? []
      : [invalid(`${path}.properties[${name}].type`, inner.type, 'must be string')];
  });
  const metadata = schema.properties.get('metadata');
  if (metadata === undefined) return typed;
  const at = `${path}.properties[metadata]`;
  const isObject = metadata.type === 'object' ? [] : [invalid(`${at}.type`, metadata.type, 'must be object')];
  const isPlain = level !== 'root' || namesOnly(metadata);
  const detail =
    'must not specify anything other than name and generateName, but metadata is implicitly specified';
  return [...typed, ...isObject, ...(isPlain ? [] : [forbidden(at, detail)])];
}

function namesOnly({ raw, properties }: SchemaNode): boolean {
  const allowed = ['type', 'properties', 'default'];
  const areNames = [...properties.keys()].every((name) => name === 'name' || name === 'generateName');
  return areNames && Object.keys(raw).every((keyword) => allowed.includes(keyword));
}

/** `anyOf` an integer or a string may be spelled out where the schema says the same in short. */
function isIntOrStringPattern(alternatives: readonly SchemaNode[]): boolean {
  return goJson(alternatives.map(({ raw }) => raw)) === '[{"type":"integer"},{"type":"string"}]';
}

function checkValidations(schema: SchemaNode, path: string): readonly FieldError[] {
  const { allOf, anyOf, oneOf, not, pattern } = schema;
  const compiled = pattern === '' ? null : compileRegExp(pattern);
  return [
    ...(isIntOrStringPattern(anyOf) ? [] : nested(anyOf, `${path}.anyOf`)),
    ...nested(allOf, `${path}.allOf`),
    ...nested(oneOf, `${path}.oneOf`),
    ...(not === null ? [] : checkNested(not, `${path}.not`)),
    ...(compiled?.kind === 'error'
      ? [
          invalid(
            `${path}.pattern`,
            pattern,
            `must be a valid regular expression, but isn't: ${compiled.error}`,
          ),
        ]
      : []),
  ];
}

function nested(schemas: readonly SchemaNode[], path: string): readonly FieldError[] {
  return schemas.flatMap((schema, index) => checkNested(schema, `${path}[${index}]`));
}

type Forbidden = readonly [keyword: string, isUsed: (schema: SchemaNode) => boolean, words: string];

const forbiddenInside: readonly Forbidden[] = [
  ['type', ({ type }) => type !== '', 'must be empty to be structural'],
  [
    'additionalProperties',
    ({ additional }) => additional !== null && additional.kind !== 'none',
    'must be undefined to be structural',
  ],
  ['default', (schema) => schema.default !== undefined, 'must be undefined to be structural'],
  ['title', ({ raw }) => Boolean(raw['title']), 'must be empty to be structural'],
  ['description', ({ raw }) => Boolean(raw['description']), 'must be empty to be structural'],
  ['nullable', ({ isNullable }) => isNullable, 'must be false to be structural'],
  [
    'x-kubernetes-preserve-unknown-fields',
    ({ keepsUnknown }) => keepsUnknown,
    'must be false to be structural',
  ],
  ['x-kubernetes-embedded-resource', ({ isEmbedded }) => isEmbedded, 'must be false to be structural'],
  ['x-kubernetes-int-or-string', ({ isIntOrString }) => isIntOrString, 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', ({ listKeys }) => listKeys.length > 0, 'must be empty to be structural'],
  ['x-kubernetes-list-type', ({ listType }) => listType !== null, 'must be undefined to be structural'],
  ['x-kubernetes-map-type', ({ mapType }) => mapType !== null, 'must be undefined to be structural'],
  ['x-kubernetes-validations', ({ rules }) => rules.length > 0, 'must be empty to be structural'],
];

function checkNested(schema: SchemaNode, path: string): readonly FieldError[] {
  return [
    ...checkValidations(schema, path),
    ...(schema.items === null ? [] : checkNested(schema.items, `${path}.items`)),
    ...[...schema.properties].flatMap(([name, inner]) => checkNested(inner, `${path}.properties[${name}]`)),
    ...forbiddenInside
      .filter(([, isUsed]) => isUsed(schema))
      .map(([keyword, , words]) => forbidden(`${path}.${keyword}`, words)),
    ...(schema.properties.has('metadata')
      ? [forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context')]
      : []),
  ];
}

type Paths = { readonly structure: string; readonly validation: string };

/** Every field that an alternative speaks of must exist outside of it. */
function checkCompleteness(
  validation: SchemaNode,
  structure: SchemaNode | null,
  { structure: at, validation: from }: Paths,
): readonly FieldError[] {
  if (structure === null) return [required(at, `because it is defined in ${from}`)];
  const inside = (schemas: readonly SchemaNode[], keyword: string) =>
    schemas.flatMap((schema, index) =>
      checkNestedCompleteness(schema, structure, {
        structure: at,
        validation: `${from}.${keyword}[${index}]`,
      }),
    );
  return [
    ...(validation.not === null
      ? []
      : checkNestedCompleteness(validation.not, structure, { structure: at, validation: `${from}.not` })),
    ...inside(validation.allOf, 'allOf'),
    ...inside(validation.anyOf, 'anyOf'),
    ...inside(validation.oneOf, 'oneOf'),
  ];
}

function checkNestedCompleteness(
  validation: SchemaNode,
  structure: SchemaNode,
  paths: Paths,
): readonly FieldError[] {
  const items = { structure: `${paths.structure}.items`, validation: `${paths.validation}.items` };
  return [
    ...checkCompleteness(validation, structure, paths),
    ...(validation.items === null ? [] : completeOrMissing(validation.items, structure.items, items)),
    ...[...validation.properties].flatMap(([name, inner]) =>
      completeOrMissing(inner, structure.properties.get(name) ?? null, {
        structure: `${paths.structure}.properties[${name}]`,
        validation: `${paths.validation}.properties[${name}]`,
      }),
    ),
  ];
}

function completeOrMissing(
  validation: SchemaNode,
  structure: SchemaNode | null,
  paths: Paths,
): readonly FieldError[] {
  if (structure !== null) return checkNestedCompleteness(validation, structure, paths);
  return [required(paths.structure, `because it is defined in ${paths.validation}`)];
}
