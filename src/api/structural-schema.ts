// Says what is wrong with a schema before an API server does: what a structural schema forbids, and what our own rule
// adds, that every string, list and map is bounded and every field described. It knows only the keywords we use.

import type { Problem } from '../base/result.ts';
import { fieldsOf, isRecord } from '../objects/raw.ts';

/** In the order in which they are written. Any other keyword is a problem: most are forbidden, the rest unproven. */
export const schemaKeywords = [
  'description',
  'type',
  'x-kubernetes-int-or-string',
  'format',
  'enum',
  'default',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'required',
  'properties',
  'additionalProperties',
  'items',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
] as const;

type Schema = Readonly<Record<string, unknown>>;
type Check = (schema: Schema) => readonly string[];

const checks: readonly Check[] = [
  checkKeywords,
  checkType,
  checkDescription,
  checkText,
  checkMap,
  checkRequired,
  checkList,
  checkListKeys,
  checkRules,
];

/** All problems of a schema and of every schema inside it, with their paths. */
export function structuralProblems(schema: unknown, path: string): readonly Problem[] {
  if (!isRecord(schema)) return [{ path, message: 'is not a schema' }];
  const own = checks.flatMap((check) => check(schema)).map((message) => ({ path, message }));
  return [...own, ...schemasInside(schema, path).flatMap(([inner, at]) => structuralProblems(inner, at))];
}

function schemasInside(schema: Schema, path: string): readonly (readonly [unknown, string])[] {
  const { properties, items, additionalProperties } = schema;
  return [
    ...Object.entries(fieldsOf(properties)).map(([name, inner]) => [inner, `${path}.${name}`] as const),
    ...(items === undefined ? [] : [[items, `${path}[]`] as const]),
    ...(isRecord(additionalProperties) ? [[additionalProperties, `${path}{}`] as const] : []),
  ];
}

function checkKeywords(schema: Schema): readonly string[] {
  const known: readonly string[] = schemaKeywords;
  return Object.keys(schema)
    .filter((keyword) => !known.includes(keyword))
    .map((keyword) => `has the keyword ${keyword}, which a structural schema of ours may not use`);
}

function checkType(schema: Schema): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true)
    return 'type' in schema ? ['has a type beside int-or-string'] : [];
  const types: readonly unknown[] = ['object', 'array', 'string', 'integer', 'boolean'];
  return types.includes(schema['type']) ? [] : [`has the type ${JSON.stringify(schema['type'])}`];
}

function checkDescription({ description }: Schema): readonly string[] {
  return typeof description === 'string' && description.endsWith('.')
    ? []
    : ['has no sentence as its description'];
}

function checkText(schema: Schema): readonly string[] {
  if (schema['type'] !== 'string' && schema['x-kubernetes-int-or-string'] !== true) return [];
  const isBounded = 'maxLength' in schema || 'enum' in schema || schema['format'] === 'date-time';
  return isBounded ? [] : ['is a string without maxLength'];
}

function checkMap({ type, properties, additionalProperties, maxProperties }: Schema): readonly string[] {
  if (type !== 'object') return [];
  if (properties !== undefined)
    return additionalProperties === undefined ? [] : ['has both properties and additionalProperties'];
  if (!isRecord(additionalProperties)) return ['is an object whose fields are not named'];
  return maxProperties === undefined ? ['is a map without maxProperties'] : [];
}

function checkRequired({ required = [], properties = {} }: Schema): readonly string[] {
  if (!Array.isArray(required) || !isRecord(properties)) return ['has malformed properties'];
  return required
    .filter((name) => !(name in properties))
    .map((name) => `requires ${name}, which it does not have`);
}

function checkList(schema: Schema): readonly string[] {
  if (schema['type'] !== 'array') return [];
  return [
    ...('maxItems' in schema ? [] : ['is a list without maxItems']),
    ...('items' in schema ? [] : ['is a list without items']),
    ...(['atomic', 'set', 'map'].includes(String(schema['x-kubernetes-list-type']))
      ? []
      : ['is a list without a list type']),
  ];
}

/** The keys of a list map identify its items: each is a scalar that every item has. */
function checkListKeys(schema: Schema): readonly string[] {
  if (schema['x-kubernetes-list-type'] !== 'map') return [];
  const items = fieldsOf(schema['items']);
  const properties = fieldsOf(items['properties']);
  const required = Array.isArray(items['required']) ? items['required'] : [];
  const keys = schema['x-kubernetes-list-map-keys'];
  if (!Array.isArray(keys) || keys.length === 0) return ['is a list map without keys'];
  return keys.flatMap((key) => {
    const property = properties[key];
    if (!isRecord(property) || !required.includes(key))
      return [`has the list key ${key}, which its items may lack`];
    return ['object', 'array'].includes(String(property['type']))
      ? [`has the list key ${key}, which is no scalar`]
      : [];
  });
}

function checkRules({ 'x-kubernetes-validations': rules = [] }: Schema): readonly string[] {
  if (!Array.isArray(rules)) return ['has malformed rules'];
  return rules
    .filter((rule) => !isRecord(rule) || !rule['rule'] || !rule['message'])
    .map((rule) => `has a rule without words or message: ${JSON.stringify(rule)}`);
}
