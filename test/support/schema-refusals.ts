// Schemas and definitions that the API server refuses, each for one reason.

import { definitionOf, list, object, rule, rules, type Schema, text, whole } from './schema-samples.ts';

export const badSchemas: Readonly<Record<string, Schema>> = {
  'a field without a type': object({ a: {} }),
  'a list without items': object({ a: { type: 'array' } }),
  'a type inside of anyOf': object({ a: text() }, { anyOf: [{ properties: { a: { type: 'string' } } }] }),
  'a default inside of allOf': object({ a: text() }, { allOf: [{ properties: { a: { default: 'x' } } }] }),
  'properties beside additionalProperties': object({ a: text() }, { additionalProperties: text() }),
  'a default of the wrong type': object({ a: whole({ default: 'x' }) }),
  'a default out of bounds': object({ a: whole({ default: 5, maximum: 3 }) }),
  'a default with unknown fields': object({ a: object({ b: text() }, { default: { c: 'x' } }) }),
  'a bad pattern': object({ a: text({ pattern: '(' }) }),
  'a pattern that looks ahead': object({ a: text({ pattern: '(?=a)b' }) }),
  'unique items': object({ a: list(text(), { uniqueItems: true }) }),
  'a set of objects': object({ a: list(object({ b: text() }), { 'x-kubernetes-list-type': 'set' }) }),
  'a list map without keys': object({ a: list(object({ b: text() }), { 'x-kubernetes-list-type': 'map' }) }),
  'a list map with an optional key': object({
    a: list(object({ b: text() }), { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['b'] }),
  }),
  'an unknown list type': object({ a: list(text(), { 'x-kubernetes-list-type': 'bag' }) }),
  'a rule that does not parse': object({ a: whole() }, rules(rule('self.a >'))),
  'a rule about a missing field': object({ a: whole() }, rules(rule('self.b > 1'))),
  'a rule that is no condition': object({ a: whole() }, rules(rule('self.a'))),
  'a rule that mixes types': object({ a: whole() }, rules(rule("self.a == 'x'"))),
  'a rule with an unknown function': object({ a: text() }, rules(rule('self.a.shout() == "A"'))),
  'a rule with a bad duration': object({ a: text() }, rules(rule("duration('soon') == duration(self.a)"))),
  'a messageExpression that is no text': object(
    { a: whole() },
    rules(rule('self.a > 1', { messageExpression: 'self.a' })),
  ),
  'oldSelf in a list that is no map': object({ a: list(text(rules(rule('self == oldSelf')))) }),
  'optionalOldSelf without oldSelf': object(
    { a: whole() },
    rules(rule('self.a > 1', { optionalOldSelf: true })),
  ),
  'a bad fieldPath': object({ a: whole() }, rules(rule('self.a > 1', { fieldPath: '.b' }))),
  'an unknown reason': object({ a: whole() }, rules(rule('self.a > 1', { reason: 'Whatever' }))),
  'an empty rule': object({ a: whole() }, rules(rule(' '))),
  'a reference': object({ a: { type: 'object', $ref: '#/definitions/x' } }),
  'an unknown type': object({ a: { type: 'text' } }),
};

const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };

/** Definitions that are refused for what stands around their schema. */
export const badDefinitions: Readonly<Record<string, Schema>> = {
  'a group without a dot': changed({ group: 'things' }),
  'another scope': changed({ scope: 'World' }),
  'a kind that is its list kind': changed({ names: { plural: 'things', kind: 'Thing', listKind: 'Thing' } }),
  'a plural in capitals': changed({ names: { plural: 'Things', kind: 'Thing' } }),
  'two versions to store': changed({ versions: [version, { ...version, name: 'v2' }] }),
  'a version twice': changed({ versions: [version, { ...version, storage: false }] }),
  'a version with a bad name': changed({ versions: [{ ...version, name: 'V1' }] }),
  'no schema': changed({ versions: [{ name: 'v1', served: true, storage: true }] }),
  'a warning for a version that is not deprecated': changed({
    versions: [{ ...version, deprecationWarning: 'x' }],
  }),
  'a selectable field that is not there': changed({
    versions: [{ ...version, selectableFields: [{ jsonPath: '.a' }] }],
  }),
  'a column of an unknown type': changed({
    versions: [{ ...version, additionalPrinterColumns: [{ name: 'a', type: 'text', jsonPath: '.a' }] }],
  }),
};

function changed(spec: Schema): Schema {
  const definition = definitionOf('refused', { type: 'object' });
  const given = definition['spec'] as Schema;
  return { ...definition, spec: { ...given, ...spec } };
}
