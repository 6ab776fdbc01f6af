import { describe, expect, it } from 'vitest';
import { formatProblem } from '../base/result.ts';
import {
  atomicList,
  flag,
  intOrString,
  listMap,
  object,
  optional,
  setOf,
  stringMap,
  text,
  time,
} from './schema.ts';
import { structuralProblems } from './structural-schema.ts';

const problemsOf = (schema: unknown) => structuralProblems(schema, 'spec').map(formatProblem);
const described = (schema: object) => ({ description: 'Something.', ...schema });
const inObject = (schema: object) => described({ type: 'object', properties: { a: described(schema) } });
const word = text('A word.', { max: 8 });

describe('the structural lint', () => {
  it('accepts every form of the dialect', () => {
    const schema = object('All of it.', {
      word,
      when: time('A time.'),
      share: optional(intOrString('A share.', { default: '25%' })),
      labels: stringMap('Labels.', { max: 4, valueMax: 8 }),
      flags: atomicList('Flags.', flag('A flag.'), { max: 4 }),
      words: setOf('Words.', word, { max: 4 }),
      items: listMap('Items.', object('An item.', { name: word }), { key: 'name', max: 4 }),
    });
    expect(problemsOf(schema)).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['a string without a bound', { type: 'string' }, 'spec.a: is a string without maxLength'],
    [
      'a number or text without a bound',
      { 'x-kubernetes-int-or-string': true },
      'spec.a: is a string without maxLength',
    ],
    [
      'a list without a bound',
      { type: 'array', items: described({ type: 'boolean' }), 'x-kubernetes-list-type': 'atomic' },
      'spec.a: is a list without maxItems',
    ],
    [
      'a list without a list type',
      { type: 'array', items: described({ type: 'boolean' }), maxItems: 1 },
      'spec.a: is a list without a list type',
    ],
    [
      'a list without items',
      { type: 'array', maxItems: 1, 'x-kubernetes-list-type': 'atomic' },
      'spec.a: is a list without items',
    ],
    [
      'a map without a bound',
      { type: 'object', additionalProperties: described({ type: 'boolean' }) },
      'spec.a: is a map without maxProperties',
    ],
    [
      'an unbounded string as the value of a map',
      { type: 'object', maxProperties: 1, additionalProperties: described({ type: 'string' }) },
      'spec.a{}: is a string without maxLength',
    ],
    ['an object of unknown fields', { type: 'object' }, 'spec.a: is an object whose fields are not named'],
    [
      'fields beside a map',
      { type: 'object', properties: {}, additionalProperties: described({ type: 'boolean' }) },
      'spec.a: has both properties and additionalProperties',
    ],
    [
      'a required field that is not there',
      { type: 'object', properties: {}, required: ['b'] },
      'spec.a: requires b, which it does not have',
    ],
    ['no type', {}, 'spec.a: has the type undefined'],
    ['several types', { type: ['string', 'null'] }, 'spec.a: has the type ["string","null"]'],
    [
      'a rule without a message',
      { type: 'boolean', 'x-kubernetes-validations': [{ rule: 'self' }] },
      'spec.a: has a rule without words or message: {"rule":"self"}',
    ],
    [
      'a reference',
      { type: 'boolean', $ref: '#/a' },
      'spec.a: has the keyword $ref, which a structural schema of ours may not use',
    ],
    [
      'pattern properties',
      { type: 'object', properties: {}, patternProperties: {} },
      'spec.a: has the keyword patternProperties, which a structural schema of ours may not use',
    ],
    ['no description', { type: 'boolean', description: '' }, 'spec.a: has no sentence as its description'],
  ])('refuses %s', (_, schema, problem) => {
    expect(problemsOf(inObject(schema))).toEqual([problem]);
  });

  it('refuses a list map whose items may lack the key', () => {
    const items = object('An item.', { name: optional(word) });
    expect(problemsOf(listMap('Items.', items, { key: 'name', max: 4 }))).toEqual([
      'spec: has the list key name, which its items may lack',
    ]);
  });

  it('refuses a list map whose key is no scalar', () => {
    const items = object('An item.', { name: object('A name.', { word }) });
    expect(problemsOf(listMap('Items.', items, { key: 'name', max: 4 }))).toEqual([
      'spec: has the list key name, which is no scalar',
    ]);
  });
});
