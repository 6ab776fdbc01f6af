import { describe, expect, it } from 'vitest';
import { badDefinitions, badSchemas } from '../../../test/support/schema-refusals.ts';
import { definitionOf, sampleSchemas } from '../../../test/support/schema-samples.ts';
import { checkDefinition } from './check-definition.ts';

type Raw = Readonly<Record<string, unknown>>;

const lines = (definition: unknown) =>
  checkDefinition(definition).map(({ path, message }) => `${path}: ${message}`);
const good = definitionOf('thing', { type: 'object', properties: { a: { type: 'string' } } }) as {
  spec: Raw & { names: Raw; versions: readonly Raw[] };
};
const withSpec = (change: Raw) => ({ ...good, spec: { ...good.spec, ...change } });

describe('a definition', () => {
  it.each(Object.entries(sampleSchemas))('of a sound schema is accepted: %s', (name, schema) => {
    expect(lines(definitionOf(name, schema))).toEqual([]);
  });

  it.each(Object.entries(badSchemas))('with %s is refused', (_, schema) => {
    expect(lines(definitionOf('thing', schema))).not.toEqual([]);
  });

  it.each(Object.entries(badDefinitions))('with %s is refused', (_, definition) => {
    expect(lines(definition)).not.toEqual([]);
  });

  it.each<[string, Raw, string]>([
    [
      'a group without a dot',
      { group: 'things' },
      'spec.group: Invalid value: "things": should be a domain with at least one dot',
    ],
    ['no scope', { scope: '' }, 'spec.scope: Required value'],
    [
      'another scope',
      { scope: 'World' },
      'spec.scope: Unsupported value: "World": supported values: "Cluster", "Namespaced"',
    ],
    [
      'a list kind that is the kind',
      { names: { ...good.spec.names, listKind: 'Thing' } },
      'spec.names.listKind: Invalid value: "Thing": kind and listKind may not be the same',
    ],
    ['no kind', { names: { ...good.spec.names, kind: '' } }, 'spec.names.kind: Required value'],
    [
      'conversion by webhook',
      { conversion: { strategy: 'Webhook' } },
      'spec.conversion.strategy: Invalid value: "Webhook": only None is supported here',
    ],
  ])('with %s is refused', (_, change, expected) => {
    expect(lines(withSpec(change))).toContain(expected);
  });

  it('has exactly one version to store', () => {
    const [version = {}] = good.spec.versions;
    const twice = withSpec({ versions: [version, { ...version, name: 'v2' }] });
    expect(lines(twice)).toEqual([
      'status.storedVersions: Invalid value: ["v1"]: must have the storage version v2',
      expect.stringContaining('must have exactly one version marked as storage version'),
    ]);
  });

  it('is named after what it defines', () => {
    expect(lines({ ...good, metadata: { name: 'others.samples.example.com' } })).toEqual([
      'metadata.name: Invalid value: "others.samples.example.com": must be spec.names.plural+"."+spec.group',
    ]);
  });

  it.each([
    ['an unsigned number', 'self.a == "x" && 1u == 1u', 'unsigned integers are not supported here'],
    [
      'a macro with two variables',
      '["a"].all(i, v, v == self.a)',
      'with two variables is not supported here',
    ],
    [
      'a function that does not exist here',
      'semver(self.a).major() == 1',
      'it does not exist, or is not supported here',
    ],
  ])('whose rule uses %s is refused with a sentence', (_, rule, sentence) => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      'x-kubernetes-validations': [{ rule }],
    };
    expect(lines(definitionOf('thing', schema))).toEqual([expect.stringContaining(sentence)]);
  });
});
